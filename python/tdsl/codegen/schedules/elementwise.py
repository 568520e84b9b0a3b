"""Elementwise operations, and sums along leading axes: one loop nest whose innermost step is a vector.

Vectors lie along the last axis of the result. An operand either has this axis last too, or does not have it at all and
is the same for all lanes. Reductions are the innermost loops, so that their accumulators stay in registers; every cell
adds its terms in the written order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import mlir.ir as ir

from tdsl.codegen.schedules.accesses import (
    ELEMENT_BYTES,
    VECTOR_OPERATIONS,
    accesses_of,
    inner_operations,
    parallel_iterators,
)
from tdsl.codegen.schedules.plan import threads_for_loops, vectors_per_step
from tdsl.codegen.schedules.script import Script
from tdsl.codegen.schedules.target_facts import TargetFacts

__all__ = ["Elementwise", "recognize_elementwise", "schedule_elementwise"]


@dataclass(frozen=True)
class Elementwise:
    """A recognised operation.

    Attributes:
        sizes: Of the iterators.
        vector_axis: The iterator along which vectors lie.
        reductions: The iterators that are summed over.
        element_bytes: Of the widest element type.
        operations: The length of the body.
    """

    sizes: tuple[int, ...]
    vector_axis: int
    reductions: tuple[int, ...]
    element_bytes: int
    operations: int = 1


def recognize_elementwise(op: ir.Operation) -> Elementwise | None:
    """The elementwise operation that a linalg operation on tensors is, or None."""
    if op.name == "linalg.fill":
        return _fill(op)
    if op.name != "linalg.generic" or not len(op.results):
        return None
    body = inner_operations(op)
    if any(o.name not in VECTOR_OPERATIONS for o in body):
        return None
    reductions = tuple(i for i, is_parallel in enumerate(parallel_iterators(op)) if not is_parallel)
    found = accesses_of(op)
    if found is None:
        return None
    accesses, sizes = found
    element_bytes = 0
    for operand in op.operands:
        if isinstance(operand.type, ir.RankedTensorType):
            element = str(operand.type.element_type)
            if element not in ELEMENT_BYTES:
                return None
            element_bytes = max(element_bytes, ELEMENT_BYTES[element])
    results = accesses[-len(op.results) :]
    if 0 in sizes or not all(results) or (reductions and len(results) > 1):
        return None
    axis = results[0][-1]
    if any(axis in access[:-1] for access in accesses) or any(result[-1] != axis for result in results):
        return None
    return Elementwise(tuple(sizes), axis, reductions, element_bytes, len(body))


def _fill(op: ir.Operation) -> Elementwise | None:
    type_ = op.results[0].type if len(op.results) else None
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape or not type_.shape:
        return None
    element = str(type_.element_type)
    if element not in ELEMENT_BYTES or 0 in type_.shape:
        return None
    return Elementwise(tuple(type_.shape), type_.rank - 1, (), ELEMENT_BYTES[element])


def schedule_elementwise(script: Script, found: Elementwise, facts: TargetFacts, attribute: str) -> None:
    """Append the steps for the operation that carries ``attribute``."""
    handle = script.match(attribute)
    outer = [i for i in range(len(found.sizes)) if i not in found.reductions]
    order = [*outer, *found.reductions]
    threads = threads_for_loops(prod(found.sizes), facts)
    shared = next((i for i in outer if found.sizes[i] >= threads and i != found.vector_axis), found.vector_axis)
    pieces = list(_pieces(found, facts, threads if shared == found.vector_axis else 1))
    for number, (length, width) in enumerate(pieces):
        piece = handle
        if number < len(pieces) - 1:
            piece, handle = script.split(handle, found.vector_axis, length)
        size = length if shared == found.vector_axis else found.sizes[shared]
        if threads > 1 and (shared != found.vector_axis or length % (width * threads) == 0):
            piece, _ = script.distribute(piece, [-(-size // threads) if i == shared else 0 for i in range(shared + 1)])
        steps = [1 if size > 1 else 0 for size in found.sizes]
        steps[found.vector_axis] = width if width < length or (shared == found.vector_axis and threads > 1) else 0
        script.mark(script.tile(piece, steps, interchange=order if order != sorted(order) else None)[0])


def _pieces(found: Elementwise, facts: TargetFacts, threads: int) -> Iterator[tuple[int, int]]:
    """The parts of the vector axis, each with the width of its vectors: long vectors, single registers, the rest.

    The first part is the same for each of the threads that share this axis.
    """
    rest = found.sizes[found.vector_axis]
    lanes = facts.vector_bytes // found.element_bytes
    long = vectors_per_step(found.operations) * lanes
    widths = ((long * threads, long), (long, long), (lanes, lanes))
    for unit, width in dict.fromkeys(widths):
        if rest >= unit:
            yield rest - rest % unit, width
            rest %= unit
    if rest:
        yield rest, rest
