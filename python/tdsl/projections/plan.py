"""What an assignment does to its destination: fill, store, accumulate (spec b.2, e.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tdsl.errors import ShapeError, UnsupportedError
from tdsl.projections.analysis import are_disjoint, covers_all, is_injective
from tdsl.projections.slots import Access, assignment_space
from tdsl.projections.space import Projections, Space

# Accumulators with accum(neutral, x) = x: only these may store a contribution as it is (spec e.3, pitfall 47).
_STORABLE = frozenset({"add", "mul", "max", "min", "relu_gate", "sat01_gate"})
ACCUMULATORS = frozenset({"overwrite", "sub", "div", "pow", "or", "and", "threefry4x32"}) | _STORABLE


class Write(Enum):
    """How a contribution reaches its cell."""

    STORE = "store"
    STORE_JOINED = "store joined"  # The cell becomes accum(neutral, contribution); its old value is not read.
    ACCUMULATE = "accumulate"


@dataclass(frozen=True)
class Step:
    """One nest of loops: the destination is ``lhs`` of ``space``, the sources numbered ``sources`` (from 0) are its
    ``rhs1``, ``rhs2``, ...
    """

    space: Space
    sources: tuple[int, ...]
    write: Write


@dataclass(frozen=True)
class AssignmentPlan:
    """First, if ``fill``, every cell becomes the neutral element of the accumulator; then the steps in their order."""

    fill: bool
    steps: tuple[Step, ...]


def plain_store_allowed(accumulator: str) -> bool:
    """Whether a contribution may be stored as it is where an initialized cell is reached once (spec e.3)."""
    return accumulator in _STORABLE


def needs_fill(spaces: Sequence[Space], node_sizes: Sequence[int]) -> bool:
    """Whether an initializing assignment over these segments must fill its destination first.

    Not when every cell is reached exactly once: then the old contents are never seen.
    """
    return not (_reached_once(spaces) and covers_all([(space.result, space.sizes) for space in spaces], node_sizes))


def plan_assignment(
    projections: Projections,
    destination: Access,
    sources: Sequence[Access],
    accumulator: str,
    *,
    reset: bool = False,
    block: bool = False,
    can_join: bool = False,
    reads_destination: bool = False,
) -> AssignmentPlan:
    """Plan ``destination (reset) accumulator= op(sources)`` over the space of an operation.

    Args:
        projections: The space of the operation.
        destination: The node written. An assignment to several destinations is planned once for each.
        sources: The nodes read.
        accumulator: A name of ACCUMULATORS; ``overwrite`` is ``=:``, which cannot be combined with ``reset``.
        reset: Every cell first becomes the neutral element (spec b.2).
        block: The sources are the segments of a concatenation: each segment reads exactly one.
        can_join: The caller can express Write.STORE_JOINED; otherwise such a store becomes a fill and an accumulation.
        reads_destination: The destination is also a source. A reset then happens before the reads, so that it cannot
            be merged with the stores.

    Raises:
        ShapeError: An access does not fit its slot, several sources of a block claim a segment, or the sources of
            another operation never meet in one.
        UnsupportedError: An overwrite reaches cells several times in an order that matters.
    """
    if accumulator not in ACCUMULATORS:
        raise ValueError(f"unknown accumulator `{accumulator}`")
    if reset and accumulator == "overwrite":
        raise ValueError("an overwrite has no neutral element to reset to (spec b.2)")
    segments = _segments(projections, destination, sources, block)
    if accumulator == "overwrite":
        steps = tuple(Step(_last_writes(space), active, Write.STORE) for space, active in segments)
        return AssignmentPlan(False, steps)
    spaces = [space for space, _ in segments]
    if reset and accumulator != "add" and any(_reads_guarded(space) for space in spaces):
        # A read outside contributes the neutral element of this accumulator; a store would write that of another.
        return AssignmentPlan(True, tuple(Step(space, active, Write.ACCUMULATE) for space, active in segments))
    if not reset or reads_destination or not _reached_once(spaces):
        write, fill = Write.ACCUMULATE, reset
    elif plain_store_allowed(accumulator):
        write, fill = Write.STORE, needs_fill(spaces, destination.sizes)
    elif can_join:
        write, fill = Write.STORE_JOINED, needs_fill(spaces, destination.sizes)
    else:
        write, fill = Write.ACCUMULATE, True
    return AssignmentPlan(fill, tuple(Step(space, active, write) for space, active in segments))


def _reads_guarded(space: Space) -> bool:
    return any(read is not None and read.guarded for read in space.operands)


def _reached_once(spaces: Sequence[Space]) -> bool:
    maps = [(space.result, space.sizes) for space in spaces]
    return all(is_injective(*written) for written in maps) and are_disjoint(maps)


def _segments(
    projections: Projections, destination: Access, sources: Sequence[Access], block: bool
) -> list[tuple[Space, tuple[int, ...]]]:
    """The segments that the assignment takes part in, each with the numbers of the sources it reads."""
    found: list[tuple[Space, tuple[int, ...]]] = []
    for segment in projections.segments:
        space = assignment_space(projections, segment, destination, sources)
        if space is None:
            continue
        active = space.active_operands
        if block and len(active) > 1:
            numbers = " and ".join(str(number + 1) for number in active)
            raise ShapeError(
                f"Ambiguous concatenation: the sources {numbers} are written to the same cells.",
                spec=projections.spec,
                suggestion="Give every source a component of its own, as in `a; b => a^b`.",
            )
        if len(active) == (1 if block else len(sources)):
            maps = tuple(m for m in space.operands if m is not None)
            found.append((Space.of(space.sizes, space.result, maps), active))
    if len(sources) > 1 and projections.segments and not found:
        raise ShapeError(
            "No segment of the concatenation has all sources, so nothing would be computed.",
            spec=projections.spec,
            suggestion="Use `concat` to write each source to its own segment.",
        )
    return found


def _last_writes(space: Space) -> Space:
    """The points of a space whose overwrites survive, evaluated in product order (spec b.2, pitfall 49).

    Of the points that differ in reductions only, that is the last. What remains must reach every cell once: a compiler
    that reorders loops would otherwise return something else.
    """
    if space.is_empty:
        return space
    reductions = {iterator.name: iterator.size - 1 for iterator in space.iterators if iterator.reduction}
    last = space.restrict(reductions)
    if not is_injective(last.result, last.sizes):
        raise UnsupportedError(
            f"An overwrite through lhs{last.result} writes cells several times, and the order would matter. "
            "Accumulate instead, for example with `max`."
        )
    return last
