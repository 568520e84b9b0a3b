"""The precision of each operand and of the result of an eager operation (spec a.8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from tdsl.eager.operations import Operation
from tdsl.errors import DtypeError
from tdsl.ir import Precision
from tdsl.ir.precision import numpy_dtype, promote

__all__ = ["operand_precisions", "result_precision"]

_FLOATS = frozenset({Precision.F64, Precision.F32, Precision.BF16, Precision.F16, Precision.F8})


def operand_precisions(operation: Operation, operands: Sequence[np.ndarray | bool | int | float]) -> list[Precision]:
    """The precision of each operand: that of the array, or for a Python number the one that fits the arrays.

    A number takes the precision of the arrays. Where they cannot hold it, a float becomes f32 and an integer i64; so
    do numbers among themselves.

    Raises:
        DtypeError: An array holds something that is no number, or the operation needs floats.
    """
    precisions = [
        _array_precision(operation, number, operand) if isinstance(operand, np.ndarray) else None
        for number, operand in enumerate(operands, 1)
    ]
    known = [precision for precision in precisions if precision is not None]
    if operation.has_condition:
        known = [precision for precision in precisions[1:] if precision is not None]
    for operand in operands:
        if isinstance(operand, np.ndarray):
            continue
        if isinstance(operand, float) and not _FLOATS & set(known):
            known.append(Precision.F32)
        elif not isinstance(operand, (bool, float)) and not set(known) - {Precision.Bool}:
            known.append(Precision.I64)
    common = promote(known) or Precision.Bool
    found = [common if precision is None else precision for precision in precisions]
    if operation.needs_floats and promote(found) not in _FLOATS:
        raise DtypeError(
            f"{operation.name} of {numpy_dtype(found[0])} cells would be rounded to integers: "
            "convert the operand first, for example with .astype('float32')."
        )
    return found


def result_precision(operation: Operation, operands: Sequence[Precision]) -> Precision:
    """The strongest precision of the operands; ``bool`` for comparisons and logic."""
    if operation.is_truth:
        return Precision.Bool
    strongest = promote(operands[1:] if operation.has_condition else operands)
    assert strongest is not None  # every operation has operands
    return strongest


def _array_precision(operation: Operation, number: int, array: np.ndarray) -> Precision:
    if array.dtype.isnative and array.dtype in (by_dtype := _by_dtype()):
        return by_dtype[array.dtype]
    operand = f"operand {number} of {operation.name}"
    if not array.dtype.isnative and array.dtype.kind in "iuf":
        native = array.dtype.newbyteorder("=")
        raise DtypeError(f"{operand} is in the byte order of another machine: convert it with .astype('{native}').")
    held = {"O": "Python objects", "c": "complex numbers", "U": "strings", "S": "bytes", "M": "dates", "m": "times"}
    what = f" ({held[array.dtype.kind]})" if array.dtype.kind in held else ""
    known = ", ".join(map(str, _by_dtype()))
    raise DtypeError(f"{operand} holds {array.dtype}{what}, which no precision can; there are {known}.")


@cache
def _by_dtype() -> dict[np.dtype, Precision]:
    return {dtype: precision for precision in Precision if (dtype := numpy_dtype(precision)) is not None}
