"""Closing axes: the sizes and bases that nothing has determined (spec section d.6, stages 4 to 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tdsl.shapes.affine import AffineSize
from tdsl.shapes.broadcast import AxisBroadcast
from tdsl.shapes.closing_rows import hidden_dimensions
from tdsl.shapes.concat import ConcatSize
from tdsl.shapes.errors import shape_error
from tdsl.shapes.lattice import BROADCAST, DEFAULT
from tdsl.shapes.nodes import Node
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.terms import ROW_KINDS
from tdsl.shapes.totals import ScaledSize, TotalElements
from tdsl.shapes.variables import AxisVariable, resolve

_SIZES = (AffineSize, ConcatSize, TotalElements, ScaledSize)
"""The constraints that may still determine a size, so that it must not be guessed (pitfall 4)."""


def close_axes(solver: Solver, nodes: Sequence[Node], cause: Cause) -> None:
    """Give every axis of the nodes, whose rows are closed, a size and a basis. Raises ShapeError."""
    closing = _AxisClosing(solver, nodes, cause)
    solver.run()
    while closing.step():
        solver.run()


class _AxisClosing:
    def __init__(self, solver: Solver, nodes: Sequence[Node], cause: Cause) -> None:
        self._solver = solver
        self._nodes = nodes
        self._cause = cause
        self._everything = [
            (node, kind, index, variable)
            for node in nodes
            for kind in ROW_KINDS
            for index, variable in enumerate(resolve(node.rows[kind]).axes)
        ]
        self._related = [
            (constraint, axis)
            for constraint in solver.constraints
            if isinstance(constraint, _SIZES) and not constraint.done
            for axis in constraint.axes()
        ]

    def step(self) -> bool:
        """Close some axes; False when all are closed. Takes the first way that applies."""
        self._everything = [entry for entry in self._everything if not entry[3].find().is_solved]
        self._related = [(c, axis) for c, axis in self._related if not axis.find().is_solved]
        open_axes = dict.fromkeys(
            [entry[3].find() for entry in self._everything] + [axis.find() for _, axis in self._related]
        )
        if not open_axes:
            return False
        at_use = {variable.find() for node, _, _, variable in self._everything if node.resolves_at_use}
        unsized = [axis for axis in open_axes if axis.size is None]
        results = [axis for axis in unsized if axis not in at_use]
        uses = [axis for axis in unsized if axis in at_use]
        ways: tuple[Callable[[], bool], ...] = (
            lambda: self._close_results(results),
            lambda: self._close(uses, lambda a: a.bound_size is not None and not _pending(a), "its uses need it"),
            lambda: self._close(unsized, _is_plain_fixed, "this fixed index is used"),
            lambda: self._close_bases(open_axes),
            self._close_words,
            lambda: self._close_discardable(unsized),
            self._pair_concatenations,
            lambda: self._check_parameters() or self._close_unasked(uses),
            lambda: self._close_unasked(results),
            lambda: self._close_related(unsized),
        )
        if any(way() for way in ways):
            return True
        raise self._ambiguous(unsized)

    def _close(self, axes: Iterable[AxisVariable], condition: Callable[[AxisVariable], bool], reason: str) -> bool:
        """Close all axes that meet the condition, decided before any of them changes."""
        chosen = [(axis, *_atom(axis)) for axis in axes if condition(axis)]
        for axis, size, basis in chosen:
            self._assign(axis, size, basis, reason)
        return bool(chosen)

    def _close_results(self, axes: Iterable[AxisVariable]) -> bool:
        """An axis of a result into which only broadcasting axes go is one itself, whatever its uses need."""
        changed = False
        for variable in axes:
            axis = variable.find()
            if axis.size is None and axis.below_top and not _is_below_open(axis) and not _pending(axis):
                fixed = axis.minimum > 1
                self._assign(
                    axis,
                    axis.minimum if fixed else 1,
                    DEFAULT if fixed else BROADCAST,
                    "its operands only broadcast there",
                )
                self._solver.run()
                changed = True
        return changed

    def _close_bases(self, axes: Iterable[AxisVariable]) -> bool:
        """An axis with a size but without a claim has the basis of what it belongs to, or the default one."""
        chosen = [(axis, _basis(axis)) for axis in axes if axis.size is not None and axis.basis is None]
        for axis, basis in chosen:
            self._assign(axis, None, basis, "nothing claims a basis")
        return bool(chosen)

    def _close_words(self) -> bool:
        return any(c.guess(self._solver) for c in self._pending_sizes() if isinstance(c, TotalElements))

    def _close_discardable(self, axes: Iterable[AxisVariable]) -> bool:
        chosen = [axis for axis in axes if axis.discardable and axis.bound_size is None and not axis.minimum]
        for axis in chosen:
            self._assign(axis, 0, DEFAULT, "nothing needs this component")
        return bool(chosen)

    def _pair_concatenations(self) -> bool:
        concatenations = [c for c in self._pending_sizes() if isinstance(c, ConcatSize)]
        return any(c.pair_with(self._solver, twin) for c in concatenations for twin in c.twins())

    def _check_parameters(self) -> bool:
        """A parameter that is used must have been determined by now."""
        for node, kind, index, variable in self._everything:
            axis = variable.find()
            if node.role == "param" and node.used and axis.size is None and not _pending(axis):
                raise hidden_dimensions(node, f"{kind} axis {index}", self._cause)
        return False

    def _close_unasked(self, axes: Iterable[AxisVariable]) -> bool:
        return self._close(axes, lambda axis: not _pending(axis), "nothing else determined it")

    def _close_related(self, unsized: Sequence[AxisVariable]) -> bool:
        """Break what only depends on itself: kernels, then positions, then components of what has no size."""
        related = [c for c in self._pending_sizes() if not isinstance(c, TotalElements)]
        kernels = {c.kernel.find() for c in related if isinstance(c, AffineSize) and c.kernel is not None}
        parts = {axis.find() for c in related if isinstance(c, ConcatSize) for axis in c.components}
        wholes = {c.whole.find() for c in related if isinstance(c, ConcatSize)}
        overs = {c.over.find() for c in related if isinstance(c, AffineSize)}
        bases = {c.base.find() for c in related if isinstance(c, ScaledSize)}
        inside = {c.axis.find() for c in related if isinstance(c, AffineSize)} | wholes
        bounded = [axis for axis in unsized if axis in inside and axis.bound_size is not None]
        if self._close(bounded, lambda axis: True, "its uses need it"):
            return True
        for group in (kernels, overs - inside, parts - inside, bases):
            chosen = [axis for axis in unsized if axis in group]
            self._check_hidden(chosen)
            fixed_wholes = [c for c in related if isinstance(c, ConcatSize) and c.whole.find().size is not None]
            if group and chosen and not any(axis.find() in chosen for c in fixed_wholes for axis in c.components):
                return self._close(chosen, lambda axis: True, "nothing else determined it")
        factors = [axis for axis in unsized if not any(axis.find() in group for group in (kernels, parts, inside))]
        totals = [c for c in self._pending_sizes() if isinstance(c, TotalElements)]
        self._check_hidden(factors)
        if any(c.number is None or c.number.find().size is not None for c in totals):
            return False
        return self._close(
            [a for a in factors if all(not _is_number(a, c) for c in totals)],
            lambda axis: True,
            "nothing else determined it",
        )

    def _check_hidden(self, axes: Sequence[AxisVariable]) -> None:
        for node, kind, index, variable in self._everything:
            if node.role == "param" and node.used and variable.find() in axes:
                raise hidden_dimensions(node, f"{kind} axis {index}", self._cause)

    def _pending_sizes(self) -> list[Constraint]:
        return list(dict.fromkeys(constraint for constraint, _ in self._related if not constraint.done))

    def _ambiguous(self, axes: Sequence[AxisVariable]) -> Exception:
        constraint = next(iter(self._pending_sizes()), None)
        label = next((axis.label for axis in axes if axis.label), None)
        what = f"the size of `{label}`" if label else "a size"
        return shape_error(
            f"There is insufficient information to determine {what}: several solutions exist.",
            constraint.cause if constraint is not None else self._cause,
            suggestion="Give a size with set_dim, or declare the shape of a node.",
        )

    def _assign(self, axis: AxisVariable, size: int | None, basis: str | None, reason: str) -> None:
        known = axis.find()
        basis = known.basis if known.basis is not None else basis
        source = Provenance(f"{self._cause.text}, since {reason}", self._cause.origin)
        if size is not None and size == known.bound_size and known.bound is not None:
            source = Provenance(known.bound.source, known.bound.origin, known.bound.through or self._cause)
        self._solver.assign(axis, size, basis, source, self._cause)


def _atom(axis: AxisVariable) -> tuple[int, str]:
    """What an axis closes to: its bound, the fixed index that it has, or the axis that broadcasts."""
    if axis.minimum == 1 and axis.has_bound:
        return 1, BROADCAST
    if axis.bound_size is not None:
        return axis.bound_size, axis.bound_basis or DEFAULT
    if axis.minimum:
        return axis.minimum, DEFAULT
    return 1, BROADCAST


def _basis(axis: AxisVariable) -> str:
    if axis.bound_basis is not None:
        return axis.bound_basis
    for constraint in axis.watchers:
        if isinstance(constraint, AffineSize | ConcatSize):
            basis = constraint.preferred_basis(axis)
            if basis is not None:
                return basis
    return DEFAULT


def _pending(axis: AxisVariable) -> bool:
    """Whether a constraint on sizes could still determine the axis."""
    return any(isinstance(constraint, _SIZES) and not constraint.done for constraint in axis.watchers)


def _is_plain_fixed(axis: AxisVariable) -> bool:
    """Whether a fixed index gives the size: not where the axis is itself made of others."""
    if not axis.minimum:
        return False
    return not any(
        (isinstance(constraint, ConcatSize) and constraint.whole.find() is axis)
        or (isinstance(constraint, AffineSize) and constraint.axis.find() is axis)
        for constraint in axis.watchers
        if not constraint.done
    )


def _is_below_open(axis: AxisVariable) -> bool:
    """Whether an operand that broadcasts into the axis is itself not known yet."""
    return any(
        isinstance(constraint, AxisBroadcast) and not constraint.done and constraint.result.find() is axis
        for constraint in axis.watchers
    )


def _is_number(axis: AxisVariable, total: TotalElements) -> bool:
    return total.number is not None and total.number.find() is axis
