"""Closed shapes: the input of derivation (spec a.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tdsl.notation import RowKind

MEMORY_ORDER: tuple[RowKind, ...] = ("batch", "output", "input")


@dataclass(frozen=True)
class ClosedAxis:
    """An axis whose size is known: ``size`` >= 0 and the name of its basis (spec d.2)."""

    size: int
    basis: str = "default"

    def __str__(self) -> str:
        return str(self.size) if self.basis == "default" else f"{self.size}:{self.basis}"


@dataclass(frozen=True)
class ClosedShape:
    """The three rows of a tensor node, each a tuple of axes from left to right."""

    batch: tuple[ClosedAxis, ...] = ()
    input: tuple[ClosedAxis, ...] = ()
    output: tuple[ClosedAxis, ...] = ()

    @staticmethod
    def of(
        *,
        batch: Iterable[int | ClosedAxis] = (),
        input: Iterable[int | ClosedAxis] = (),
        output: Iterable[int | ClosedAxis] = (),
    ) -> ClosedShape:
        """Build a shape; a plain number is an axis of that size with basis ``default``."""
        rows = ([a if isinstance(a, ClosedAxis) else ClosedAxis(a) for a in row] for row in (batch, input, output))
        return ClosedShape(*map(tuple, rows))

    def row(self, kind: RowKind) -> tuple[ClosedAxis, ...]:
        """The axes of one row."""
        if kind == "batch":
            return self.batch
        return self.input if kind == "input" else self.output

    def memory_axes(self) -> Iterator[tuple[RowKind, int, ClosedAxis]]:
        """Kind of row, position in the row and axis, in memory order: batch, output, input."""
        for kind in MEMORY_ORDER:
            for position, axis in enumerate(self.row(kind)):
                yield kind, position, axis

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of all axes in memory order."""
        return tuple(axis.size for _, _, axis in self.memory_axes())

    def __str__(self) -> str:
        batch, input_, output = (",".join(map(str, row)) for row in (self.batch, self.input, self.output))
        return f"{batch}|{input_}->{output}"
