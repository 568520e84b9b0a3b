"""Arrays with rows: what eager operations take and return (spec a.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tdsl.errors import DtypeError, ShapeError
from tdsl.runtime.arrays import is_masked
from tdsl.shapes import Axis, Row, Shape, parse_shape
from tdsl.shapes.lattice import DEFAULT

__all__ = ["Array", "asarray", "memory_sizes", "shape_of", "to_numpy"]

#: The place of each row's axes in memory.
_MEMORY_ORDER = ("batch", "output", "input")


class Array(np.ndarray):
    """A NumPy array that knows which of its axes are batch, output and input axes; in memory they come in this order.

    It is used like any array. NumPy's own functions know nothing of rows: what they make of it, views included, is
    output-only again, as every plain array is.
    """

    _rows: Shape | None

    def __array_finalize__(self, base: object) -> None:
        self._rows = None

    @property
    def rows(self) -> str:
        """The shape as the notation writes it, ``"batch|input->output"``."""
        return str(shape_of(self))


def asarray(value: Any, *, batch: int = 0, input: int = 0, rows: str | None = None) -> Array:
    """Says which axes of an array are batch and input axes; it shares the memory of the array.

    Args:
        value: A NumPy array, an object with ``__dlpack__`` or ``__array__``, a number, or nested lists.
        batch: How many leading axes are batch axes.
        input: How many trailing axes are input axes; those between are output axes.
        rows: Instead of both, the whole shape, which may give bases and leave sizes open: ``"?|3->16:rgb"``.

    Raises:
        ShapeError: The array has fewer axes, or ``rows`` is not its shape.
        SpecSyntaxError: ``rows`` is not a shape.
        DtypeError: The value is no array of numbers.
    """
    array = to_numpy(value, "asarray")
    if rows is None:
        if batch < 0 or input < 0 or batch + input > array.ndim:
            raise ShapeError(
                f"batch={batch} and input={input} need {max(batch, 0) + max(input, 0)} axes or more, "
                f"but the array has {array.ndim}: its shape is {list(array.shape)}."
                if batch >= 0 and input >= 0
                else f"batch={batch} and input={input} are numbers of axes: they cannot be negative."
            )
        axes = [Axis(size, DEFAULT) for size in array.shape]
        output = array.ndim - input
        shape = Shape(*(Row(trailing=tuple(part)) for part in (axes[:batch], axes[output:], axes[batch:output])))
    elif batch or input:
        raise TypeError("asarray takes either rows, or batch and input.")
    else:
        shape = _fitted(parse_shape(rows), array, rows)
    return with_rows(array, shape)


def with_rows(array: np.ndarray, shape: Shape) -> Array:
    """The same memory with the rows of a solved shape."""
    result = array.view(Array)
    result._rows = shape
    return result


def shape_of(array: np.ndarray) -> Shape:
    """The shape of an array: its rows if it has them, otherwise an output row."""
    if isinstance(array, Array) and array._rows is not None and memory_sizes(array._rows) == array.shape:
        return array._rows
    return Shape(output=Row(trailing=tuple(Axis(size, DEFAULT) for size in array.shape)))


def memory_sizes(shape: Shape) -> tuple[int, ...]:
    """The sizes of a solved shape in memory order: batch, output, input."""
    return tuple(axis.size or 0 for kind in _MEMORY_ORDER for axis in shape.row(kind).axes)


def to_numpy(value: Any, user: str) -> np.ndarray:
    """The array that an argument is, without a copy where it is one already. ``user`` names who asks, for errors.

    Raises:
        DtypeError: It is masked, or no array of numbers.
    """
    if is_masked(value):
        raise DtypeError(
            f"{user} was given a masked array: its mask would be ignored; fill it first, for example with .filled(0)."
        )
    if isinstance(value, np.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__") and not isinstance(value, np.generic):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise DtypeError(f"{user} needs an array, but {type(value).__name__} cannot be read as one: {error}") from None


def _fitted(declared: Shape, array: np.ndarray, text: str) -> Shape:
    """The declared shape with its open sizes filled in from the array."""
    if any(row.variable is not None for _, row in declared.rows()):
        raise ShapeError(f"rows={text!r} has a row of unknown length: write its axes, with `?` for unknown sizes.")
    axes = [axis for kind in _MEMORY_ORDER for axis in declared.row(kind).axes]
    fits = len(axes) == array.ndim
    if not fits or any(axis.size not in (None, size) for axis, size in zip(axes, array.shape, strict=True)):
        wanted = ", ".join("?" if axis.size is None else str(axis.size) for axis in axes)
        raise ShapeError(
            f"rows={text!r} is [{wanted}] in memory order (batch, output, input), but the array is {list(array.shape)}."
        )
    sizes = iter(array.shape)
    rows = {
        kind: Row(trailing=tuple(Axis(next(sizes), axis.basis or DEFAULT) for axis in declared.row(kind).axes))
        for kind in _MEMORY_ORDER
    }
    return Shape(rows["batch"], rows["input"], rows["output"])
