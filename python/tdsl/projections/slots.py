"""Slots: which map of an index space an identifier uses (spec e.5), and the space of a sub-assignment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tdsl.errors import ShapeError, UnsupportedError
from tdsl.projections.index import IndexMap, LinearIndex
from tdsl.projections.space import Projections, Space

_OPERAND = re.compile(r"rhs([1-9][0-9]{0,5})")


@dataclass(frozen=True)
class Access:
    """A node in an assignment: ``slot`` is ``lhs``, ``rhs1``, ``rhs2``, ..., ``pspace`` or ``scalar``.

    ``sizes`` are the axes of the node in memory order.
    """

    slot: str
    sizes: tuple[int, ...]


def access_map(projections: Projections, space: Space, access: Access) -> IndexMap | None:
    """The map of an access in one segment; None for an operand that takes no part in it.

    Raises:
        ShapeError: There is no such slot, or the node does not have the axes that the slot indexes.
        UnsupportedError: The product space of a concatenation is asked for.
    """
    if access.slot == "scalar":
        if any(size != 1 for size in access.sizes):
            raise ShapeError(f"A scalar has axes of size 1, not {_listed(access.sizes)}.")
        return IndexMap((LinearIndex(),) * len(access.sizes))
    if access.slot == "pspace":
        if len(projections.segments) > 1:
            raise UnsupportedError("A node over the product space of a concatenation is not supported.")
        return product_space_map(space, access.sizes)
    expected, map_ = _slot(projections, space, access.slot)
    if access.sizes != expected:
        raise ShapeError(
            f"The slot {access.slot} has axes of sizes {_listed(expected)}, but the node has {_listed(access.sizes)}."
        )
    return map_


def product_space_map(space: Space, sizes: Sequence[int]) -> IndexMap:
    """The identity over the iterators of a space, for a node with these axes (spec e.5).

    Axes of size 1 are skipped. Each other axis takes the first iterator of its size that is left, so the layout of two
    iterators of the same size may differ from product order (pitfall 52): harmless within one operation.

    Raises:
        ShapeError: Axes or iterators are left over.
    """
    left = [(iterator.name, iterator.size) for iterator in space.iterators if iterator.size != 1]
    indices: list[LinearIndex] = []
    for size in sizes:
        found = next((pair for pair in left if pair[1] == size), None)
        if size == 1:
            indices.append(LinearIndex())
        elif found is None:
            raise ShapeError(f"No iterator of the product space is left for an axis of size {size}: {_product(space)}.")
        else:
            left.remove(found)
            indices.append(LinearIndex.iterator(found[0]))
    if left:
        names = ", ".join(f"`{name}`" for name, _ in left)
        raise ShapeError(f"A node of sizes {_listed(sizes)} has no axis for {names} of the product space.")
    return IndexMap(tuple(indices))


def assignment_space(
    projections: Projections, space: Space, destination: Access, sources: Sequence[Access]
) -> Space | None:
    """One segment as an assignment sees it: its destination as ``lhs``, its sources as ``rhs1``, ``rhs2``, ...

    Iterators that the destination does not contain become reductions (spec e.5). None when the destination takes no
    part. Raises as ``access_map`` does.
    """
    result = access_map(projections, space, destination)
    operands = tuple(access_map(projections, space, source) for source in sources)
    return None if result is None else Space.of(space.sizes, result, operands)


def _slot(projections: Projections, space: Space, slot: str) -> tuple[tuple[int, ...], IndexMap | None]:
    if slot == "lhs":
        return projections.result.sizes, space.result
    matched = _OPERAND.fullmatch(slot)
    number = int(matched[1]) if matched else 0
    if not 1 <= number <= len(projections.operands):
        slots = ["lhs", *(f"rhs{n}" for n in range(1, len(projections.operands) + 1)), "pspace", "scalar"]
        raise ShapeError(f"There is no slot `{slot}`; there are {', '.join(slots)}.")
    return projections.operands[number - 1].sizes, space.operands[number - 1]


def _product(space: Space) -> str:
    return ", ".join(f"`{iterator.name}` of size {iterator.size}" for iterator in space.iterators) or "it has none"


def _listed(sizes: Sequence[int]) -> str:
    return f"[{', '.join(map(str, sizes))}]"
