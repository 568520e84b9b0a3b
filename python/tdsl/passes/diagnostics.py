"""Diagnostics with notes, for passes."""

from __future__ import annotations

from collections.abc import Sequence

import mlir.ir as ir

from tdsl import _tdsl

__all__ = ["emit_error", "emit_remark", "emit_warning"]

Place = ir.Location | ir.Operation | ir.OpView
Notes = Sequence[tuple[Place, str]]


def emit_error(place: Place, message: str, notes: Notes = ()) -> None:
    """Emits an error. It does not end the pass, which returns False after its last one.

    Args:
        place: A location, or an operation for its location.
        message: The text; the first line in the user's words.
        notes: Further places and what there is to say about each.
    """
    _emit("error", place, message, notes)


def emit_warning(place: Place, message: str, notes: Notes = ()) -> None:
    """Emits a warning; see :func:`emit_error`."""
    _emit("warning", place, message, notes)


def emit_remark(place: Place, message: str, notes: Notes = ()) -> None:
    """Emits a remark; see :func:`emit_error`."""
    _emit("remark", place, message, notes)


def _emit(severity: str, place: Place, message: str, notes: Notes) -> None:
    _tdsl.emit_diagnostic(_location(place), severity, message, [(_location(at), text) for at, text in notes])


def _location(place: Place) -> ir.Location:
    return place if isinstance(place, ir.Location) else place.location
