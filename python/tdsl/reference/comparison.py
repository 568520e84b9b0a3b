"""Comparing the results of two runs, such as before and after a pass."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tdsl.reference.arithmetic import Array

__all__ = ["compare"]


def compare(
    before: Mapping[str, Array],
    after: Mapping[str, Array],
    tolerance: float = 0.0,
    *,
    names: Iterable[str] | None = None,
) -> str | None:
    """A description of the first difference between two results of :func:`tdsl.reference.run_routine`, or None.

    Two numbers are equal when they differ by at most ``tolerance`` times the largest of 1 and their magnitudes; NaN
    equals NaN. Nodes are compared in the order of ``names``, by default those that both results have: a pass may
    remove nodes and add its own. A name that one of the results lacks is a difference.
    """
    for name in [name for name in before if name in after] if names is None else names:
        if name not in before or name not in after:
            return f"@{name} is missing {'before' if name not in before else 'after'}."
        difference = _compare_arrays(name, np.asarray(before[name]), np.asarray(after[name]), tolerance)
        if difference is not None:
            return difference
    return None


def _compare_arrays(name: str, before: Array, after: Array, tolerance: float) -> str | None:
    if before.shape != after.shape:
        return f"@{name} has the shape {list(before.shape)} before, but {list(after.shape)} after."
    if before.dtype != after.dtype:
        return f"@{name} holds {before.dtype} before, but {after.dtype} after."
    equal = _equal(before, after, tolerance)
    if equal.all():
        return None
    first = tuple(int(i) for i in np.argwhere(~equal)[0])
    count = int((~equal).sum())
    more = f" (1 of {equal.size} cells differs)" if count == 1 else f" ({count} of {equal.size} cells differ)"
    return f"@{name}{list(first) if first else ''} is {before[first]} before, but {after[first]} after{more}."


def _equal(before: Array, after: Array, tolerance: float) -> Array:
    if before.dtype.kind in "biu" or before.dtype == object:
        equal = np.asarray(before == after, dtype=bool)
        for place in np.argwhere(~equal):
            equal[tuple(place)] = _close(before[tuple(place)], after[tuple(place)], tolerance)
        return equal
    a, b = before.astype(np.float64), after.astype(np.float64)
    with np.errstate(all="ignore"):
        scale = np.maximum(1.0, np.maximum(np.abs(a), np.abs(b)))
        close = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= tolerance * scale)
    return close | (a == b) | (np.isnan(a) & np.isnan(b))


def _close(a: Any, b: Any, tolerance: float) -> bool:
    """For numbers that floats would round: integers of 64 bits and fractions."""
    if a == b or (a != a and b != b):
        return True
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    a, b = (number.item() if isinstance(number, np.generic) else number for number in (a, b))
    return bool(abs(a - b) <= tolerance * max(1, abs(a), abs(b)))
