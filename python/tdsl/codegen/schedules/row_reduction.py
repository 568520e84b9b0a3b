"""Reductions along the last axis: every lane of a long vector reduces its share of a row, then the lanes are reduced.

The order is fixed for a target, but not the written one, so that ``strict`` leaves them to plain loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import mlir.ir as ir

from tdsl.codegen.schedules.accesses import (
    FLOAT_BYTES,
    VECTOR_OPERATIONS,
    accesses_of,
    inner_operations,
    parallel_iterators,
)
from tdsl.codegen.schedules.plan import threads_for_loops, vectors_per_step
from tdsl.codegen.schedules.script import Script
from tdsl.codegen.schedules.target_facts import TargetFacts

__all__ = ["RowReduction", "recognize_row_reduction", "schedule_row_reduction"]

# The last operation of the body, which must be all that the accumulator goes through. Sums and products of floats are
# rounded, so that their order is part of the result; that of maxima is not.
_COMBINERS = frozenset(("arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"))


@dataclass(frozen=True)
class RowReduction:
    """A recognised operation.

    Attributes:
        sizes: Of the iterators, of which the last one is reduced, and others may be.
        shared: The iterator whose iterations threads can share; None without one.
        element_bytes: Of the element type.
        operations: The length of the body.
    """

    sizes: tuple[int, ...]
    shared: int | None
    element_bytes: int
    operations: int


def recognize_row_reduction(op: ir.Operation) -> RowReduction | None:
    """The reduction along the last axis that a ``linalg.generic`` on tensors is, or None."""
    if op.name != "linalg.generic" or len(op.results) != 1:
        return None
    kinds = parallel_iterators(op)
    if not kinds or kinds[-1]:
        return None
    element = str(ir.RankedTensorType(op.results[0].type).element_type)
    found = accesses_of(op)
    if element not in FLOAT_BYTES or found is None or not _combines(op):
        return None
    accesses, sizes = found
    *operands, result = accesses
    last = len(kinds) - 1
    # Rows are taken one by one, whether they are summed, too, or not.
    if 0 in sizes or last in result or any(last in access[:-1] for access in operands):
        return None
    for operand in op.operands:
        if isinstance(operand.type, ir.RankedTensorType) and str(operand.type.element_type) != element:
            return None
    shared = max((i for i, kind in enumerate(kinds) if kind), key=lambda i: (sizes[i], -i), default=None)
    return RowReduction(tuple(sizes), shared, FLOAT_BYTES[element], len(inner_operations(op)))


def _combines(op: ir.Operation) -> bool:
    """Whether the accumulator is used once, by the last operation of the body, which may take it in any order."""
    *operations, end = inner_operations(op)
    if not operations or any(o.name not in VECTOR_OPERATIONS for o in operations):
        return False
    last = operations[-1]
    accumulator = list(op.regions[0].blocks[0].arguments)[-1]
    uses = sum(operand == accumulator for o in (*operations, end) for operand in o.operands)
    return (
        last.name in _COMBINERS
        and uses == 1
        and accumulator in list(last.operands)
        and list(end.operands) == [last.results[0]]
    )


def schedule_row_reduction(script: Script, found: RowReduction, facts: TargetFacts, attribute: str) -> None:
    """Append the steps for the operation that carries ``attribute``."""
    handle = script.match(attribute)
    *rows, length = found.sizes
    lanes = facts.vector_bytes // found.element_bytes
    threads = threads_for_loops(prod(found.sizes), facts)
    if threads > 1 and found.shared is not None and rows[found.shared] >= threads:
        chunk = -(-rows[found.shared] // threads)
        handle, _ = script.distribute(handle, [chunk if i == found.shared else 0 for i in range(found.shared + 1)])
    if rows:
        handle, _ = script.tile(handle, [1 if size > 1 else 0 for size in rows])
    long = vectors_per_step(found.operations) * lanes
    width = next((w for w in (long, lanes) if length >= 2 * w), length)
    if length % width:
        whole, rest = script.split(handle, len(rows), length - length % width)
        script.mark(rest)
        handle = whole
    if width == length:
        script.mark(handle)
        return
    for tile in script.tile_reduction(handle, [*(0 for _ in rows), width]):
        script.mark(tile)
