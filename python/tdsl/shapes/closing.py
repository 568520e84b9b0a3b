"""Closing: what is still open gets its shape, for good (spec section d.6).

Something asks for sizes, and every shape that is known so far closes. The results of operations close down to their
operands; leaves, parameters and what ``stretch`` wraps resolve at their uses.
"""

from __future__ import annotations

from collections.abc import Sequence

from tdsl.errors import ShapeError
from tdsl.notation import RowKind
from tdsl.shapes.closing_axes import close_axes
from tdsl.shapes.closing_rows import close_rows
from tdsl.shapes.errors import shape_error
from tdsl.shapes.nodes import Node
from tdsl.shapes.provenance import Cause
from tdsl.shapes.solver import Solver
from tdsl.shapes.terms import ROW_KINDS
from tdsl.shapes.variables import RowTerm, resolve


def close(solver: Solver, nodes: Sequence[Node], cause: Cause) -> None:
    """Close all rows and axes of the nodes. Raises ShapeError."""
    solver.run()
    ordered = _operands_first(nodes)
    close_rows(solver, ordered, cause)
    close_axes(solver, ordered, cause)
    solver.forget_done()
    for node in ordered:
        _check_not_widened(node)
        node.closed = True


def _operands_first(nodes: Sequence[Node]) -> list[Node]:
    """The nodes in topological order of operations; on a cycle, in order of their names."""
    order: dict[Node, None] = {}
    entered: set[Node] = set()
    stack = sorted(nodes, key=lambda node: node.name, reverse=True)
    while stack:
        node = stack[-1]
        if node in order:
            stack.pop()
        elif node in entered:
            order[node] = None
            stack.pop()
        else:
            entered.add(node)
            operands = {operand for operation in node.operations for operand in operation.operands}
            stack += sorted(
                (n for n in operands if n not in entered and not n.closed), key=lambda n: n.name, reverse=True
            )
    return list(order)


def _check_not_widened(node: Node) -> None:
    """A use may broadcast a result in, but not widen it: its axes are the join of its operands' (spec d.6, D12)."""
    if node.role != "result" or node.pinned or len(node.operations) != 1 or node.declared is None:
        return
    [operation] = node.operations
    if not operation.broadcasts or any(operand is node for operand in operation.operands):
        return
    for kind in ROW_KINDS:
        declared = node.declared.row(kind)
        if declared.variable is None and all(axis.size is not None for axis in declared.axes):
            continue
        row = resolve(node.rows[kind])
        sources = [resolve(n.rows[k]) for result, n, k in operation.broadcasts if result == kind]
        widest = max((source.rank for source in sources), default=0)
        known = len(declared.axes)
        if row.rank > max(widest, known):
            raise _widened(node, kind, row, f"{row.rank} axes, but its operands give it {widest}")
        for offset in range(1, row.rank + 1):
            axis = row.axes[-offset].find()
            below = [source.axes[-offset].find() for source in sources if offset <= source.rank]
            written = declared.axes[-offset].size if offset <= len(declared.trailing) else None
            if written is None and not axis.is_top and below and all(a.is_top for a in below) and not axis.minimum:
                raise _widened(node, kind, row, f"an axis of size {axis.size}, but its operands only broadcast there")


def _widened(node: Node, kind: RowKind, row: RowTerm, what: str) -> ShapeError:
    sources = [str(a.find().provenance) for a in row.axes if a.find().provenance and not a.find().is_top]
    notes = [f"The uses ask for it: {source}." for source in sources[:1]]
    notes.append("Wrap the expression in `stretch(...)` to let its uses decide.")
    return shape_error(
        f"A use widens the result @{node.name}, whose shape closes down to its arguments' (size mismatch): "
        f"its {kind} row has {what}.",
        Cause("the closing rule", node.origin),
        suggestion="\n".join(notes),
    )
