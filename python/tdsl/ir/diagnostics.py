"""What MLIR's parser and verifier say, as our diagnostics."""

from __future__ import annotations

from typing import Any

import mlir.ir as ir

from tdsl.errors import Diagnostic

__all__ = ["MLIRError", "verification_diagnostics"]

#: What the parser and the verifier raise. The bindings add it to their module at run time, so its type is not known.
MLIRError: Any = vars(ir)["MLIRError"]


def verification_diagnostics(error: Any) -> tuple[Diagnostic, ...]:
    """The diagnostics of an :data:`MLIRError`, each at its position."""
    return tuple(map(_diagnostic, error.error_diagnostics))


def _diagnostic(info: Any) -> Diagnostic:
    place = info.location
    known = isinstance(place, ir.Location) and place.is_a_file()
    file, line, column = (place.filename, place.start_line, place.start_col) if known else (None, 0, 0)
    return Diagnostic("error", info.message, file, line, column, tuple(map(_diagnostic, info.notes)))
