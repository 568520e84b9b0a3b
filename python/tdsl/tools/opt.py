"""tdsl-opt: mlir-opt with the tdsl dialect and the Python passes."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tdsl import _tdsl
from tdsl.codegen.pipelines import register_pipelines
from tdsl.errors import KnobError
from tdsl.passes.registry import register_all
from tdsl.session import knobs

if TYPE_CHECKING:
    import mlir.ir as ir

    from tdsl.tools.validate import Validator

__all__ = ["main"]

# Parsing, verifying and printing recurse with the nesting of the program. 30,000 nested regions need more than any
# default; the memory is only reserved. Smaller ones are tried where a limit forbids it.
_STACK_SIZES = (1 << 30, 1 << 28, 1 << 26)

_SHOW_OPERATION = "mlir-print-op-on-diagnostic"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool and returns its exit code; an unknown flag ends the process, as in mlir-opt."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if any("-load-" in argument for argument in arguments):
        from tdsl.tools import plugin_check

        if error := plugin_check.prepare_plugins(arguments):
            print(f"tdsl-opt: {error}", file=sys.stderr)
            return 1
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            knobs.check_environment()
        except KnobError as error:
            print(f"tdsl-opt: error: {error}", file=sys.stderr)
            return 1
        register_all()
        register_pipelines()
    sys.stdout.flush()
    # MLIR would print the operation under each error, and ours may be a whole program.
    flags = [] if any(_SHOW_OPERATION in a for a in arguments) else [f"--{_SHOW_OPERATION}=false"]
    validator = _LazyValidator()
    try:
        code, interrupt = _call_with_large_stack(lambda: _tdsl.opt_main(["tdsl-opt", *flags, *arguments], validator))
    except KeyboardInterrupt:
        # The driver cannot be stopped, and its thread would keep the process alive.
        os._exit(130)
    if interrupt is not None:
        raise interrupt
    return 1 if validator.found_difference else code


class _LazyValidator:
    """Told of passes only with --tdsl-validate-each: nobody else pays for the interpreter and the compiler."""

    def __init__(self) -> None:
        self._validator: Validator | None = None

    @property
    def found_difference(self) -> bool:
        return self._validator is not None and self._validator.found_difference

    def before_pass(self, op: ir.OpView, name: str) -> None:
        if self._validator is None:
            from tdsl.tools.validate import Validator

            self._validator = Validator()
        self._validator.before_pass(op, name)

    def after_pass(self, op: ir.OpView, name: str) -> None:
        assert self._validator is not None
        self._validator.after_pass(op, name)


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"tdsl-opt: warning: {message}", file=sys.stderr)


def _call_with_large_stack(
    function: Callable[[], tuple[int, BaseException | None]],
) -> tuple[int, BaseException | None]:
    results: list[tuple[int, BaseException | None]] = []
    failures: list[BaseException] = []

    def call() -> None:
        try:
            results.append(function())
        except BaseException as error:
            failures.append(error)

    previous = threading.stack_size()
    for size in _STACK_SIZES:
        threading.stack_size(size)
        thread = threading.Thread(target=call, name="tdsl-opt", daemon=True)
        try:
            thread.start()
            break
        except RuntimeError:
            continue
        finally:
            threading.stack_size(previous)
    else:
        call()
        thread = None
    if thread is not None:
        thread.join()
    if failures:
        raise failures[0]
    return results[0]


if __name__ == "__main__":
    sys.exit(main())
