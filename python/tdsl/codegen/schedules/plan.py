"""The one place where the numbers of a schedule come from: tiles that fit the registers and caches of a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from tdsl.codegen.schedules.target_facts import TargetFacts

__all__ = ["ContractionPlan", "plan_contraction", "threads_for_loops", "vectors_per_step"]

# Operations of a body.
_SHORT_BODY = 8
# Below this number of iterations or multiplications, sharing them costs more than it saves.
_SMALLEST_SHARED_LOOP = 1 << 16
_SMALLEST_SHARED_CONTRACTION = 1 << 21
# Below this number of multiplications, plain loops take less time than the schedule takes to compile.
_SMALLEST_CONTRACTION = 1 << 12
# Enough iterations to hide what entering and leaving the innermost loop costs, few enough for the caches.
_LONGEST_DEPTH = 512
_BLOCK_ROWS = 256
_BLOCK_COLUMNS = 4096
# Rows of A that are further apart than this fall into few sets of the caches.
_FAR_APART_BYTES = 8 << 10


def threads_for_loops(iterations: int, facts: TargetFacts) -> int:
    """How many threads share a loop nest."""
    return facts.threads if iterations >= _SMALLEST_SHARED_LOOP else 1


def vectors_per_step(operations: int) -> int:
    """How many vector registers a step of a loop fills whose body has so many operations.

    Several hide the latencies of a short body. Of a long one, the processor works on several steps at a time anyhow,
    and each further vector is as much code again.
    """
    return 4 if operations <= _SHORT_BODY else 2 if operations <= 2 * _SHORT_BODY else 1


@dataclass(frozen=True)
class ContractionPlan:
    """Tile sizes of ``C[b, m, n] += A[b, m, k] * B[b, k, n]``.

    Attributes:
        rows, columns: The part of C that is held in registers; columns are a multiple of the lanes, rows at most m.
        lanes: How many elements a vector register holds.
        depth: How many products are added before a partial sum goes back to memory.
        block_rows: How many rows of A stay in the second cache, a multiple of ``rows``.
        block_panels: How many panels of B, as wide as a tile, stay in the last cache.
        packs_a: Whether a block of A is copied so that its rows follow each other.
        packs_b: Whether panels of B are copied so that their rows follow each other.
        threads: How many threads share the work.
    """

    rows: int
    columns: int
    lanes: int
    depth: int
    block_rows: int
    block_panels: int
    packs_a: bool
    packs_b: bool
    threads: int


def plan_contraction(
    sizes: Mapping[str, int],
    element_bytes: int,
    facts: TargetFacts,
    a_strides: Mapping[str, int],
    b_strides: Mapping[str, int],
) -> ContractionPlan | None:
    """Tile sizes, or None where plain loops do as well.

    ``sizes`` and the strides of A and B, in elements, are by role: ``"m"``, ``"n"``, ``"k"``, and any others for
    batches.
    """
    m, n, k = (sizes[role] for role in "mnk")
    lanes = facts.vector_bytes // element_bytes
    if m * n * k < _SMALLEST_CONTRACTION or n < lanes // 2 or lanes < 2:
        return None
    rows, columns = _register_tile(m, n, lanes, facts.vector_registers)
    b_has_rows = b_strides["n"] == 1
    # Each row of B is read once for every panel of A.
    packs_b = not b_has_rows or n < columns or m > 2 * rows
    if m == 1 and packs_b:
        return None
    a_is_far_apart = a_strides["m"] * element_bytes > _FAR_APART_BYTES and n >= 4 * columns
    packs_a = a_strides["k"] != 1 or (a_is_far_apart and m > rows)
    work = prod(sizes.values())
    threads = facts.threads if work >= _SMALLEST_SHARED_CONTRACTION else 1
    block_rows = _balanced(m, _BLOCK_ROWS, rows)
    block_panels = _balanced(n, _BLOCK_COLUMNS, columns) // columns
    return ContractionPlan(rows, columns, lanes, _depth(k), block_rows, block_panels, packs_a, packs_b, threads)


def _register_tile(m: int, n: int, lanes: int, registers: int) -> tuple[int, int]:
    """Rows and columns of the accumulators.

    They take half of the registers; operands need some, and more accumulators were slower. Wide tiles were fastest: one
    load of A serves the whole row, and the loads of B are as many as the columns whatever the rows.
    """
    accumulators = 16 if registers >= 32 else 12
    columns = _balanced(n, (4 if registers >= 32 else 2) * lanes, lanes)
    return _balanced(m, accumulators // (columns // lanes), 1), columns


def _depth(k: int) -> int:
    return _balanced(k, _LONGEST_DEPTH, 16) if k > _LONGEST_DEPTH else k


def _balanced(size: int, most: int, unit: int) -> int:
    """The smallest multiple of a unit that cuts a size into as few parts as parts of ``most`` would."""
    parts = -(-size // most)
    return -(-size // (parts * unit)) * unit
