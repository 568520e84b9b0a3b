"""128-bit words of random streams: ``uint4x32`` cells and the threefry function of the language (spec b.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tdsl.errors import DtypeError
from tdsl.ir import Precision, Primitive
from tdsl.reference.arithmetic import Arithmetic, Array
from tdsl.reference.integers import IntegerArithmetic

__all__ = ["WordArithmetic", "split", "spread", "threefry"]

_PARITY = 0x1BD11BDA
_FIRST_ROTATIONS = (13, 15, 26, 6)
_SECOND_ROTATIONS = (17, 29, 16, 24)


def _rotate_left(words: Array, count: int) -> Array:
    return (words << np.uint32(count)) | (words >> np.uint32(32 - count))


def _mix(x: list[Array], a: int, b: int, rotation: int) -> None:
    x[a] = x[a] + x[b]
    x[b] = _rotate_left(x[b], rotation) ^ x[a]


def _round(x: list[Array], rotations: tuple[int, int, int, int]) -> None:
    for first, second in (rotations[:2], rotations[2:]):
        _mix(x, 0, 1, first)
        _mix(x, 2, 3, second)
        x[1], x[3] = x[3], x[1]


def threefry(key: Array, counter: Array, *, crypto: bool) -> Array:
    """The function of spec b.6 on rows of four uint32 words: 2 rounds, or 20 with ``crypto``."""
    keys = [key[:, i] for i in range(4)]
    keys.append(keys[0] ^ keys[1] ^ keys[2] ^ keys[3] ^ np.uint32(_PARITY))
    x = [counter[:, i] + keys[i] for i in range(4)]
    for j in range(1, 6 if crypto else 2):
        for _ in range(2 if crypto else 1):
            _round(x, _FIRST_ROTATIONS)
            _round(x, _SECOND_ROTATIONS)
        x = [x[q] + keys[(j + q) % 5] for q in range(4)]
        x[3] = x[3] + np.uint32(j)
    return np.stack(x, axis=1)


def spread(numbers: Array) -> Array:
    """32-bit numbers as counters, with their bits in all four words."""
    x = numbers.astype(np.uint32)
    return np.stack([x, x ^ np.uint32(0x9E3779B9), x ^ np.uint32(0x6C078965), x ^ _rotate_left(x, 16)], axis=1)


def split(numbers: Array) -> Array:
    """64-bit numbers as words (low, high, 0, 0)."""
    x = numbers.astype(np.uint64)
    low, high = (x & np.uint64(0xFFFFFFFF)).astype(np.uint32), (x >> np.uint64(32)).astype(np.uint32)
    return np.stack([low, high, np.zeros_like(low), np.zeros_like(low)], axis=1)


class WordArithmetic(Arithmetic):
    """``uint4x32``: nothing is computed with words, they are moved and drawn from."""

    cell_shape = (4,)

    def __init__(self, precision: Precision) -> None:
        super().__init__(precision, np.dtype(np.uint32))

    @property
    def poison(self) -> Any:
        return np.uint32(0xBDBDBDBD)

    def load(self, cells: Array) -> Array:
        return cells

    def store(self, values: Array) -> Array:
        return values

    def convert(self, values: Array, source: Arithmetic) -> Array:
        if source.cell_shape:
            return values
        if not isinstance(source, IntegerArithmetic):
            raise DtypeError(f"{source.name} numbers do not become {self.name} words: a counter is an integer.")
        return split(values) if source.storage.itemsize == 8 else spread(values)

    def constant(self, number: float) -> Array:
        if number != 0:
            raise DtypeError(f"The number {number} says nothing about four words; write its bits.")
        return np.zeros((1, 4), np.uint32)

    def integers(self, numbers: Array) -> Array:
        if (numbers > 0xFFFFFFFF).any():
            raise DtypeError("An index beyond 32 bits does not become a counter of uint4x32.")
        return spread(numbers)

    def bits(self, pattern: int) -> Array:
        return split(np.array([pattern % (1 << 64)], np.uint64))

    def uniform(self, words: Array) -> Array:
        raise DtypeError(f"{self.name} words are what uniform numbers are made of, not a precision of their own.")

    def apply(self, primitive: Primitive, *operands: Array) -> Array:
        if primitive in (Primitive.Threefry4x32, Primitive.Threefry4x32Crypto):
            key, counter = np.broadcast_arrays(*operands)
            return threefry(key, counter, crypto=primitive == Primitive.Threefry4x32Crypto)
        raise self.refuse(primitive)

    def truth(self, values: Array) -> Array:
        return (values != 0).any(axis=1)

    def extremes(self) -> tuple[Array, Array]:
        raise DtypeError(f"{self.name} words have no order.")
