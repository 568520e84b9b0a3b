"""The store of constraints: a worklist that runs until nothing changes (spec section d.5).

Facts only ever become more precise, and each fact is a consequence of the constraints, so that the order in which
constraints arrive does not matter. Guesses are made elsewhere, in closing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from tdsl.shapes import errors
from tdsl.shapes.lattice import BROADCAST, atoms_clash
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable


class Constraint:
    """A relation between axes and rows that is looked at again whenever one of them becomes better known.

    ``done`` is set when it can say nothing more. ``equality`` tells the two constraints on two rows apart.
    """

    __slots__ = ("cause", "done", "queued")

    equality = False

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self.done = False
        self.queued = False

    def propagate(self, solver: Solver) -> None:
        """Draw all consequences of what is known. Raises ShapeError on a contradiction."""
        raise NotImplementedError

    def axes(self) -> Iterable[AxisVariable]:
        """The axes that it mentions outside of rows."""
        return ()

    def rows(self) -> Iterable[RowTerm]:
        """The rows that it mentions."""
        return ()

    def preferred_basis(self, axis: AxisVariable) -> str | None:
        """The basis that ``axis`` takes from the other axes when nothing else determines it."""
        return None


class Solver:
    """All constraints, and the operations by which they change what is known."""

    def __init__(self) -> None:
        self._queue: deque[Constraint] = deque()
        self.constraints: list[Constraint] = []

    def add(self, constraint: Constraint) -> None:
        """Take up a constraint; it is looked at in the next ``run``."""
        self.constraints.append(constraint)
        for axis in constraint.axes():
            axis.find().watchers.append(constraint)
        for row in constraint.rows():
            variable = row.variable
            while variable is not None and variable.value is not None:
                variable = variable.value.variable
            if variable is not None:
                variable.watchers.append(constraint)
        self._wake([constraint])

    def watch(self, constraint: Constraint, axes: Iterable[AxisVariable]) -> None:
        """Look at ``constraint`` again when one of these axes changes."""
        for axis in axes:
            axis.find().watchers.append(constraint)

    def forget_done(self) -> None:
        """Drop the constraints that can say nothing more, so that later closings need not look at them."""
        self.constraints = [constraint for constraint in self.constraints if not constraint.done]

    def run(self) -> None:
        """Propagate until nothing changes. Raises ShapeError; the store is then not usable any more."""
        while self._queue:
            constraint = self._queue.popleft()
            constraint.queued = False
            if not constraint.done:
                constraint.propagate(self)

    def _wake(self, constraints: list[Constraint]) -> None:
        for constraint in constraints:
            if not constraint.queued and not constraint.done:
                constraint.queued = True
                self._queue.append(constraint)

    # ------------------------------------------------------------------------------------------------------- axes

    def unify(self, first: AxisVariable, second: AxisVariable, cause: Cause) -> None:
        """The two axes are equal. Raises ShapeError where size or basis differ."""
        a, b = first.find(), second.find()
        if a is b:
            return
        if atoms_clash(a.size, a.basis, b.size, b.basis):
            raise errors.axes_differ(first, second, cause)
        if a.is_solved and b.is_solved and not a.minimum and not b.minimum:
            return
        if len(a.watchers) < len(b.watchers):
            a, b = b, a
        before = _facts(a)
        if a.size is None and b.size is not None:
            a.size, a.provenance = b.size, b.provenance
            label = first.label or second.label
            if a.provenance is not None and a.provenance.through is None:
                a.provenance = Provenance(a.provenance.source, a.provenance.origin, cause, label)
        elif a.provenance is None:
            a.provenance = b.provenance
        a.basis = a.basis if a.basis is not None else b.basis
        if b.minimum > a.minimum:
            a.minimum, a.fixed = b.minimum, b.fixed
        a.discardable = a.discardable or b.discardable
        a.below_top = a.below_top or b.below_top
        b.join(a)
        woken = b.watchers
        if b.has_bound:
            self._merge_bound(a, b.bound_size, b.bound_basis, b.bound, cause)
        self._restrict(a, cause)
        if _facts(a) != before:
            self._wake(a.watchers)
        self._wake(woken)
        a.watchers += [constraint for constraint in woken if not constraint.done]
        b.watchers = []

    def assign(
        self,
        axis: AxisVariable,
        size: int | None,
        basis: str | None,
        provenance: Provenance,
        cause: Cause,
        prefix: str = "",
    ) -> None:
        """The axis has this size and basis; None for no claim. Raises ShapeError where it has others."""
        a = axis.find()
        if atoms_clash(a.size, a.basis, size, basis):
            other = AxisVariable(size, basis, provenance)
            raise errors.axes_differ(axis, other, cause, prefix)
        before = _facts(a)
        if a.size is None and size is not None:
            a.size, a.provenance = size, provenance
        a.basis = a.basis if a.basis is not None else basis
        self._restrict(a, cause)
        if _facts(a) != before:
            self._wake(a.watchers)

    def bound(
        self, axis: AxisVariable, size: int | None, basis: str | None, source: Provenance | None, cause: Cause
    ) -> None:
        """The axis is this atom or the broadcast top. Raises ShapeError where it is neither."""
        a = axis.find()
        before = _facts(a)
        self._merge_bound(a, size, basis, source, cause)
        self._restrict(a, cause)
        if _facts(a) != before:
            self._wake(a.watchers)

    def at_least(self, axis: AxisVariable, minimum: int, cause: Cause) -> None:
        """The index ``minimum - 1`` of the axis is used. Raises ShapeError where the axis is too small."""
        a = axis.find()
        if minimum <= a.minimum:
            return
        a.minimum, a.fixed = minimum, cause
        self._restrict(a, cause)
        self._wake(a.watchers)

    def _merge_bound(
        self, a: AxisVariable, size: int | None, basis: str | None, source: Provenance | None, cause: Cause
    ) -> None:
        if atoms_clash(a.bound_size, a.bound_basis, size, basis):
            # It is one of two different atoms or the top, so it is the top.
            if a.is_not_top:
                if atoms_clash(a.size, a.basis, size, basis):
                    a.bound_size, a.bound_basis, a.bound = size, basis, source
                return
            a.provenance = a.provenance or Provenance("uses of different sizes, into which it must broadcast")
            a.size, a.basis = 1, BROADCAST
            return
        if a.bound is None:
            a.bound = source
        a.bound_size = a.bound_size if a.bound_size is not None else size
        a.bound_basis = a.bound_basis if a.bound_basis is not None else basis

    def _restrict(self, a: AxisVariable, cause: Cause) -> None:
        """Choose between the bound and the top as soon as one of them is impossible."""
        if a.minimum and a.size is not None and a.size < a.minimum:
            raise _index_out_of_range(a, cause)
        if not a.has_bound or a.is_top:
            return
        if a.minimum > 1 and a.bound_size is not None and a.bound_size < a.minimum:
            raise _dereferenced(a, cause)
        if a.is_not_top:
            if atoms_clash(a.size, a.basis, a.bound_size, a.bound_basis):
                raise errors.bound_differs(a, cause)
            if a.size is None and a.bound_size is not None:
                a.size, a.provenance = a.bound_size, a.bound
            a.basis = a.basis if a.basis is not None else a.bound_basis
        elif atoms_clash(a.size, a.basis, a.bound_size, a.bound_basis):
            a.provenance = a.provenance or a.bound
            a.size, a.basis = 1, BROADCAST

    # ------------------------------------------------------------------------------------------------------- rows

    def bind(self, variable: RowVariable, row: RowTerm, cause: Cause) -> None:
        """The row variable is this row, which must be resolved and not mention it."""
        variable.value, variable.cause = row, cause
        woken = variable.watchers
        variable.watchers = []
        rest = row.variable
        if rest is not None:
            alive = [constraint for constraint in woken if not constraint.done]
            if len(alive) > len(rest.watchers):
                alive, rest.watchers = rest.watchers, alive
            rest.watchers += alive
            rest.growths = max(rest.growths, variable.growths)
        self._wake(woken)


def _facts(a: AxisVariable) -> tuple[object, ...]:
    return a.size, a.basis, a.bound_size, a.bound_basis, a.minimum


def _index_out_of_range(a: AxisVariable, cause: Cause) -> Exception:
    fixed = a.fixed or cause
    return errors.shape_error(
        f"An axis is dereferenced at the fixed index {a.minimum - 1}, so its size is at least {a.minimum}, "
        f"but it is {a.size}.",
        fixed,
        suggestion=f"{a.size} comes from {a.provenance}." if a.provenance else None,
    )


def _dereferenced(a: AxisVariable, cause: Cause) -> Exception:
    fixed = a.fixed or cause
    return errors.shape_error(
        f"An axis is dereferenced at the fixed index {a.minimum - 1}, so its size is at least {a.minimum}: "
        f"this is higher than at its use site, where it is {a.bound_size}.",
        fixed,
        suggestion=f"{a.bound_size} comes from {a.bound}." if a.bound else None,
    )
