"""From a program to the LLVM dialect: the part that just-in-time and ahead-of-time compilation and the cache share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import mlir.ir as ir
import numpy as np
from mlir.dialects import func

from tdsl.codegen.object_code import CodeKind, StageTimes, TargetDescription, emit
from tdsl.codegen.pipelines import BUFFERS_TO_LLVM, INFER, TO_LINALG_AFTER_INFERENCE, register_pipelines
from tdsl.codegen.signature import (
    ProgramFacts,
    Signature,
    is_routine,
    jit_symbol,
    read_signature,
    rename_functions,
    with_workspaces,
)
from tdsl.errors import CompileError, TdslError, UnsupportedError
from tdsl.ir import NodeOp, ProgramOp, create_context
from tdsl.ir.builder import ProgramBuilder
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics
from tdsl.ir.traversal import declarations
from tdsl.passes.pipeline import run_pipeline

__all__ = ["CompileTimes", "LoweredProgram", "lower_program", "parse_module"]


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
        stages: The text of the IR at each stage: ``"input"``, ``"inferred"``, ``"linalg"`` and ``"llvm"``.
    """

    name: str
    module: ir.Module
    target: TargetDescription
    signatures: tuple[Signature, ...]
    initial: Mapping[str, np.ndarray]
    hidden: frozenset[str]
    stages: Mapping[str, str]

    def emit(
        self, *, kind: CodeKind = "object", optimization_level: int = 3, times: CompileTimes | None = None
    ) -> bytes:
        """The code of all routines for the target; see :func:`tdsl.codegen.object_code.emit`.

        Raises:
            CompileError: LLVM has no such target, or cannot generate code for it.
        """
        return emit(
            self.module,
            self.target,
            kind=kind,
            optimization_level=optimization_level,
            times=None if times is None else times.code,
        )


def lower_program(
    program: ProgramBuilder | str,
    target: TargetDescription | None = None,
    *,
    keep: Iterable[str] | None = None,
    symbol_of: Callable[[str], str] = jit_symbol,
    times: CompileTimes | None = None,
) -> LoweredProgram:
    """Lowers every routine of a program to the LLVM dialect.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        target: What code will be generated for; the host by default.
        keep: The results that the host will read; inputs and parameters are always kept. Without it, every public
            node is.
        symbol_of: The symbol of the function of a routine, by the name of the routine.
        times: If given, is set to the time that the stages took.

    Raises:
        CompileError: The text is not a valid program, or a pass failed; with the diagnostics.
        TdslError: The text has no program or several, or ``keep`` names what is not a node.
        UnsupportedError: NumPy cannot hold the cells of a node that the host can see.
    """
    if not isinstance(program, (ProgramBuilder, str)):
        raise TypeError(f"expected a ProgramBuilder or MLIR text to compile, not {type(program).__name__}")
    register_pipelines()
    times = times or CompileTimes()
    # Through text, so that the builder stays as it is; with locations, so that errors show the user's lines.
    module = parse_module(program if isinstance(program, str) else program.text_with_locations())
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
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp) and is_routine(op)]
    signatures = [read_signature(function, facts, symbol_of) for function in functions]
    rename_functions(functions, signatures)
    run_pipeline(module, f"builtin.module({BUFFERS_TO_LLVM})", verify_each=False)
    stages["llvm"] = str(module)
    times.lower = time.perf_counter() - start
    return LoweredProgram(
        name,
        module,
        target or TargetDescription.host(),
        with_workspaces(signatures, module),
        facts.initial,
        hidden,
        stages,
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
