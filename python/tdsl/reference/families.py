"""Which arithmetic each precision has: as on a machine, or exact."""

from __future__ import annotations

from functools import cache

from tdsl.ir import Precision
from tdsl.reference.arithmetic import Arithmetic
from tdsl.reference.floats import FloatArithmetic
from tdsl.reference.integers import BoolArithmetic, IntegerArithmetic
from tdsl.reference.rationals import RationalArithmetic
from tdsl.reference.words import WordArithmetic

__all__ = ["machine", "rational"]

_FLOATS = frozenset({Precision.F64, Precision.F32, Precision.BF16, Precision.F16, Precision.F8})


@cache
def machine(precision: Precision) -> Arithmetic:
    """The numbers that a machine computes with in this precision.

    Raises UnsupportedError for bf16 and f8 where the package ml_dtypes is missing.
    """
    if precision in _FLOATS:
        return FloatArithmetic(precision)
    if precision == Precision.UInt4x32:
        return WordArithmetic(precision)
    return BoolArithmetic(precision) if precision == Precision.Bool else IntegerArithmetic(precision)


@cache
def rational(precision: Precision) -> Arithmetic:
    """Exact rationals for every float; integers, truth values and words as on a machine."""
    return RationalArithmetic(precision) if precision in _FLOATS else machine(precision)
