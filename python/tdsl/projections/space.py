"""Iteration spaces: what derivation finds (spec e.1), printed as the dialect's ``#tdsl.space`` attribute."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tdsl.projections.index import IndexMap, LinearIndex
from tdsl.projections.shape import ClosedShape


@dataclass(frozen=True)
class Iterator:
    """One iterator of a space: it takes the values 0 .. ``size`` - 1.

    ``reduction``: it does not occur in the map of the result, so that several points may meet in one cell.
    """

    name: str
    size: int
    reduction: bool

    def __str__(self) -> str:
        return f"{self.name} {self.size} {'reduction' if self.reduction else 'parallel'}"


@dataclass(frozen=True)
class Space:
    """Iterators in product order (the last varies fastest) and the map of the result and of each operand.

    An operand that takes no part, because the space is the segment of a concatenation that it is not in, has None.
    """

    iterators: tuple[Iterator, ...]
    result: IndexMap
    operands: tuple[IndexMap | None, ...]

    @staticmethod
    def of(sizes: dict[str, int], result: IndexMap, operands: tuple[IndexMap | None, ...]) -> Space:
        """Build a space from the sizes of its iterators, in product order. Derives which are reductions (spec e.5)."""
        kept = result.iterators()
        return Space(tuple(Iterator(name, size, name not in kept) for name, size in sizes.items()), result, operands)

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each iterator by its name, in product order."""
        return {iterator.name: iterator.size for iterator in self.iterators}

    @property
    def is_empty(self) -> bool:
        """Whether there is no point."""
        return any(iterator.size == 0 for iterator in self.iterators)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The static symbols in the maps, in order of first occurrence."""
        maps = [self.result, *(m for m in self.operands if m is not None)]
        return tuple(dict.fromkeys(name for m in maps for name in m.symbols()))

    @property
    def active_operands(self) -> tuple[int, ...]:
        """The numbers of the operands that take part, counted from 0."""
        return tuple(number for number, m in enumerate(self.operands) if m is not None)

    def restrict(self, values: dict[str, int]) -> Space:
        """The points at which the given iterators have the given values; these iterators disappear."""
        constants = {name: LinearIndex.constant(value) for name, value in values.items()}
        return Space.of(
            {name: size for name, size in self.sizes.items() if name not in values},
            self.result.substitute(constants),
            tuple(None if m is None else m.substitute(constants) for m in self.operands),
        )

    def __str__(self) -> str:
        """The text that follows ``#tdsl.space`` in the dialect; every operand must take part for it to parse there."""
        head = f"[{', '.join(map(str, self.iterators))}]"
        symbols = f" symbols [{', '.join(self.symbols)}]" if self.symbols else ""
        maps = [f"lhs{self.result}"]
        maps += [f"rhs{number + 1}{m}" for number, m in enumerate(self.operands) if m is not None]
        return f"<{head}{symbols} {' '.join(maps)}>"


@dataclass(frozen=True)
class Projections:
    """The index space that all assignments of one operation share.

    Several ``segments``, one after the other, only where axes are concatenated; none when no operand meets the result.
    ``spec`` is the text of the einsum spec, for messages.
    """

    segments: tuple[Space, ...]
    operands: tuple[ClosedShape, ...]
    result: ClosedShape
    spec: str | None = None

    def with_segments(self, segments: tuple[Space, ...]) -> Projections:
        """The same operation over other segments."""
        return replace(self, segments=segments)
