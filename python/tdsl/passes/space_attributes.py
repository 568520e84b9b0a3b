"""Shapes and spaces as attributes of the dialect, and as the values that :mod:`tdsl.projections` computes with."""

from __future__ import annotations

from collections.abc import Sequence

import mlir.ir as ir

from tdsl.ir import RowAttr, ShapeAttr, SpaceAttr
from tdsl.projections import ClosedAxis, ClosedShape, IndexMap, LinearIndex, Space

__all__ = ["read_shape", "read_space", "write_space"]


def read_shape(shape: ShapeAttr) -> ClosedShape:
    """The shape that an attribute holds, which has to be solved."""
    return ClosedShape(_axes(shape.batch), _axes(shape.input), _axes(shape.output))


def _axes(row: RowAttr) -> tuple[ClosedAxis, ...]:
    return tuple(ClosedAxis(axis.size, axis.basis) for axis in row.leading)


def write_space(space: Space) -> SpaceAttr:
    """The attribute of a space in which every operand takes part; the caller has entered a context."""
    return SpaceAttr(ir.Attribute.parse(f"#tdsl.space{space}"))


def read_space(attribute: SpaceAttr) -> Space:
    """The space that an attribute holds."""
    iterators = [iterator.name for iterator in attribute.iterators]
    maps = [
        IndexMap(tuple(_index(result, iterators, attribute.symbols) for result in indexing_map.results), guarded)
        for indexing_map, guarded in zip(attribute.maps, attribute.guarded, strict=True)
    ]
    return Space.of({iterator.name: iterator.size for iterator in attribute.iterators}, maps[0], tuple(maps[1:]))


def _index(expression: ir.AffineExpr, iterators: Sequence[str], symbols: Sequence[str]) -> LinearIndex:
    if isinstance(expression, ir.AffineConstantExpr):
        return LinearIndex.constant(expression.value)
    if isinstance(expression, ir.AffineDimExpr):
        return LinearIndex.iterator(iterators[expression.position])
    if isinstance(expression, ir.AffineSymbolExpr):
        return LinearIndex.symbol(symbols[expression.position])
    assert isinstance(expression, ir.AffineBinaryExpr), "affine expressions are atoms or binary"
    left = _index(expression.lhs, iterators, symbols)
    right = _index(expression.rhs, iterators, symbols)
    if isinstance(expression, ir.AffineAddExpr):
        return left.plus(right)
    if isinstance(expression, ir.AffineMulExpr):
        return left.times(right.offset)
    if isinstance(expression, ir.AffineModExpr):
        return left.mod(right.offset)
    if isinstance(expression, ir.AffineFloorDivExpr):
        return left.floordiv(right.offset)
    return left.times(-1).floordiv(right.offset).times(-1)
