"""Shapes as values: what a caller declares and what inference returns (spec sections a.3 and d.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from tdsl.notation import RowKind
from tdsl.shapes.lattice import BROADCAST, DEFAULT

ROW_KINDS: tuple[RowKind, ...] = ("batch", "input", "output")
"""The rows in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its size and basis; None for what is not known yet. A size is at least 0."""

    size: int | None = None
    basis: str | None = None

    def __str__(self) -> str:
        text = "?" if self.size is None else str(self.size)
        implied = None if self.size is None else DEFAULT
        return text if self.basis == implied or self.basis is None else f"{text}:{self.basis}"


TOP = Axis(1, BROADCAST)
"""The axis of a number, which broadcasts into every axis."""


@dataclass(frozen=True, slots=True)
class Row:
    """Axes in memory order. ``variable`` names the further axes between ``leading`` and ``trailing``.

    The name ``""`` is a variable without a name; None means that there are no further axes: the row is closed, and its
    axes are those in ``trailing``.
    """

    leading: tuple[Axis, ...] = ()
    variable: str | None = None
    trailing: tuple[Axis, ...] = ()

    def __post_init__(self) -> None:
        if self.variable is None and self.leading:
            object.__setattr__(self, "trailing", self.leading + self.trailing)
            object.__setattr__(self, "leading", ())

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The known axes from left to right."""
        return self.leading + self.trailing

    @property
    def is_solved(self) -> bool:
        """Whether the row is closed and every axis has a size and a basis."""
        return self.variable is None and all(a.size is not None and a.basis is not None for a in self.trailing)

    def __str__(self) -> str:
        parts = [str(axis) for axis in self.leading]
        if self.variable is not None:
            parts.append(f"..{self.variable}.." if self.variable else "...")
        parts += [str(axis) for axis in self.trailing]
        return ",".join(parts)


@dataclass(frozen=True, slots=True)
class Shape:
    """The three rows of a node. ``str()`` prints ``batch|input->output``, the text that the dialect uses."""

    batch: Row = Row()
    input: Row = Row()
    output: Row = Row()

    def row(self, kind: RowKind) -> Row:
        """The row of this kind."""
        return self.batch if kind == "batch" else self.input if kind == "input" else self.output

    def rows(self) -> Iterator[tuple[RowKind, Row]]:
        """The rows with their kinds, in the order in which they are written."""
        yield "batch", self.batch
        yield "input", self.input
        yield "output", self.output

    @property
    def is_solved(self) -> bool:
        """Whether inference has nothing left to do."""
        return self.batch.is_solved and self.input.is_solved and self.output.is_solved

    @property
    def elements(self) -> int | None:
        """The number of cells, or None while the shape is not solved."""
        return prod(a.size or 0 for _, row in self.rows() for a in row.axes) if self.is_solved else None

    def __str__(self) -> str:
        return f"{self.batch}|{self.input}->{self.output}"


OPEN = Shape(Row(variable=""), Row(variable=""), Row(variable=""))
"""The shape of which nothing is known."""
