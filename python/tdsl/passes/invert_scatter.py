"""``tdsl-invert-scatter``: gradients of windows gather instead of scattering (spec i.4).

``x.grad[2 * o + k] += g[o] * w[k]`` meets the cells of its destination several times, in an order that only a
sequential loop keeps. The same sums are ``x.grad[i] += g[(i - k) / 2] * w[k]``, where the division is exact: every cell
belongs to one iteration, so that cells are independent, and their sums stay in registers.
"""

from __future__ import annotations

import mlir.ir as ir

from tdsl.ir import (
    AccessAttr,
    Accumulator,
    AssignOp,
    NodeOp,
    ProgramOp,
    ProjectionsOp,
    RoutineOp,
    ShapeAttr,
    SpaceAttr,
    enumerator,
)
from tdsl.ir.traversal import declarations, statements
from tdsl.passes.base import Pass
from tdsl.passes.space_attributes import read_shape, read_space, write_space
from tdsl.projections import Access, ClosedShape, Projections, Space, assignment_space, invert_scatter

__all__ = ["InvertScatter"]


class InvertScatter(Pass):
    """Gives every assignment that scatters an index space which iterates over the cells of its destination."""

    name = "tdsl-invert-scatter"
    description = (
        "Turn assignments that reach cells several times, such as gradients of windows, into gathers (spec i.4)"
    )

    def run(self, op: ir.OpView) -> None:
        assert isinstance(op, ProgramOp)  # the anchor
        self.nodes = {node.sym_name.value: node for node in declarations(op, NodeOp)}
        self.spaces = {p.sym_name.value: p for p in declarations(op, ProjectionsOp)}
        self.names = {
            ir.StringAttr(o.attributes["sym_name"]).value
            for o in op.body.blocks[0].operations
            if "sym_name" in o.attributes
        }
        for routine in declarations(op, RoutineOp):
            for statement in list(statements(routine)):
                if isinstance(statement, AssignOp):
                    self._invert(statement)

    def _invert(self, assign: AssignOp) -> None:
        projections = self.spaces[assign.projections.value]
        destinations = [AccessAttr(access) for access in assign.destinations]
        sources = [AccessAttr(access) for access in assign.sources]
        # Before derivation there is no space; segments and resets are gone after it.
        if projections.space is None or len(destinations) != 1 or assign.block or assign.reset:
            return
        [destination] = destinations
        if any(source.node == destination.node and not source.is_merge for source in sources):
            # The order of points is the order of what they read.
            return
        attribute = SpaceAttr(projections.space)
        scatter = self._space_of(projections, attribute, destination, sources)
        if scatter is None:
            return
        accumulator = str(enumerator(Accumulator, assign.accumulator))
        sizes = [self._sizes(source.node) for source in sources]
        gather = invert_scatter(scatter, self._sizes(destination.node), sizes, accumulator)
        if gather is None:
            return
        symbols = dict(zip(attribute.symbols, assign.symbols, strict=True))
        with assign.location, ir.InsertionPoint(assign):
            AssignOp(
                [AccessAttr.get(destination.node)],
                assign.accumulator,
                assign.primitive,
                [AccessAttr.get(source.node, merge=source.is_merge) for source in sources],
                self._declare(projections, gather, destination, sources),
                [symbols[name] for name in gather.symbols],
            )
        assign.operation.erase()

    def _space_of(
        self, op: ProjectionsOp, attribute: SpaceAttr, destination: AccessAttr, sources: list[AccessAttr]
    ) -> Space | None:
        """The space as the assignment sees it: its destination is ``lhs``, its sources are ``rhs1``, ``rhs2``, ..."""
        space = read_space(attribute)
        operands = tuple(self._shape(ir.FlatSymbolRefAttr(node).value) for node in op.operand_nodes)
        projections = Projections((space,), operands, self._shape(op.result_node.value))
        return assignment_space(
            projections,
            space,
            Access(destination.slot or "lhs", self._sizes(destination.node)),
            [Access(s.slot or f"rhs{n}", self._sizes(s.node)) for n, s in enumerate(sources, 1)],
        )

    def _shape(self, node: str) -> ClosedShape:
        return read_shape(ShapeAttr(self.nodes[node].shape))

    def _sizes(self, node: str) -> tuple[int, ...]:
        return self._shape(node).sizes

    def _declare(self, op: ProjectionsOp, space: Space, destination: AccessAttr, sources: list[AccessAttr]) -> str:
        """An index space for one assignment; returns its name."""
        base, number = op.sym_name.value, 0
        while (name := f"{base}.{number}") in self.names:
            number += 1
        self.names.add(name)
        with op.location, ir.InsertionPoint.after(op):
            ProjectionsOp(
                name,
                op.logic,
                [source.node for source in sources],
                destination.node,
                captures=op.captures,
                coefficients=op.coefficients,
                use_padding=op.use_padding,
                segment=number,
                space=write_space(space),
            )
        return name
