"""The constraints of an einsum spec: each row of an operand equals its template (spec sections c.3 and d.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tdsl.errors import ShapeError
from tdsl.notation import (
    Affine,
    Axis,
    Concat,
    Fixed,
    Label,
    Placeholder,
    RowKind,
    RowSpec,
    ShapeSpec,
    Size,
    Spec,
    axis_labels,
    check_arity,
    check_captures,
    contracted_labels,
    contracted_row_variables,
    discardable_labels,
)
from tdsl.notation import (
    RowVariable as RowName,
)
from tdsl.shapes.affine import AffineSize
from tdsl.shapes.concat import ConcatSize
from tdsl.shapes.equations import equate
from tdsl.shapes.errors import shape_error
from tdsl.shapes.lattice import DEFAULT
from tdsl.shapes.nodes import Capture, Node, Operation
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve


@dataclass(eq=False)
class SpecApplication:
    """One application of a spec: fresh unknowns for its labels and row variables, shared by all its shapes."""

    spec: Spec
    text: str
    origin: object
    labels: dict[str, AxisVariable] = field(default_factory=dict)
    variables: dict[RowName, RowVariable] = field(default_factory=dict)
    result_rows: dict[RowKind, tuple[list[AxisVariable], RowVariable | None, list[AxisVariable]]] = field(
        default_factory=dict
    )

    def relate(self, solver: Solver, operation: Operation, captures: Mapping[str, Capture]) -> None:
        """Require that all nodes have the shapes of the spec, and tie the captures to its names.

        Raises ShapeError for a wrong number of operands, SpecSyntaxError for captures that are not in the spec.
        """
        check_arity(self.spec, len(operation.operands))
        check_captures(self.spec, list(captures))
        for name in discardable_labels(self.spec):
            self._label(name).discardable = True
        for number, (shape, node) in enumerate(zip(self.spec.operands, operation.operands, strict=True), 1):
            self._relate_shape(solver, shape, node, number)
        self._relate_shape(solver, self.spec.result, operation.result, 0)
        for name, capture in captures.items():
            self._capture(solver, name, capture)

    def _relate_shape(self, solver: Solver, shape: ShapeSpec, node: Node, number: int) -> None:
        for kind, row in shape.rows():
            cause = Cause(self.text, self.origin, self.spec, number, node.name, kind, row.span)
            leading = [self._axis(solver, axis, cause) for axis in row.leading]
            variable = None if row.variable is None else self._variable(row.variable)
            trailing = [self._axis(solver, axis, cause) for axis in row.trailing]
            if number == 0:
                self.result_rows[kind] = leading, variable, trailing
            equate(solver, node.rows[kind], _row(leading, variable, trailing), cause)

    def _axis(self, solver: Solver, axis: Axis, cause: Cause) -> AxisVariable:
        if isinstance(axis, Label):
            return self._label(axis.name)
        variable = AxisVariable(label=None if not isinstance(axis, Affine | Concat) else str(axis))
        here = Cause(cause.text, cause.origin, cause.spec, cause.operand, cause.node, cause.row, axis.span)
        if isinstance(axis, Fixed):
            solver.at_least(variable, axis.index + 1, here)
        elif isinstance(axis, Placeholder) and cause.operand == 0:
            # Nothing iterates it, so a result is written at its index 0.
            solver.at_least(variable, 1, here)
        elif isinstance(axis, Affine):
            kernel = None if axis.kernel is None else self._label(axis.kernel.label.name)
            solver.add(AffineSize(variable, axis, self._label(axis.over.name), kernel, here))
        elif isinstance(axis, Concat):
            components = [self._label(part.name) for part in axis.components if isinstance(part, Label)]
            constant = sum(part.size for part in axis.components if isinstance(part, Size))
            solver.add(ConcatSize(variable, components, constant, str(axis), here, axis.span))
        return variable

    def _label(self, name: str) -> AxisVariable:
        return self.labels.setdefault(name, AxisVariable(label=name))

    def _variable(self, name: RowName) -> RowVariable:
        return self.variables.setdefault(name, RowVariable(str(name).strip(".")))

    def _capture(self, solver: Solver, name: str, capture: Capture) -> None:
        cause = Cause(self.text, self.origin, self.spec)
        capture.bound = True
        row = next((v for key, v in self.variables.items() if str(key).strip(".") == name), None)
        if capture.row is None and name in self.labels:
            solver.unify(self.labels[name], capture.axis, cause)
        elif capture.row is not None and row is not None:
            equate(solver, capture.row, RowTerm((), row, ()), cause)
        else:
            is_row = capture.row is not None
            raise shape_error(
                f"The capture @{capture.name} is for {'a row variable' if is_row else 'a label'}, but `{name}` is "
                f"{'a label' if is_row else 'a row variable'} of the spec.",
                cause,
            )

    # ---------------------------------------------------------------------------------------------- product space

    def product_space(self, solver: Solver, node: Node, origin: object) -> None:
        """Require that ``node`` spans the index space: the result's rows, then the contracted axes (spec d.10).

        Axes with a fixed index have size 1. Raises ShapeError when several row variables are contracted.
        """
        contracted = [v for v in contracted_row_variables(self.spec) if self._is_written(v)]
        if len(contracted) > 1:
            names = " and ".join(f"`{variable}`" for variable in contracted)
            raise ShapeError(
                f"A product space contracts at most one row variable, but this spec contracts {names}.",
                spec=self.spec.text,
                spans=[variable.span for variable in contracted],
            )
        for kind, row in self.spec.result.rows():
            cause = Cause(f"the product space of {self.text}", origin, self.spec, None, node.name, kind)
            leading, variable, trailing = self.result_rows[kind]
            left = [_pinned(axis, term) for axis, term in zip(row.leading, leading, strict=True)]
            right = [_pinned(axis, term) for axis, term in zip(row.trailing, trailing, strict=True)]
            parts = [_row(left, variable, right)]
            if kind == "output":
                parts += self._contracted()
            solver.add(RowSequence(node.rows[kind], parts, cause))

    def _contracted(self) -> Iterator[RowTerm]:
        """The contracted labels and row variables in order of first occurrence."""
        labels = dict.fromkeys(contracted_labels(self.spec))
        variables = dict.fromkeys(contracted_row_variables(self.spec))
        for shape in self.spec.operands:
            for _, row in shape.rows():
                for item in (*row.leading, row.variable, *row.trailing):
                    if item in variables:
                        del variables[item]
                        yield RowTerm((), self.variables[item], ())
                    elif item is not None and not isinstance(item, RowName):
                        for label in axis_labels(item):
                            if label.name in labels:
                                del labels[label.name]
                                yield closed_row([self.labels[label.name]])

    def _is_written(self, variable: RowName) -> bool:
        """Whether a row variable stands in the spec; that of an omitted row does not, and is empty as a rule."""
        rows: Iterator[RowSpec] = (row for shape in self.spec.operands for _, row in shape.rows())
        return any(row.variable == variable and row.written for row in rows)


class RowSequence(Constraint):
    """A row is the concatenation of others; it becomes an equation once at most one of them is open."""

    __slots__ = ("parts", "row")

    def __init__(self, row: RowTerm, parts: list[RowTerm], cause: Cause) -> None:
        super().__init__(cause)
        self.row = row
        self.parts = parts

    def rows(self) -> tuple[RowTerm, ...]:
        return (self.row, *self.parts)

    def propagate(self, solver: Solver) -> None:
        left: list[AxisVariable] = []
        right: list[AxisVariable] = []
        variable: RowVariable | None = None
        for part in map(resolve, self.parts):
            if part.variable is not None:
                if variable is not None:
                    return
                variable = part.variable
                left += part.leading
                right += part.trailing
            else:
                (left if variable is None else right).extend(part.trailing)
        self.done = True
        equate(solver, self.row, _row(left, variable, right), self.cause)


def _row(leading: list[AxisVariable], variable: RowVariable | None, trailing: list[AxisVariable]) -> RowTerm:
    if variable is None:
        return closed_row(leading + trailing)
    return RowTerm(tuple(leading), variable, tuple(trailing))


def _pinned(axis: Axis, term: AxisVariable) -> AxisVariable:
    return AxisVariable(1, DEFAULT, Provenance("an axis with a fixed index")) if isinstance(axis, Fixed) else term
