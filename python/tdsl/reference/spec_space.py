"""The product space of an einsum specification, enumerated from its text and closed shapes (spec c, d.4, e.2).

Nothing here is shared with inference or derivation: labels take every value that the sizes of the axes allow.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tdsl.errors import ShapeError
from tdsl.notation import (
    Affine,
    Axis,
    Concat,
    Fixed,
    Label,
    Placeholder,
    RowVariable,
    ShapeSpec,
    Size,
    Spec,
    axis_labels,
    check_arity,
)
from tdsl.reference.index_space import Index, Iterator, LinearIndex, Segment, Slot
from tdsl.reference.label_sizes import AxisUse, solve_label_sizes

__all__ = ["NodeShape", "label_sizes", "segments_of_spec"]


@dataclass(frozen=True)
class NodeShape:
    """A node with its closed rows: for each axis, its size and whether it broadcasts (spec d.2)."""

    name: str
    batch: tuple[tuple[int, bool], ...]
    input: tuple[tuple[int, bool], ...]
    output: tuple[tuple[int, bool], ...]

    @property
    def memory_order_sizes(self) -> tuple[int, ...]:
        return tuple(size for size, _ in self.batch + self.output + self.input)


def label_sizes(
    spec: Spec, result: NodeShape, operands: Sequence[NodeShape], known: Mapping[str, int]
) -> dict[str, int]:
    """The sizes of the labels of a spec, and for each named row variable the product of its sizes.

    Raises ShapeError when the shapes do not fit the spec.
    """
    rows: _Rows = {}
    uses = [use for shape in _bind(spec, result, operands, rows) for use in shape]
    sizes = solve_label_sizes(uses, known, spec.text)
    for variable, (row, _) in rows.items():
        product = 1
        for size in row:
            product *= size
        sizes[str(variable).strip(".")] = product
    return sizes


def segments_of_spec(
    spec: Spec, result: NodeShape, operands: Sequence[NodeShape], known: Mapping[str, int]
) -> list[Segment]:
    """The pieces of the product space, in the order in which they run: one, unless there are concatenations.

    ``known`` gives the sizes of captured labels. Raises ShapeError when the shapes do not fit the spec.
    """
    shapes = _bind(spec, result, operands, {})
    sizes = solve_label_sizes([use for shape in shapes for use in shape], known, spec.text)
    concatenations = _concatenations([use.axis for shape in shapes for use in shape], spec)
    concatenated = frozenset().union(*concatenations)
    segments: list[Segment] = []
    for active in _choices(concatenations):
        inactive = concatenated - active
        present = [shape if _is_present(shape, inactive) else None for shape in shapes]
        # A piece without a result or without a source has nothing to do.
        if present[0] is not None and any(shape is not None for shape in present[1:]):
            segments.append(_segment(present, sizes, inactive))
    return segments


_Rows = dict[RowVariable, tuple[tuple[int, ...], str]]


def _bind(spec: Spec, result: NodeShape, operands: Sequence[NodeShape], rows: _Rows) -> list[list[AxisUse]]:
    """For the result and each operand, its axes in memory order, with row variables written out."""
    check_arity(spec, len(operands))
    shapes = [(spec.result, result), *zip(spec.operands, operands, strict=True)]
    return [_bind_shape(spec, position, *pair, rows) for position, pair in enumerate(shapes)]


def _bind_shape(spec: Spec, position: int, written: ShapeSpec, node: NodeShape, rows: _Rows) -> list[AxisUse]:
    uses: list[AxisUse] = []
    for kind in ("batch", "output", "input"):
        row = getattr(written, kind)
        sizes = tuple(size for size, _ in getattr(node, kind))
        number = len(row.axes)
        if len(sizes) < number or (row.variable is None and len(sizes) > number):
            least = "at least " if row.variable is not None else ""
            raise ShapeError(
                f"The {kind} row of @{node.name} has {_axes(len(sizes))}, but the spec needs {least}{_axes(number)}.",
                spec=spec.text,
                spans=[row.span],
            )
        axes: list[Axis] = list(row.leading)
        if row.variable is not None:
            first = len(row.leading)
            bound = sizes[first : len(sizes) - len(row.trailing)]
            known, origin = rows.setdefault(row.variable, (bound, node.name))
            if known != bound:
                raise ShapeError(
                    f"The row `{row.variable}` of kind {kind} is {list(bound)} in @{node.name}, "
                    f"but {list(known)} in @{origin}.",
                    spec=spec.text,
                    spans=[row.span],
                    suggestion="A row variable is an equality; write a separator such as `|` to close a row.",
                )
            key = f"{row.variable}{getattr(row.variable, 'kind', '')}"
            axes += [Label(f"{key}[{number}]", row.span) for number in range(len(bound))]
        axes += row.trailing
        for number, (axis, size) in enumerate(zip(axes, sizes, strict=True)):
            if isinstance(axis, Placeholder):
                axis = Label(f"_{position}{kind}[{number}]", axis.span)
            uses.append(AxisUse(axis, size, node.name, axis.span))
    return uses


def _axes(number: int) -> str:
    return "1 axis" if number == 1 else f"{number} axes"


def _concatenations(axes: Sequence[Axis], spec: Spec) -> list[tuple[str, ...]]:
    """The labels of each concatenation, once."""
    found: dict[tuple[str, ...], None] = {}
    for axis in axes:
        if not isinstance(axis, Concat):
            continue
        names = tuple(label.name for label in axis_labels(axis))
        if len(set(names)) < len(names):
            raise ShapeError(f"`{axis}` names a component twice.", spec=spec.text, spans=[axis.span])
        found[names] = None
    return list(found)


def _choices(concatenations: Sequence[tuple[str, ...]]) -> Iterable[frozenset[str]]:
    """The labels that run together: of each concatenation one, and a label runs in all that have it or in none."""
    for labels in itertools.product(*concatenations):
        running = frozenset(labels)
        if all(len(running.intersection(names)) == 1 for names in concatenations):
            yield running


def _is_present(shape: Sequence[AxisUse], inactive: set[str] | frozenset[str]) -> bool:
    """Whether a shape has cells in a piece: its labels run, and each of its concatenations has one that does."""
    for use in shape:
        running = [label.name not in inactive for label in axis_labels(use.axis)]
        # Of the components of a concatenation at most one runs.
        if not (any(running) if isinstance(use.axis, Concat) else all(running)):
            return False
    return True


def _segment(shapes: Sequence[Sequence[AxisUse] | None], sizes: Mapping[str, int], inactive: frozenset[str]) -> Segment:
    """One piece. Its iterators follow their first occurrence, the result first, in memory order (spec e.2)."""
    names: dict[str, int] = {}
    for shape in shapes:
        for use in shape or ():
            for label in axis_labels(use.axis):
                if label.name not in inactive:
                    names.setdefault(label.name, len(names))
    slots = tuple(None if shape is None else _slot(shape, sizes, names) for shape in shapes)
    return Segment(tuple(Iterator(name, sizes[name]) for name in names), slots)


def _slot(shape: Sequence[AxisUse], sizes: Mapping[str, int], names: Mapping[str, int]) -> Slot:
    indices = tuple(_index(use.axis, sizes, names) for use in shape)
    guarded = any(isinstance(use.axis, Affine) and _may_leave(use.axis) for use in shape)
    return Slot(tuple(use.size for use in shape), indices, guarded)


def _may_leave(axis: Affine) -> bool:
    """Whether a window can reach outside: by its padding, or by an offset, which sizes ignore (spec d.7)."""
    return axis.kernel is not None and (axis.kernel.padded or axis.offset > 0)


def _index(axis: Axis, sizes: Mapping[str, int], names: Mapping[str, int]) -> Index:
    if isinstance(axis, Fixed):
        return LinearIndex(axis.index)
    if isinstance(axis, Label):
        return LinearIndex(0, ((1, names[axis.name]),))
    if isinstance(axis, Affine):
        return _affine_index(axis, sizes, names)
    assert isinstance(axis, Concat), "placeholders became labels"
    before = 0
    for component in axis.components:
        if isinstance(component, Label) and component.name in names:
            return LinearIndex(before, ((1, names[component.name]),))
        before += component.size if isinstance(component, Size) else sizes[component.name]
    raise AssertionError("a shape in a piece has a component that runs")


def _affine_index(axis: Affine, sizes: Mapping[str, int], names: Mapping[str, int]) -> LinearIndex:
    terms = ((axis.stride.value, names[axis.over.name]),)
    kernel = axis.kernel
    if kernel is None:
        return LinearIndex(axis.offset, terms)
    dilation = kernel.dilation.value
    # A padded window reaches span // 2 cells to the left of its position (spec k.7).
    left = (1 + (sizes[kernel.label.name] - 1) * dilation) // 2 if kernel.padded else 0
    return LinearIndex(axis.offset - left, (*terms, (dilation, names[kernel.label.name])))
