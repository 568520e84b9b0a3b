"""Facts about precisions: order of promotion, sizes, NumPy types (spec a.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tdsl.ir._tdsl_enum_gen import Precision

if TYPE_CHECKING:
    import numpy as np

__all__ = ["PROMOTION_ORDER", "bytes_per_cell", "cells_per_word", "numpy_dtype", "promote"]

#: Strongest first. The specification ranks the types that it knows, of which ``byte`` is ``u8``; ``i16``, ``i8`` and
#: ``bool`` stand where their sizes put them.
PROMOTION_ORDER: tuple[Precision, ...] = (
    Precision.UInt4x32,
    Precision.F64,
    Precision.F32,
    Precision.BF16,
    Precision.F16,
    Precision.F8,
    Precision.U64,
    Precision.I64,
    Precision.U32,
    Precision.I32,
    Precision.U16,
    Precision.I16,
    Precision.U8,
    Precision.I8,
    Precision.Bool,
)

_RANK = {precision: rank for rank, precision in enumerate(PROMOTION_ORDER)}

_BYTES = {
    Precision.UInt4x32: 16,
    Precision.F64: 8,
    Precision.F32: 4,
    Precision.BF16: 2,
    Precision.F16: 2,
    Precision.F8: 1,
    Precision.U64: 8,
    Precision.I64: 8,
    Precision.U32: 4,
    Precision.I32: 4,
    Precision.U16: 2,
    Precision.I16: 2,
    Precision.U8: 1,
    Precision.I8: 1,
    Precision.Bool: 1,
}


def promote(precisions: Iterable[Precision]) -> Precision | None:
    """The strongest of ``precisions``, or None for none (spec a.8)."""
    return min(precisions, key=_RANK.__getitem__, default=None)


def bytes_per_cell(precision: Precision) -> int:
    """The bytes that one cell takes in memory."""
    return _BYTES[precision]


def cells_per_word(precision: Precision) -> int:
    """How many cells one 128-bit random word becomes (spec b.6)."""
    return 16 // _BYTES[precision]


_NUMPY_NAMES = {
    Precision.F64: "float64",
    Precision.F32: "float32",
    Precision.F16: "float16",
    Precision.U64: "uint64",
    Precision.I64: "int64",
    Precision.U32: "uint32",
    Precision.I32: "int32",
    Precision.U16: "uint16",
    Precision.I16: "int16",
    Precision.U8: "uint8",
    Precision.I8: "int8",
    Precision.Bool: "bool",
}

_ML_DTYPES_NAMES = {Precision.BF16: "bfloat16", Precision.F8: "float8_e5m2"}


def numpy_dtype(precision: Precision) -> np.dtype | None:
    """The NumPy type of a cell; None for ``uint4x32``, and for bf16 and f8 where ``ml_dtypes`` is not installed."""
    # Imported where it is used: passes need this module, and tools that only run passes no arrays.
    import numpy as np

    if precision in _NUMPY_NAMES:
        return np.dtype(_NUMPY_NAMES[precision])
    if precision in _ML_DTYPES_NAMES:
        try:
            import ml_dtypes
        except ImportError:
            return None
        return np.dtype(getattr(ml_dtypes, _ML_DTYPES_NAMES[precision]))
    return None
