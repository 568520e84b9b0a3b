"""From a program to routines that can be called."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import mlir.ir as ir
from mlir.dialects import func

from tdsl.codegen.nvptx import PtxKernel, compile_to_ptx
from tdsl.codegen.object_code import LoadedObject, StageTimes, TargetDescription, emit
from tdsl.codegen.pipelines import BUFFERS_TO_LLVM, INFER, TO_LINALG_AFTER_INFERENCE, register_pipelines
from tdsl.errors import CompileError, TdslError, UnsupportedError
from tdsl.ir import NodeOp, ProgramOp, create_context
from tdsl.ir.builder import ProgramBuilder
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics
from tdsl.ir.traversal import declarations
from tdsl.passes.pipeline import run_pipeline
from tdsl.runtime.native import NativeFunction
from tdsl.runtime.routine import Routine
from tdsl.runtime.signature import ProgramFacts, read_signature, rename_functions

__all__ = ["CompileTimes", "CompiledProgram", "compile_program"]


@dataclass
class CompileTimes:
    """How long the stages of a compilation took, in seconds.

    Attributes:
        infer: Precision and shape inference and the derivation of index spaces.
        lower: Everything from there to the LLVM dialect.
        code: LLVM's part, by stage.
        load: Linking the object into the process.
    """

    infer: float = 0.0
    lower: float = 0.0
    code: StageTimes = field(default_factory=StageTimes)
    load: float = 0.0

    @property
    def total(self) -> float:
        return self.infer + self.lower + self.code.translate + self.code.optimize + self.code.emit + self.load


class CompiledProgram(Mapping[str, Routine]):
    """The routines of a program, by name; also as attributes, ``compiled.forward``."""

    def __init__(
        self,
        name: str,
        routines: dict[str, Routine],
        stages: dict[str, str],
        code: bytes,
        times: CompileTimes,
        hidden: frozenset[str],
    ) -> None:
        self.name = name
        #: The nodes that only compiled code sees.
        self.hidden = hidden
        self.times = times
        self._routines = routines
        self._stages = stages
        self._code = code

    def __getitem__(self, name: str) -> Routine:
        if name not in self._routines:
            raise TdslError(
                f"program '{self.name}' has no routine '{name}'; it has {', '.join(self._routines) or 'none'}"
            )
        return self._routines[name]

    def __getattr__(self, name: str) -> Routine:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._routines)

    def __len__(self) -> int:
        return len(self._routines)

    def mlir(self, stage: str = "inferred") -> str:
        """The IR after a stage: ``"input"``, ``"inferred"``, ``"linalg"`` or ``"llvm"``."""
        if stage not in self._stages:
            raise TdslError(f"there is no stage '{stage}'; there are {', '.join(self._stages)}")
        return self._stages[stage]

    @property
    def object_code(self) -> bytes:
        """The object file that the routines were loaded from."""
        return self._code

    def asm(self, optimization_level: int = 3) -> str:
        """The assembly of all routines for this machine."""
        module = _parse(self._stages["llvm"])
        code = emit(module, TargetDescription.host(), kind="assembly", optimization_level=optimization_level)
        return code.decode()

    def ptx(self, chip: str = "sm_80") -> list[PtxKernel]:
        """The kernels of all routines for an NVIDIA GPU, with how to launch them.

        Raises:
            UnsupportedError: The program is not elementwise, or needs NVIDIA's device library.
        """
        return compile_to_ptx(_parse(self._stages["inferred"]), chip)


def compile_program(
    program: ProgramBuilder | str,
    *,
    keep: Iterable[str] | None = None,
    optimization_level: int = 3,
) -> CompiledProgram:
    """Compiles every routine of a program for this machine.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        keep: The results that the host will read; inputs and parameters are always kept. Without it, every public
            node is.
        optimization_level: The level of LLVM's optimizer, 0 to 3.

    Raises:
        CompileError: The text is not a valid program, or a pass failed; with the diagnostics.
        TdslError: The text has no program or several, or ``keep`` names what is not a node.
        UnsupportedError: NumPy cannot hold the cells of a node that the host can see.
    """
    if not isinstance(program, (ProgramBuilder, str)):
        raise TypeError(f"expected a ProgramBuilder or MLIR text to compile, not {type(program).__name__}")
    register_pipelines()
    times = CompileTimes()
    # Through text, so that the builder stays as it is; with locations, so that errors show the user's lines.
    module = _parse(program if isinstance(program, str) else program.text_with_locations())
    source = _only_program(module)
    name = source.sym_name.value
    stages = {"input": str(module)}

    internalize = ""
    if keep is not None:
        kept = _check_kept(keep, source)
        internalize = f"tdsl.program(tdsl-internalize{{keep={','.join(kept)}}}),"
    start = time.perf_counter()
    run_pipeline(module, f"builtin.module({internalize}{INFER})", verify_each=False)
    times.infer = time.perf_counter() - start
    stages["inferred"] = str(module)
    facts = ProgramFacts.of(_only_program(module))
    hidden = frozenset(n.sym_name.value for n in declarations(_only_program(module), NodeOp)) - facts.public

    start = time.perf_counter()
    run_pipeline(module, f"builtin.module({TO_LINALG_AFTER_INFERENCE})", verify_each=False)
    stages["linalg"] = str(module)
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp)]
    signatures = [read_signature(f, facts) for f in functions if "llvm.emit_c_interface" in f.attributes]
    rename_functions(functions, signatures)
    run_pipeline(module, f"builtin.module({BUFFERS_TO_LLVM})", verify_each=False)
    stages["llvm"] = str(module)
    times.lower = time.perf_counter() - start

    code = emit(module, TargetDescription.host(), optimization_level=optimization_level, times=times.code)
    start = time.perf_counter()
    loaded = LoadedObject(code)
    routines = {s.routine: Routine(NativeFunction(loaded, s), hidden, facts.initial) for s in signatures}
    times.load = time.perf_counter() - start
    return CompiledProgram(name, routines, stages, code, times, hidden)


def _check_kept(keep: Iterable[str], program: ProgramOp) -> list[str]:
    """The names as a list. Raises TdslError for what is no node; pipeline options could not say it clearly."""
    if isinstance(keep, str):
        raise TdslError(f"keep is a list of names of nodes: write keep=['{keep}']")
    kept = list(keep)
    nodes = [node.sym_name.value for node in declarations(program, NodeOp)]
    for name in kept:
        if name not in nodes:
            raise TdslError(
                f"keep names {name!r}, which is not a node of program '{program.sym_name.value}'; "
                f"it has {', '.join(nodes) or 'none'}"
            )
        if not name.replace(".", "").replace("_", "").isalnum():
            raise UnsupportedError(f"keep cannot name {name!r}: use letters, digits, '_' and '.' in names of nodes")
    return kept


def _parse(text: str) -> ir.Module:
    try:
        with create_context():
            return ir.Module.parse(text)
    except MLIRError as error:
        diagnostics = verification_diagnostics(error)
        raise CompileError("\n".join(map(str, diagnostics)), diagnostics) from None


def _only_program(module: ir.Module) -> ProgramOp:
    programs = [op for op in module.body.operations if isinstance(op, ProgramOp)]
    if len(programs) != 1:
        raise TdslError(f"expected one tdsl.program to compile, but the module has {len(programs)}")
    return programs[0]
