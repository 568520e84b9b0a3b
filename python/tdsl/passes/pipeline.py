"""The one way to run pipelines from Python.

MLIR's own ``PassManager.run`` keeps the GIL, so a Python pass on a worker thread would wait for it for ever; a guard
makes such a run serial, and leaves the context serial. This runner releases the GIL.
"""

from __future__ import annotations

import contextvars
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import mlir.ir as ir

from tdsl import _tdsl
from tdsl.errors import CompileError, Diagnostic
from tdsl.passes.registry import callers, register_all

__all__ = ["PipelineResult", "normalize_pipeline", "run_pipeline"]


#: What passes were working on when they crashed: even destroying it could crash again.
_abandoned: list[ir.Operation | ir.OpView] = []


@dataclass(frozen=True)
class PipelineResult:
    """What a successful run said.

    Attributes:
        diagnostics: Warnings and remarks, in order.
        output: The printed IR and the timing report, where they were asked for.
    """

    diagnostics: tuple[Diagnostic, ...]
    output: str


def run_pipeline(
    op: ir.Module | ir.Operation | ir.OpView,
    pipeline: str,
    *,
    verify_each: bool = True,
    print_after_all: bool = False,
    timing: bool = False,
    crash_reproducer: str | None = None,
    survive_crashes: bool = False,
) -> PipelineResult:
    """Runs a textual pipeline on an operation, in place.

    Args:
        op: The operation; ``pipeline`` is anchored on its name.
        pipeline: Such as ``"builtin.module(tdsl.program(my-pass{option=1}),cse)"``.
        verify_each: Verify the IR after each pass.
        print_after_all: Print the IR after each pass, into the result.
        timing: Report the time that each pass took, in the result.
        crash_reproducer: The file to write if a pass fails.
        survive_crashes: Make a crash of a C++ pass, such as a failed assertion in MLIR, an error. ``op`` and its
            context are then kept for ever, and must not be used any more. Passes run on a thread of their own, and
            ``timing`` is without effect.

    Raises:
        CompileError: A pass failed, or the pipeline cannot be parsed. An exception that a Python pass
            raised is the cause.
        KeyboardInterrupt, SystemExit: A Python pass was interrupted.
    """
    register_all()
    operation = op.operation if isinstance(op, ir.Module) else op
    with _lending_variables(operation.context):
        succeeded, raw, output, exception, crash = _tdsl.run_pipeline(
            operation, pipeline, verify_each, print_after_all, timing, crash_reproducer or "", survive_crashes
        )
    if exception is not None and not isinstance(exception, Exception):
        raise exception
    diagnostics = tuple(map(Diagnostic.from_native, raw))
    if crash:
        _abandoned.append(operation)
        diagnostics += (Diagnostic("error", crash),)
    if succeeded:
        return PipelineResult(diagnostics, output)
    errors = [str(diagnostic) for diagnostic in diagnostics if diagnostic.severity == "error"]
    raise CompileError("\n".join(errors) or "the pipeline failed", diagnostics, crash_reproducer) from exception


@contextmanager
def _lending_variables(context: ir.Context) -> Iterator[None]:
    """Passes see the context variables of the caller."""
    outer = callers.get(context)
    callers[context] = contextvars.copy_context()
    try:
        yield
    finally:
        if outer is None:
            del callers[context]
        else:
            callers[context] = outer


def normalize_pipeline(pipeline: str) -> str:
    """Parses a pipeline and writes it back in MLIR's canonical form, with every option that is not at its default.

    Raises:
        ValueError: The pipeline cannot be parsed; the message points at the place.
    """
    register_all()
    return _tdsl.normalize_pipeline(pipeline)
