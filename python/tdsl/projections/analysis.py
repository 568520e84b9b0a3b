"""Which cells a map reaches, and how often (spec e.3). "No" is always a safe answer; "yes" is proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod

from tdsl.projections.index import IndexMap, LinearIndex

# Per axis in memory order, the positions start .. stop - 1.
_Box = tuple[tuple[int, int], ...]


def is_injective(map_: IndexMap, sizes: Mapping[str, int]) -> bool:
    """Whether no two points of the domain share a cell.

    ``sizes`` are all iterators of the domain. Each axis is read as a mixed-radix number: its iterators can be read off
    when every coefficient exceeds all that the smaller ones add up to. Iterators that one axis determines are known in
    all others.
    """
    if 0 in sizes.values():
        return True
    unknown = {name for name, size in sizes.items() if size > 1}
    progress = True
    while unknown and progress:
        progress = False
        for index in map_.indices:
            digits = _digits(index, unknown, sizes)
            if digits and _is_mixed_radix(digits):
                unknown -= {name for name, _, _ in digits}
                progress = True
    return not unknown


def is_surjective(map_: IndexMap, node_sizes: Sequence[int], sizes: Mapping[str, int]) -> bool:
    """Whether every cell of a node is reached; ``node_sizes`` are its axes in memory order.

    A guarded map never counts: writes outside are skipped.
    """
    return covers_all([(map_, sizes)], node_sizes)


def covers_all(maps: Sequence[tuple[IndexMap, Mapping[str, int]]], node_sizes: Sequence[int]) -> bool:
    """Whether several maps, each over its own domain, together reach every cell: the segments of a concatenation."""
    boxes = {box for map_, sizes in maps if (box := _covered_box(map_, node_sizes, sizes)) is not None}
    if not all(_disjoint(first, second) for first, second in combinations(boxes, 2)):
        # Overlapping boxes cannot be counted; one of them may still be the whole node.
        boxes = set(sorted(boxes, key=_volume)[-1:])
    return sum(map(_volume, boxes)) == prod(node_sizes)


def are_disjoint(maps: Sequence[tuple[IndexMap, Mapping[str, int]]]) -> bool:
    """Whether no two of these maps share a cell: then segments may be stored independently."""
    boxes = [_bounding_box(map_, sizes) for map_, sizes in maps if 0 not in sizes.values()]
    return all(_disjoint(first, second) for first, second in combinations(boxes, 2))


def _digits(index: LinearIndex, unknown: set[str], sizes: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """The undetermined iterators of an axis as (name, coefficient without sign, size); none if it is not linear."""
    if not index.is_linear:
        return []
    return [
        (part, abs(factor), sizes[part]) for part, factor in index.terms if isinstance(part, str) and part in unknown
    ]


def _is_mixed_radix(digits: list[tuple[str, int, int]]) -> bool:
    reach = 0
    for _, coefficient, size in sorted(digits, key=lambda digit: digit[1]):
        if coefficient < 1 + reach:
            return False
        reach += coefficient * (size - 1)
    return True


def _covered_box(map_: IndexMap, node_sizes: Sequence[int], sizes: Mapping[str, int]) -> _Box | None:
    """A box of cells that the map certainly fills, or None if none is certain."""
    if map_.guarded or 0 in sizes.values():
        return None
    # The box is a product, so no iterator may move along two axes.
    used: set[str] = set()
    box: list[tuple[int, int]] = []
    for index, node_size in zip(map_.indices, node_sizes, strict=True):
        iterators = {name for name in index.iterators() if sizes[name] > 1}
        if index.symbol_terms and node_size == 1:
            box.append((0, 1))  # A symbol stays in range, and there is one position.
            continue
        if index.symbol_terms or not index.is_linear or iterators & used:
            return None
        used |= iterators
        # Values without gaps: each step is at most as long as the stretch that the smaller ones fill.
        reach = 1
        for part, coefficient in sorted(index.terms, key=lambda term: abs(term[1])):
            size = sizes[part] if isinstance(part, str) else 1
            if size > 1 and abs(coefficient) > reach:
                return None
            reach += abs(coefficient) * (size - 1)
        start = index.bounds(sizes)[0]
        if start < 0 or start + reach > node_size:
            return None
        box.append((start, start + reach))
    return tuple(box)


def _bounding_box(map_: IndexMap, sizes: Mapping[str, int]) -> _Box | None:
    """The box outside which the map reaches nothing; None if a static symbol makes it unknown."""
    if map_.symbols():
        return None
    bounds = (index.bounds(sizes) for index in map_.indices)
    return tuple((least, greatest + 1) for least, greatest in bounds)


def _disjoint(first: _Box | None, second: _Box | None) -> bool:
    if first is None or second is None:
        return False
    return any(a_stop <= b or b_stop <= a for (a, a_stop), (b, b_stop) in zip(first, second, strict=True))


def _volume(box: _Box) -> int:
    return prod(stop - start for start, stop in box)
