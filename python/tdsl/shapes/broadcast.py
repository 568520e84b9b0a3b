"""Broadcasting of axes and rows: the inequality ``res ⊑ opnd`` (spec sections d.2, d.3 and d.5).

Rows are compared as flat sequences, aligned at the right: a row of an operand has at most as many axes as that of the
result, and each of its axes broadcasts into the axis above it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tdsl.shapes import errors
from tdsl.shapes.equations import equate
from tdsl.shapes.lattice import atoms_clash
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.rank_cycle import check_rank_cycle, rank_cycle_error
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve


class AxisBroadcast(Constraint):
    """``result ⊑ operand`` for two axes: they are equal, or the operand is ``1:bcast_if_1``."""

    __slots__ = ("operand", "result")

    def __init__(self, result: AxisVariable, operand: AxisVariable, cause: Cause) -> None:
        super().__init__(cause)
        self.result = result
        self.operand = operand

    def axes(self) -> Iterable[AxisVariable]:
        return self.result, self.operand

    def propagate(self, solver: Solver) -> None:
        result, operand = self.result.find(), self.operand.find()
        if result is operand:
            self.done = True
        elif operand.is_top:
            self.done = True
            result.below_top = True
        elif operand.is_not_top or result.is_top:
            # Only an operand that is the top stretches, and the top as a result needs the top as operand.
            self.done = True
            solver.unify(self.result, self.operand, self.cause)
        else:
            size = result.size if result.size is not None else result.bound_size
            basis = result.basis if result.basis is not None else result.bound_basis
            if size is not None or basis is not None:
                source = result.provenance if result.size is not None else result.bound
                if source is not None and source.through is None:
                    source = Provenance(source.source, source.origin, self.cause)
                solver.bound(operand, size, basis, source, self.cause)


class RowBroadcast(Constraint):
    """``result ⊑ operand`` for two rows.

    ``into`` describes the result's side in messages; ``compose`` says that the relation is the contraction of a
    composition.
    """

    __slots__ = ("_end", "_paired", "_watching", "compose", "into", "operand", "result")

    def __init__(self, result: RowTerm, operand: RowTerm, cause: Cause, into: Cause, *, compose: bool = False) -> None:
        super().__init__(cause)
        self.result = result
        self.operand = operand
        self.into = into
        self.compose = compose
        self._paired = 0
        self._watching = False
        self._end: RowTerm | None = None

    def rows(self) -> Iterable[RowTerm]:
        return self.result, self.operand

    def propagate(self, solver: Solver) -> None:
        result, operand = resolve(self.result), resolve(self.operand)
        if result.variable is None:
            if operand.rank > result.rank:
                raise errors.too_many_axes(operand, result, self.cause, self.into, compose=self.compose)
            operand = self._place_leading(solver, result, operand)
        elif operand.rank > result.rank:
            result = self._grow(solver, result, operand)
        left = operand.trailing if operand.variable is not None else operand.axes
        right = self._last_axes(solver, result, len(left))
        pairs = min(len(right), len(left))
        for offset in range(self._paired + 1, pairs + 1):
            solver.add(AxisBroadcast(right[-offset], left[-offset], self.cause))
        self._paired = pairs
        if operand.variable is None and pairs == operand.rank:
            self.done = True

    def _last_axes(self, solver: Solver, result: RowTerm, count: int) -> tuple[AxisVariable, ...]:
        """The axes at the right end of the result, which those of the operand are aligned to: at least ``count``.

        The leading axes of an open row may be among them, so the end gets names of its own, in an equation.
        """
        if result.variable is None:
            return result.axes
        if count > len(result.trailing) and result.leading:
            if self._end is None or len(self._end.trailing) < count:
                rest = RowVariable(result.variable.name)
                self._end = RowTerm((), rest, tuple(AxisVariable() for _ in range(count)))
                equate(solver, result, self._end, self.cause)
            return self._end.trailing
        return result.trailing

    def _grow(self, solver: Solver, result: RowTerm, operand: RowTerm) -> RowTerm:
        """Give the result the axes that the operand has more: fresh ones, at the place of its row variable."""
        variable = result.variable
        assert variable is not None
        if variable is operand.variable:
            raise rank_cycle_error(self.cause)
        missing = operand.rank - result.rank
        rest = RowVariable(variable.name, variable.growths)
        axes = tuple(AxisVariable() for _ in range(missing))
        solver.bind(variable, RowTerm((), rest, axes), self.cause)
        rest.growths += missing
        check_rank_cycle(rest, variable.growths, self.cause)
        return resolve(result)

    def _place_leading(self, solver: Solver, result: RowTerm, operand: RowTerm) -> RowTerm:
        """Find out how many axes the operand's row variable stands for, where only one number is possible.

        The result is closed. The leading axes of the operand lie to the left of its row variable, as far to the left
        as the number of its axes allows.
        """
        variable = operand.variable
        if variable is None:
            return operand
        most = result.rank - operand.rank
        possible = [count for count in range(most + 1) if self._leading_fit(result, operand, count)]
        if not possible:
            self._clash(result, operand)
        if len(possible) != 1:
            if operand.leading and not self._watching:
                # The number of axes of both is settled; what the axes turn out to be may leave one possibility.
                self._watching = True
                solver.watch(self, operand.leading + result.trailing)
            return operand
        rest = closed_row([AxisVariable() for _ in range(possible[0])])
        solver.bind(variable, rest, self.cause)
        return resolve(operand)

    @staticmethod
    def _leading_fit(result: RowTerm, operand: RowTerm, count: int) -> bool:
        start = result.rank - operand.rank - count
        for axis, above in zip(operand.leading, result.trailing[start:], strict=False):
            narrow, wide = axis.find(), above.find()
            if (
                narrow is not wide
                and narrow.is_not_top
                and atoms_clash(narrow.size, narrow.basis, wide.size, wide.basis)
            ):
                return False
        return True

    def _clash(self, result: RowTerm, operand: RowTerm) -> None:
        # Anchored at the outer left, as a reader aligns them.
        for axis, above in zip(operand.leading, result.trailing, strict=False):
            narrow, wide = axis.find(), above.find()
            if narrow.is_not_top and atoms_clash(narrow.size, narrow.basis, wide.size, wide.basis):
                raise errors.axes_differ(axis, above, self.cause)


def informative_rank(row: RowTerm) -> int:
    """The number of visible axes that a use asks for, counted from the right: those left of them say nothing."""
    axes = row.axes
    for index, variable in enumerate(axes):
        axis = variable.find()
        if not axis.is_top and (axis.has_bound or axis.minimum > 1 or axis.size is not None):
            return len(axes) - index
    return 0
