"""Deriving the iteration space of an operation (spec e.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from tdsl.errors import ShapeError
from tdsl.projections.equations import Component, Equations, Gap, Node, padding_left
from tdsl.projections.index import IndexMap, LinearIndex
from tdsl.projections.logic import Einsum, Logic, Slice, Uniform
from tdsl.projections.relations import RelatedAxes, relate
from tdsl.projections.shape import ClosedShape
from tdsl.projections.space import Projections, Space

# Words that the grammar of index expressions keeps for itself.
_RESERVED = frozenset({"mod", "floordiv", "ceildiv", "symbol"})


def derive(logic: Logic, operands: Sequence[ClosedShape], result: ClosedShape) -> Projections:
    """Derive the index space of an operation from its logic and its closed shapes (spec e.1 to e.4).

    Iterators are in order of first occurrence: in the result in memory order, then in each operand. They are called by
    their labels where there are labels; the axes of a row variable ``..v..`` are ``v0``, ``v1``, those of ``...`` and
    of a pointwise result ``b0`` (batch), ``i0`` (input), ``o0`` (output), contracted axes of a composition ``k0``.

    Raises:
        ShapeError: The shapes do not satisfy the logic, or they do not determine the size of a label.
    """
    related = relate(logic, operands, result)
    symbol = logic.symbol if isinstance(logic, Slice) else None
    builder = _SpaceBuilder(related, symbol)
    spaces = (builder.build(chosen) for chosen in _segments(related))
    segments = tuple(space for space in spaces if space is not None)
    spec = logic.spec.text if isinstance(logic, Einsum) else None
    projections = Projections(segments, tuple(operands), result, spec)
    return _unpack_words(projections, logic.lanes) if isinstance(logic, Uniform) else projections


# Which component each concatenation is in, by the tuple of its components: equal concatenations move in lockstep.
_Choice = dict[tuple[Component, ...], int]


def _segments(related: RelatedAxes) -> Iterator[_Choice]:
    """The consistent choices of one component per concatenation.

    Concatenations that share a label go through it together: where one of them is in this component, so is the other
    (spec e.2 step 6). Unrelated concatenations are combined freely.
    """
    nodes = [node for axes in (related.result, *related.operands) for node in axes]
    concats = list(dict.fromkeys(parts for node in nodes for parts in related.equations.concats_of(node)))

    def extend(chosen: _Choice) -> Iterator[_Choice]:
        if len(chosen) == len(concats):
            yield chosen
            return
        parts = concats[len(chosen)]
        for position in range(len(parts)):
            if all(_agree(parts, position, other, chosen[other]) for other in chosen):
                yield from extend({**chosen, parts: position})

    return extend({})


def _agree(parts: tuple[Component, ...], position: int, others: tuple[Component, ...], other: int) -> bool:
    part, other_part = parts[position], others[other]
    if isinstance(part, Node) and part in others and other_part != part:
        return False
    return not (isinstance(other_part, Node) and other_part in parts and part != other_part)


class _SpaceBuilder:
    """Builds the space of a segment. Names are shared by all segments."""

    def __init__(self, related: RelatedAxes, symbol: str | None) -> None:
        self._related = related
        self._equations: Equations = related.equations
        self._names: dict[Node, str] = {}
        self._sizes: dict[str, int] = {}
        self._taken: set[str] = {*_RESERVED, *([symbol] if symbol else [])}
        nodes = (node for axes in (related.result, *related.operands) for node in axes)
        self._components: frozenset[Component] = frozenset(
            part for node in nodes for parts in self._equations.concats_of(node) for part in parts
        )

    def build(self, chosen: _Choice) -> Space | None:
        """The space of a segment, or None when it has no points because an axis or all operands are not in it."""
        selected = frozenset(parts[position] for parts, position in chosen.items())
        if any(isinstance(part, Node) and self._equations.size(part) == 0 for part in selected):
            return None
        result = self._map(self._related.result, chosen, selected)
        operands = tuple(self._map(axes, chosen, selected) for axes in self._related.operands)
        active = [m for m in operands if m is not None]
        if result is None or not active:
            return None
        names = dict.fromkeys(name for m in (result, *active) for index in m.indices for name in index.iterators())
        sizes = {name: self._sizes[name] for name in names}
        maps = [result, *(m for m in operands if m is not None)]
        guarded = iter([self._guard(m, axes, sizes) for m, axes in zip(maps, self._active_axes(operands), strict=True)])
        return Space.of(sizes, next(guarded), tuple(None if m is None else next(guarded) for m in operands))

    def _active_axes(self, operands: tuple[IndexMap | None, ...]) -> list[tuple[Node, ...]]:
        axes = zip(self._related.operands, operands, strict=True)
        return [self._related.result, *(nodes for nodes, m in axes if m is not None)]

    def _map(self, axes: tuple[Node, ...], chosen: _Choice, selected: frozenset[Component]) -> IndexMap | None:
        indices: list[LinearIndex] = []
        for node in axes:
            index = self._index(node, chosen, selected, ())
            if index is None:
                return None
            indices.append(index)
        return IndexMap(tuple(indices))

    def _index(
        self, node: Node, chosen: _Choice, selected: frozenset[Component], path: tuple[Node, ...]
    ) -> LinearIndex | None:
        """The index of a class in this segment; None when the segment is not in it."""
        root = self._equations.root(node)
        if root in path:
            raise ShapeError(f"The index of {node.description} is defined by itself.")
        if root in self._components and root not in selected:
            return None
        path = (*path, root)
        pinned = self._equations.pinned(root)
        found = [] if pinned is None else [pinned]
        for window in self._equations.windows_of(root):
            index = self._index(window.over, chosen, selected, path)
            if index is None:
                return None
            index = index.times(window.stride).plus(window.offset)
            if window.kernel is not None:
                kernel = self._index(window.kernel, chosen, selected, path)
                if kernel is None:
                    return None
                left = padding_left(window, self._equations.size(window.kernel))
                index = index.plus(kernel.times(window.dilation)).plus(-left)
            found.append(index)
        for parts in self._equations.concats_of(root):
            position = chosen[parts]
            part = parts[position]
            index = self._index(part, chosen, selected, path) if isinstance(part, Node) else None
            if index is None:
                return None
            found.append(index.plus(sum(self._component_size(before) for before in parts[:position])))
        for other in found[1:]:
            if not found[0].equals(other):
                raise ShapeError(f"The index of {node.description} is both {found[0]} and {other}.")
        if found:
            return found[0]
        # An axis of size 1 needs no iterator. A component keeps it: the iterator says which segment it is.
        if self._equations.size(root) == 1 and root not in self._components:
            return LinearIndex.constant(0)
        return LinearIndex.iterator(self._name(root))

    def _component_size(self, part: Component) -> int:
        return part.size if isinstance(part, Gap) else self._equations.size(part)

    def _name(self, root: Node) -> str:
        if root not in self._names:
            wanted = self._equations.members(root)[0].name
            name, number = wanted, 0
            while name in self._taken:
                name, number = f"{wanted}_{number}", number + 1
            self._taken.add(name)
            self._names[root] = name
            self._sizes[name] = self._equations.size(root)
        return self._names[root]

    def _guard(self, m: IndexMap, axes: tuple[Node, ...], sizes: dict[str, int]) -> IndexMap:
        """Mark a map that can leave its node. Only windows may: their padding, and the offset of a window."""
        guarded = False
        for node, index in zip(axes, m.indices, strict=True):
            if 0 in sizes.values() or index.symbol_terms:
                continue
            least, greatest = index.bounds(sizes)
            if least < 0 or greatest >= self._equations.size(node):
                if not any(window.kernel is not None for window in self._equations.windows_of(node)):
                    raise ShapeError(f"The index {index} leaves {node.description}.")
                guarded = True
        return IndexMap(m.indices, guarded)


def _unpack_words(projections: Projections, lanes: int) -> Projections:
    """Iterate over the cells of the result; each reads the word that it is a lane of (spec b.6, k.14)."""
    operand, sizes = projections.operands[0], projections.result.sizes
    words = -(-prod(sizes) // lanes)
    if len(operand.sizes) != 1 or operand.sizes[0] < words:
        raise ShapeError(
            f"{prod(sizes)} cells take {words} words of {lanes} lanes from the one axis of the operand, which has "
            f"the shape {operand}."
        )
    names = [f"{kind[0]}{position}" for kind, position, _ in projections.result.memory_axes()]
    indices = [LinearIndex.iterator(n) if size != 1 else LinearIndex() for n, size in zip(names, sizes, strict=True)]
    cell = LinearIndex()
    for index, size in zip(indices, sizes, strict=True):
        cell = cell.times(size).plus(index)
    iterated = {name: size for name, size in zip(names, sizes, strict=True) if size != 1}
    read = IndexMap((cell.floordiv(lanes),))
    return projections.with_segments((Space.of(iterated, IndexMap(tuple(indices)), (read,)),))
