"""The shape of a node over the product space of an operation (spec d.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tdsl.errors import ShapeError
from tdsl.notation import (
    Axis,
    Fixed,
    NamedRow,
    ReservedRow,
    RowKind,
    RowSpec,
    RowVariable,
    ShapeSpec,
    axis_labels,
    contracted_labels,
    contracted_row_variables,
)
from tdsl.projections.logic import Einsum, Logic
from tdsl.projections.relations import label_node, relate
from tdsl.projections.shape import ClosedAxis, ClosedShape


def product_space_shape(logic: Logic, operands: Sequence[ClosedShape], result: ClosedShape) -> ClosedShape:
    """The rows of the result, its fixed axes at size 1, with the contracted axes appended to the output row.

    Contracted axes are those that occur only in operands, in order of first occurrence. The axes of a contracted row
    variable stand where it occurs first.

    Raises:
        ShapeError: The operation is not an einsum, it contracts several row variables, or the shapes do not fit it.
    """
    if not isinstance(logic, Einsum):
        raise ShapeError(
            "Only an einsum has a product space: the axes that another operation contracts have no labels.",
            suggestion="Write the operation with an einsum spec.",
        )
    spec = logic.spec
    equations = relate(logic, operands, result).equations
    # By label, or by row variable: the axes that it stands for, in order of first occurrence.
    contracted: dict[str | RowVariable, list[ClosedAxis]] = {}
    for shape, closed in zip(spec.operands, operands, strict=True):
        for item, axes in _items(shape, closed):
            if not isinstance(item, (NamedRow, ReservedRow)):
                for label in axis_labels(item):
                    # An axis that is the label itself knows its basis.
                    known = axes if item == label else [ClosedAxis(equations.size(label_node(spec, label.name)))]
                    if item == label or label.name not in contracted:
                        contracted[label.name] = known
            else:
                contracted.setdefault(item, axes)
    # Omitted rows are row variables too; those that stand for no axes do not count.
    variables = [variable for variable in contracted_row_variables(spec) if contracted[variable]]
    if len(variables) > 1:
        raise ShapeError(
            f"The product space contracts {len(variables)} row variables, but it can hold one: "
            f"{', '.join(f'`{variable}`' for variable in variables)}.",
            spec=spec.text,
            spans=[variable.span for variable in variables],
        )
    kept = {*contracted_labels(spec), *variables}
    appended = [axis for item, axes in contracted.items() if item in kept for axis in axes]
    rows: dict[RowKind, list[ClosedAxis]] = {}
    for kind, row in spec.result.rows():
        pinned = [isinstance(item, Fixed) for item in _expanded(row, len(result.row(kind)))]
        rows[kind] = [
            ClosedAxis(1, axis.basis) if fixed else axis for fixed, axis in zip(pinned, result.row(kind), strict=True)
        ]
    return ClosedShape.of(batch=rows["batch"], input=rows["input"], output=[*rows["output"], *appended])


def _items(shape: ShapeSpec, closed: ClosedShape) -> Iterator[tuple[Axis | RowVariable, list[ClosedAxis]]]:
    """What a template consists of, each with the axes it stands for."""
    for kind, row in shape.rows():
        axes = iter(closed.row(kind))
        for item in row.leading:
            yield item, [next(axes)]
        if row.variable is not None:
            absorbed = len(closed.row(kind)) - len(row.axes)
            yield row.variable, [next(axes) for _ in range(absorbed)]
        for item in row.trailing:
            yield item, [next(axes)]


def _expanded(row: RowSpec, rank: int) -> list[Axis | RowVariable]:
    """The template of each axis of a row of this rank."""
    absorbed = [row.variable] * (rank - len(row.axes)) if row.variable is not None else []
    return [*row.leading, *absorbed, *row.trailing]
