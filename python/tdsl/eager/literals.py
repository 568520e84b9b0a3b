"""Literals: nested containers of numbers whose kind says which row an axis belongs to (spec a.4, DESIGN section 5).

A list is an output axis, a tuple an input axis, and ``batch([...])`` a batch axis; they nest in memory order, batch
around output around input. ``basis("rgb", [...])`` names the basis of an axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tdsl.eager.arrays import Array, with_rows
from tdsl.errors import SpecSyntaxError
from tdsl.shapes import Axis, Row, Shape
from tdsl.shapes.lattice import BROADCAST, DEFAULT

__all__ = ["Labelled", "basis", "batch", "literal"]

_KINDS = ("batch", "output", "input")
_SPELLINGS = {"batch": "batch([...])", "output": "a list [...]", "input": "a tuple (...)"}


@dataclass(frozen=True)
class Labelled:
    """An axis of a literal with its kind or its basis said; made by :func:`batch` and :func:`basis`."""

    values: Any
    is_batch: bool = False
    basis: str = DEFAULT


@dataclass(frozen=True)
class _LiteralAxis:
    kind: str
    size: int
    basis: str


def batch(values: Any) -> Labelled:
    """A batch axis of a literal: ``batch([[7, 8], [9, 10]])`` has two batches of two output cells."""
    if isinstance(values, Labelled):
        return replace(values, is_batch=True)
    return Labelled(values, is_batch=True)


def basis(name: str, values: Any) -> Labelled:
    """An axis of a literal with a basis: ``basis("rgb", [0.1, 0.5, 0.2])``. A number becomes an axis of size 1."""
    if isinstance(values, Labelled):
        return replace(values, basis=name)
    return Labelled(values if isinstance(values, (list, tuple)) else [values], basis=name)


def literal(value: Any, dtype: Any = None) -> Array:
    """The array that nested containers of numbers stand for; a bare number stretches to any size.

    Args:
        value: Lists, tuples, :func:`batch` and :func:`basis` around numbers: ``[(1, 2, 3), (4, 5, 6)]`` is ``|3->2``.
        dtype: The type of the cells; NumPy's choice for the numbers if not given.

    Raises:
        SpecSyntaxError: Parts of one axis differ in size, kind or depth, or the kinds are not nested in memory order.
    """
    if isinstance(value, (int, float, np.number)):
        return with_rows(np.asarray([value], dtype), Shape(output=Row(trailing=(Axis(1, BROADCAST),))))
    axes, numbers = _read(value)
    order = [_KINDS.index(axis.kind) for axis in axes]
    if order != sorted(order):
        raise SpecSyntaxError(
            "The axes of a literal nest in memory order: batch([...]) around lists, which are output axes, around "
            f"tuples, which are input axes; this one nests {' around '.join(axis.kind for axis in axes)}."
        )
    rows = {kind: Row(trailing=tuple(Axis(a.size, a.basis) for a in axes if a.kind == kind)) for kind in _KINDS}
    return with_rows(np.asarray(numbers, dtype), Shape(rows["batch"], rows["input"], rows["output"]))


def _read(value: Any) -> tuple[list[_LiteralAxis], Any]:
    """The axes of a part from outside to inside, and its numbers in plain lists."""
    labelled = value if isinstance(value, Labelled) else Labelled(value)
    if isinstance(value, (int, float, np.number)):
        return [], value
    if not isinstance(labelled.values, (list, tuple)):
        raise SpecSyntaxError(
            f"A literal consists of numbers, lists, tuples, batch(...) and basis(...), not {type(value).__name__}."
        )
    kind = "batch" if labelled.is_batch else "input" if isinstance(labelled.values, tuple) else "output"
    parts = [_read(part) for part in labelled.values]
    inner = parts[0][0] if parts else []
    for axes, _ in parts[1:]:
        _check_alike(inner, axes)
    return [_LiteralAxis(kind, len(parts), labelled.basis), *inner], [numbers for _, numbers in parts]


def _check_alike(first: list[_LiteralAxis], other: list[_LiteralAxis]) -> None:
    """Refuses a part that is not built like the first one beside it."""
    if bool(first) != bool(other):
        raise SpecSyntaxError("A literal mixes a number with a container of numbers on one axis.")
    for a, b in zip(first, other, strict=False):
        if a.kind != b.kind:
            raise SpecSyntaxError(
                f"Axis mismatch in a literal: one part is {_SPELLINGS[a.kind]}, another {_SPELLINGS[b.kind]}."
            )
        if a.size != b.size:
            raise SpecSyntaxError(f"Axis mismatch in a literal: one part has {a.size} elements, another {b.size}.")
        if a.basis != b.basis:
            raise SpecSyntaxError(f"Axis mismatch in a literal: one part has basis '{a.basis}', another '{b.basis}'.")
    if len(first) != len(other):
        raise SpecSyntaxError("A literal mixes a number with a container of numbers on one axis.")
