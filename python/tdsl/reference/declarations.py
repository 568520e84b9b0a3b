"""The declarations of a program: finding them by name, and what they say about index spaces and captures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import mlir.ir as ir

from tdsl.errors import ShapeError
from tdsl.ir import DimOp, LogicAttr, ProgramOp, ProjectionsOp, RowAttr, RowOp, SetDimOp, SpaceAttr
from tdsl.ir.traversal import declarations
from tdsl.notation import Spec, parse
from tdsl.reference.derived_space import segment_of_space
from tdsl.reference.index_space import Segment
from tdsl.reference.logic_space import segment_of_logic
from tdsl.reference.spec_space import NodeShape, label_sizes, segments_of_spec
from tdsl.reference.storage import ValuesError

__all__ = ["Declarations"]

_Declaration = TypeVar("_Declaration", bound=ir.OpView)
_ShapeOf = Callable[[str], NodeShape]


class Declarations:
    """The symbols of a program, and its constraints on captures."""

    def __init__(self, program: ProgramOp) -> None:
        self._program = program

    def all(self, kind: type[_Declaration]) -> dict[str, _Declaration]:
        """The declarations of one kind, by name, in the order of the program."""
        return {ir.StringAttr(op.attributes["sym_name"]).value: op for op in declarations(self._program, kind)}

    def find(self, kind: type[_Declaration], name: str, what: str) -> _Declaration:
        """One declaration; ValuesError when there is none."""
        found = self.all(kind).get(name)
        if found is None:
            raise ValuesError(f"The program has no {what} @{name}.")
        return found

    def segments(self, projections: ProjectionsOp, shape_of: _ShapeOf, symbols: Mapping[str, int]) -> list[Segment]:
        """The product space of an operation in its pieces: as derived, or enumerated from its logic."""
        result, operands = _shapes(projections, shape_of)
        if projections.space is not None:
            sizes = [shape.memory_order_sizes for shape in (result, *operands)]
            return [segment_of_space(SpaceAttr(projections.space), sizes, symbols)]
        logic = LogicAttr(projections.logic)
        if logic.kind != "spec":
            return [segment_of_logic(logic, result, operands, symbols.get(logic.symbol, 0))]
        segments = segments_of_spec(_spec(projections, logic), result, operands, self._known_labels(projections))
        if projections.segment is None:
            return segments
        number = projections.segment.value
        if number >= len(segments):
            name = projections.sym_name.value
            raise ShapeError(f"@{name} is segment {number}, but its specification has {len(segments)} (spec e.2).")
        return [segments[number]]

    def capture(self, name: str, shape_of: _ShapeOf) -> int:
        """The number of a captured dimension or row (spec d.9); ShapeError when nothing determines it."""
        number = self._declared_capture(name)
        if number is not None:
            return number
        for projections in self.all(ProjectionsOp).values():
            for label, captured in _captures(projections).items():
                if captured != name:
                    continue
                result, operands = _shapes(projections, shape_of)
                spec = _spec(projections, LogicAttr(projections.logic))
                # A piece that derivation split off keeps the text of the whole operation, but not its operands.
                if len(spec.operands) == len(operands):
                    return label_sizes(spec, result, operands, self._known_labels(projections))[label]
        raise ShapeError(f"Nothing determines the number of @{name}.")

    def _declared_capture(self, name: str) -> int | None:
        """What the declaration or the ``tdsl.set_dim`` operations say; ShapeError when they disagree."""
        numbers: list[int] = []
        dimension, row = self.all(DimOp).get(name), self.all(RowOp).get(name)
        if dimension is not None and dimension.size is not None:
            numbers.append(dimension.size.value)
        if row is not None and row.axes is not None:
            product = 1
            for axis in RowAttr(row.axes).leading:
                product *= axis.size
            numbers.append(product)
        numbers += [op.size.value for op in declarations(self._program, SetDimOp) if op.capture.value == name]
        for number in numbers:
            if number != numbers[0]:
                raise ShapeError(f"@{name} is {numbers[0]} and also {number}.")
        return numbers[0] if numbers else None

    def _known_labels(self, projections: ProjectionsOp) -> dict[str, int]:
        """The sizes of the captured labels that are known before looking at shapes."""
        dimensions = self.all(DimOp)
        numbers = {
            label: self._declared_capture(name) for label, name in _captures(projections).items() if name in dimensions
        }
        return {label: number for label, number in numbers.items() if number is not None}


def _shapes(projections: ProjectionsOp, shape_of: _ShapeOf) -> tuple[NodeShape, list[NodeShape]]:
    operands = [ir.FlatSymbolRefAttr(name).value for name in projections.operand_nodes]
    return shape_of(projections.result_node.value), [shape_of(name) for name in operands]


def _spec(projections: ProjectionsOp, logic: LogicAttr) -> Spec:
    coefficients = {entry.name: ir.IntegerAttr(entry.attr).value for entry in projections.coefficients or ()}
    use_padding = None if projections.use_padding is None else projections.use_padding.value
    return parse(logic.spec, coefficients=coefficients, use_padding=use_padding)


def _captures(projections: ProjectionsOp) -> dict[str, str]:
    return {entry.name: ir.FlatSymbolRefAttr(entry.attr).value for entry in projections.captures or ()}
