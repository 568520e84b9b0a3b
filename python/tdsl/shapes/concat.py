"""Sizes of concatenated axes (spec section d.8): the size of ``a^b`` is the sum of the sizes of its components.

A component may be empty only if its label is discardable. Two concatenations of one axis cancel the components that
they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tdsl.errors import ShapeError
from tdsl.notation import Span
from tdsl.shapes import errors
from tdsl.shapes.lattice import DEFAULT, is_named
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable


class ConcatSize(Constraint):
    """``whole`` is the concatenation of ``components`` and of ``constant`` more positions that are skipped."""

    __slots__ = ("components", "constant", "span", "text", "whole")

    def __init__(
        self,
        whole: AxisVariable,
        components: Sequence[AxisVariable],
        constant: int,
        text: str,
        cause: Cause,
        span: Span | None = None,
    ) -> None:
        super().__init__(cause)
        self.whole = whole
        self.components = tuple(components)
        self.constant = constant
        self.text = text
        self.span = span

    def axes(self) -> Iterable[AxisVariable]:
        return self.whole, *self.components

    def propagate(self, solver: Solver) -> None:
        filled = [component for component in self.components if component.find().size != 0]
        if len(filled) == 1 and not self.constant:
            # All others are empty, the unit of concatenation.
            self.done = True
            solver.unify(self.whole, filled[0], self.cause)
            return
        self._bases(solver)
        whole = self.whole.find()
        components = Counter(component.find() for component in self.components)
        if components[whole]:
            self._occurs(solver, whole, components)
            return
        known = self.constant + sum((axis.size or 0) * times for axis, times in components.items())
        unknown = {axis: times for axis, times in components.items() if axis.size is None}
        if whole.size is None:
            if not unknown:
                self._set(solver, self.whole, known)
            elif self._cancel(solver):
                return
        else:
            self._solve(solver, whole.size - known, unknown, whole.size)
        self.done = all(axis.find().is_solved for axis in self.axes())

    def _solve(self, solver: Solver, rest: int, unknown: dict[AxisVariable, int], whole: int) -> None:
        least = sum(times for axis, times in unknown.items() if not axis.discardable)
        if rest < least:
            raise self._error(
                f"The components exceed the concatenated size: `{self.text}` is {whole}, "
                f"its known components are {whole - rest}" + (f", and {len(unknown)} more follow." if unknown else "."),
            )
        if not unknown:
            if rest:
                raise self._error(
                    f"Size mismatch: the components of `{self.text}` add up to {whole - rest}, but its size is {whole}."
                )
            return
        if len(unknown) == 1:
            [(axis, times)] = unknown.items()
            if rest % times:
                raise self._error(f"Size mismatch: {times} equal components of `{self.text}` cannot add up to {rest}.")
            self._set(solver, axis, rest // times)
        elif rest == 0:
            # All that are left are discardable and empty.
            for axis in unknown:
                self._set(solver, axis, 0)

    def _occurs(self, solver: Solver, whole: AxisVariable, components: Counter[AxisVariable]) -> None:
        """The axis is a component of itself: possible only if all others are empty."""
        others = [axis for axis in components if axis is not whole]
        if self.constant or components[whole] > 1 or any(axis.size or not axis.discardable for axis in others):
            raise self._error(f"An axis occurs in itself: it is also a component of `{self.text}`, beside others.")
        for axis in others:
            self._set(solver, axis, 0)
        self.done = True

    def _cancel(self, solver: Solver) -> bool:
        """Compare with the other concatenations of the same axis; True if that determined a component."""
        return any(self._cancel_with(solver, other) for other in self.twins())

    def _cancel_with(self, solver: Solver, other: ConcatSize) -> bool:
        left, right, rest = _difference(self, other)
        if not left and not right and rest:
            raise self._error(f"Size mismatch: `{self.text}` and `{other.text}` differ by {abs(rest)}.")
        # rest is by how much the unknowns of the left exceed those of the right.
        if len(left) + len(right) != 1:
            return False
        [(axis, times)] = (left or right).items()
        size = rest if left else -rest
        if size < 0 or size % times:
            raise self._error(f"Size mismatch: `{self.text}` and `{other.text}` cannot be equal.")
        self._set(solver, axis, size // times)
        return True

    def twins(self) -> list[ConcatSize]:
        """The other concatenations of the same axis."""
        whole = self.whole.find()
        return [
            constraint
            for constraint in dict.fromkeys(whole.watchers)
            if isinstance(constraint, ConcatSize) and constraint is not self and constraint.whole.find() is whole
        ]

    def pair_with(self, solver: Solver, other: ConcatSize) -> bool:
        """Pair the unknown components of two concatenations of one axis in order; those left over are empty.

        The guess of the closing stage for what has no unique solution (spec d.8). Returns whether it changed anything.
        """
        left, right, rest = _difference(self, other)
        if rest or not left or not right or max(*left.values(), *right.values()) > 1:
            return False
        for first, second in zip(left, right, strict=False):
            solver.unify(first, second, self.cause)
        for axis in [*left, *right][min(len(left), len(right)) :]:
            if axis.find().size is None and (axis in list(left)[len(right) :] or axis in list(right)[len(left) :]):
                self._set(solver, axis, 0)
        return True

    def _bases(self, solver: Solver) -> None:
        """A named basis wins over the reserved ones; two named ones clash (spec d.2)."""
        bases = [axis.find().basis for axis in self.components if axis.find().size != 0]
        whole = self.whole.find().basis
        named = list(dict.fromkeys(basis for basis in bases if is_named(basis)))
        if len(named) > 1:
            raise self._error(f"concat: conflicting dimension bases `{named[0]}` and `{named[1]}`.")
        if named:
            self._set(solver, self.whole, None, named[0])
        elif whole is None and bases and None not in bases:
            self._set(solver, self.whole, None, DEFAULT)

    def preferred_basis(self, axis: AxisVariable) -> str | None:
        """The basis that ``axis`` takes from the others when nothing else determines it."""
        return None if self.whole.find() is axis else self.whole.find().basis

    def _set(self, solver: Solver, axis: AxisVariable, size: int | None, basis: str | None = None) -> None:
        source = Provenance(f"the concatenation `{self.text}`", None, self.cause)
        prefix = "concat: conflicting dimension bases. " if basis is not None else ""
        solver.assign(axis, size, basis, source, self.cause, prefix)

    def _error(self, message: str) -> ShapeError:
        spans = [self.span] if self.span is not None else []
        return errors.shape_error(message, self.cause, spans=spans, suggestion=errors.sources_of_sizes(self.axes()))


def _difference(first: ConcatSize, second: ConcatSize) -> tuple[dict[AxisVariable, int], dict[AxisVariable, int], int]:
    """The unknown components of each that the other lacks, and the known size of the second minus the first."""
    left = Counter(axis.find() for axis in first.components)
    right = Counter(axis.find() for axis in second.components)
    shared = left & right
    left, right = left - shared, right - shared
    known = [
        constant + sum((axis.size or 0) * times for axis, times in side.items())
        for constant, side in ((first.constant, left), (second.constant, right))
    ]
    unknown = [{axis: times for axis, times in side.items() if axis.size is None} for side in (left, right)]
    return unknown[0], unknown[1], known[1] - known[0]
