"""The transform script of a packed contraction: loops over blocks that fit the caches, down to a tile in registers."""

from __future__ import annotations

from math import gcd

from tdsl.codegen.schedules.contraction import Contraction
from tdsl.codegen.schedules.packed_contraction import Region, regions
from tdsl.codegen.schedules.plan import ContractionPlan
from tdsl.codegen.schedules.script import Script
from tdsl.codegen.schedules.target_facts import TargetFacts

__all__ = ["schedule_contraction"]


# Below this number of multiplications, sharing them costs more than it saves.
_SMALLEST_SHARED_WORK = 1 << 21


def schedule_contraction(
    script: Script, contraction: Contraction, plan: ContractionPlan, facts: TargetFacts, number: int
) -> None:
    """Append the steps for all regions, whose operations are numbered from ``number`` on."""
    for offset, region in enumerate(regions(contraction, plan)):
        _schedule_region(script, contraction, plan, facts, region, number + offset)


def _schedule_region(
    script: Script, contraction: Contraction, plan: ContractionPlan, facts: TargetFacts, region: Region, number: int
) -> None:
    outer = [0] if contraction.has_batch else []
    product = script.match(f"tdsl.product = {number} : i64")
    pack_a = script.match(f"tdsl.pack_a = {number} : i64") if region.packs_a else None
    pack_b = script.match(f"tdsl.pack_b = {number} : i64") if region.packs_b else None
    depth = contraction.sizes["k"]

    panels = region.panels[0]
    chunks = _chunks(contraction, region, facts.threads)
    if contraction.has_batch:
        if chunks > 1:
            product, loop = script.distribute(product, [contraction.sizes["b"] // chunks])
            pack_b, loop = script.fuse(pack_b, loop)
            pack_a, loop = script.fuse(pack_a, loop)
        product, [loop] = script.tile(product, [1])
        pack_b, loop = script.fuse(pack_b, loop)
        pack_a, loop = script.fuse(pack_a, loop)
    elif chunks > 1:
        # Whole rows of the result to each thread, which packs its part of B itself, unless all of B is packed once.
        panels //= chunks
        product, loop = script.distribute(product, [panels])
        if plan.depth < depth:
            pack_b, loop = script.fuse(pack_b, loop)
        elif pack_b is not None and region.panels[1] >= chunks:
            pack_b, _ = script.distribute(pack_b, [-(-region.panels[1] // chunks)])
        pack_a, loop = script.fuse(pack_a, loop)
    if plan.depth < depth:
        depth = plan.depth
        product, [loop] = script.tile(product, [*outer, 0, 0, depth])
        pack_b, loop = script.fuse(pack_b, loop)
        pack_a, loop = script.fuse(pack_a, loop)
    block = plan.block_rows // region.panel_rows
    if pack_a is not None and block < panels and panels % block == 0:
        product, [loop] = script.tile(product, [*outer, block])
        pack_a, loop = script.fuse(pack_a, loop)
    # A panel of B stays in the first cache while the panels of A pass by.
    order = [*range(len(outer)), len(outer) + 1, len(outer)]
    product, _ = script.tile(product, [*outer, 1, 1], interchange=order)
    product, _ = script.tile(product, [*outer, 0, 0, 1])
    script.mark(product)
    ones = [1] * (len(outer) + 1)
    if pack_b is not None:
        # Where B has its rows along n, one row of a panel is a vector; else a square is transposed in registers.
        if contraction.b.roles.endswith("n") or contraction.b.needs_copy:
            pack_b, _ = script.tile(pack_b, [*ones, 1])
        else:
            pack_b, _ = script.tile(pack_b, [*ones, gcd(depth, 16), 16])
        script.mark(pack_b)
    if pack_a is not None:
        if contraction.a.roles.endswith("k"):
            pack_a, _ = script.tile(pack_a, [*ones, gcd(depth, 4)])
        else:
            pack_a, _ = script.tile(pack_a, [*ones, 1])
        script.mark(pack_a)


def _chunks(contraction: Contraction, region: Region, threads: int) -> int:
    """Into how many equal parts the batches, or else the rows of a region are divided: 1 where that does not pay.

    What a cell of the result is does not depend on it.
    """
    batches = contraction.sizes.get("b", 1)
    work = batches * region.rows * region.columns * contraction.sizes["k"]
    if threads == 1 or work < _SMALLEST_SHARED_WORK:
        return 1
    number = batches if contraction.has_batch else region.panels[0]
    return next((count for count in range(threads, 4 * threads + 1) if number % count == 0), 1)
