"""Integers, which wrap around in their own precision (spec a.8, k.15), and truth values.

Division truncates towards zero, as the processors' instructions do; modulo floors (spec k.8). A division by
zero gives 0, as NumPy's arrays do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tdsl.errors import DtypeError
from tdsl.ir import Precision, Primitive
from tdsl.reference.arithmetic import Arithmetic, Array, NumericArithmetic

__all__ = ["BoolArithmetic", "IntegerArithmetic"]

_TYPES = {
    Precision.U64: np.uint64,
    Precision.I64: np.int64,
    Precision.U32: np.uint32,
    Precision.I32: np.int32,
    Precision.U16: np.uint16,
    Precision.I16: np.int16,
    Precision.U8: np.uint8,
    Precision.I8: np.int8,
}


def saturated(values: Array, dtype: np.dtype[Any]) -> Array:
    """Floats as integers: truncated towards zero, clamped to the range, NaN to 0."""
    limits = np.iinfo(dtype)
    whole = np.trunc(np.where(np.isnan(values), 0, values).astype(np.float64))
    # The upper limit of 64 bits is no float, so that what reaches it is replaced after the conversion.
    above, below = whole >= float(limits.max), whole <= float(limits.min)
    numbers = np.where(above | below, 0, whole).astype(dtype)
    return np.where(above, limits.max, np.where(below, limits.min, numbers)).astype(dtype)


class IntegerArithmetic(NumericArithmetic):
    """The integers of one precision."""

    def __init__(self, precision: Precision) -> None:
        super().__init__(precision, np.dtype(_TYPES[precision]))
        self.computation = self.storage

    @property
    def poison(self) -> Any:
        return np.frombuffer(b"\xbd" * self.storage.itemsize, dtype=self.storage)[0]

    def load(self, cells: Array) -> Array:
        return cells.astype(self.computation)

    def store(self, values: Array) -> Array:
        return values.astype(self.storage)

    def convert(self, values: Array, source: Arithmetic) -> Array:
        if source.cell_shape:
            raise self.refuse_words(source, f"{self.name} numbers")
        if values.dtype == object:
            values = values.astype(np.float64)
        return values.astype(self.computation) if values.dtype.kind in "iu" else saturated(values, self.computation)

    def constant(self, number: float) -> Array:
        limits = np.iinfo(self.computation)
        if number != number or number in (np.inf, -np.inf) or number != int(number):
            raise DtypeError(f"The number {number} is not an integer, which {self.name} needs.")
        if not limits.min <= int(number) <= limits.max:
            raise DtypeError(f"The number {int(number)} is outside the range of {self.name}.")
        return np.array([int(number)], dtype=self.computation)

    def integers(self, numbers: Array) -> Array:
        return numbers.astype(self.computation)

    def bits(self, pattern: int) -> Array:
        number = self.checked_pattern(pattern)
        return np.frombuffer(number.to_bytes(self.storage.itemsize, "little"), dtype=self.storage.newbyteorder("<"))

    def uniform(self, words: Array) -> Array:
        """All bits: the integers of a precision are its uniform distribution."""
        return np.ascontiguousarray(words.astype("<u4")).view(self.storage.newbyteorder("<")).astype(self.storage)

    def extremes(self) -> tuple[Array, Array]:
        limits = np.iinfo(self.computation)
        return np.array([limits.min], self.computation), np.array([limits.max], self.computation)

    def ordered_ufunc(self, primitive: Primitive) -> np.ufunc | None:
        return {Primitive.Add: np.add, Primitive.Sub: np.subtract, Primitive.Mul: np.multiply}.get(primitive)

    def divide(self, a: Array, b: Array) -> Array:
        a, b = np.broadcast_arrays(a, b)
        floored = a // b
        # Flooring and truncation differ by one where the exact quotient is negative and not whole.
        rounded = np.where((floored * b != a) & ((a < 0) != (b < 0)), floored + self.one, floored)
        return np.where(b == 0, self.zero, rounded)

    def modulo(self, a: Array, b: Array) -> Array:
        return a % b

    def truncate(self, v: Array) -> Array:
        return v

    def power(self, a: Array, exponent: Array) -> Array:
        """By squaring; a negative exponent divides 1 by the power."""
        a, exponent = np.broadcast_arrays(a, exponent)
        negative = exponent < 0
        magnitude = np.where(negative, np.negative(exponent), exponent)
        power = self.power_by_squaring(a, magnitude.astype(np.uint64))
        # A power that wrapped to 0 stands for a large number, whose reciprocal truncates to 0.
        reciprocal = np.where(a == 1, self.one, np.where(a == -1 if self._signed else False, power, self.zero))
        return np.where(negative, reciprocal, power)

    @property
    def _signed(self) -> bool:
        return self.storage.kind == "i"


class BoolArithmetic(IntegerArithmetic):
    """Truth values: operations compute with 0 and 1 as i32, and what is not zero is stored as true."""

    def __init__(self, precision: Precision) -> None:
        NumericArithmetic.__init__(self, precision, np.dtype(np.bool_))
        self.computation = np.dtype(np.int32)

    @property
    def poison(self) -> Any:
        return True

    def store(self, values: Array) -> Array:
        return values != 0

    def convert(self, values: Array, source: Arithmetic) -> Array:
        if source.cell_shape:
            return super().convert(values, source)
        return source.truth(values).astype(self.computation)

    def constant(self, number: float) -> Array:
        if number not in (0, 1):
            raise DtypeError(f"The number {number} is neither 0 nor 1, which bool needs.")
        return np.array([int(number)], dtype=self.computation)

    def integers(self, numbers: Array) -> Array:
        return (numbers != 0).astype(self.computation)

    def bits(self, pattern: int) -> Array:
        if pattern not in (0, 1):
            raise DtypeError(f"The bits {pattern} do not fit into one cell of bool, which has 1 bit.")
        return np.array([pattern == 1])

    def uniform(self, words: Array) -> Array:
        raise DtypeError("bool has no uniform numbers in [0, 1).")

    def extremes(self) -> tuple[Array, Array]:
        return self.constant(0), self.constant(1)

    def ordered_ufunc(self, primitive: Primitive) -> np.ufunc | None:
        return None

    @property
    def _signed(self) -> bool:
        return True
