"""Checks of the arrays that users pass, before anything runs or is written."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from tdsl.codegen.signature import Argument
from tdsl.errors import DtypeError, ShapeError, TdslError

__all__ = ["check_output", "is_masked", "new_array", "overlap", "prepare_input", "usable_array"]


def is_masked(value: object) -> bool:
    """Whether a value is a masked array of NumPy, whose module takes long to import, so this does not."""
    module = sys.modules.get("numpy.ma")
    return module is not None and isinstance(value, module.MaskedArray)


def _check_kind(argument: Argument, array: np.ndarray) -> None:
    if is_masked(array):
        raise DtypeError(
            f"node '{argument.name}' was given a masked array: its mask would be ignored; "
            "fill it first, for example with .filled(0)"
        )
    if array.dtype.hasobject:
        raise DtypeError(
            f"node '{argument.name}' was given an array of Python objects; it holds {argument.dtype}: "
            f"convert it with .astype('{argument.dtype}')"
        )
    if array.dtype != argument.dtype:
        swapped = array.dtype.newbyteorder() == argument.dtype
        raise DtypeError(
            f"node '{argument.name}' holds {argument.dtype}, but was given {array.dtype}"
            + (", the same type in the other byte order" if swapped else "")
            + f": convert it with .astype('{argument.dtype}')"
        )


def _check_shape(argument: Argument, array: np.ndarray) -> None:
    if array.shape == argument.shape:
        return
    wanted, given = list(argument.shape), list(array.shape)
    if len(wanted) != len(given):
        raise ShapeError(
            f"node '{argument.name}' has {len(wanted)} axes {wanted} in memory order (batch, output, input), "
            f"but was given {len(given)} axes {given}"
        )
    axis = next(i for i, (w, g) in enumerate(zip(wanted, given, strict=True)) if w != g)
    raise ShapeError(
        f"node '{argument.name}' has size {wanted[axis]} on axis {axis}, but was given size {given[axis]}: "
        f"its axes in memory order (batch, output, input) are {wanted}, not {given}"
    )


def _converted(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers in the type of a node: rounded for floats, but never changed for integers and truth values."""
    if dtype.kind not in "biu":
        with np.errstate(over="ignore"):
            return array.astype(dtype)
    with np.errstate(invalid="ignore"):
        converted = array.astype(dtype)
    lost = ~(converted == array)
    if array.dtype.kind in "iu" and dtype.kind in "iu":
        lost |= (converted < 0) != (array < 0)
    if lost.any():
        raise ValueError(f"{array[lost].flat[0]} is not one of its values")
    return converted


def prepare_input(argument: Argument, value: Any) -> np.ndarray:
    """An array that native code can read: of the right type and shape, contiguous and aligned.

    Numbers and nested lists are converted to the type of the node, if it can hold them. An array keeps its memory where
    its layout allows it, and is copied where it does not.

    Raises:
        DtypeError: The array has another type, holds Python objects, or is masked, or a number does not fit.
        ShapeError: The array has other axes.
    """
    if isinstance(value, np.ndarray):
        array = value
        _check_kind(argument, array)
    else:
        try:
            array = np.asarray(value)
            if array.dtype.kind not in "biufc" and array.dtype != argument.dtype:
                raise TypeError(f"got {type(value).__name__}")
            if array.dtype.kind == "c":
                raise TypeError("complex numbers have no place in a node")
            array = _converted(array, argument.dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise DtypeError(f"node '{argument.name}' needs an array of {argument.dtype} or numbers: {error}") from None
    _check_shape(argument, array)
    return usable_array(argument, array)


def new_array(argument: Argument) -> np.ndarray:
    """An array for a node, whose cells are not set yet."""
    if argument.alignment <= argument.dtype.alignment:
        return np.empty(argument.shape, argument.dtype)
    # NumPy promises the alignment of the dtype only.
    number = math.prod(argument.shape) * argument.dtype.itemsize
    memory = np.empty(number + argument.alignment, np.uint8)
    start = -memory.ctypes.data % argument.alignment
    return memory[start : start + number].view(argument.dtype).reshape(argument.shape)


def usable_array(argument: Argument, array: np.ndarray) -> np.ndarray:
    """The array itself where native code can use its memory, and a copy where it is not contiguous or not aligned."""
    array = np.require(array, requirements=["C", "A"])
    if argument.alignment <= argument.dtype.alignment or array.ctypes.data % argument.alignment == 0:
        return array
    copy = new_array(argument)
    np.copyto(copy, array)
    return copy


def check_output(argument: Argument, array: Any) -> np.ndarray:
    """The array of a node that the routine writes, as it is: it has to be writable in place or by a copy back.

    Raises:
        DtypeError, ShapeError: As for inputs; numbers and lists cannot be written to.
        TdslError: The array is read-only, or several of its cells share memory.
    """
    if not isinstance(array, np.ndarray):
        raise DtypeError(
            f"node '{argument.name}' is written by the routine, so it needs a NumPy array, not {type(array).__name__}"
        )
    _check_kind(argument, array)
    _check_shape(argument, array)
    if not array.flags.writeable:
        raise TdslError(f"node '{argument.name}' is written by the routine, but its array is read-only")
    if _cells_overlap(array):
        raise TdslError(
            f"node '{argument.name}' is written by the routine, but several cells of its array are the same memory "
            "(a broadcast view): pass a copy"
        )
    return array


def _cells_overlap(array: np.ndarray) -> bool:
    """Whether cells of one array share memory. True also for layouts so twisted that only a search could tell."""
    if array.size == 0:
        return False
    steps = sorted((abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1)
    reach = array.itemsize
    for stride, size in steps:
        if stride < reach:
            return True
        reach += stride * (size - 1)
    return False


def overlap(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays share memory. True also where finding out would take long."""
    limit: Any = 10_000  # NumPy's stubs know only its two special values.
    try:
        return np.shares_memory(first, second, max_work=limit)
    except np.exceptions.TooHardError:
        return True
