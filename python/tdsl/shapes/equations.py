"""Equality of rows, including equations with row variables at different places (spec section d.5, pitfalls 9-12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tdsl.shapes import errors
from tdsl.shapes.provenance import Cause
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve


class RowEquation(Constraint):
    """Two rows are the same sequence of axes.

    Most equations are solved at once. What stays is ``l ++ v == w ++ t``, where the row variables stand at different
    ends: there the lengths of v and w decide, and closing tries them (word_equations.py).
    """

    __slots__ = ("first", "second")

    equality = True

    def __init__(self, first: RowTerm, second: RowTerm, cause: Cause) -> None:
        super().__init__(cause)
        self.first = first
        self.second = second

    def rows(self) -> Iterable[RowTerm]:
        return self.first, self.second

    def propagate(self, solver: Solver) -> None:
        first, second = resolve(self.first), resolve(self.second)
        if first.variable is None:
            first, second = second, first
        if second.variable is None:
            self.done = True
            self._match_closed(solver, first, second.trailing)
            return
        leading = min(len(first.leading), len(second.leading))
        trailing = min(len(first.trailing), len(second.trailing))
        if first.variable is second.variable and first.rank != second.rank:
            raise errors.shape_error(
                f"The self-reference of a row cannot be solved: the same row variable with {first.rank} and with "
                f"{second.rank} further axes.",
                self.cause,
            )
        self._unify(solver, first.leading[:leading], second.leading[:leading])
        self._unify(solver, _last(first.trailing, trailing), _last(second.trailing, trailing))
        first = RowTerm(first.leading[leading:], first.variable, _without_last(first.trailing, trailing))
        second = RowTerm(second.leading[leading:], second.variable, _without_last(second.trailing, trailing))
        if first.variable is second.variable:
            self.done = first.rank == 0
            if not self.done:
                self._check_rotation(first, second)
        elif not second.rank:
            assert second.variable is not None
            self.done = True
            solver.bind(second.variable, first, self.cause)
        elif not first.rank:
            assert first.variable is not None
            self.done = True
            solver.bind(first.variable, second, self.cause)

    def _match_closed(self, solver: Solver, row: RowTerm, axes: tuple[AxisVariable, ...]) -> None:
        if row.rank > len(axes) or (row.variable is None and row.rank != len(axes)):
            raise errors.ranks_differ(resolve(self.first), resolve(self.second), self.cause, self.second)
        self._unify(solver, row.leading, axes[: len(row.leading)])
        self._unify(solver, row.trailing, _last(axes, len(row.trailing)))
        if row.variable is not None:
            middle = axes[len(row.leading) : len(axes) - len(row.trailing)]
            solver.bind(row.variable, closed_row(middle), self.cause)

    def _unify(self, solver: Solver, first: Sequence[AxisVariable], second: Sequence[AxisVariable]) -> None:
        for a, b in zip(first, second, strict=True):
            solver.unify(a, b, self.cause)

    def _check_rotation(self, first: RowTerm, second: RowTerm) -> None:
        """``l ++ v == v ++ t`` needs the axes of l and of t to be the same up to their order."""
        sizes = [[axis.find().size for axis in row.axes] for row in (first, second)]
        if None not in sizes[0] and None not in sizes[1] and Counter(sizes[0]) != Counter(sizes[1]):
            raise errors.shape_error(
                f"Size mismatch: a row cannot be the same with the axes {row_sizes(first)} before it and with "
                f"{row_sizes(second)} after it.",
                self.cause,
            )


def equate(solver: Solver, first: RowTerm, second: RowTerm, cause: Cause) -> None:
    """Require that the two rows are the same sequence of axes."""
    solver.add(RowEquation(first, second, cause))


def _last(axes: tuple[AxisVariable, ...], count: int) -> tuple[AxisVariable, ...]:
    return axes[len(axes) - count :]


def _without_last(axes: tuple[AxisVariable, ...], count: int) -> tuple[AxisVariable, ...]:
    return axes[: len(axes) - count]


def row_sizes(row: RowTerm) -> str:
    """The row for messages: ``[3, ..r.., 4]``."""
    parts = [axis.find().text() for axis in row.leading]
    variable = row.variable
    if isinstance(variable, RowVariable):
        parts.append(f"..{variable.name or 'r'}..")
    parts += [axis.find().text() for axis in row.trailing]
    return f"[{', '.join(parts)}]"
