"""Sizes of axes that are read through an affine index, as in convolutions (spec section d.7).

With span = 1 + (kernel - 1) * dilation, the size of the axis is stride * over (no kernel, or a padded one), or
stride * (over - 1) + span for a valid window. Any one of the three sizes follows from the other two.
"""

from __future__ import annotations

from collections.abc import Iterable

from tdsl.errors import ShapeError
from tdsl.notation import Affine
from tdsl.shapes import errors
from tdsl.shapes.lattice import is_named
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Constraint, Solver
from tdsl.shapes.variables import AxisVariable


class AffineSize(Constraint):
    """The size of ``axis`` as a function of the sizes of the labels of an affine axis."""

    __slots__ = ("axis", "form", "kernel", "over")

    def __init__(
        self, axis: AxisVariable, form: Affine, over: AxisVariable, kernel: AxisVariable | None, cause: Cause
    ) -> None:
        super().__init__(cause)
        self.axis = axis
        self.form = form
        self.over = over
        self.kernel = kernel

    def axes(self) -> Iterable[AxisVariable]:
        return (self.axis, self.over) if self.kernel is None else (self.axis, self.over, self.kernel)

    def propagate(self, solver: Solver) -> None:
        self._bases(solver)
        axis, over = self.axis.find().size, self.over.find().size
        kernel = None if self.kernel is None else self.kernel.find().size
        stride = self.form.stride.value
        if self.form.kernel is None or self.form.kernel.padded:
            self._strided(solver, axis, over, stride)
        elif self.kernel is not None:
            self._window(solver, axis, over, kernel, stride, self.form.kernel.dilation.value)
        self.done = all(variable.find().is_solved for variable in self.axes())

    def _strided(self, solver: Solver, axis: int | None, over: int | None, stride: int) -> None:
        if over is not None:
            self._set(solver, self.axis, stride * over)
        elif axis is not None:
            if axis % stride:
                raise self._error(f"The size {axis} of the axis `{self.form}` is not divisible by its stride {stride}.")
            self._set(solver, self.over, axis // stride)

    def _window(
        self, solver: Solver, axis: int | None, over: int | None, kernel: int | None, stride: int, dilation: int
    ) -> None:
        assert self.kernel is not None
        if over is not None and kernel is not None:
            span = 1 + (kernel - 1) * dilation
            if axis is not None and axis != stride * (over - 1) + span:
                self._window_size(axis, span, stride)
            self._set(solver, self.axis, stride * (over - 1) + span)
        elif axis is not None and kernel is not None:
            self._set(solver, self.over, self._window_size(axis, 1 + (kernel - 1) * dilation, stride))
        elif axis is not None and over is not None:
            reach = axis - stride * (over - 1) - 1
            if reach < 0 or reach % dilation:
                raise self._error(
                    f"No kernel of the axis `{self.form}` fits: its size is {axis}, and {over} positions with stride "
                    f"{stride} and dilation {dilation}."
                )
            self._set(solver, self.kernel, reach // dilation + 1)
        elif axis is not None and self.over.find() is self.kernel.find():
            reach = axis - 1
            if reach % (stride + dilation):
                raise self._error(f"incompatible stride: no size of `{self.form.over}` gives the size {axis}.")
            self._set(solver, self.over, reach // (stride + dilation) + 1)

    def _window_size(self, axis: int, span: int, stride: int) -> int:
        if axis < span:
            raise self._error(
                f"The window of the axis `{self.form}` spans {span} positions, more than its size {axis} "
                "(incompatible stride)."
            )
        if (axis - span) % stride:
            raise self._error(
                f"incompatible stride: the size {axis} of the axis `{self.form}` minus the span {span} of its window "
                f"is not divisible by the stride {stride}."
            )
        return (axis - span) // stride + 1

    def _bases(self, solver: Solver) -> None:
        """A basis passes between the axis and what it runs over; a named one of the kernel joins in (spec d.2)."""
        axis, over = self.axis.find().basis, self.over.find().basis
        kernel = None if self.kernel is None else self.kernel.find().basis
        if is_named(over) and is_named(kernel) and over != kernel:
            raise self._error(f"convolution: conflicting dimension bases `{over}` and `{kernel}`.")
        if self.kernel is not None and kernel is None:
            if is_named(over):
                self._set(solver, self.axis, None, over)
            return
        if over is not None:
            self._set(solver, self.axis, None, over if is_named(over) or not is_named(kernel) else kernel)
        elif axis is not None and not is_named(kernel):
            self._set(solver, self.over, None, axis)

    def preferred_basis(self, axis: AxisVariable) -> str | None:
        """The basis that ``axis`` takes from the others when nothing else determines it."""
        if self.over.find() is axis:
            return self.axis.find().basis
        return None

    def _set(self, solver: Solver, axis: AxisVariable, size: int | None, basis: str | None = None) -> None:
        if size is not None and axis.find().size == size and basis is None:
            return
        prefix = "convolution: conflicting dimension bases. " if basis is not None else ""
        source = Provenance(f"the affine axis `{self.form}`", None, self.cause)
        solver.assign(axis, size, basis, source, self.cause, prefix)

    def _error(self, message: str) -> ShapeError:
        suggestion = errors.sources_of_sizes(self.axes())
        return errors.shape_error(message, self.cause, spans=[self.form.span], suggestion=suggestion)
