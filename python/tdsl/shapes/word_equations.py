"""Closing word equations: how many axes the row variables of ``l ++ v == w ++ t`` stand for (spec section d.5).

An equation says that two rows have the same number of axes, so choosing the number for one row variable chooses it for
all that equations connect it with. They are therefore decided together: the smallest numbers with which all equations
agree. Were they decided one by one, the first one would leave the next no choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from tdsl.shapes import errors
from tdsl.shapes.equations import RowEquation, row_sizes
from tdsl.shapes.lattice import atoms_clash
from tdsl.shapes.provenance import Cause
from tdsl.shapes.solver import Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve

# Rows that are rotations of themselves agree periodically; no program needs a longer period than this.
_LONGEST_PERIOD = 256


class _Equation:
    """What is left of an equation: two open rows."""

    __slots__ = ("cause", "first", "second")

    def __init__(self, equation: RowEquation) -> None:
        self.first = resolve(equation.first)
        self.second = resolve(equation.second)
        self.cause = equation.cause

    @property
    def variables(self) -> tuple[RowVariable, RowVariable]:
        assert self.first.variable is not None
        assert self.second.variable is not None
        return self.first.variable, self.second.variable

    def mismatch(self) -> Exception:
        return errors.shape_error(
            f"Size mismatch: no number of axes makes the two rows equal, {row_sizes(self.first)} and "
            f"{row_sizes(self.second)}.",
            self.cause,
        )


def close_equations(solver: Solver, asked: Mapping[RowVariable, int], cause: Cause) -> bool:
    """Decide the number of axes of every row variable in a word equation; False when there is none.

    ``asked`` has the numbers that closed uses ask for. Raises ShapeError when no numbers make the rows equal.
    """
    pending = [_Equation(c) for c in solver.constraints if isinstance(c, RowEquation) and not c.done]
    for equations in _connected(pending):
        for variable, axes in _fewest_axes(equations, asked).items():
            solver.bind(variable, closed_row(axes), cause)
    solver.run()
    return bool(pending)


def _connected(equations: Sequence[_Equation]) -> Iterable[list[_Equation]]:
    """The equations in groups that have no row variable in common."""
    groups: dict[RowVariable, list[_Equation]] = {}
    for equation in equations:
        first, second = (groups.setdefault(variable, []) for variable in equation.variables)
        if first is not second:
            first += second
            for other in second:
                groups.update(dict.fromkeys(other.variables, first))
            groups.update(dict.fromkeys(equation.variables, first))
        first.append(equation)
    return {id(group): group for group in groups.values()}.values()


def _fewest_axes(
    equations: Sequence[_Equation], asked: Mapping[RowVariable, int]
) -> dict[RowVariable, list[AxisVariable]]:
    """New axes for every variable: as few as possible, but as many as the uses of all of them ask for if possible.

    Only finitely many numbers need to be tried.
    """
    lengths = _relative_lengths(equations)
    smallest = -min(lengths.values())
    periods = [equation.first.rank for equation in equations if equation.variables[0] is equation.variables[1]]
    # With more axes than all equations show, no visible axes meet that would not meet with fewer.
    largest = smallest + sum(equation.first.rank + equation.second.rank for equation in equations)
    if periods:
        largest += min(math.lcm(*periods), _LONGEST_PERIOD)
    preferred = min((asked[v] - extra for v, extra in lengths.items() if v in asked), default=smallest)
    preferred = max(smallest, preferred)
    largest += preferred - smallest
    for number in (*range(preferred, largest + 1), *range(smallest, preferred)):
        axes = {variable: [AxisVariable() for _ in range(number + extra)] for variable, extra in lengths.items()}
        if all(_agree([equation], axes) for equation in equations) and _agree(equations, axes):
            return axes
    raise _culprit(equations, lengths, range(smallest, largest + 1)).mismatch()


def _relative_lengths(equations: Sequence[_Equation]) -> dict[RowVariable, int]:
    """By how many axes each variable is longer than the first one."""
    lengths = {equations[0].variables[0]: 0}
    rest = list(equations)
    while rest:
        # Each pass reaches at least one equation, since the group is connected.
        reached = [equation for equation in rest if any(variable in lengths for variable in equation.variables)]
        for equation in reached:
            v, w = equation.variables
            more = equation.first.rank - equation.second.rank
            start = lengths[v] if v in lengths else lengths[w] - more
            lengths.setdefault(v, start)
            if lengths.setdefault(w, start + more) != start + more:
                raise equation.mismatch()
        rest = [equation for equation in rest if equation not in reached]
    return lengths


def _culprit(equations: Sequence[_Equation], lengths: Mapping[RowVariable, int], numbers: range) -> _Equation:
    """The equation to blame: one that no number satisfies, or else the last one."""
    for equation in equations:
        for number in numbers:
            axes = {v: [AxisVariable() for _ in range(number + lengths[v])] for v in equation.variables}
            if _agree([equation], axes):
                break
        else:
            return equation
    return equations[-1]


def _agree(equations: Sequence[_Equation], axes: Mapping[RowVariable, Sequence[AxisVariable]]) -> bool:
    """Whether the rows can be equal, axis by axis, as far as is known."""
    parent: dict[AxisVariable, AxisVariable] = {}
    atoms: dict[AxisVariable, tuple[int | None, str | None]] = {}

    def root(axis: AxisVariable) -> AxisVariable:
        while axis in parent:
            axis = parent[axis]
        return axis

    for equation in equations:
        sides = (_with_axes(row, axes) for row in (equation.first, equation.second))
        for one, other in zip(*sides, strict=True):
            a, b = root(one.find()), root(other.find())
            if a is b:
                continue
            left, right = atoms.get(a, (a.size, a.basis)), atoms.get(b, (b.size, b.basis))
            if atoms_clash(*left, *right):
                return False
            parent[a] = b
            atoms[b] = (left[0] if right[0] is None else right[0], left[1] if right[1] is None else right[1])
    return True


def _with_axes(row: RowTerm, axes: Mapping[RowVariable, Sequence[AxisVariable]]) -> list[AxisVariable]:
    assert row.variable is not None
    return [*row.leading, *axes[row.variable], *row.trailing]
