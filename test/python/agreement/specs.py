"""Specs as plain values, and how they are written: what the generator makes and the brute force evaluates.

Nothing here or in the brute force uses tdsl, so that a mistake of its parser or its inference cannot hide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("batch", "input", "output")
#: Axes lie in memory in this order (spec a.3).
MEMORY_ORDER = ("batch", "output", "input")


@dataclass(frozen=True)
class Label:
    """An axis that one label iterates."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pin:
    """An axis at one position."""

    index: int

    def __str__(self) -> str:
        return str(self.index)


@dataclass(frozen=True)
class Anything:
    """``_``: an axis that is iterated and has no name."""

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True)
class Affine:
    """``stride*over + offset``, or with a kernel the window ``stride*over < + dilation*kernel`` (spec c.2, d.7)."""

    stride: int
    over: str
    offset: int = 0
    dilation: int = 1
    kernel: str | None = None
    padded: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.over,) if self.kernel is None else (self.over, self.kernel)

    def __str__(self) -> str:
        text = f"{self.stride}*{self.over}" if self.stride > 1 or self.kernel is None else self.over
        if self.kernel is None:
            return f"{text}+{self.offset}" if self.offset else text
        dilated = f"{self.dilation}*{self.kernel}" if self.dilation > 1 else self.kernel
        return f"{text}{'=' if self.padded else '<'}+{dilated}"


@dataclass(frozen=True)
class Concat:
    """``a^3^b``: segments after each other, each a label or a number of cells that are skipped (spec d.8)."""

    components: tuple[str | int, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(part for part in self.components if isinstance(part, str))

    def __str__(self) -> str:
        return "^".join(map(str, self.components))


Axis = Label | Pin | Anything | Affine | Concat


@dataclass(frozen=True)
class Row:
    """The axes of a row before and after its row variable, if it has one: ``...`` or a name."""

    leading: tuple[Axis, ...] = ()
    variable: str | None = None
    trailing: tuple[Axis, ...] = ()

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.leading + self.trailing

    @property
    def is_context(self) -> bool:
        """Whether the row is what an omitted one means."""
        return self == Row((), "...", ())


@dataclass(frozen=True)
class Shape:
    """The rows that a spec gives to a tensor."""

    batch: Row = Row()
    input: Row = Row()
    output: Row = Row()

    def row(self, kind: str) -> Row:
        return {"batch": self.batch, "input": self.input, "output": self.output}[kind]

    def axes(self) -> Iterator[Axis]:
        for kind in KINDS:
            yield from self.row(kind).axes


@dataclass(frozen=True)
class Spec:
    """``operands => result``."""

    operands: tuple[Shape, ...]
    result: Shape

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return (*self.operands, self.result)

    def axes(self) -> Iterator[Axis]:
        for shape in self.shapes:
            yield from shape.axes()


#: The sizes of a tensor's axes, by the kind of row.
Sizes = dict[str, list[int]]


@dataclass(frozen=True)
class Case:
    """A spec with closed operands, and the assignment that uses it.

    ``result`` is what the generator made the result's sizes to be. ``is_open``: the program leaves them to inference.
    """

    spec: Spec
    text: str
    operands: tuple[Sizes, ...]
    result: Sizes
    is_open: bool
    accumulator: str
    primitive: str
    reset: bool
    block: bool
    precision: str
    seed: int

    def __str__(self) -> str:
        shapes = ", ".join(shape_text(sizes) for sizes in self.operands)
        reset = "reset " if self.reset else ""
        block = "block " if self.block else ""
        result = shape_text(self.result) + (" (inferred)" if self.is_open else "")
        return f"{self.text!r} on {shapes} -> {result}: {reset}{self.accumulator} = {block}{self.primitive}"


def shape_text(sizes: Sizes) -> str:
    """Closed sizes as the dialect writes them."""
    rows = {kind: ",".join(map(str, sizes[kind])) for kind in KINDS}
    return f"{rows['batch']}|{rows['input']}->{rows['output']}"


def memory_sizes(sizes: Sizes) -> tuple[int, ...]:
    return tuple(size for kind in MEMORY_ORDER for size in sizes[kind])


def is_multichar(spec: Spec) -> bool:
    """Whether the spec cannot be written in single characters (spec c.1)."""
    return any(isinstance(axis, Affine | Concat) for axis in spec.axes())


def write(spec: Spec, commas: bool, blank: str = "") -> str:
    """The text of a spec; ``commas`` says whether they separate axes, ``blank`` is put around separators."""
    separator = f",{blank}" if commas else blank
    operands = f";{blank}".join(_write_shape(shape, separator) for shape in spec.operands)
    return f"{operands} => {_write_shape(spec.result, separator)}"


def _write_shape(shape: Shape, separator: str) -> str:
    text = "" if shape.batch.is_context else f"{_write_row(shape.batch, separator)}|"
    text += "" if shape.input.is_context else f"{_write_row(shape.input, separator)}->"
    return text + _write_row(shape.output, separator)


def _write_row(row: Row, separator: str) -> str:
    parts = [str(axis) for axis in row.leading]
    if row.variable is not None:
        parts.append("..." if row.variable == "..." else f"..{row.variable}..")
    return separator.join([*parts, *(str(axis) for axis in row.trailing)])
