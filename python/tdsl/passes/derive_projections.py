"""``tdsl-derive-projections``: closed shapes become index spaces, resets become fills (spec e).

Below this pass no specification is read any more. Where an operation has one space, its assignments keep using it
through their slots. Otherwise, for the segments of a concatenation and for overwrites of which only the last one
counts, each piece becomes an assignment with an index space of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import mlir.ir as ir

from tdsl.errors import TdslError
from tdsl.ir import (
    AccessAttr,
    Accumulator,
    AssignOp,
    DimOp,
    FillOp,
    LogicAttr,
    NodeOp,
    Precision,
    ProgramOp,
    ProjectionsOp,
    RoutineOp,
    RowOp,
    ShapeAttr,
    enumerator,
)
from tdsl.ir.precision import cells_per_word
from tdsl.ir.traversal import declarations, statements
from tdsl.notation import parse
from tdsl.passes.base import Pass
from tdsl.passes.diagnostics import emit_error
from tdsl.passes.space_attributes import read_shape, write_space
from tdsl.projections import (
    Access,
    AssignmentPlan,
    ClosedShape,
    Compose,
    ComposeAccumulate,
    Einsum,
    Logic,
    Pointwise,
    Projections,
    Slice,
    Space,
    Step,
    Transpose,
    Uniform,
    Write,
    derive,
    plan_assignment,
)

__all__ = ["DeriveProjections"]


@dataclass
class _Operation:
    """An index space before and after derivation."""

    op: ProjectionsOp
    projections: Projections
    #: The number of index spaces made for pieces so far.
    pieces: int = 0

    @property
    def is_single(self) -> bool:
        """Whether all assignments can share one space."""
        segments = self.projections.segments
        return len(segments) == 1 and len(segments[0].active_operands) == len(self.op.operand_nodes)


class DeriveProjections(Pass):
    """Derives the index space of every operation, and splits assignments into what they do to each cell."""

    name = "tdsl-derive-projections"
    description = "Derive index spaces from closed shapes; turn resets into fills and stores (spec e)"

    def run(self, op: ir.OpView) -> bool:
        assert isinstance(op, ProgramOp)  # the anchor
        self.nodes = {node.sym_name.value: node for node in declarations(op, NodeOp)}
        self.captures = {c.sym_name.value: c for kind in (DimOp, RowOp) for c in declarations(op, kind)}
        self.operations: dict[str, _Operation] = {}
        self.shapes: dict[str, ClosedShape] = {}
        self.names = {ir.StringAttr(o.attributes["sym_name"]).value for o in op.body.blocks[0].operations if _named(o)}
        ok = True
        # A piece was derived before: its whole is gone, and with it what the specification says of the piece.
        self.pieces = {
            p.sym_name.value for p in declarations(op, ProjectionsOp) if p.segment is not None and p.space is not None
        }
        for projections in declarations(op, ProjectionsOp):
            if projections.sym_name.value in self.pieces:
                continue
            ok = self._attempt(projections, self._derive, projections) and ok
        if not ok:
            return False
        for routine in declarations(op, RoutineOp):
            for statement in list(statements(routine)):
                if isinstance(statement, AssignOp) and statement.projections.value not in self.pieces:
                    ok = self._attempt(statement, self._split, statement) and ok
        if ok:
            for operation in self.operations.values():
                if operation.pieces and not operation.is_single:
                    operation.op.operation.erase()
        return ok

    def _attempt(self, place: ir.OpView, action: object, *arguments: object) -> bool:
        """Calls ``action``; an error of the user's becomes one at ``place``, and the pass goes on to find more."""
        assert callable(action)
        try:
            action(*arguments)
        except TdslError as error:
            emit_error(place, str(error))
            return False
        return True

    def _shape(self, node: str) -> ClosedShape:
        """The shape of a node, which is read once."""
        if node not in self.shapes:
            self.shapes[node] = self._read_shape(node)
        return self.shapes[node]

    def _read_shape(self, node: str) -> ClosedShape:
        shape = ShapeAttr(self.nodes[node].shape)
        if not shape.is_solved:
            raise TdslError(f'the shape "{shape.text}" of @{node} is still open: run tdsl-infer-shapes first')
        return read_shape(shape)

    def _derive(self, op: ProjectionsOp) -> None:
        operands = [self._shape(ir.FlatSymbolRefAttr(node).value) for node in op.operand_nodes]
        projections = derive(self._logic(op), operands, self._shape(op.result_node.value))
        operation = _Operation(op, projections)
        self.operations[op.sym_name.value] = operation
        if operation.is_single:
            op.attributes["space"] = write_space(projections.segments[0])

    def _logic(self, op: ProjectionsOp) -> Logic:
        logic = LogicAttr(op.logic)
        if logic.kind == "slice":
            return Slice(logic.symbol)
        if logic.kind == "uniform":
            precision = self.nodes[op.result_node.value].precision
            if precision is None:
                raise TdslError("the lanes depend on the precision of the result: run tdsl-infer-precision first")
            return Uniform(cells_per_word(enumerator(Precision, precision)))
        if logic.kind != "spec":
            plain = {"pointwise": Pointwise, "compose": Compose, "transpose": Transpose}
            return plain.get(logic.kind, ComposeAccumulate)()
        coefficients = {c.name: ir.IntegerAttr(c.attr).value for c in op.coefficients or ()}
        use_padding = None if op.use_padding is None else ir.BoolAttr(op.use_padding).value
        spec = parse(logic.spec, coefficients=coefficients, use_padding=use_padding)
        sizes = {c.name: self._captured(ir.FlatSymbolRefAttr(c.attr).value) for c in op.captures or ()}
        return Einsum(spec, {label: size for label, size in sizes.items() if size is not None})

    def _captured(self, name: str) -> int | None:
        """The number of a captured dimension; None while it is open, and for rows, which have several sizes."""
        capture = self.captures[name]
        return capture.size.value if isinstance(capture, DimOp) and capture.size is not None else None

    def _split(self, assign: AssignOp) -> None:
        """Replaces one assignment by what it does to each destination."""
        operation = self.operations[assign.projections.value]
        destinations = [AccessAttr(access) for access in assign.destinations]
        sources = [AccessAttr(access) for access in assign.sources]
        accumulator = enumerator(Accumulator, assign.accumulator)
        for destination in destinations:
            plan = plan_assignment(
                operation.projections,
                self._access(destination, "lhs"),
                [self._access(source, f"rhs{number}") for number, source in enumerate(sources, 1)],
                str(accumulator),
                reset=assign.reset,
                block=assign.block,
                reads_destination=any(s.node == destination.node and not s.is_merge for s in sources),
            )
            self._write(assign, operation, destination, sources, accumulator, plan)
        assign.operation.erase()

    def _access(self, access: AccessAttr, slot: str) -> Access:
        return Access(access.slot or slot, self._shape(access.node).sizes)

    def _write(
        self,
        assign: AssignOp,
        operation: _Operation,
        destination: AccessAttr,
        sources: list[AccessAttr],
        accumulator: Accumulator,
        plan: AssignmentPlan,
    ) -> None:
        with assign.location, ir.InsertionPoint(assign):
            if plan.fill:
                FillOp(destination.node, accumulator)
            for step in plan.steps:
                write = Accumulator.Overwrite if step.write == Write.STORE else accumulator
                if _visits_all_of(step, operation):
                    AssignOp([destination], write, assign.primitive, sources, assign.projections, list(assign.symbols))
                    continue
                active = [sources[number] for number in step.sources]
                space = self._declare_piece(operation, step.space, destination, active)
                # The space is made for this assignment: every access uses its obvious slot.
                AssignOp(
                    [AccessAttr.get(destination.node)],
                    write,
                    assign.primitive,
                    [AccessAttr.get(source.node, merge=source.is_merge) for source in active],
                    space,
                    list(assign.symbols),
                )

    def _declare_piece(
        self, operation: _Operation, space: Space, destination: AccessAttr, sources: Iterable[AccessAttr]
    ) -> str:
        """An index space for one piece of an assignment; returns its name."""
        base = operation.op.sym_name.value
        while (name := f"{base}.{operation.pieces}") in self.names:
            operation.pieces += 1
        self.names.add(name)
        with operation.op.location, ir.InsertionPoint(operation.op):
            ProjectionsOp(
                name,
                operation.op.logic,
                [source.node for source in sources],
                destination.node,
                captures=operation.op.captures,
                coefficients=operation.op.coefficients,
                use_padding=operation.op.use_padding,
                segment=operation.pieces,
                space=write_space(space),
            )
        operation.pieces += 1
        return name


def _named(op: ir.OpView) -> bool:
    return "sym_name" in op.attributes


def _visits_all_of(step: Step, operation: _Operation) -> bool:
    """Whether a step visits the shared space of its operation, so that the slots of the assignment still say it all."""
    return operation.is_single and step.space.sizes == operation.projections.segments[0].sizes
