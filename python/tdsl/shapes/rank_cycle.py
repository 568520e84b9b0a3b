"""Finding rows that would need infinitely many axes (spec section d.5, pitfall 8).

Inequalities extend rows: ``r1 ⊑ r2.[2]`` and ``r2 ⊑ r1.[3]`` make each other longer for ever. The rows are the nodes of
a graph in which an edge says by how many axes one row variable is at least longer than another. A cycle of positive
total is the mistake; without one, growth ends. At each growth a small neighbourhood is searched, so that short cycles
are reported as what they are; the whole graph only when a row has grown suspiciously often.
"""

from __future__ import annotations

from typing import TypeAlias

from tdsl.errors import ShapeError
from tdsl.shapes.errors import shape_error
from tdsl.shapes.provenance import Cause
from tdsl.shapes.variables import RowVariable, resolve

_SUSPICIOUS = 16
_NEIGHBOURS = 4
_WATCHERS = 8


def rank_cycle_error(cause: Cause) -> ShapeError:
    """The error for rows that make each other longer."""
    return shape_error(
        "These rows would need an infinite number of axes: each is wider than the other, a rank cycle.",
        cause,
        suggestion="Declare the axes of one of the nodes, or remove the operation that adds an axis to its own input.",
    )


def check_rank_cycle(variable: RowVariable, growths_before: int, cause: Cause) -> None:
    """Raise ShapeError when the growing variable lies on a cycle of positive total.

    The search of the whole graph is repeated only when the number of growths has doubled, so that its cost stays in
    proportion.
    """
    suspicious = variable.growths >= _SUSPICIOUS and variable.growths.bit_length() != growths_before.bit_length()
    edges = _component(variable, None if suspicious else _NEIGHBOURS)
    length = dict.fromkeys(edges, 0)
    for _ in range(len(length)):
        changed = False
        for source, targets in edges.items():
            for target, weight in targets:
                if target in edges and length[source] + weight > length[target]:
                    length[target] = length[source] + weight
                    changed = True
        if not changed:
            return
    if edges:
        raise rank_cycle_error(cause)


_Graph: TypeAlias = "dict[RowVariable, list[tuple[RowVariable, int]]]"


def _component(start: RowVariable, limit: int | None) -> _Graph:
    """The variables that are on a common cycle with ``start``, with their edges; at most ``limit`` are looked at."""
    forward = _reachable(start, limit, reverse=False)
    if limit is not None and len(forward) == 1:
        return {}
    backward = _reachable(start, limit, reverse=True)
    # In the order of discovery, so that nothing depends on hashes.
    return {variable: edges for variable, edges in forward.items() if variable in backward}


def _reachable(start: RowVariable, limit: int | None, *, reverse: bool) -> _Graph:
    found: _Graph = {}
    pending = [start]
    while pending:
        variable = pending.pop()
        if variable in found:
            continue
        if limit is not None and (len(found) == limit or len(variable.watchers) > _WATCHERS):
            continue
        found[variable] = _edges(variable, reverse=reverse)
        pending += [target for target, _ in found[variable]]
    return found


def _edges(variable: RowVariable, *, reverse: bool) -> list[tuple[RowVariable, int]]:
    """The variables that are longer than this one (shorter, when reversed), and by how many axes at least."""
    edges: list[tuple[RowVariable, int]] = []
    for constraint in variable.watchers:
        rows = tuple(constraint.rows())
        if constraint.done or len(rows) != 2:
            continue
        wide, narrow = resolve(rows[0]), resolve(rows[1])
        if wide.variable is None or narrow.variable is None:
            continue
        weight = narrow.rank - wide.rank
        source, target = (wide, narrow) if reverse else (narrow, wide)
        if source.variable is variable and target.variable is not None:
            edges.append((target.variable, weight))
        if constraint.equality and target.variable is variable and source.variable is not None:
            edges.append((source.variable, -weight))
    return edges
