"""The gather form of scattering assignments (spec i.4): for each cell, the points that reach it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tdsl.projections.analysis import is_injective
from tdsl.projections.index import IndexMap, LinearIndex
from tdsl.projections.space import Space

# Accumulators with accum(x, neutral) = x for every x: a point that reaches no cell may contribute the neutral element.
# The logical ones normalize x to 0 or 1, and the gates replace it.
_SKIPPABLE = frozenset({"add", "sub", "mul", "div", "pow", "max", "min"})


@dataclass(frozen=True)
class _Solution:
    """``iterator = numerator / divisor``, where that is whole."""

    numerator: LinearIndex
    divisor: int

    @property
    def quotient(self) -> LinearIndex:
        return self.numerator.floordiv(self.divisor)

    def guarded_quotient(self, size: int, sizes: dict[str, int]) -> LinearIndex:
        """The quotient where the division is exact, and otherwise some position that is not below ``size``."""
        lowest = self.quotient.bounds(sizes)[0]
        return self.quotient.plus(self.numerator.mod(self.divisor).times(max(size - lowest, 1)))


def invert_scatter(
    space: Space, node_sizes: Sequence[int], source_sizes: Sequence[Sequence[int]], accumulator: str
) -> Space | None:
    """Turn a space whose result map adds up iterators, as in ``lhs[o * 2 + k]``, into one that iterates over cells.

    ``node_sizes`` are the axes of the destination in memory order, ``source_sizes`` those of each operand. In the
    result, the destination has one parallel iterator per axis. Of the iterators that an axis adds up, the longest is
    computed from the cell and the others; points at which that is not a whole number in its range read outside of a
    guarded operand, and so contribute the neutral element.

    Returns None where that is impossible or useless: the map reaches every cell at most once when the reductions are
    fixed, it has fixed or symbolic positions, no operand is indexed by an eliminated iterator alone, or the accumulator
    does not ignore its neutral element.
    """
    own = {name: size for name, size in space.sizes.items() if name in space.result.iterators()}
    if accumulator not in _SKIPPABLE or space.is_empty or 0 in node_sizes or is_injective(space.result, own):
        return None
    cells: dict[str, int] = {}
    solutions: dict[str, _Solution] = {}
    result: list[LinearIndex] = []
    for axis, (index, size) in enumerate(zip(space.result.indices, node_sizes, strict=True)):
        if index.symbol_terms or not index.is_linear or (index.is_constant and size != 1):
            return None
        plain = index.plain_iterator
        if index.is_constant:
            result.append(index)
        elif plain is not None and space.sizes[plain] == size and plain not in cells:
            cells[plain] = size
            result.append(index)
        else:
            name = _unused(f"cell{axis}", (*space.sizes, *space.symbols))
            eliminated = _eliminable(space, index, source_sizes)
            if eliminated is None:
                return None
            cells[name] = size
            result.append(LinearIndex.iterator(name))
            solutions[eliminated] = _solve(index, eliminated, name)
    sizes = {**cells, **{name: size for name, size in space.sizes.items() if name not in {*cells, *solutions}}}
    operands = tuple(
        None if m is None else _read(m, m_sizes, space, solutions, sizes)
        for m, m_sizes in zip(space.operands, source_sizes, strict=True)
    )
    return Space.of(sizes, IndexMap(tuple(result)), operands)


def _eliminable(space: Space, index: LinearIndex, source_sizes: Sequence[Sequence[int]]) -> str | None:
    """The longest iterator of an axis that occurs in no other axis and has an operand to guard it, or None."""
    occurrences = [name for other in space.result.indices for name in other.iterators()]
    candidates = [
        name
        for name in index.iterators()
        if occurrences.count(name) == 1
        and any(
            _guards(read, size, name, space)
            for m, m_sizes in zip(space.operands, source_sizes, strict=True)
            if m is not None
            for read, size in zip(m.indices, m_sizes, strict=True)
        )
    ]
    return max(candidates, key=lambda name: space.sizes[name], default=None)


def _guards(read: LinearIndex, size: int, name: str, space: Space) -> bool:
    """Whether this read is in range exactly when the iterator is."""
    return read.plain_iterator == name and space.sizes[name] == size


def _solve(index: LinearIndex, eliminated: str, cell: str) -> _Solution:
    coefficient = dict(index.terms)[eliminated]
    rest = index.plus(LinearIndex.iterator(eliminated).times(-coefficient))
    numerator = LinearIndex.iterator(cell).plus(rest.times(-1))
    return _Solution(numerator if coefficient > 0 else numerator.times(-1), abs(coefficient))


def _read(
    m: IndexMap, m_sizes: Sequence[int], space: Space, solutions: dict[str, _Solution], sizes: dict[str, int]
) -> IndexMap:
    """The map of an operand in the gather form, guarded where it can leave the operand."""
    quotients = {name: solution.quotient for name, solution in solutions.items()}
    indices: list[LinearIndex] = []
    guarded = m.guarded
    for read, size in zip(m.indices, m_sizes, strict=True):
        plain = read.plain_iterator
        if plain is not None and plain in solutions and _guards(read, size, plain, space):
            index = solutions[plain].guarded_quotient(size, sizes)
        else:
            index = read.substitute(quotients)
        if not read.symbol_terms:
            least, greatest = index.bounds(sizes)
            guarded = guarded or least < 0 or greatest >= size
        indices.append(index)
    return IndexMap(tuple(indices), guarded)


def _unused(wanted: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    return next(name for name in (wanted, *(f"{wanted}_{n}" for n in range(len(taken)))) if name not in taken)
