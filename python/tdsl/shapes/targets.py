"""What the explicit constraints speak about, and these constraints (spec sections d.3 and d.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from tdsl.errors import ShapeError
from tdsl.notation import RowKind
from tdsl.shapes.broadcast import AxisBroadcast, RowBroadcast
from tdsl.shapes.environment import Environment
from tdsl.shapes.equations import equate
from tdsl.shapes.errors import shape_error
from tdsl.shapes.nodes import declared_rows
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.terms import ROW_KINDS, Axis, Row, Shape
from tdsl.shapes.totals import TotalElements
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve


@dataclass(frozen=True, slots=True)
class CaptureTarget:
    """A captured dimension or row, ``@h``."""

    name: str

    def __str__(self) -> str:
        return f"@{self.name}"


@dataclass(frozen=True, slots=True)
class RowTarget:
    """A row of a node, ``@x[output]``."""

    node: str
    row: RowKind

    def __str__(self) -> str:
        return f"@{self.node}[{self.row}]"


@dataclass(frozen=True, slots=True)
class AxisTarget:
    """One axis of a row of a node, ``@x[output, 0]``; negative numbers count from the right."""

    node: str
    row: RowKind
    index: int

    def __str__(self) -> str:
        return f"@{self.node}[{self.row}, {self.index}]"


@dataclass(frozen=True, slots=True)
class NodeTarget:
    """All rows of a node, ``@x``; only for numbers of elements."""

    node: str

    def __str__(self) -> str:
        return f"@{self.node}"


Target: TypeAlias = CaptureTarget | RowTarget | AxisTarget | NodeTarget | Axis | Row
"""What a constraint speaks about; an ``Axis`` or a ``Row`` is a literal."""

_Found: TypeAlias = AxisVariable | RowTerm


def set_equal(environment: Environment, first: Target, second: Target, origin: object) -> None:
    """Equality of two axes, two rows, or of an axis with the product of a row (spec d.9)."""
    cause = Cause(f"set_equal of {first} and {second}", origin)
    _compare(environment, (first, second), cause)
    _check_numbers(environment, first, second, cause)
    one, other = (_find(environment, target, cause) for target in (first, second))
    if isinstance(one, AxisVariable) and isinstance(other, AxisVariable):
        environment.solver.unify(one, other, cause)
    elif isinstance(one, RowTerm) and isinstance(other, RowTerm):
        equate(environment.solver, one, other, cause)
    else:
        row, axis, name = (one, other, first) if isinstance(one, RowTerm) else (other, one, second)
        assert isinstance(row, RowTerm)
        assert isinstance(axis, AxisVariable)
        environment.solver.add(TotalElements([row], 1, axis, 1, f"the row {name}", cause))


def _check_numbers(environment: Environment, first: Target, second: Target, cause: Cause) -> None:
    """Two captures that were set to different numbers are reported with both numbers."""
    if isinstance(first, CaptureTarget) and isinstance(second, CaptureTarget):
        sizes = [environment.capture(target.name).axis.find().size for target in (first, second)]
        if None not in sizes and sizes[0] != sizes[1]:
            raise shape_error(
                f"The captures {first} and {second} have different values, {sizes[0]} and {sizes[1]}: size mismatch.",
                cause,
            )


def set_broadcast(environment: Environment, narrow: Target, wide: Target, origin: object) -> None:
    """``wide ⊑ narrow`` for two axes or two rows (spec d.2, d.3)."""
    cause = Cause(f"broadcasting {narrow} into {wide}", origin)
    operand, result = (_find(environment, target, cause) for target in (narrow, wide))
    if isinstance(operand, AxisVariable) and isinstance(result, AxisVariable):
        environment.solver.add(AxisBroadcast(result, operand, cause))
    elif isinstance(operand, RowTerm) and isinstance(result, RowTerm):
        environment.solver.add(RowBroadcast(result, operand, _at(cause, narrow), _at(cause, wide)))
    else:
        raise _mixed(narrow, wide, cause)


def at_least(environment: Environment, target: Target, size: int, origin: object) -> None:
    """The index ``size - 1`` of the axis is used (spec c.4)."""
    cause = Cause(f"the fixed index {size - 1} on {target}", origin)
    axis = _find(environment, target, cause)
    if not isinstance(axis, AxisVariable):
        raise shape_error(f"at_least is for an axis, but {target} is a row.", cause)
    environment.solver.at_least(axis, size, cause)


def total_elements(
    environment: Environment, target: Target, factor: int, capture: str | None, divisor: int, origin: object
) -> None:
    """The target has ``factor * capture / divisor`` elements (spec d.3)."""
    cause = Cause(f"the number of elements of {target}", origin)
    if factor < 0 or divisor < 1:
        raise shape_error(f"{factor} / {divisor} is no number of elements.", cause)
    rows = list(_rows(environment, target, cause))
    number = None if capture is None else environment.capture(capture).axis
    environment.solver.add(TotalElements(rows, factor, number, divisor, str(target), cause))


def _rows(environment: Environment, target: Target, cause: Cause) -> Iterable[RowTerm]:
    if isinstance(target, NodeTarget):
        node = environment.node(target.node)
        yield from (node.rows[kind] for kind in ROW_KINDS)
        return
    found = _find(environment, target, cause)
    yield closed_row([found]) if isinstance(found, AxisVariable) else found


def _compare(environment: Environment, targets: Iterable[Target], cause: Cause) -> None:
    for target in targets:
        if isinstance(target, CaptureTarget):
            capture = environment.capture(target.name)
            capture.compared = capture.compared or cause


def _find(environment: Environment, target: Target, cause: Cause) -> _Found:
    """The unknowns that a target stands for; a captured row is its axes."""
    if isinstance(target, CaptureTarget):
        capture = environment.capture(target.name)
        return capture.axis if capture.row is None else capture.row
    if isinstance(target, RowTarget):
        return environment.node(target.node).rows[target.row]
    if isinstance(target, AxisTarget):
        return _axis(environment, target, cause)
    if isinstance(target, Axis):
        return AxisVariable(target.size, target.basis, Provenance(f"the literal `{target}`", cause.origin))
    if isinstance(target, Row):
        return declared_rows("literal", Shape(output=target), cause.origin)["output"]
    raise shape_error(f"A constraint on axes or rows cannot be about the whole node {target}.", cause)


def _axis(environment: Environment, target: AxisTarget, cause: Cause) -> AxisVariable:
    row = environment.node(target.node).rows[target.row]
    known = resolve(row)
    count = target.index + 1 if target.index >= 0 else -target.index
    if known.variable is None and count > known.rank:
        raise shape_error(f"There is no axis {target}: the row has {known.rank} axes.", cause)
    axis = AxisVariable()
    others = tuple(AxisVariable() for _ in range(count - 1))
    rest = RowVariable()
    template = RowTerm((*others, axis), rest, ()) if target.index >= 0 else RowTerm((), rest, (axis, *others))
    equate(environment.solver, row, template, Cause(cause.text, cause.origin, None, None, target.node, target.row))
    environment.solver.run()
    return axis


def _at(cause: Cause, target: Target) -> Cause:
    if isinstance(target, RowTarget):
        return Cause(cause.text, cause.origin, None, None, target.node, target.row)
    return Cause(cause.text, cause.origin, None, None, None)


def _mixed(first: Target, second: Target, cause: Cause) -> ShapeError:
    return shape_error(f"An axis and a row do not broadcast: {first} and {second}.", cause)
