"""IEEE floats (spec a.8, b.5).

f64 computes in f64. f32 and everything narrower compute in f32 and round when a cell is stored. Operations that IEEE
leaves to libraries (exp, sin, pow with a fractional exponent, ...) are evaluated in f64 and rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tdsl.errors import UnsupportedError
from tdsl.ir import Precision, Primitive
from tdsl.ir.precision import bytes_per_cell
from tdsl.reference.arithmetic import Arithmetic, Array, NumericArithmetic

__all__ = ["FloatArithmetic"]

#: The types that NumPy lacks; f8 is the one with infinities, so that it has the neutral elements of max and min.
_EXTENSION_TYPES = {Precision.BF16: "bfloat16", Precision.F8: "float8_e5m2"}
_NATIVE_TYPES = {Precision.F64: np.float64, Precision.F32: np.float32, Precision.F16: np.float16}
_UNSIGNED = {1: np.dtype("<u1"), 2: np.dtype("<u2"), 4: np.dtype("<u4"), 8: np.dtype("<u8")}


def _storage(precision: Precision) -> np.dtype[Any]:
    if precision in _NATIVE_TYPES:
        return np.dtype(_NATIVE_TYPES[precision])
    try:
        import ml_dtypes
    except ImportError:
        raise UnsupportedError(f"Cells of {precision.name.lower()} need the package ml_dtypes.") from None
    return np.dtype(getattr(ml_dtypes, _EXTENSION_TYPES[precision]))


class FloatArithmetic(NumericArithmetic):
    """The floats of one precision."""

    def __init__(self, precision: Precision) -> None:
        super().__init__(precision, _storage(precision))
        #: The dtype of values: each operation rounds to it.
        self.computation = np.dtype(np.float64 if precision == Precision.F64 else np.float32)
        self._unsigned = _UNSIGNED[bytes_per_cell(precision)]
        library: dict[Primitive, Callable[[Array], Array]] = {
            Primitive.Exp: np.exp,
            Primitive.Log: np.log,
            Primitive.Exp2: np.exp2,
            Primitive.Log2: np.log2,
            Primitive.Sin: np.sin,
            Primitive.Cos: np.cos,
            Primitive.Tanh: np.tanh,
            Primitive.RecipSqrt: lambda v: 1 / np.sqrt(v),
        }
        self._operations.update({primitive: self._in_f64(function) for primitive, function in library.items()})
        self._operations[Primitive.Sqrt] = np.sqrt

    def _in_f64(self, function: Callable[..., Array]) -> Callable[..., Array]:
        return lambda *operands: function(*(v.astype(np.float64) for v in operands)).astype(self.computation)

    @property
    def poison(self) -> Any:
        return np.nan

    def load(self, cells: Array) -> Array:
        return cells.astype(self.computation)

    def store(self, values: Array) -> Array:
        return values.astype(self.storage)

    def convert(self, values: Array, source: Arithmetic) -> Array:
        if source.cell_shape:
            raise self.refuse_words(source, f"{self.name} numbers")
        return values.astype(self.computation)

    def constant(self, number: float) -> Array:
        return np.array([number], dtype=self.computation)

    def integers(self, numbers: Array) -> Array:
        return numbers.astype(self.computation)

    def bits(self, pattern: int) -> Array:
        return np.array([self.checked_pattern(pattern)], dtype=self._unsigned).view(self.storage)

    def extremes(self) -> tuple[Array, Array]:
        return self.constant(-np.inf), self.constant(np.inf)

    def ordered_ufunc(self, primitive: Primitive) -> np.ufunc | None:
        if self.storage != self.computation:
            return None
        return {Primitive.Add: np.add, Primitive.Sub: np.subtract, Primitive.Mul: np.multiply}.get(primitive)

    def divide(self, a: Array, b: Array) -> Array:
        return a / b

    def modulo(self, a: Array, b: Array) -> Array:
        return np.mod(a, b)

    def truncate(self, v: Array) -> Array:
        return np.trunc(v)

    def maximum(self, a: Array, b: Array) -> Array:
        # Of two zeros the positive one is the larger (IEEE 754-2019 maximum).
        return super().maximum(np.where((a == b) & np.signbit(a), b, a), np.where((a == b) & np.signbit(b), a, b))

    def minimum(self, a: Array, b: Array) -> Array:
        return super().minimum(np.where((a == b) & np.signbit(b), b, a), np.where((a == b) & np.signbit(a), a, b))

    def power(self, a: Array, exponent: Array) -> Array:
        """Whole exponents by squaring, others by the platform's pow (spec b.5)."""
        a, exponent = np.broadcast_arrays(a, exponent)
        whole = np.isfinite(exponent) & (np.floor(exponent) == exponent)
        # The exponent stays a float, so that 1e300 ends after a thousand halvings.
        power = self.power_by_squaring(a, np.where(whole, np.abs(exponent), 0).astype(np.float64))
        power = np.where(exponent < 0, self.one / power, power)
        return np.where(whole, power, self._in_f64(np.power)(a, exponent))

    def uniform(self, words: Array) -> Array:
        """Single precision drops 8 of 32 bits (spec b.6); the others keep what they hold, rounded towards zero.

        Rounding to nearest would reach 1, which is outside [0, 1).
        """
        if self.precision == Precision.F32:
            return ((words >> 8) * 2.0**-24).astype(np.float32)
        lanes = np.ascontiguousarray(words.astype("<u4")).view(self._unsigned)
        bits = 8 * self._unsigned.itemsize
        if bits == 64:
            high, low = (lanes >> np.uint64(32)).astype(np.float64), (lanes & np.uint64(0xFFFFFFFF)).astype(np.float64)
            nearest = high * 2.0**32 + low
            # Both differences are exact, so the comparison is.
            rounded_up = nearest - high * 2.0**32 > low
            return np.where(rounded_up, np.nextafter(nearest, 0), nearest) * 2.0**-64
        exact = lanes.astype(np.float32) * np.float32(2.0**-bits)
        cells = exact.astype(self.storage)
        patterns = cells.view(self._unsigned)
        # One pattern less is the next smaller number, since these are positive.
        return (
            np.where(cells.astype(np.float32) > exact, patterns - 1, patterns).astype(self._unsigned).view(self.storage)
        )
