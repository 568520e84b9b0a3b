"""Closing rows: how many axes what is still open has (spec section d.6, stages 3 to 6).

The results of operations come first: a result has the axes that its operands give it. Then the rows that resolve at
their uses get as many axes as the uses ask for. All rows of one step are decided before any of them is changed, so that
the order of declarations does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tdsl.shapes.broadcast import RowBroadcast, informative_rank
from tdsl.shapes.errors import shape_error
from tdsl.shapes.nodes import Node
from tdsl.shapes.provenance import Cause
from tdsl.shapes.solver import Solver
from tdsl.shapes.terms import ROW_KINDS
from tdsl.shapes.totals import TotalElements
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row, resolve
from tdsl.shapes.word_equations import close_equations


def close_rows(solver: Solver, nodes: Sequence[Node], cause: Cause) -> None:
    """Close every row of the nodes, which come in topological order. Raises ShapeError."""
    closing = _RowClosing(solver, nodes, cause)
    solver.run()
    while closing.step():
        solver.run()


class _RowClosing:
    def __init__(self, solver: Solver, nodes: Sequence[Node], cause: Cause) -> None:
        self._solver = solver
        self._cause = cause
        self._rows = [(node, row) for node in nodes for row in (node.rows[kind] for kind in ROW_KINDS)]

    def step(self) -> bool:
        """Close some rows; False when all are closed. The first way that applies is taken."""
        self._rows = [(node, row) for node, row in self._rows if resolve(row).variable is not None]
        if not self._rows:
            return False
        at_use = {variable: node for node, variable in self._open() if node.resolves_at_use}
        if self._close_results(at_use.keys()):
            return True
        # Equations go first: they leave a row less choice than its uses do.
        if close_equations(self._solver, _closed_uses(at_use), self._cause):
            return True
        asked = self._asked_for(list(at_use))
        if asked:
            self._bind({variable: _axes(count) for variable, count in asked.items()})
            return True
        if self._close_totals():
            return True
        if at_use:
            self._bind({**dict.fromkeys(at_use, ()), **self._unasked_parameters()})
            return True
        self._bind({variable: () for _, variable in self._open()})
        return True

    def _open(self) -> Iterator[tuple[Node, RowVariable]]:
        for node, row in self._rows:
            variable = resolve(row).variable
            if variable is not None:
                yield node, variable

    def _bind(self, values: dict[RowVariable, tuple[AxisVariable, ...]]) -> None:
        for variable, axes in values.items():
            if variable.value is None:
                self._solver.bind(variable, closed_row(axes), self._cause)

    def _close_results(self, at_use: AbstractSet[RowVariable]) -> bool:
        """Close the results all of whose operands are closed, each before the next one is looked at."""
        changed = False
        for node, row in self._rows:
            variable = resolve(row).variable
            if variable is None or variable in at_use or node.resolves_at_use or not _is_ready(variable):
                continue
            self._solver.bind(variable, closed_row(()), self._cause)
            self._solver.run()
            changed = True
        return changed

    def _asked_for(self, variables: list[RowVariable]) -> dict[RowVariable, int]:
        """The number of axes that uses ask for, for the variables about which some use says something.

        A use that is open itself passes on what its own uses ask for.
        """
        known: dict[RowVariable, int | None] = {}
        stack = list(reversed(variables))
        entered: set[RowVariable] = set()
        while stack:
            variable = stack[-1]
            if variable in known:
                stack.pop()
            elif variable not in entered:
                entered.add(variable)
                stack += [use for use in _open_uses(variable) if use not in entered]
            else:
                stack.pop()
                known[variable] = _asked(variable, known)
        return {variable: count for variable in variables if (count := known[variable]) is not None}

    def _close_totals(self) -> bool:
        """A row of which only the number of elements is known has one axis."""
        values: dict[RowVariable, tuple[AxisVariable, ...]] = {}
        for constraint in self._solver.constraints:
            if isinstance(constraint, TotalElements) and not constraint.done:
                if constraint.number is not None and constraint.number.find().size is None:
                    continue
                variables = [v for v in (resolve(row).variable for row in constraint.row_terms) if v is not None]
                for variable in variables[:-1]:
                    values.setdefault(variable, ())
                for variable in variables[-1:]:
                    values.setdefault(variable, _axes(1))
        self._bind(values)
        return bool(values)

    def _unasked_parameters(self) -> dict[RowVariable, tuple[AxisVariable, ...]]:
        """The output rows of parameters about which no use says anything: an error, but one axis without any use."""
        values: dict[RowVariable, tuple[AxisVariable, ...]] = {}
        for node, row in self._rows:
            resolved = resolve(row)
            if node.role == "param" and row is node.rows["output"] and resolved.variable and not resolved.rank:
                if node.used:
                    raise hidden_dimensions(node, "output row", self._cause)
                values[resolved.variable] = _axes(1)
        return values


def hidden_dimensions(node: Node, what: str, cause: Cause) -> Exception:
    """The error for a parameter whose sizes nothing determines (spec d.6, stage 5)."""
    here = Cause(cause.text, node.origin)
    return shape_error(
        f"You forgot to specify the hidden dimension(s) of the parameter @{node.name}: nothing determines its {what}.",
        here,
        suggestion="Give the sizes where the parameter is declared.",
    )


def _axes(count: int) -> tuple[AxisVariable, ...]:
    return tuple(AxisVariable() for _ in range(count))


def _is_ready(variable: RowVariable) -> bool:
    """Whether everything that could give the row more axes is closed."""
    for constraint in variable.watchers:
        if constraint.done:
            continue
        if not isinstance(constraint, RowBroadcast):
            return False
        operand = resolve(constraint.operand).variable
        if resolve(constraint.result).variable is variable and operand is not None and operand is not variable:
            return False
    return True


def _uses(variable: RowVariable) -> Iterator[tuple[RowTerm, RowTerm]]:
    """The rows that the row of ``variable`` broadcasts into, each with that row."""
    for constraint in variable.watchers:
        if isinstance(constraint, RowBroadcast) and not constraint.done:
            operand = resolve(constraint.operand)
            if operand.variable is variable:
                yield resolve(constraint.result), operand


def _closed_uses(variables: Iterable[RowVariable]) -> dict[RowVariable, int]:
    """The number of axes that closed rows leave room for, for the variables that broadcast into one."""
    rooms: dict[RowVariable, int] = {}
    for variable in variables:
        counts = [result.rank - operand.rank for result, operand in _uses(variable) if result.variable is None]
        if counts:
            rooms[variable] = min(counts)
    return rooms


def _open_uses(variable: RowVariable) -> Iterator[RowVariable]:
    for result, _ in _uses(variable):
        if result.variable is not None:
            yield result.variable


def _asked(variable: RowVariable, known: dict[RowVariable, int | None]) -> int | None:
    """The smallest number of axes that some use asks for; None if no use says anything."""
    counts: list[int] = []
    for result, operand in _uses(variable):
        if result.variable is None:
            counts.append(result.rank - operand.rank)
            continue
        further = known.get(result.variable)
        total = informative_rank(result) if further is None else result.rank + further
        if total and result.variable is not variable:
            counts.append(max(0, total - operand.rank))
    return min(counts, default=None)
