"""From a program to the LLVM dialect: the part that just-in-time and ahead-of-time compilation and the cache share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import mlir.ir as ir
import numpy as np
from mlir.dialects import func

from tdsl.codegen.emit_pass import explain_failure
from tdsl.codegen.object_code import CodeKind, StageTimes, TargetDescription, emit
from tdsl.codegen.pipelines import INFER, TO_LINALG_AFTER_INFERENCE, CpuPipeline, register_pipelines, with_libm
from tdsl.codegen.reproducer import run_stage
from tdsl.codegen.schedules.options import FULLY_SCHEDULED
from tdsl.codegen.signature import (
    ProgramFacts,
    Signature,
    is_routine,
    jit_symbol,
    read_signature,
    rename_functions,
    with_workspaces,
)
from tdsl.codegen.stage_files import StageFiles
from tdsl.codegen.stage_texts import StageTexts
from tdsl.errors import CompileError, TdslError, UnsupportedError
from tdsl.ir import NodeOp, ProgramOp, create_context
from tdsl.ir.builder import ProgramBuilder
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics
from tdsl.ir.traversal import declarations
from tdsl.session import knobs

__all__ = [
    "CompileTimes",
    "InferredProgram",
    "LoweredProgram",
    "infer_program",
    "lower_inferred",
    "lower_program",
    "parse_module",
]


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

    def __str__(self) -> str:
        """Every stage in milliseconds, on one line."""
        stages = {
            "infer": self.infer,
            "lower": self.lower,
            "translate": self.code.translate,
            "optimize": self.code.optimize,
            "emit": self.code.emit,
            "load": self.load,
            "total": self.total,
        }
        return ", ".join(f"{name} {1e3 * seconds:.1f} ms" for name, seconds in stages.items())


@dataclass(frozen=True)
class InferredProgram:
    """A program with closed precisions, shapes and index spaces. Lowering it changes its module, so do that once.

    Attributes:
        name: The name of the program.
        module: The module.
        facts: What functions will no longer say.
        hidden: The nodes that only compiled code sees.
        stages: The text of the IR at each stage until now: ``"input"`` and ``"inferred"``.
        files: The files of its stages.
    """

    name: str
    module: ir.Module
    facts: ProgramFacts
    hidden: frozenset[str]
    stages: StageTexts
    files: StageFiles


@dataclass(frozen=True)
class LoweredProgram:
    """A program in the LLVM dialect, and what its callers need to know.

    Attributes:
        name: The name of the program.
        module: The module, which :meth:`emit` turns into code.
        target: What it was lowered for.
        signatures: How each of its routines is called, in their order.
        initial: The cells that nodes are declared with, by name.
        hidden: The nodes that only compiled code sees.
        stages: The text of the IR at each stage: ``"input"``, ``"inferred"``, ``"linalg"``, ``"scheduled"`` and
            ``"llvm"``.
        files: The files of its stages.
        is_fully_scheduled: Whether LLVM's optimizer has nothing to add.
    """

    name: str
    module: ir.Module
    target: TargetDescription
    signatures: tuple[Signature, ...]
    initial: Mapping[str, np.ndarray]
    hidden: frozenset[str]
    stages: StageTexts
    files: StageFiles
    is_fully_scheduled: bool

    def emit(
        self, *, kind: CodeKind = "object", optimization_level: int | None = None, times: CompileTimes | None = None
    ) -> bytes:
        """The code of all routines for the target; see :func:`tdsl.codegen.object_code.emit`.

        By default the level of LLVM's optimizer is that of the knob, but 0 where schedules have left it no loops.

        Raises:
            CompileError: LLVM has no such target, or cannot generate code for it.
        """
        level = self.level(optimization_level)
        try:
            return emit(
                self.module,
                self.target,
                kind=kind,
                optimization_level=level,
                times=None if times is None else times.code,
            )
        except CompileError as error:
            raise explain_failure(error, self.module, self.target, level) from None

    def level(self, requested: int | None) -> int:
        """The level of LLVM's optimizer: as requested, or the default of :meth:`emit`."""
        if requested is not None:
            return requested
        return 0 if self.is_fully_scheduled else knobs.optimization_level


def lower_program(
    program: ProgramBuilder | str,
    target: TargetDescription | None = None,
    *,
    threads: int = 1,
    keep: Iterable[str] | None = None,
    symbol_of: Callable[[str], str] = jit_symbol,
    times: CompileTimes | None = None,
) -> LoweredProgram:
    """Lowers every routine of a program to the LLVM dialect.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        target: What code will be generated for; the host by default.
        threads: How many threads share loops; for more than one, the code calls LLVM's OpenMP runtime.
        keep: The results that the host will read; inputs and parameters are always kept. Without it, every public
            node is.
        symbol_of: The symbol of the function of a routine, by the name of the routine.
        times: If given, is set to the time that the stages took.

    Raises:
        CompileError: The text is not a valid program, or a pass failed; with the diagnostics.
        TdslError: The text has no program or several, or ``keep`` names what is not a node.
        UnsupportedError: NumPy cannot hold the cells of a node that the host can see.
    """
    times = times or CompileTimes()
    inferred = infer_program(program, keep=keep, times=times)
    return lower_inferred(inferred, target, threads=threads, symbol_of=symbol_of, times=times)


def infer_program(
    program: ProgramBuilder | str, *, keep: Iterable[str] | None = None, times: CompileTimes | None = None
) -> InferredProgram:
    """The first half of :func:`lower_program`, which does not depend on the target."""
    if not isinstance(program, (ProgramBuilder, str)):
        raise TypeError(f"expected a ProgramBuilder or MLIR text to compile, not {type(program).__name__}")
    register_pipelines()
    times = times or CompileTimes()
    # Through text, so that the builder stays as it is; with locations, so that errors show the user's lines.
    module = parse_module(program if isinstance(program, str) else program.text_with_locations())
    name = _only_program(module).sym_name.value
    kept = None if keep is None else _check_kept(keep, _only_program(module))
    files = StageFiles(name, module, variant="" if kept is None else ",".join(kept))
    with files.explaining():
        module = files.finish("input", module)
        stages = StageTexts()
        stages.record("input", module)
        internalize = "" if kept is None else f"tdsl.program(tdsl-internalize{{keep={','.join(kept)}}}),"
        start = time.perf_counter()
        _only_program(module)
        run_stage(module, f"builtin.module({internalize}{INFER})", finds_mistakes=True)
        times.infer = time.perf_counter() - start
        module = files.finish("inferred", module)
        stages.record("inferred", module)
        facts = ProgramFacts.of(_only_program(module))
        hidden = frozenset(n.sym_name.value for n in declarations(_only_program(module), NodeOp)) - facts.public
    return InferredProgram(name, module, facts, hidden, stages, files)


def lower_inferred(
    inferred: InferredProgram,
    target: TargetDescription | None = None,
    *,
    threads: int = 1,
    symbol_of: Callable[[str], str] = jit_symbol,
    times: CompileTimes | None = None,
) -> LoweredProgram:
    """The second half of :func:`lower_program`."""
    times = times or CompileTimes()
    module, files, stages = inferred.module, inferred.files, inferred.stages.extended()
    with files.explaining():
        start = time.perf_counter()
        run_stage(module, f"builtin.module({TO_LINALG_AFTER_INFERENCE})", finds_mistakes=True)
        module = files.finish("linalg", module)
        stages.record("linalg", module)
        functions = [op for op in module.body.operations if isinstance(op, func.FuncOp) and is_routine(op)]
        signatures = [read_signature(function, inferred.facts, symbol_of) for function in functions]
        rename_functions(functions, signatures)
        pipeline = CpuPipeline(target, threads, knobs.strict)
        for stage, passes in (("scheduled", pipeline.schedule), ("llvm", pipeline.lower)):
            run_stage(module, f"builtin.module({with_libm(passes) if knobs.libm else passes})")
            module = files.finish(stage, module)
            stages.record(stage, module)
        times.lower = time.perf_counter() - start
        return LoweredProgram(
            inferred.name,
            module,
            target or TargetDescription.host(),
            with_workspaces(signatures, module),
            inferred.facts.initial,
            inferred.hidden,
            stages,
            files,
            is_fully_scheduled=FULLY_SCHEDULED in module.operation.attributes,
        )


def parse_module(text: str) -> ir.Module:
    """The module that the text is. Raises CompileError, with the diagnostics."""
    try:
        with create_context():
            return ir.Module.parse(text)
    except MLIRError as error:
        diagnostics = verification_diagnostics(error)
        raise CompileError("\n".join(map(str, diagnostics)), diagnostics) from None


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


def _only_program(module: ir.Module) -> ProgramOp:
    programs = [op for op in module.body.operations if isinstance(op, ProgramOp)]
    if len(programs) != 1:
        raise TdslError(f"expected one tdsl.program to compile, but the module has {len(programs)}")
    return programs[0]
