"""What inference keeps about each node, capture and operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tdsl.notation import RowKind
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.terms import ROW_KINDS, Axis, Row, Shape
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row

Role: TypeAlias = Literal["result", "leaf", "input", "param", "init", "stretch"]
"""What a node is to its program; the closing rule reads it (spec d.6)."""

ROLES: tuple[Role, ...] = ("result", "leaf", "input", "param", "init", "stretch")

Logic: TypeAlias = Literal["pointwise", "compose", "transpose", "compose_accumulate", "slice", "spec", "uniform"]
"""How an operation relates the shapes of its nodes (spec d.4)."""


@dataclass(eq=False)
class Operation:
    """One related operation. ``broadcasts`` are the rows of the result with the rows that broadcast into them."""

    operands: list[Node]
    result: Node
    broadcasts: list[tuple[RowKind, Node, RowKind]] = field(default_factory=list)


@dataclass(eq=False)
class Node:
    """One tensor node: its rows of unknowns. ``role`` is None until the node is declared."""

    name: str
    rows: dict[RowKind, RowTerm]
    role: Role | None = None
    declared: Shape | None = None
    origin: object = None
    used: bool = False
    pinned: bool = False
    closed: bool = False
    operations: list[Operation] = field(default_factory=list)

    @property
    def resolves_at_use(self) -> bool:
        """Whether its uses decide what is open: true for all but the results of operations (spec d.6)."""
        return self.role != "result" or not self.operations


@dataclass(eq=False)
class Capture:
    """A captured dimension (``row`` is None) or row (``axis`` is then its number of elements) of an operation."""

    name: str
    axis: AxisVariable
    row: RowTerm | None = None
    bound: bool = False
    compared: Cause | None = None


def open_node(name: str) -> Node:
    """A node of which nothing is known yet."""
    return Node(name, {kind: RowTerm((), RowVariable(), ()) for kind in ROW_KINDS})


def declared_rows(name: str, shape: Shape, origin: object) -> dict[RowKind, RowTerm]:
    """The rows of a declaration, with one variable per name and a record of where each size was written."""
    variables: dict[str, RowVariable] = {}
    rows: dict[RowKind, RowTerm] = {}
    for kind, row in shape.rows():
        axes = [
            AxisVariable(axis.size, axis.basis, Provenance(f"the {kind} row of @{name} (axis {place})", origin))
            for place, axis in _places(row)
        ]
        if row.variable is None:
            rows[kind] = closed_row(axes)
            continue
        variable = variables.get(row.variable) if row.variable else None
        if variable is None:
            variable = variables[row.variable] = RowVariable(row.variable)
        split = len(row.leading)
        rows[kind] = RowTerm(tuple(axes[:split]), variable, tuple(axes[split:]))
    return rows


def _places(row: Row) -> Sequence[tuple[int, Axis]]:
    """The axes with their numbers: from the left, or negative, from the right, where a row variable is in between."""
    first = len(row.trailing) if row.variable is not None else 0
    trailing = [(index - first, axis) for index, axis in enumerate(row.trailing)]
    return [*enumerate(row.leading), *trailing]
