"""Exact rationals in place of floats: what a program computes when nothing is rounded.

A value is a :class:`fractions.Fraction`, or a float that is an infinity or a NaN: the neutral elements of maximum and
minimum, and poison. Operations without a rational result raise :class:`tdsl.errors.DtypeError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from tdsl.errors import DtypeError
from tdsl.ir import Precision, Primitive
from tdsl.ir.precision import bytes_per_cell
from tdsl.reference.arithmetic import Arithmetic, Array, NumericArithmetic

__all__ = ["RationalArithmetic"]

_Value: TypeAlias = "Fraction | float"


def _exact(number: Any) -> _Value:
    """A number as a fraction, unless it is not finite."""
    if isinstance(number, Fraction):
        return number
    if isinstance(number, (int, np.integer, np.bool_)):
        return Fraction(int(number))
    number = float(number)
    return Fraction(number) if math.isfinite(number) else number


def _sign(value: _Value) -> float:
    """A float that stands for a fraction beside an infinity, where only its sign counts."""
    return float((value > 0) - (value < 0)) if isinstance(value, Fraction) else value


def _each(function: Callable[..., Any]) -> Callable[..., Array]:
    """A function of numbers as one of arrays."""

    def apply(*arrays: Array) -> Array:
        aligned = np.broadcast_arrays(*arrays)
        results = [function(*numbers) for numbers in zip(*(array.ravel() for array in aligned), strict=True)]
        return np.array(results, dtype=object).reshape(aligned[0].shape)

    return apply


def _elementwise(operation: Callable[[Any, Any], Any]) -> Callable[[Array, Array], Array]:
    def apply(a: _Value, b: _Value) -> _Value:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return operation(a, b)
        return _exact(operation(_sign(a), _sign(b)))

    return _each(apply)


def _quotient(a: Any, b: Any) -> Any:
    if b == 0:
        raise DtypeError("An exact rational is divided by zero.")
    return a / b


def _remainder(a: Any, b: Any) -> Any:
    if not (isinstance(a, Fraction) and isinstance(b, Fraction)):
        raise DtypeError("An exact remainder needs finite numbers.")
    if b == 0:
        raise DtypeError("An exact rational is divided by zero.")
    return a % b


def _power(a: Any, b: Any) -> Any:
    if b == 0:
        return Fraction(1)
    if not isinstance(b, Fraction) or b.denominator != 1:
        raise DtypeError(f"An exact power needs a whole exponent, but got {b}.")
    if a == 0 and b < 0:
        raise DtypeError("An exact rational is divided by zero.")
    return a ** int(b)


class RationalArithmetic(NumericArithmetic):
    """Rationals in the place of the floats of ``precision``."""

    def __init__(self, precision: Precision) -> None:
        super().__init__(precision, np.dtype(object))

    @property
    def name(self) -> str:
        return "exact rationals"

    @property
    def poison(self) -> Any:
        return math.nan

    def load(self, cells: Array) -> Array:
        return cells

    def store(self, values: Array) -> Array:
        return values

    def convert(self, values: Array, source: Arithmetic) -> Array:
        if source.cell_shape:
            raise self.refuse_words(source, "rationals")
        return _each(_exact)(values)

    def constant(self, number: float) -> Array:
        return np.array([_exact(number)], dtype=object)

    def integers(self, numbers: Array) -> Array:
        return _each(_exact)(numbers)

    def bits(self, pattern: int) -> Array:
        raise DtypeError("Exact rationals have no bits.")

    def uniform(self, words: Array) -> Array:
        """The fractions that the bits of each lane are of their range, without dropping any."""
        width = bytes_per_cell(self.precision)
        lanes = np.ascontiguousarray(words.astype("<u4")).view(f"<u{width}")
        return _each(lambda bits: Fraction(int(bits), 1 << (8 * width)))(lanes)

    def extremes(self) -> tuple[Array, Array]:
        return self.constant(-math.inf), self.constant(math.inf)

    def apply(self, primitive: Primitive, *operands: Array) -> Array:
        return super().apply(primitive, *operands).astype(object)

    def add(self, a: Array, b: Array) -> Array:
        return _elementwise(lambda x, y: x + y)(a, b)

    def subtract(self, a: Array, b: Array) -> Array:
        return _elementwise(lambda x, y: x - y)(a, b)

    def multiply(self, a: Array, b: Array) -> Array:
        return _elementwise(lambda x, y: x * y)(a, b)

    def divide(self, a: Array, b: Array) -> Array:
        return _elementwise(_quotient)(a, b)

    def modulo(self, a: Array, b: Array) -> Array:
        return _each(_remainder)(a, b)

    def power(self, a: Array, exponent: Array) -> Array:
        return _each(_power)(a, exponent)

    def truncate(self, v: Array) -> Array:
        return _each(lambda x: Fraction(math.trunc(x)) if isinstance(x, Fraction) else x)(v)

    def refuse(self, primitive: Primitive) -> DtypeError:
        return DtypeError(f"Exact rationals have no operation {primitive.name.lower()}: its results are not rational.")
