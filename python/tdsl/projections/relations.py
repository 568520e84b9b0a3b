"""From the logic of an operation to projection equations between its axes (spec d.4, e.2 step 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tdsl.errors import ShapeError
from tdsl.notation import (
    Affine,
    Axis,
    Concat,
    Fixed,
    Label,
    NamedRow,
    Placeholder,
    RowKind,
    RowSpec,
    RowVariable,
    ShapeSpec,
    Span,
    Spec,
    check_arity,
    name_spans,
)
from tdsl.projections.equations import Component, Equations, Gap, Node, Window
from tdsl.projections.index import LinearIndex
from tdsl.projections.logic import Compose, ComposeAccumulate, Einsum, Logic, Pointwise, Slice, Transpose, Uniform
from tdsl.projections.shape import ClosedShape

_ROW_LETTERS: dict[RowKind, str] = {"batch": "b", "input": "i", "output": "o"}
_KINDS: tuple[RowKind, ...] = ("batch", "input", "output")
_ARITY: dict[type, int] = {Compose: 2, ComposeAccumulate: 3, Transpose: 1, Slice: 1, Uniform: 1}


@dataclass(frozen=True)
class RelatedAxes:
    """Solved equations, and the node of every axis: of the result, and of each operand, in memory order."""

    equations: Equations
    result: tuple[Node, ...]
    operands: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True)
class _Tensor:
    """A shape, the word by which messages call it, and what the names of iterators over its rows begin with."""

    word: str
    shape: ClosedShape
    letters: dict[RowKind, str]

    def node(self, kind: RowKind, position: int, spans: tuple[Span, ...] = ()) -> Node:
        return Node(f"{kind} axis {position} of {self.word}", f"{self.letters[kind]}{position}", spans)

    def row(self, kind: RowKind) -> list[Node]:
        return [self.node(kind, position) for position in range(len(self.shape.row(kind)))]

    def memory_order(self) -> tuple[Node, ...]:
        return tuple(self.node(kind, position) for kind, position, _ in self.shape.memory_axes())


def relate(logic: Logic, operands: Sequence[ClosedShape], result: ClosedShape) -> RelatedAxes:
    """State the equations of an operation and solve them.

    Raises:
        ShapeError: The number of operands is wrong, or the shapes do not satisfy the logic. Shapes that inference
            closed always do.
    """
    if isinstance(logic, Einsum):
        check_arity(logic.spec, len(operands))
    elif not operands or len(operands) != _ARITY.get(type(logic), len(operands)):
        expected = _ARITY.get(type(logic), "at least 1")
        raise ShapeError(f"The logic {type(logic).__name__} is for {expected} operands, not {len(operands)}.")
    equations = Equations(logic.spec.text if isinstance(logic, Einsum) else None)
    target = _Tensor("the result", result, _ROW_LETTERS)
    # Axes that only operands have are the contracted ones of a composition.
    sources = [
        _Tensor(f"operand {number}" if len(operands) > 1 else "the operand", shape, dict.fromkeys(_KINDS, "k"))
        for number, shape in enumerate(operands, 1)
    ]
    for tensor in (target, *sources):
        for kind, position, axis in tensor.shape.memory_axes():
            equations.add(tensor.node(kind, position), axis.size)
    if isinstance(logic, Einsum):
        _Template(equations, logic, [*sources, target]).instantiate()
    elif isinstance(logic, Slice):
        _relate_slice(equations, logic, sources[0], target)
    elif not isinstance(logic, Uniform):
        _relate_by_broadcasting(equations, logic, sources, target)
    equations.solve()
    return RelatedAxes(equations, target.memory_order(), tuple(source.memory_order() for source in sources))


def label_node(spec: Spec, name: str) -> Node:
    """The node of a label of a spec."""
    return Node(f"`{name}`", name, name_spans(spec, name))


def _row_axis_node(variable: RowVariable, number: int) -> Node:
    spans = (variable.span,)
    if isinstance(variable, NamedRow):
        return Node(f"axis {number} of `{variable}`", f"{variable.name}{number}", spans)
    return Node(f"{variable.kind} axis {number} of `...`", f"{_ROW_LETTERS[variable.kind]}{number}", spans)


def _relate_by_broadcasting(equations: Equations, logic: Logic, sources: list[_Tensor], target: _Tensor) -> None:
    if isinstance(logic, Pointwise):
        for source in sources:
            for kind in _KINDS:
                _broadcast(equations, target, kind, source, kind)
    elif isinstance(logic, Transpose):
        _broadcast(equations, target, "batch", sources[0], "batch")
        _broadcast(equations, target, "input", sources[0], "output")
        _broadcast(equations, target, "output", sources[0], "input")
    else:
        left, right = sources[:2]
        _broadcast(equations, left, "input", right, "output")
        _broadcast(equations, target, "batch", left, "batch")
        _broadcast(equations, target, "batch", right, "batch")
        _broadcast(equations, target, "input", right, "input")
        _broadcast(equations, target, "output", left, "output")
        for addend in sources[2:]:
            for kind in _KINDS:
                _broadcast(equations, target, kind, addend, kind)


def _broadcast(equations: Equations, wide: _Tensor, wide_kind: RowKind, narrow: _Tensor, narrow_kind: RowKind) -> None:
    """``wide`` may be wider than ``narrow``: rows are aligned at the right, axes of size 1 stay at position 0."""
    wide_row, narrow_row = wide.row(wide_kind), narrow.row(narrow_kind)
    if len(narrow_row) > len(wide_row):
        raise ShapeError(
            f"The {narrow_kind} row of {narrow.word} has too many axes: {len(narrow_row)}, but the {wide_kind} row of "
            f"{wide.word} has {len(wide_row)}."
        )
    for wide_node, narrow_node in zip(wide_row[len(wide_row) - len(narrow_row) :], narrow_row, strict=True):
        if equations.size(narrow_node) == 1 and equations.size(wide_node) != 1:
            equations.pin(narrow_node, 0)
        else:
            equations.equate(wide_node, narrow_node)


def _relate_slice(equations: Equations, logic: Slice, source: _Tensor, target: _Tensor) -> None:
    batch = source.row("batch")
    if not batch:
        raise ShapeError("A slice reads the leftmost batch axis of its operand, which has no batch axes.")
    equations.pin(batch[0], LinearIndex.symbol(logic.symbol))
    pairs = [(target.row("batch"), batch[1:])]
    pairs += [(target.row(kind), source.row(kind)) for kind in ("input", "output")]
    for target_row, source_row in pairs:
        if len(target_row) != len(source_row):
            raise ShapeError("A slice has the axes of its operand without the leftmost batch axis.")
        for first, second in zip(target_row, source_row, strict=True):
            equations.equate(first, second)


class _Template:
    """A spec applied to shapes: labels and row variables are shared by all rows of one application."""

    def __init__(self, equations: Equations, logic: Einsum, tensors: list[_Tensor]) -> None:
        self._equations = equations
        self._spec: Spec = logic.spec
        self._tensors = tensors
        self._ranks: dict[RowVariable, tuple[int, str, Span]] = {}
        for name, size in logic.label_sizes.items():
            equations.add(label_node(self._spec, name), size)

    def instantiate(self) -> None:
        for tensor, shape in zip(self._tensors, self._spec.shapes(), strict=True):
            for kind, row in shape.rows():
                self._instantiate_row(tensor, kind, row, shape)

    def _instantiate_row(self, tensor: _Tensor, kind: RowKind, row: RowSpec, shape: ShapeSpec) -> None:
        rank = len(tensor.shape.row(kind))
        absorbed = rank - len(row.axes)
        if absorbed < 0 or (row.variable is None and absorbed):
            self._fail(
                f"The {kind} row of {tensor.word} has a wrong number of axes: {rank}, but the spec has "
                f"{len(row.axes)}{' or more' if row.variable else ''}.",
                row.span if row.written else shape.span,
            )
        position = 0
        for axis in row.leading:
            self._instantiate_axis(tensor.node(kind, position, (axis.span,)), axis)
            position += 1
        if row.variable is not None:
            self._check_rank(row.variable, absorbed, tensor, kind)
            for number in range(absorbed):
                node = tensor.node(kind, position, (row.variable.span,))
                self._equations.equate(_row_axis_node(row.variable, number), node)
                position += 1
        for axis in row.trailing:
            self._instantiate_axis(tensor.node(kind, position, (axis.span,)), axis)
            position += 1

    def _instantiate_axis(self, node: Node, axis: Axis) -> None:
        if isinstance(axis, Label):
            self._equations.equate(label_node(self._spec, axis.name), node)
        elif isinstance(axis, Fixed):
            self._equations.pin(node, axis.index)
        elif isinstance(axis, Affine):
            kernel = axis.kernel
            window = Window(axis.stride.value, label_node(self._spec, axis.over.name), axis.offset)
            if kernel is not None:
                window = Window(
                    axis.stride.value,
                    label_node(self._spec, axis.over.name),
                    axis.offset,
                    kernel.dilation.value,
                    label_node(self._spec, kernel.label.name),
                    kernel.padded,
                )
            self._equations.window(node, window)
        elif isinstance(axis, Concat):
            components: list[Component] = [
                label_node(self._spec, part.name) if isinstance(part, Label) else Gap(part.size, number)
                for number, part in enumerate(axis.components)
            ]
            self._equations.concat(node, components)
        elif not isinstance(axis, Placeholder):
            raise TypeError(f"unknown kind of axis: {axis!r}")

    def _check_rank(self, variable: RowVariable, rank: int, tensor: _Tensor, kind: RowKind) -> None:
        place = f"the {kind} row of {tensor.word}"
        first_rank, first_place, first_span = self._ranks.setdefault(variable, (rank, place, variable.span))
        if first_rank != rank:
            self._fail(
                f"`{variable}` stands for a different number of axes: {first_rank} in {first_place}, {rank} in "
                f"{place}.",
                first_span,
                variable.span,
            )

    def _fail(self, message: str, *spans: Span) -> None:
        raise ShapeError(message, spec=self._spec.text, spans=sorted(set(spans)))
