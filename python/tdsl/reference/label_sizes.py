"""The sizes of the labels of a spec, from the sizes of the axes they are written on (spec d.7, d.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tdsl.errors import ShapeError
from tdsl.notation import Affine, Axis, Concat, Fixed, Label, Size, Span, axis_labels

__all__ = ["AxisUse", "solve_label_sizes"]


@dataclass(frozen=True)
class AxisUse:
    """An axis of a spec, and the axis of a node that it describes.

    Axes that a row variable or ``_`` stands for are labels too, under names that no spec can write.
    """

    axis: Axis
    size: int
    node: str
    span: Span


def solve_label_sizes(uses: Sequence[AxisUse], known: Mapping[str, int], spec: str) -> dict[str, int]:
    """The size of every label.

    ``known`` gives the sizes of captured labels. Raises ShapeError, pointing into ``spec``, when an axis contradicts
    the sizes, or when they leave a label open.
    """
    sizes = dict(known)
    origin = dict.fromkeys(known, "its capture")
    # Axes that are just a label come first: they state sizes, where the others compute them.
    ordered = sorted(uses, key=lambda use: not isinstance(use.axis, Label))
    progress = True
    while progress:
        progress = False
        for use in ordered:
            unknown = {label.name for label in axis_labels(use.axis)} - sizes.keys()
            if len(unknown) != 1:
                continue
            size = _solve(use, next(iter(unknown)), sizes, spec)
            if size is not None:
                (name,) = unknown
                sizes[name], origin[name], progress = size, f"@{use.node}", True
    for use in uses:
        _check(use, sizes, origin, spec)
    return sizes


def _solve(use: AxisUse, name: str, sizes: Mapping[str, int], spec: str) -> int | None:
    """The size of the only unknown label of an axis, or None where this axis cannot tell."""
    axis = use.axis
    if isinstance(axis, Label):
        return use.size
    if isinstance(axis, Concat):
        occurrences = sum(isinstance(c, Label) and c.name == name for c in axis.components)
        rest = use.size - sum(
            c.size if isinstance(c, Size) else sizes[c.name]
            for c in axis.components
            if isinstance(c, Size) or c.name != name
        )
        if rest < 0 or rest % occurrences:
            raise _error(use, "the components exceed the concatenated size", spec)
        return rest // occurrences
    if not isinstance(axis, Affine) or axis.over.name == (axis.kernel and axis.kernel.label.name):
        return None
    stride, kernel = axis.stride.value, axis.kernel
    if kernel is None or kernel.padded:
        if name != axis.over.name:
            return None
        if use.size % stride:
            raise _error(use, f"it is not divisible by the stride {stride}", spec)
        return use.size // stride
    if name == axis.over.name:
        room = use.size - _span(axis, sizes)
        if room < 0 or room % stride:
            raise _error(
                use, f"a kernel of {sizes[kernel.label.name]} with stride {stride} does not fit it exactly", spec
            )
        return room // stride + 1
    room = use.size - stride * (sizes[axis.over.name] - 1) - 1
    if room < 0 or room % kernel.dilation.value:
        raise _error(use, "no kernel size fits it", spec)
    return room // kernel.dilation.value + 1


def _span(axis: Affine, sizes: Mapping[str, int]) -> int:
    """How many cells from the first to the last of a window."""
    if axis.kernel is None:
        return 1
    return 1 + (sizes[axis.kernel.label.name] - 1) * axis.kernel.dilation.value


def _check(use: AxisUse, sizes: Mapping[str, int], origin: Mapping[str, str], spec: str) -> None:
    axis = use.axis
    if isinstance(axis, Fixed):
        if axis.index >= use.size:
            raise _error(use, f"index {axis.index} is outside", spec)
        return
    for label in axis_labels(axis):
        if label.name not in sizes:
            raise ShapeError(
                f"The size of `{label.name}` cannot be determined from the shapes.",
                spec=spec,
                spans=[label.span],
                suggestion="Capture the label and give the size of its tdsl.dim.",
            )
    if isinstance(axis, Label):
        if sizes[axis.name] != use.size:
            raise _error(use, f"`{axis.name}` has size {sizes[axis.name]} in {origin[axis.name]}", spec)
    elif isinstance(axis, Concat):
        total = sum(c.size if isinstance(c, Size) else sizes[c.name] for c in axis.components)
        if total != use.size:
            raise _error(use, f"the components of `{axis}` have {total} positions", spec)
    elif isinstance(axis, Affine):
        over, stride = sizes[axis.over.name], axis.stride.value
        if axis.kernel is None or axis.kernel.padded:
            expected = stride * over
        else:
            expected = stride * (over - 1) + _span(axis, sizes)
        if expected != use.size:
            raise _error(use, f"`{axis}` needs size {expected}", spec)


def _error(use: AxisUse, reason: str, spec: str) -> ShapeError:
    return ShapeError(f"An axis of @{use.node} has size {use.size}, but {reason}.", spec=spec, spans=[use.span])
