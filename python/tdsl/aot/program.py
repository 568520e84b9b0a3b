"""Ahead-of-time compilation: programs as object files, libraries, headers and texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import mlir.ir as ir
import numpy as np
from mlir.dialects import llvm

from tdsl.aot.header import Header
from tdsl.aot.linker import link_shared_library
from tdsl.aot.names import check_prefix, identifier, routine_names, unique_identifiers
from tdsl.aot.output import OUTPUT_KINDS, OutputKind, kind_of_path, replace_file
from tdsl.codegen.lowering import CompileTimes, LoweredProgram, lower_program
from tdsl.codegen.object_code import TargetDescription
from tdsl.codegen.signature import Signature, packed_symbol
from tdsl.errors import TdslError, UnsupportedError
from tdsl.ir.builder import ProgramBuilder
from tdsl.session import knobs

__all__ = ["AotProgram", "compile_ahead_of_time", "target_description"]


def target_description(triple: str = "", cpu: str = "", features: str = "") -> TargetDescription:
    """The target that these names mean; what is empty comes from the knobs ``target``, ``target_cpu`` and
    ``target_features``.

    Without a triple it is this machine's; without triple and CPU it is this machine with all that its CPU can do.
    With a triple but no CPU, it is the oldest CPU of the architecture. The names are checked when code is generated.
    """
    triple = triple or knobs.target
    cpu = cpu or knobs.target_cpu
    features = features or knobs.target_features
    host = TargetDescription.host()
    if triple or cpu:
        return TargetDescription(triple or host.triple, cpu, features)
    return replace(host, features=",".join(part for part in (host.features, features) if part))


class AotProgram:
    """A program that is compiled ahead of time: code for one target, and the header that goes with it.

    Attributes:
        name: The name of the program.
        target: What the code is for.
        signatures: Its routines; the function of each is its C name.
        times: How long the stages took so far.
    """

    def __init__(
        self,
        lowered: LoweredProgram,
        signatures: tuple[Signature, ...],
        prefix: str,
        initial: dict[str, str],
        optimization_level: int | None,
        times: CompileTimes,
    ) -> None:
        self.name = lowered.name
        self.target = lowered.target
        self.signatures = signatures
        self.times = times
        self._lowered = lowered
        self._optimization_level = optimization_level
        self._header = Header(self.name, prefix, str(self.target), signatures, initial)

    @cached_property
    def object_code(self) -> bytes:
        """A relocatable, position-independent object file.

        Raises:
            CompileError: LLVM has no such target, CPU or feature, or cannot generate code for it.
        """
        return self._lowered.emit(optimization_level=self._optimization_level, times=self.times)

    def header(self) -> str:
        """The header, for C99 and C++: prototypes, shapes, sizes, alignment, and what callers must keep to."""
        return self._header.text

    def assembly(self) -> str:
        """The same code as text. Raises CompileError as :attr:`object_code`."""
        code = self._lowered.emit(kind="assembly", optimization_level=self._optimization_level, times=self.times)
        return code.decode()

    def llvm_ir(self) -> str:
        """The optimized LLVM IR. Raises CompileError as :attr:`object_code`."""
        code = self._lowered.emit(kind="llvm-ir", optimization_level=self._optimization_level, times=self.times)
        return code.decode()

    def mlir(self, stage: str = "llvm") -> str:
        """The IR after a stage: ``"input"``, ``"inferred"``, ``"linalg"``, ``"scheduled"`` or ``"llvm"``.

        Raises:
            TdslError: There is no such stage.
        """
        stages = self._lowered.stages
        if stage not in stages:
            raise TdslError(f"there is no stage '{stage}'; there are {', '.join(stages)}")
        return str(self._lowered.module) if stage == "llvm" else stages[stage]

    def shared_library(self, name: str | None = None, *, linker: str | None = None) -> bytes:
        """A shared library, linked by the C compiler of the system; it needs only the C library and libm.

        Args:
            name: What programs that are linked with it look for; by default ``lib<program>.so``.
            linker: A command that links like ``cc``.

        Raises:
            CompileError: There is no linker for the target, or it failed; or as :attr:`object_code`.
        """
        name = name or f"lib{identifier(self.name)}.so"
        return link_shared_library(self.object_code, name, self.target, linker)

    def contents(
        self, kind: OutputKind, *, name: str | None = None, stage: str = "llvm", linker: str | None = None
    ) -> bytes:
        """What a file of a kind holds. Raises what the method for that kind raises."""
        makers: dict[OutputKind, Callable[[], str | bytes]] = {
            "object": lambda: self.object_code,
            "shared-library": lambda: self.shared_library(name, linker=linker),
            "llvm-ir": self.llvm_ir,
            "assembly": self.assembly,
            "header": self.header,
            "mlir": lambda: self.mlir(stage),
        }
        if kind not in makers:
            raise TdslError(f"'{kind}' is no kind of output; there are {', '.join(OUTPUT_KINDS)}")
        made = makers[kind]()
        return made.encode() if isinstance(made, str) else made

    def write(
        self,
        path: str | os.PathLike[str],
        kind: OutputKind | None = None,
        *,
        stage: str = "llvm",
        linker: str | None = None,
    ) -> None:
        """Writes a file: ``.o``, ``.so``, ``.ll``, ``.s``, ``.h`` or ``.mlir``, by its suffix unless ``kind`` is given.

        A file that is there is replaced at once, or not at all if something fails.

        Raises:
            TdslError: The suffix or ``kind`` is unknown.
            OSError: The file cannot be written.
            CompileError: As the method for that kind.
        """
        path = Path(path)
        kind = kind or kind_of_path(path)
        made = self.contents(kind, name=path.name, stage=stage, linker=linker)
        replace_file(path, made, executable=kind == "shared-library")


def compile_ahead_of_time(
    program: ProgramBuilder | str,
    *,
    target: TargetDescription | str | None = None,
    cpu: str = "",
    features: str = "",
    keep: Iterable[str] | None = None,
    prefix: str | None = None,
    optimization_level: int | None = None,
) -> AotProgram:
    """Compiles every routine of a program to C functions for a target, this machine by default.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        target: A triple such as ``"aarch64-linux-gnu"``, or a whole description.
        cpu: Such as ``"x86-64-v3"``; by default the oldest of the triple, or this machine's if there is no triple.
        features: What differs from that CPU, such as ``"+avx512f,-sse4a"``.
        keep: The results that callers will read, as for :func:`tdsl.compile`.
        prefix: What the names of functions start with; by default the name of the program and ``_``.
        optimization_level: The level of LLVM's optimizer, 0 to 3. By default that of the knob, but 0 where schedules
            have left no loops to optimize.

    Raises:
        CompileError, TdslError, UnsupportedError: As :func:`tdsl.compile`; or names of routines are alike or reserved
            in C, or the prefix is none.
        ValueError: There is no such optimization level.
    """
    if optimization_level not in (None, 0, 1, 2, 3):
        raise ValueError(f"optimization_level must be 0, 1, 2 or 3, not {optimization_level!r}")
    if isinstance(target, TargetDescription):
        description = replace(target, cpu=cpu or target.cpu, features=features or target.features)
    else:
        description = target_description(target or "", cpu, features)
    if description.triple.startswith("nvptx"):
        raise UnsupportedError(
            f"'{description.triple}' is a GPU, and ahead-of-time compilation is for CPUs: "
            "PTX is what tdsl.compile(...).ptx() gives"
        )
    if prefix is not None:
        check_prefix(prefix)
    times = CompileTimes()
    # One thread: an object that needs no other libraries.
    with knobs.scope(num_threads=1):
        lowered = lower_program(program, description, keep=keep, times=times)
    if prefix is None:
        prefix = identifier(lowered.name) + "_"
    names = routine_names((s.routine for s in lowered.signatures), prefix)
    _name_functions(lowered, names)
    signatures = tuple(replace(s, function=names[s.routine]) for s in lowered.signatures)
    initial = _initial_names(lowered, prefix, names.values())
    _add_initial_cells(lowered, initial)
    return AotProgram(lowered, signatures, prefix, initial, optimization_level, times)


def _name_functions(lowered: LoweredProgram, names: dict[str, str]) -> None:
    """Gives routines their C names, and hides what only they call."""
    routines = {signature.function: names[signature.routine] for signature in lowered.signatures}
    packed = {packed_symbol(function) for function in routines}
    with lowered.module.context:
        internal = ir.Attribute.parse("#llvm.linkage<internal>")
        for op in list(lowered.module.body.operations):
            if not isinstance(op, llvm.LLVMFuncOp):
                continue
            symbol = ir.StringAttr(op.attributes["sym_name"]).value
            if symbol in packed:
                op.operation.erase()
            elif symbol in routines:
                op.attributes["sym_name"] = ir.StringAttr.get(routines[symbol])
            elif len(op.body.blocks) > 0:
                op.attributes["linkage"] = internal


def _initial_names(lowered: LoweredProgram, prefix: str, taken: Iterable[str]) -> dict[str, str]:
    """The C name of the declared cells of each node that routines start from."""
    keys = dict.fromkeys(a.key for s in lowered.signatures for a in s.arguments if a.key in lowered.initial)
    wanted = {key: f"{prefix}{identifier(key)}_initial" for key in keys}
    unique = unique_identifiers(wanted.values(), taken)
    return {key: unique[name] for key, name in wanted.items()}


def _add_initial_cells(lowered: LoweredProgram, names: dict[str, str]) -> None:
    """Makes declared cells constants of the object."""
    body = lowered.module.body
    with lowered.module.context, ir.Location.unknown(), ir.InsertionPoint(body):
        for node, name in names.items():
            cells = np.ascontiguousarray(lowered.initial[node]).reshape(-1)
            # As bits: C reads them back as what they are. C has no arrays without cells.
            bits = cells.view(f"u{cells.itemsize}") if cells.size else np.zeros(1, f"u{cells.itemsize}")
            integer = ir.IntegerType.get_signless(8 * cells.itemsize)
            llvm.GlobalOp(
                ir.Type.parse(f"!llvm.array<{bits.size} x {integer}>"),
                name,
                ir.Attribute.parse("#llvm.linkage<external>"),
                constant=True,
                # The stub of the bindings knows no buffers.
                value=ir.DenseElementsAttr.get(bits, type=integer),  # pyright: ignore[reportCallIssue, reportArgumentType]
                addr_space=0,
                alignment=16,
            )
