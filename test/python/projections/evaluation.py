"""Brute-force evaluation of plans, point by point in product order: the definition of spec b.2 and e.4."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from tdsl.projections import (
    Access,
    AssignmentPlan,
    ClosedAxis,
    ClosedShape,
    IndexMap,
    LinearIndex,
    Projections,
    Quotient,
    Space,
    Write,
    plan_assignment,
)

Cells = list[float]

NEUTRAL = {
    "overwrite": 0.0,
    "add": 0.0,
    "sub": 0.0,
    "mul": 1.0,
    "div": 1.0,
    "pow": 1.0,
    "max": -math.inf,
    "min": math.inf,
    "and": 1.0,
    "or": 0.0,
    "relu_gate": 1.0,
    "sat01_gate": 0.5,
    "threefry4x32": 0.0,
}
ACCUMULATE: dict[str, Callable[[float, float], float]] = {
    "overwrite": lambda a, b: b,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "max": lambda a, b: math.nan if math.isnan(a + b) and not math.isinf(a) else max(a, b),
    "min": lambda a, b: math.nan if math.isnan(a + b) and not math.isinf(a) else min(a, b),
    "and": lambda a, b: float(a != 0 and b != 0),
    "or": lambda a, b: float(a != 0 or b != 0),
    "relu_gate": lambda a, b: b if a > 0 else 0.0,
    "sat01_gate": lambda a, b: b if 0 < a < 1 else 0.0,
}


def shape(rows: Mapping[str, Any]) -> ClosedShape:
    """A shape as the cases write it."""
    return ClosedShape.of(
        **{kind: [a if isinstance(a, int) else ClosedAxis(*a) for a in rows.get(kind, [])] for kind in rows}
    )


def points(sizes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """All points of a domain in product order."""
    for values in product(*(range(size) for size in sizes.values())):
        yield dict(zip(sizes, values, strict=True))


def value_of(index: LinearIndex, point: Mapping[str, int], symbols: Mapping[str, int] | None = None) -> int:
    """The value of an index at a point."""
    total = index.offset + sum(factor * (symbols or {})[name] for name, factor in index.symbol_terms)
    for part, factor in index.terms:
        if isinstance(part, str):
            total += factor * point[part]
        else:
            dividend = value_of(part.dividend, point, symbols)
            inner = dividend // part.divisor if isinstance(part, Quotient) else dividend % part.divisor
            total += factor * inner
    return total


def cell_of(
    map_: IndexMap, sizes: Sequence[int], point: Mapping[str, int], symbols: Mapping[str, int] | None = None
) -> int | None:
    """The row-major offset that a map names, or None outside of the node, where only guarded maps may go."""
    assert len(map_.indices) == len(sizes)
    offset = 0
    for index, size in zip(map_.indices, sizes, strict=True):
        value = value_of(index, point, symbols)
        if not 0 <= value < size:
            assert map_.guarded, f"{map_} leaves {sizes} at {point}"
            return None
        offset = offset * size + value
    return offset


def run_space(
    space: Space,
    write: Write,
    accumulator: str,
    op: Callable[..., float],
    destination: Cells,
    sizes: Sequence[int],
    sources: Sequence[tuple[Cells, Sequence[int]]],
) -> None:
    """Execute one step in place."""
    for point in points(space.sizes):
        target = cell_of(space.result, sizes, point)
        if target is None:
            continue
        contribution = NEUTRAL[accumulator]
        maps = [m for m in space.operands if m is not None]
        reads = [cell_of(m, s, point) for m, (_, s) in zip(maps, sources, strict=True)]
        if None not in reads:
            contribution = op(*(cells[read] for (cells, _), read in zip(sources, reads, strict=True)))  # type: ignore[index]
        if write is Write.STORE:
            destination[target] = contribution
        else:
            before = NEUTRAL[accumulator] if write is Write.STORE_JOINED else destination[target]
            destination[target] = ACCUMULATE[accumulator](before, contribution)


def run_plan(
    plan: AssignmentPlan,
    accumulator: str,
    op: Callable[..., float],
    destination: Cells,
    sizes: Sequence[int],
    sources: Sequence[tuple[Cells, Sequence[int]]],
) -> None:
    """Execute a plan in place."""
    if plan.fill:
        destination[:] = [NEUTRAL[accumulator]] * len(destination)
    for step in plan.steps:
        active = [sources[number] for number in step.sources]
        run_space(step.space, step.write, accumulator, op, destination, sizes, active)


def evaluate(
    projections: Projections,
    accumulator: str,
    op: Callable[..., float],
    operands: Sequence[Cells],
    *,
    reset: bool = True,
    block: bool = False,
    before: Cells | None = None,
    can_join: bool = False,
) -> Cells:
    """The result of the forward assignment of an operation over NaN-poisoned or given contents."""
    shapes = projections.operands
    plan = plan_assignment(
        projections,
        Access("lhs", projections.result.sizes),
        [Access(f"rhs{number}", s.sizes) for number, s in enumerate(shapes, 1)],
        accumulator,
        reset=reset,
        block=block,
        can_join=can_join,
    )
    cells = list(before) if before is not None else [math.nan] * prod(projections.result.sizes)
    sources = [(values, s.sizes) for values, s in zip(operands, shapes, strict=True)]
    run_plan(plan, accumulator, op, cells, projections.result.sizes, sources)
    return cells
