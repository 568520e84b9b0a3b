"""``tdsl-infer-shapes``: every open row and size is determined, or refused with where it came from (spec d)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlir.ir as ir

from tdsl.errors import ShapeError, TdslError
from tdsl.ir import (
    AtLeastOp,
    BroadcastOp,
    CloseOp,
    DimOp,
    LogicAttr,
    NodeOp,
    NodeRole,
    Precision,
    ProgramOp,
    ProjectionsOp,
    RowAttr,
    RowOp,
    SameShapeOp,
    SetDimOp,
    SetEqualOp,
    SetScaleOp,
    ShapeAttr,
    StaticSymbolOp,
    TermAttr,
    TotalElementsOp,
    enumerator,
)
from tdsl.ir.precision import cells_per_word
from tdsl.ir.traversal import declarations
from tdsl.notation import RowKind
from tdsl.passes.base import Pass
from tdsl.passes.diagnostics import emit_error
from tdsl.shapes import (
    AxisTarget,
    CaptureTarget,
    Inference,
    NodeTarget,
    Row,
    RowTarget,
    Target,
    parse_axis,
    parse_row,
)

__all__ = ["InferShapes"]


class InferShapes(Pass):
    """Solves the shape constraints of a program, and writes the solution on its nodes and captures."""

    name = "tdsl-infer-shapes"
    description = "Infer the shape of every node and the number of every capture (spec d)"

    def run(self, op: ir.OpView) -> bool:
        assert isinstance(op, ProgramOp)  # the anchor
        try:
            self.solve(op)
            self._write(op)
        except TdslError as error:
            emit_error(self.place, str(error))
            return False
        return True

    def solve(self, program: ProgramOp) -> Inference:
        """All shapes of a program whose precisions are closed, with the records of where they come from.

        Raises TdslError for contradictions and for what nothing determines; ``place`` is then the operation at fault.
        """
        self.place: ir.OpView = program
        self.inference = Inference()
        self.nodes = {node.sym_name.value: node for node in declarations(program, NodeOp)}
        self.ranges = {s.sym_name.value: s.upper.value - s.lower.value for s in declarations(program, StaticSymbolOp)}
        self.captures = {c.sym_name.value for kind in (DimOp, RowOp) for c in declarations(program, kind)}
        for name, node in self.nodes.items():
            self.place = node
            self._check_gradient(name)
        for op in _in_order_of_need(program):
            self.place = op
            _ADD[type(op)](self, op)
        self.place = program
        self.inference.close("compiling", origin=_origin(program))
        return self.inference

    def _write(self, program: ProgramOp) -> None:
        for name, node in self.nodes.items():
            node.attributes["shape"] = ShapeAttr.from_text(str(self.inference.shape(self.shaped(name))))
        integer = ir.IntegerType.get_signless(64)
        for dim in declarations(program, DimOp):
            try:
                size = self.inference.capture(dim.sym_name.value)
            except ShapeError:
                # A capture that no operation uses says nothing, and embedding it is refused later.
                continue
            dim.attributes["size"] = ir.IntegerAttr.get(integer, size)
        for row in declarations(program, RowOp):
            axes = self.inference.captured_row(row.sym_name.value)
            if axes is not None:
                row.attributes["axes"] = RowAttr.from_text(str(axes))

    def _check_gradient(self, name: str) -> None:
        seen = [name]
        while (differentiated := self.nodes[seen[-1]].grad_of) is not None:
            seen.append(differentiated.value)
            if seen[-1] == name:
                raise TdslError(f"@{name} is its own gradient: {' is grad_of '.join(f'@{n}' for n in seen)}")
            if seen[-1] in seen[:-1]:
                return  # The error is at the nodes of that cycle.

    def shaped(self, name: str) -> str:
        """The node whose shape a node has: a gradient has that of the node it belongs to (spec a.1)."""
        while (differentiated := self.nodes[name].grad_of) is not None:
            name = differentiated.value
        return name

    # Each construct as a constraint.

    def _node(self, op: NodeOp) -> None:
        name, shape = op.sym_name.value, ShapeAttr(op.shape)
        if op.grad_of is None:
            role: Any = str(enumerator(NodeRole, op.role))
            self.inference.add_node(name, shape.text, role, origin=_origin(op))
            return
        rows: tuple[tuple[RowKind, RowAttr], ...] = (
            ("batch", shape.batch),
            ("input", shape.input),
            ("output", shape.output),
        )
        for kind, row in rows:
            if row.variable is None or row.leading or row.trailing:
                target = RowTarget(self.shaped(name), kind)
                self.inference.set_equal(target, parse_row(row.text), origin=_origin(op))

    def _dim(self, op: DimOp) -> None:
        size = None if op.size is None else op.size.value
        self.inference.add_capture(op.sym_name.value, value=size, origin=_origin(op))

    def _row(self, op: RowOp) -> None:
        axes: Row | None = None if op.axes is None else parse_row(RowAttr(op.axes).text)
        self.inference.add_capture(op.sym_name.value, row=True, value=axes, origin=_origin(op))

    def _projections(self, op: ProjectionsOp) -> None:
        if op.segment is not None:
            # A piece of an operation that is already derived: its whole was checked before.
            return
        logic = LogicAttr(op.logic)
        lanes = None
        if logic.kind == "uniform":
            precision = self.nodes[op.result_node.value].precision
            if precision is None:
                raise TdslError("the lanes depend on the precision of the result: run tdsl-infer-precision first")
            lanes = cells_per_word(enumerator(Precision, precision))
        kind: Any = logic.kind
        self.inference.relate(
            kind,
            [self.shaped(ir.FlatSymbolRefAttr(node).value) for node in op.operand_nodes],
            self.shaped(op.result_node.value),
            name=op.sym_name.value,
            spec=logic.spec if logic.kind == "spec" else None,
            captures={c.name: ir.FlatSymbolRefAttr(c.attr).value for c in op.captures or ()},
            coefficients={c.name: ir.IntegerAttr(c.attr).value for c in op.coefficients or ()},
            use_padding=None if op.use_padding is None else ir.BoolAttr(op.use_padding).value,
            range=self.ranges.get(logic.symbol),
            lanes=lanes,
            origin=_origin(op),
        )

    def _set_dim(self, op: SetDimOp) -> None:
        self.inference.set_dim(op.capture.value, op.size.value, origin=_origin(op))

    def _set_equal(self, op: SetEqualOp) -> None:
        self.inference.set_equal(self._target(op.first), self._target(op.second), origin=_origin(op))

    def _broadcast(self, op: BroadcastOp) -> None:
        self.inference.set_broadcast(self._target(op.narrow), self._target(op.wide), origin=_origin(op))

    def _set_scale(self, op: SetScaleOp) -> None:
        self.inference.set_scale(op.scaled.value, op.factor.value, op.base.value, origin=_origin(op))

    def _at_least(self, op: AtLeastOp) -> None:
        self.inference.at_least(self._target(op.axis), op.size.value, origin=_origin(op))

    def _total_elements(self, op: TotalElementsOp) -> None:
        self.inference.total_elements(
            self._target(op.term),
            op.factor.value,
            capture=None if op.capture is None else op.capture.value,
            divisor=1 if op.divisor is None else op.divisor.value,
            origin=_origin(op),
        )

    def _same_shape(self, op: SameShapeOp) -> None:
        relate = self.inference.same_shape_as_product_space if op.product_space else self.inference.same_shape
        other = op.other.value if op.product_space else self.shaped(op.other.value)
        relate(self.shaped(op.node.value), other, origin=_origin(op))

    def _close(self, op: CloseOp) -> None:
        self.inference.close(ir.StringAttr(op.cause).value, origin=_origin(op))

    def _target(self, attribute: ir.Attribute) -> Target:
        term = TermAttr(attribute)
        if term.literal is not None:
            text = term.literal.text
            return parse_row(text) if isinstance(term.literal, RowAttr) else parse_axis(text)
        if term.symbol in self.captures:
            return CaptureTarget(term.symbol)
        node = self.shaped(term.symbol)
        if term.row is None:
            return NodeTarget(node)
        kind: Any = str(term.row)
        if term.axis is None:
            return RowTarget(node, kind)
        return AxisTarget(node, kind, term.axis)


_ADD: dict[type, Callable[..., None]] = {
    NodeOp: InferShapes._node,
    DimOp: InferShapes._dim,
    RowOp: InferShapes._row,
    ProjectionsOp: InferShapes._projections,
    SetDimOp: InferShapes._set_dim,
    SetEqualOp: InferShapes._set_equal,
    BroadcastOp: InferShapes._broadcast,
    SetScaleOp: InferShapes._set_scale,
    AtLeastOp: InferShapes._at_least,
    TotalElementsOp: InferShapes._total_elements,
    SameShapeOp: InferShapes._same_shape,
    CloseOp: InferShapes._close,
}


def _in_order_of_need(program: ProgramOp) -> list[ir.OpView]:
    """The constraints in the order of the program, which forced closings separate into parts.

    Within a part the order has no meaning, and an operation has a product space only once it is known.
    """
    ordered: list[ir.OpView] = []
    later: list[ir.OpView] = []
    for op in program.body.blocks[0].operations:
        if type(op) not in _ADD:
            continue
        if isinstance(op, CloseOp):
            ordered += [*later, op]
            later = []
        elif isinstance(op, SameShapeOp) and op.product_space:
            later.append(op)
        else:
            ordered.append(op)
    return ordered + later


def _origin(op: ir.OpView) -> str | None:
    """Where the user wrote an operation, as errors print it."""
    place = op.location
    return f"{place.filename}:{place.start_line}" if place.is_a_file() else None
