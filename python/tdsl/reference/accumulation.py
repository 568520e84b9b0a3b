"""Joining contributions with the cells of a node, in the order of the points (spec b.2)."""

from __future__ import annotations

import numpy as np

from tdsl.ir import Primitive
from tdsl.reference.arithmetic import Arithmetic, Array

__all__ = ["accumulate"]


def accumulate(
    cells: Array, offsets: Array, contributions: Array, primitive: Primitive, arithmetic: Arithmetic
) -> None:
    """For each point in order, ``cells[offset] := primitive(cells[offset], contribution)``, rounded as a cell.

    Points of different cells do not influence each other. So each round below takes the next point of every cell, which
    keeps the order of each cell and needs as many rounds as the busiest cell has points.
    """
    if not offsets.size:
        return
    ufunc = arithmetic.ordered_ufunc(primitive)
    if ufunc is not None:
        ufunc.at(cells, offsets, contributions)
        return
    by_cell = np.argsort(offsets, kind="stable")
    ordered = offsets[by_cell]
    first_of_cell = np.r_[True, ordered[1:] != ordered[:-1]]
    starts = np.flatnonzero(first_of_cell)
    turn = np.arange(len(ordered)) - starts[np.cumsum(first_of_cell) - 1]
    by_turn = by_cell[np.argsort(turn, kind="stable")]
    if primitive == Primitive.Snd:
        # Overwriting keeps the last point of each cell.
        last = by_cell[np.r_[starts[1:], len(ordered)] - 1]
        cells[offsets[last]] = arithmetic.store(contributions[last])
        return
    ends = np.cumsum(np.bincount(turn))
    for begin, end in zip(np.r_[0, ends[:-1]], ends, strict=True):
        points = by_turn[begin:end]
        where = offsets[points]
        joined = _join(primitive, arithmetic, arithmetic.load(cells[where]), contributions[points])
        cells[where] = arithmetic.store(joined)


def _join(primitive: Primitive, arithmetic: Arithmetic, cells: Array, contributions: Array) -> Array:
    if primitive in (Primitive.Or, Primitive.And):
        a, b = arithmetic.truth(cells), arithmetic.truth(contributions)
        return arithmetic.integers((a | b if primitive == Primitive.Or else a & b).astype(np.int64))
    return arithmetic.apply(primitive, cells, contributions)
