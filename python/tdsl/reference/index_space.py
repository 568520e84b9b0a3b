"""The product space of an operation: its points in order, and the cells that slots name at them (spec b.2, e.1).

This is what logic strings and derived spaces both turn into, and all that running an assignment needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tdsl.errors import ShapeError
from tdsl.reference.arithmetic import Array

__all__ = ["Index", "Iterator", "LinearIndex", "Segment", "Slot", "locate", "product_space_slot", "scalar_slot"]


class Index(Protocol):
    """Where along one axis of a node a point of the product space lies."""

    def at(self, point: Sequence[Array]) -> Array | int:
        """The positions, for arrays of values of the iterators in product order."""
        ...


@dataclass(frozen=True)
class LinearIndex:
    """A constant plus multiples of iterators, which are numbered in product order."""

    constant: int = 0
    terms: tuple[tuple[int, int], ...] = ()  # (coefficient, iterator)

    def at(self, point: Sequence[Array]) -> Array | int:
        return self.constant + sum(coefficient * point[iterator] for coefficient, iterator in self.terms)


@dataclass(frozen=True)
class Iterator:
    """One loop of the product space."""

    name: str
    size: int


@dataclass(frozen=True)
class Slot:
    """The index map of the result or of one operand, in memory order of the axes (batch, output, input).

    A slot that is ``guarded`` may name cells outside its node (spec e.4).
    """

    sizes: tuple[int, ...]
    indices: tuple[Index, ...]
    guarded: bool = False


@dataclass(frozen=True)
class Segment:
    """The points that are visited together: the whole product space, or one piece of a concatenation (spec e.2).

    ``slots`` has the result's first, then one for each operand; None where it has no cells in this piece.
    """

    iterators: tuple[Iterator, ...]
    slots: tuple[Slot | None, ...]

    @property
    def number_of_points(self) -> int:
        return math.prod(iterator.size for iterator in self.iterators)

    def points(self, start: int, stop: int) -> list[Array]:
        """The values of each iterator at the points from ``start`` to ``stop``; the last iterator varies fastest."""
        rest = np.arange(start, stop)
        values: list[Array] = []
        for iterator in reversed(self.iterators):
            values.append(rest % iterator.size)
            rest = rest // iterator.size
        return values[::-1]


def locate(slot: Slot, point: Sequence[Array], number: int) -> tuple[Array, Array]:
    """For each of ``number`` points, the offset of the cell that ``slot`` names, and whether it is inside the node."""
    offsets = np.zeros(number, dtype=np.int64)
    inside = np.ones(number, dtype=bool)
    for index, size in zip(slot.indices, slot.sizes, strict=True):
        position = np.broadcast_to(index.at(point), (number,))
        inside &= (position >= 0) & (position < size)
        offsets = offsets * size + position
    return offsets, inside


def scalar_slot(sizes: Sequence[int]) -> Slot:
    """The slot of a number: index 0 of every axis (spec e.5)."""
    return Slot(tuple(sizes), (LinearIndex(),) * len(sizes))


def product_space_slot(segment: Segment, sizes: Sequence[int], node: str) -> Slot:
    """The slot ``pspace`` of a node of these sizes: its axes are the iterators themselves (spec e.5).

    Axes of size 1 are skipped; each other one takes the first iterator of its size that is still free. Raises
    ShapeError when an axis or an iterator is left over.
    """
    free = [number for number, iterator in enumerate(segment.iterators) if iterator.size != 1]
    indices: list[Index] = []
    for size in sizes:
        if size == 1:
            indices.append(LinearIndex())
            continue
        fitting = next((number for number in free if segment.iterators[number].size == size), None)
        if fitting is None:
            raise _no_fit(segment, sizes, node)
        free.remove(fitting)
        indices.append(LinearIndex(0, ((1, fitting),)))
    if free:
        raise _no_fit(segment, sizes, node)
    return Slot(tuple(sizes), tuple(indices))


def _no_fit(segment: Segment, sizes: Sequence[int], node: str) -> ShapeError:
    iterators = ", ".join(f"{iterator.name} {iterator.size}" for iterator in segment.iterators)
    return ShapeError(f"@{node} is used as the product space [{iterators}], but has the axes {list(sizes)} (spec e.5).")
