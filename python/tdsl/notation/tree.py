"""The syntax tree of a generalized einsum spec (spec section c.2).

Every node remembers where it was written, as a ``span`` of character offsets (start, end) into the text of the spec.
Spans, and the text itself, take no part in comparisons: two nodes are equal when they mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Span: TypeAlias = tuple[int, int]
RowKind: TypeAlias = Literal["batch", "input", "output"]


@dataclass(frozen=True, slots=True)
class Placeholder:
    """``_``: an axis that is there, and about which nothing is said."""

    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True, slots=True)
class Fixed:
    """``2``: the axis is pinned to this index (spec c.4); it has at least ``index + 1`` positions."""

    index: int
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return str(self.index)


@dataclass(frozen=True, slots=True)
class Label:
    """``i``: an axis iterated by the label of this name."""

    name: str
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The factor before a label in an affine axis: ``value`` >= 1, and the identifier it was written as, if any."""

    value: int = 1
    name: str | None = None
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return str(self.value) if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class Kernel:
    """The kernel of an affine axis: ``+ dilation*label``, padded (``=+``) or valid (``<+``)."""

    dilation: Coefficient
    label: Label
    padded: bool
    span: Span = field(default=(0, 0), compare=False, repr=False)

    @property
    def marker(self) -> str:
        """``=`` or ``<``: how the padding is written."""
        return "=" if self.padded else "<"

    def __str__(self) -> str:
        return _scaled(self.dilation, self.label)


@dataclass(frozen=True, slots=True)
class Affine:
    """``stride*over<+offset+dilation*kernel``: an axis whose index is an affine function of labels (spec d.7).

    Without a kernel the index is ``stride*over + offset``. Always 0 <= ``offset`` < ``stride.value``.
    """

    stride: Coefficient
    over: Label
    offset: int = 0
    kernel: Kernel | None = None
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        offset = f"+{self.offset}" if self.offset else ""
        if self.kernel is None:
            # The stride is printed even when it is 1: a bare label would read back as a Label.
            return f"{self.stride}*{self.over}{offset}"
        return f"{_scaled(self.stride, self.over)}{self.kernel.marker}{offset}+{self.kernel}"


@dataclass(frozen=True, slots=True)
class Size:
    """``3`` in ``3^a``: a component of a concatenation that has this size and is skipped (spec d.8)."""

    size: int
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return str(self.size)


@dataclass(frozen=True, slots=True)
class Concat:
    """``a^b^3``: an axis that runs through its components (at least two) one after the other (spec d.8)."""

    components: tuple[Label | Size, ...]
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return "^".join(map(str, self.components))


Axis: TypeAlias = Placeholder | Fixed | Label | Affine | Concat


@dataclass(frozen=True, slots=True)
class ReservedRow:
    """``...`` or an omitted row: the one row variable per kind that every shape of a spec shares (spec c.3)."""

    kind: RowKind
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return "..."


@dataclass(frozen=True, slots=True)
class NamedRow:
    """``..name..``: a row variable; the same name may stand in rows of different kinds."""

    name: str
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        return f"..{self.name}.."


RowVariable: TypeAlias = ReservedRow | NamedRow


@dataclass(frozen=True, slots=True)
class RowSpec:
    """One row of a shape: leading axes, at most one row variable, trailing axes, in memory order.

    A row without a row variable has exactly the axes in ``trailing``, and ``leading`` is empty. ``written`` is False
    for a row whose separator was left out, which reads as the reserved row variable of its kind (spec c.3); the span
    of such a row is the span of its shape. The span of a row that was written empty is its separator.
    """

    leading: tuple[Axis, ...]
    variable: RowVariable | None
    trailing: tuple[Axis, ...]
    written: bool = True
    span: Span = field(default=(0, 0), compare=False, repr=False)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of the row from left to right, without the row variable."""
        return self.leading + self.trailing


@dataclass(frozen=True, slots=True)
class ShapeSpec:
    """The shape of one operand or of the result, ``batch|input->output``."""

    batch: RowSpec
    input: RowSpec
    output: RowSpec
    span: Span = field(default=(0, 0), compare=False, repr=False)

    def rows(self) -> Iterator[tuple[RowKind, RowSpec]]:
        """The rows with their kinds, in the order in which they are written: batch, input, output."""
        yield "batch", self.batch
        yield "input", self.input
        yield "output", self.output


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole spec: the shapes of the operands (at least one) and of the result.

    ``text`` is what was parsed. ``multichar`` is the mode of spec c.1: axes are separated by commas and may have names
    of several characters. ``str()`` prints the spec so that it parses to an equal one.
    """

    text: str = field(compare=False)
    multichar: bool
    operands: tuple[ShapeSpec, ...]
    result: ShapeSpec

    def shapes(self) -> Iterator[ShapeSpec]:
        """The shapes as written: operands from left to right, then the result."""
        yield from self.operands
        yield self.result

    def __str__(self) -> str:
        # Imported here because the printer is built on this tree.
        from tdsl.notation.printer import to_text

        return to_text(self)


def axis_labels(axis: Axis) -> tuple[Label, ...]:
    """The labels that an axis mentions, from left to right."""
    if isinstance(axis, Label):
        return (axis,)
    if isinstance(axis, Affine):
        return (axis.over,) if axis.kernel is None else (axis.over, axis.kernel.label)
    if isinstance(axis, Concat):
        return tuple(component for component in axis.components if isinstance(component, Label))
    return ()


def _scaled(coefficient: Coefficient, label: Label) -> str:
    if coefficient.name is None and coefficient.value == 1:
        return label.name
    return f"{coefficient}*{label}"
