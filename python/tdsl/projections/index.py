"""Index expressions: integer linear forms over iterators and static symbols, with quotients by positive numbers.

Printed as the dialect's affine expressions, so that a map reads like the subscript it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Quotient:
    """``dividend floordiv divisor``, rounded down; ``divisor`` > 0."""

    dividend: LinearIndex
    divisor: int

    def __str__(self) -> str:
        return f"{_atom(self.dividend)} floordiv {self.divisor}"


@dataclass(frozen=True)
class Remainder:
    """``dividend mod divisor``, never negative; ``divisor`` > 0."""

    dividend: LinearIndex
    divisor: int

    def __str__(self) -> str:
        return f"{_atom(self.dividend)} mod {self.divisor}"


# What a linear form is linear in: an iterator by its name, or a quotient or remainder.
Part: TypeAlias = str | Quotient | Remainder


@dataclass(frozen=True)
class LinearIndex:
    """``sum(coefficient * part) + sum(coefficient * symbol) + offset``.

    Parts and symbols are distinct and coefficients are not 0, which ``plus``, ``times`` and ``substitute`` preserve.
    """

    terms: tuple[tuple[Part, int], ...] = ()
    symbol_terms: tuple[tuple[str, int], ...] = ()
    offset: int = 0

    @staticmethod
    def constant(value: int) -> LinearIndex:
        """The same position for every point: a pinned axis."""
        return LinearIndex(offset=value)

    @staticmethod
    def iterator(name: str) -> LinearIndex:
        """The value of one iterator."""
        return LinearIndex(((name, 1),))

    @staticmethod
    def symbol(name: str) -> LinearIndex:
        """The value of one static symbol, known when the routine runs."""
        return LinearIndex(symbol_terms=((name, 1),))

    @property
    def is_constant(self) -> bool:
        """Whether the index is a number."""
        return not self.terms and not self.symbol_terms

    @property
    def plain_iterator(self) -> str | None:
        """The iterator that the index is, or None when it is anything else."""
        if len(self.terms) == 1 and not self.symbol_terms and self.offset == 0:
            part, coefficient = self.terms[0]
            if isinstance(part, str) and coefficient == 1:
                return part
        return None

    @property
    def is_linear(self) -> bool:
        """Whether there are no quotients and remainders."""
        return all(isinstance(part, str) for part, _ in self.terms)

    def iterators(self) -> Iterator[str]:
        """The names of the iterators in it, from left to right, repeated as often as they occur."""
        for part, _ in self.terms:
            if isinstance(part, str):
                yield part
            else:
                yield from part.dividend.iterators()

    def symbols(self) -> Iterator[str]:
        """The names of the static symbols in it."""
        for part, _ in self.terms:
            if not isinstance(part, str):
                yield from part.dividend.symbols()
        for name, _ in self.symbol_terms:
            yield name

    def plus(self, other: LinearIndex | int) -> LinearIndex:
        """The sum of two indices."""
        if isinstance(other, int):
            return LinearIndex(self.terms, self.symbol_terms, self.offset + other)
        return LinearIndex(
            _merged(self.terms, other.terms),
            _merged(self.symbol_terms, other.symbol_terms),
            self.offset + other.offset,
        )

    def times(self, factor: int) -> LinearIndex:
        """The index multiplied by a number."""
        if factor == 0:
            return LinearIndex()
        return LinearIndex(
            tuple((part, coefficient * factor) for part, coefficient in self.terms),
            tuple((name, coefficient * factor) for name, coefficient in self.symbol_terms),
            self.offset * factor,
        )

    def floordiv(self, divisor: int) -> LinearIndex:
        """The quotient by a positive number, rounded down."""
        if divisor == 1:
            return self
        if self.is_constant:
            return LinearIndex.constant(self.offset // divisor)
        return LinearIndex(((Quotient(self, divisor), 1),))

    def mod(self, divisor: int) -> LinearIndex:
        """The remainder by a positive number."""
        if divisor == 1:
            return LinearIndex()
        if self.is_constant:
            return LinearIndex.constant(self.offset % divisor)
        return LinearIndex(((Remainder(self, divisor), 1),))

    def substitute(self, values: Mapping[str, LinearIndex]) -> LinearIndex:
        """Replace iterators by indices; iterators that ``values`` does not mention stay."""
        result = LinearIndex(symbol_terms=self.symbol_terms, offset=self.offset)
        for part, coefficient in self.terms:
            if isinstance(part, str):
                value = values.get(part, LinearIndex.iterator(part))
            elif isinstance(part, Quotient):
                value = part.dividend.substitute(values).floordiv(part.divisor)
            else:
                value = part.dividend.substitute(values).mod(part.divisor)
            result = result.plus(value.times(coefficient))
        return result

    def bounds(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """The least and the greatest value when each iterator runs over its size, static symbols taken as 0.

        Both are attained by a linear form; with quotients they are a valid outer bound. All sizes must be positive.
        """
        least = greatest = self.offset
        for part, coefficient in self.terms:
            if isinstance(part, str):
                low, high = 0, sizes[part] - 1
            else:
                low, high = part.dividend.bounds(sizes)
                if isinstance(part, Quotient):
                    low, high = low // part.divisor, high // part.divisor
                else:
                    low, high = 0, part.divisor - 1
            least += min(low * coefficient, high * coefficient)
            greatest += max(low * coefficient, high * coefficient)
        return least, greatest

    def equals(self, other: LinearIndex) -> bool:
        """Whether two indices are the same form, whatever the order of their terms."""
        difference = self.plus(other.times(-1))
        return difference.is_constant and difference.offset == 0

    def __str__(self) -> str:
        printed = [_scaled(part, coefficient) for part, coefficient in (*self.terms, *self.symbol_terms)]
        text = " + ".join(printed)
        if not text:
            return str(self.offset)
        if self.offset < 0:
            return f"{text} - {-self.offset}"
        return f"{text} + {self.offset}" if self.offset else text


@dataclass(frozen=True)
class IndexMap:
    """The index of every axis of a node in memory order, as a function of the point of the space.

    ``guarded``: the map may leave the node. A point at which any read leaves its node contributes the neutral element
    of the statement's accumulator, as a whole; a write outside is skipped (spec e.4).
    """

    indices: tuple[LinearIndex, ...]
    guarded: bool = False

    def iterators(self) -> frozenset[str]:
        """The iterators that occur in it."""
        return frozenset(name for index in self.indices for name in index.iterators())

    def symbols(self) -> tuple[str, ...]:
        """The static symbols that occur in it, in order of first occurrence."""
        return tuple(dict.fromkeys(name for index in self.indices for name in index.symbols()))

    def substitute(self, values: Mapping[str, LinearIndex]) -> IndexMap:
        """Replace iterators in every index. The guard stays: fewer points can still leave the node."""
        return IndexMap(tuple(index.substitute(values) for index in self.indices), self.guarded)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.indices))}]{' guarded' if self.guarded else ''}"


def _merged(left: tuple, right: tuple) -> tuple:
    total = dict(left)
    for part, coefficient in right:
        total[part] = total.get(part, 0) + coefficient
    return tuple((part, coefficient) for part, coefficient in total.items() if coefficient)


def _scaled(part: Part | str, coefficient: int) -> str:
    if coefficient == 1:
        return str(part)
    return f"{part} * {coefficient}" if isinstance(part, str) else f"({part}) * {coefficient}"


def _atom(index: LinearIndex) -> str:
    return str(index) if index.plain_iterator else f"({index})"
