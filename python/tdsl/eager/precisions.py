"""The precision of each operand and of the result of an eager operation (spec a.8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from tdsl.eager.operations import Operation
from tdsl.errors import DtypeError
from tdsl.ir import Precision
from tdsl.ir.precision import numpy_dtype, promote
from tdsl.projections import AssignmentPlan, Write

__all__ = ["check_arithmetic", "operand_precisions", "result_precision"]

_ARITHMETIC = frozenset({"add", "div", "fma", "mod", "mul", "mul3", "neg", "sub"})
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
            f"{operation.name} needs floats, not {numpy_dtype(found[0])}: "
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


def check_arithmetic(operation: Operation, plan: AssignmentPlan, operands: Sequence[Precision]) -> None:
    """Refuse to add or multiply truth values: the precision of the result could not hold what is meant.

    Raises:
        DtypeError: All operands are booleans, and the operation is arithmetic.
    """
    if result_precision(operation, operands) is not Precision.Bool or operation.is_truth:
        return
    adds_up = operation.accumulator == "add" and any(step.write is Write.ACCUMULATE for step in plan.steps)
    if adds_up or operation.primitive(len(operands)) in _ARITHMETIC:
        raise DtypeError(
            f"{operation.name} of bool cells would be bool, too, which has no arithmetic: "
            "convert an operand first, for example with .astype('int64')."
        )


def _array_precision(operation: Operation, number: int, array: np.ndarray) -> Precision:
    for by_dtype in (_numpys_own, _by_dtype):
        if array.dtype.isnative and array.dtype in by_dtype():
            return by_dtype()[array.dtype]
    operand = f"operand {number} of {operation.name}"
    if not array.dtype.isnative and array.dtype.kind in "iuf":
        native = array.dtype.newbyteorder("=")
        raise DtypeError(f"{operand} is in the byte order of another machine: convert it with .astype('{native}').")
    held = {"O": "Python objects", "c": "complex numbers", "U": "strings", "S": "bytes", "M": "dates", "m": "times"}
    what = f" ({held[array.dtype.kind]})" if array.dtype.kind in held else ""
    known = ", ".join(map(str, _by_dtype()))
    raise DtypeError(f"{operand} holds {array.dtype}{what}, which it does not take; it takes {known}.")


@cache
def _numpys_own() -> dict[np.dtype, Precision]:
    # Found first: the package that has the other types takes long to import.
    own = (precision for precision in Precision if precision not in (Precision.BF16, Precision.F8))
    return {dtype: precision for precision in own if (dtype := numpy_dtype(precision)) is not None}


@cache
def _by_dtype() -> dict[np.dtype, Precision]:
    # There is no code for cells of 8-bit floats in this version.
    supported = (precision for precision in Precision if precision is not Precision.F8)
    return {dtype: precision for precision in supported if (dtype := numpy_dtype(precision)) is not None}
