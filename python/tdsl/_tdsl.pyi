from collections.abc import Callable, Sequence

import mlir.ir

BUILT_FOR_MLIR: str

# (severity, message, (file, line, column) or None, notes)
_Diagnostic = tuple[str, str, tuple[str, int, int] | None, list["_Diagnostic"]]

def register_dialects(context: mlir.ir.Context) -> None: ...
def emit_diagnostic(
    location: mlir.ir.Location, severity: str, message: str, notes: Sequence[tuple[mlir.ir.Location, str]]
) -> None: ...
def register_pass(
    name: str,
    description: str,
    anchor: str,
    dependent_dialects: Sequence[str],
    options: Sequence[tuple[str, str, str, str]],
    run: Callable[[mlir.ir.OpView, dict[str, object]], bool | None],
    describe_exception: Callable[[BaseException], str],
) -> None: ...
def is_pass_registered(name: str) -> bool: ...
def normalize_pipeline(pipeline: str) -> str: ...
def run_pipeline(
    operation: mlir.ir.Operation | mlir.ir.OpView,
    pipeline: str,
    verify_each: bool,
    print_after_all: bool,
    timing: bool,
    crash_reproducer: str,
) -> tuple[bool, list[_Diagnostic], str, BaseException | None]: ...
def opt_main(arguments: Sequence[str]) -> tuple[int, BaseException | None]: ...
