"""The unknowns of inference: axes in a union-find, and row variables that are bound to rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdsl.shapes.lattice import is_not_top, is_top
from tdsl.shapes.provenance import Cause, Provenance

if TYPE_CHECKING:
    from tdsl.shapes.solver import Constraint


class AxisVariable:
    """An axis. Equal axes are merged: all facts live on the representative that ``find`` returns.

    Attributes:
        size, basis: What is known; None if not known yet.
        provenance: What fixed the size.
        bound_size, bound_basis, bound: The axis is this atom, or it is the broadcast top (spec d.5). The tightest bound
            of its uses; ``bound`` tells where it comes from, and is None while no use bounds the axis.
        minimum: A fixed index ``minimum - 1`` is used on it (spec c.4); 0 without one.
        fixed: The cause of that fixed index.
        below_top: Some operand broadcasts into it, so that it need not be wider than that.
        discardable: The axis may close to size 0 (spec d.8).
        watchers: The constraints that mention it.
        label: What it is called in a spec; local to this variable, not shared when merged.
    """

    __slots__ = (
        "_parent",
        "basis",
        "below_top",
        "bound",
        "bound_basis",
        "bound_size",
        "discardable",
        "fixed",
        "label",
        "minimum",
        "provenance",
        "size",
        "watchers",
    )

    def __init__(
        self,
        size: int | None = None,
        basis: str | None = None,
        provenance: Provenance | None = None,
        label: str | None = None,
    ) -> None:
        self._parent: AxisVariable | None = None
        self.size = size
        self.basis = basis
        self.provenance = provenance
        self.bound_size: int | None = None
        self.bound_basis: str | None = None
        self.bound: Provenance | None = None
        self.minimum = 0
        self.fixed: Cause | None = None
        self.below_top = False
        self.discardable = False
        self.watchers: list[Constraint] = []
        self.label = label

    def find(self) -> AxisVariable:
        """The representative of all axes that are equal to this one."""
        axis = self
        while axis._parent is not None:
            if axis._parent._parent is not None:
                axis._parent = axis._parent._parent
            axis = axis._parent
        return axis

    def join(self, representative: AxisVariable) -> None:
        """Make ``representative`` the representative of this one; both must be representatives."""
        self._parent = representative

    @property
    def is_solved(self) -> bool:
        """Whether size and basis are known. Only for a representative, as all properties."""
        return self.size is not None and self.basis is not None

    @property
    def is_top(self) -> bool:
        """Whether the axis is known to broadcast into everything."""
        return is_top(self.size, self.basis)

    @property
    def is_not_top(self) -> bool:
        """Whether the axis is known not to broadcast."""
        return is_not_top(self.size, self.basis) or self.minimum > 1

    @property
    def has_bound(self) -> bool:
        """Whether some use says what the axis is if it is not the top."""
        return self.bound_size is not None or self.bound_basis is not None

    def text(self) -> str:
        """The size, with the basis where it is a special one, for messages."""
        size = "?" if self.size is None else str(self.size)
        return size if self.basis in (None, "default") else f"{size}:{self.basis}"


class RowVariable:
    """Any number of axes. ``value`` is the row that it turned out to be, or None.

    Attributes:
        name: How it was written, or ``""``.
        growths: How often an inequality extended the row that this variable is the rest of; see rank_cycle.py.
        cause: What bound it.
    """

    __slots__ = ("cause", "growths", "name", "value", "watchers")

    def __init__(self, name: str = "", growths: int = 0) -> None:
        self.name = name
        self.growths = growths
        self.value: RowTerm | None = None
        self.watchers: list[Constraint] = []
        self.cause: Cause | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RowTerm:
    """A row of unknowns: leading axes, a row variable or None, trailing axes. A closed row has only trailing axes."""

    leading: tuple[AxisVariable, ...]
    variable: RowVariable | None
    trailing: tuple[AxisVariable, ...]

    @property
    def rank(self) -> int:
        """The number of axes that are visible; the row has at least that many."""
        return len(self.leading) + len(self.trailing)

    @property
    def axes(self) -> tuple[AxisVariable, ...]:
        """The visible axes from left to right."""
        return self.leading + self.trailing


def closed_row(axes: Sequence[AxisVariable]) -> RowTerm:
    """The row that has exactly these axes."""
    return RowTerm((), None, tuple(axes))


def resolve(row: RowTerm) -> RowTerm:
    """The row with everything substituted that is known about its variable."""
    if row.variable is None or row.variable.value is None:
        return row
    rest = _expand(row.variable)
    if rest.variable is None:
        return closed_row(row.leading + rest.trailing + row.trailing)
    return RowTerm(row.leading + rest.leading, rest.variable, rest.trailing + row.trailing)


def _expand(variable: RowVariable) -> RowTerm:
    """What a bound variable stands for; all variables on the way are expanded for good, so that paths stay short."""
    path: list[RowVariable] = []
    rest: RowVariable | None = variable
    while rest is not None and rest.value is not None:
        path.append(rest)
        rest = rest.value.variable
    expanded = path[-1].value
    assert expanded is not None
    for step in reversed(path[:-1]):
        value = step.value
        assert value is not None
        leading, trailing = value.leading + expanded.leading, expanded.trailing + value.trailing
        variable_left = expanded.variable
        expanded = (
            closed_row(leading + trailing) if variable_left is None else RowTerm(leading, variable_left, trailing)
        )
        step.value = expanded
    return expanded
