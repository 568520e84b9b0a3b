"""``tdsl-infer-precision``: every node gets a precision, before any shape is inferred (spec a.8).

Information flows twice. *Bottom-up*, the result of an ordinary operation takes the strongest precision of its
operands; an operand that is itself decided by its uses counts only where the user fixed it. *Top-down*, what is left,
the terminals and parameters above all, takes the strongest precision of the results it goes into. Both are least fixed
points of a join, so the outcome does not depend on the order of nodes or routines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import mlir.ir as ir

from tdsl.errors import TdslError
from tdsl.ir import (
    AccessAttr,
    AssignOp,
    FetchKind,
    FetchOp,
    NodeOp,
    NodeRole,
    Precision,
    Primitive,
    ProgramOp,
    RoutineOp,
    SetVecOp,
    enumerator,
)
from tdsl.ir.precision import promote
from tdsl.ir.traversal import declarations, statements
from tdsl.passes.base import Pass

__all__ = ["InferPrecision"]

_TERMINALS = frozenset({NodeRole.Leaf, NodeRole.Input, NodeRole.Param, NodeRole.Stretch})
_COMPARISONS = frozenset({Primitive.Lt, Primitive.Le, Primitive.Eq, Primitive.Ne})
_RANDOM_WORDS = frozenset({Primitive.Threefry4x32, Primitive.Threefry4x32Crypto})


@dataclass
class _Flow:
    """What one statement says: ``sources`` flow into ``destinations``; a fixed result needs no source."""

    destinations: tuple[str, ...]
    sources: tuple[str, ...]
    result: Precision | None = None


@dataclass
class _Program:
    """The nodes and the statements of a program, without their order."""

    nodes: dict[str, NodeOp] = field(default_factory=dict)
    flows: list[_Flow] = field(default_factory=list)
    #: Nodes that their uses decide: terminals, and results whose operation leaves the precision open.
    top_down: set[str] = field(default_factory=set)


def _names(accesses: ir.ArrayAttr) -> tuple[str, ...]:
    return tuple(AccessAttr(access).node for access in accesses)


def _flow_of(statement: ir.OpView) -> _Flow | None:
    """The flow of one statement, or None for a statement that says nothing about precisions."""
    if isinstance(statement, SetVecOp):
        # Words become cells of whatever precision the uses ask for (spec b.6).
        return _Flow((AccessAttr(statement.destination).node,), ())
    if isinstance(statement, FetchOp):
        if statement.source is not None and enumerator(FetchKind, statement.kind) == FetchKind.Slice:
            return _Flow((statement.node.value,), (statement.source.value,))
        return None
    if not isinstance(statement, AssignOp):
        return None
    primitive = enumerator(Primitive, statement.primitive)
    destinations, sources = _names(statement.destinations), _names(statement.sources)
    if primitive in _RANDOM_WORDS:
        # Keys and counters of any integer type are spread into words (spec b.6).
        return _Flow(destinations, (), Precision.UInt4x32)
    if primitive in _COMPARISONS or primitive == Primitive.UInt4x32ToPrecUniform1:
        return _Flow(destinations, ())
    if primitive == Primitive.Where:
        return _Flow(destinations, sources[1:])
    return _Flow(destinations, sources)


def _collect(program: ProgramOp) -> _Program:
    result = _Program()
    for node in declarations(program, NodeOp):
        result.nodes[node.sym_name.value] = node
        if enumerator(NodeRole, node.role) in _TERMINALS:
            result.top_down.add(node.sym_name.value)
    for routine in declarations(program, RoutineOp):
        result.flows += [flow for s in statements(routine) if (flow := _flow_of(s)) is not None]
    for name, node in result.nodes.items():
        if node.grad_of is not None:
            # A gradient is stored like the value that it belongs to.
            result.flows.append(_Flow((name,), (node.grad_of.value,)))
            result.flows.append(_Flow((node.grad_of.value,), (name,)))
    decided = {d for flow in result.flows if flow.sources or flow.result is not None for d in flow.destinations}
    result.top_down |= {d for flow in result.flows for d in flow.destinations} - decided
    return result


def _raise_to_fixed_point(known: dict[str, Precision], edges: dict[str, list[str]]) -> None:
    """Joins along ``edges``, from a name to those that take its precision, until nothing changes.

    Only the names that were unknown at the start are raised.
    """
    fixed = set(known)
    pending = sorted(known)
    while pending:
        name = pending.pop()
        for target in edges.get(name, ()):
            if target in fixed:
                continue
            raised = promote([known[name], *([known[target]] if target in known else [])])
            if raised is not None and raised != known.get(target):
                known[target] = raised
                pending.append(target)


@dataclass(frozen=True)
class _Options:
    default: str = field(default="f32", metadata={"description": "precision of nodes that nothing else decides"})


class InferPrecision(Pass):
    """Closes the precision of every node of a program."""

    name = "tdsl-infer-precision"
    description = "Infer the precision of every node, from operands to results and back (spec a.8)"
    Options = _Options

    def run(self, op: ir.OpView) -> None:
        assert isinstance(op, ProgramOp)  # the anchor
        default = _parse_precision(self.options.default)
        program = _collect(op)
        known = {
            name: enumerator(Precision, node.precision)
            for name, node in program.nodes.items()
            if node.precision is not None
        }
        fixed_by_user = set(known)
        for flow in program.flows:
            for destination in flow.destinations:
                if flow.result is not None:
                    known.setdefault(destination, flow.result)

        bottom_up: dict[str, list[str]] = {}
        top_down: dict[str, list[str]] = {}
        for flow in program.flows:
            for destination in flow.destinations:
                for source in flow.sources:
                    counts = source not in program.top_down or source in fixed_by_user
                    if counts and destination not in program.top_down:
                        bottom_up.setdefault(source, []).append(destination)
                    top_down.setdefault(destination, []).append(source)
        _raise_to_fixed_point(known, bottom_up)
        _raise_to_fixed_point(known, top_down)

        for name, node in program.nodes.items():
            if node.precision is None:
                precision = known.get(name, default)
                node.attributes["precision"] = ir.IntegerAttr.get(
                    ir.IntegerType.get_signless(32, op.context), int(precision)
                )


def _parse_precision(keyword: str) -> Precision:
    for precision in Precision:
        if str(precision) == keyword:
            return precision
    known = ", ".join(map(str, Precision))
    raise TdslError(f"'{keyword}' is not a precision (spec a.8); expected one of {known}")
