"""The product space that derivation wrote down: a ``#tdsl.space`` (spec e.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mlir.ir as ir

from tdsl.ir import SpaceAttr
from tdsl.reference.arithmetic import Array
from tdsl.reference.index_space import Iterator, Segment, Slot

__all__ = ["segment_of_space"]


@dataclass(frozen=True)
class _WrittenIndex:
    """An index as the expression that the program contains."""

    expression: ir.AffineExpr
    symbols: tuple[int, ...]

    def at(self, point: Sequence[Array]) -> Array | int:
        return self._value(self.expression, point)

    def _value(self, expression: ir.AffineExpr, point: Sequence[Array]) -> Array | int:
        if isinstance(expression, ir.AffineConstantExpr):
            return expression.value
        if isinstance(expression, ir.AffineDimExpr):
            return point[expression.position]
        if isinstance(expression, ir.AffineSymbolExpr):
            return self.symbols[expression.position]
        assert isinstance(expression, ir.AffineBinaryExpr), "affine expressions are atoms or binary"
        left, right = self._value(expression.lhs, point), self._value(expression.rhs, point)
        if isinstance(expression, ir.AffineAddExpr):
            return left + right
        if isinstance(expression, ir.AffineMulExpr):
            return left * right
        if isinstance(expression, ir.AffineModExpr):
            return left % right
        if isinstance(expression, ir.AffineFloorDivExpr):
            return left // right
        return -(-left // right)


def segment_of_space(space: SpaceAttr, nodes: Sequence[Sequence[int]], symbols: Mapping[str, int]) -> Segment:
    """The product space of a derived operation.

    ``nodes`` holds the sizes in memory order of the result and of each operand, ``symbols`` the values of the static
    symbols of the run.
    """
    values = tuple(symbols[name] for name in space.symbols)
    slots = tuple(
        Slot(tuple(sizes), tuple(_WrittenIndex(index, values) for index in indexing_map.results), guarded)
        for sizes, indexing_map, guarded in zip(nodes, space.maps, space.guarded, strict=True)
    )
    return Segment(tuple(Iterator(iterator.name, iterator.size) for iterator in space.iterators), slots)
