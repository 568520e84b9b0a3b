"""The one place where the numbers of a schedule come from: tiles that fit the registers and caches of a target."""

from __future__ import annotations

from dataclasses import dataclass

from tdsl.codegen.schedules.contraction import Contraction
from tdsl.codegen.schedules.target_facts import TargetFacts

__all__ = ["ContractionPlan", "plan_contraction"]

# Below this number of multiplications, plain loops take less time than the schedule takes to compile.
_SMALLEST_WORK = 1 << 12
# Enough iterations to hide what entering and leaving the innermost loop costs, few enough for the first cache.
_LONGEST_DEPTH = 512
_SHORTEST_DEPTH = 96
_BLOCK_ROWS = 256


@dataclass(frozen=True)
class ContractionPlan:
    """Tile sizes of a contraction.

    Attributes:
        register_rows, register_columns: The part of the result that is held in registers.
        block_rows: How many rows of A are packed at a time, a multiple of ``register_rows``.
        lanes: How many elements a vector register holds; ``register_columns`` is a power of 2 times that.
        depth: How many products are added before a partial sum goes back to memory. It divides the size of ``k``.
    """

    register_rows: int
    register_columns: int
    block_rows: int
    lanes: int
    depth: int


def plan_contraction(contraction: Contraction, facts: TargetFacts) -> ContractionPlan | None:
    """Tile sizes, or None where plain loops do as well."""
    m, n, k = (contraction.sizes[role] for role in "mnk")
    lanes = facts.vector_bytes // contraction.element_bytes
    if m * n * k < _SMALLEST_WORK or n < lanes // 2 or lanes < 2:
        return None
    rows, columns = _register_tile(m, n, lanes, facts.vector_registers)
    panels = m // rows
    most = max(1, _BLOCK_ROWS // rows)
    blocks = max((d for d in range(1, most + 1) if panels % d == 0), default=1)
    return ContractionPlan(rows, columns, blocks * rows, lanes, _depth(k))


def _register_tile(m: int, n: int, lanes: int, registers: int) -> tuple[int, int]:
    """Rows and columns of the accumulators.

    They take half of the registers; operands need some, and more accumulators were slower. Wide tiles were fastest: one
    load of A serves the whole row, and the loads of B are as many as the columns whatever the rows.
    """
    columns = 4 if registers >= 32 else 2
    while columns > 1 and (columns // 2) * lanes >= n:
        columns //= 2
    rows = min(m, registers // 2 // columns if registers >= 32 else 12 // columns)
    return rows, columns * lanes


def _depth(k: int) -> int:
    if k <= _LONGEST_DEPTH:
        return k
    divisors = [depth for depth in range(_SHORTEST_DEPTH, _LONGEST_DEPTH + 1) if k % depth == 0]
    return max(divisors, key=lambda depth: (depth % 16 == 0, depth), default=k)
