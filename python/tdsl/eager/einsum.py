"""Operations with an einsum spec, computed on arrays (spec g.1)."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tdsl.eager.analysis import Scope
from tdsl.eager.arrays import Array, memory_sizes, shape_of, to_numpy, with_rows
from tdsl.eager.compute import compute
from tdsl.eager.operations import SPEC_OPERATIONS, WHERE_EINSUM, Operation
from tdsl.errors import ShapeError
from tdsl.shapes import Axis, Row, Shape
from tdsl.shapes.lattice import DEFAULT

__all__ = ["concat", "einmax1", "einsum", "einsum1", "outer_sum", "stack", "tropical", "where_einsum"]

_ROW_KINDS = ("batch", "input", "output")


def einsum(
    spec: str,
    *arrays: Any,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """The sum of products of one, two or three arrays, ``einsum("ij; jk => ik", a, b)`` (spec c).

    Args:
        spec: The spec. Omitted rows pass through; ``->`` and ``|`` before nothing close them.
        arrays: NumPy arrays, DLPack objects, numbers or nested lists; output-only unless ``tdsl.asarray`` says more.
        use_padding: Whether a plain ``+`` before a kernel pads.
        sizes: The sizes of labels, and the numbers of elements of row variables, that the shapes leave open.
        result: What is known of the shape of the result, ``"batch|input->output"``.
        out: The array to write to.
        coefficients: The integers that named strides and dilations stand for.

    Returns:
        A new array, or a view of ``out``, that carries ``.rows``. It has the strongest precision of the operands;
        integers are added up in that precision, and wrap in it.

    Raises:
        SpecSyntaxError: The spec is wrong, or has no such label or coefficient.
        ShapeError: The shapes do not fit the spec, or do not determine the result.
        DtypeError: An array holds something that the operation does not take.
    """
    return _apply(SPEC_OPERATIONS["einsum"], spec, arrays, use_padding, sizes, result, out, coefficients)


def einsum1(
    spec: str,
    array: Any,
    /,
    *,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """Permutation, sums, diagonals and traces of one array, ``einsum1("ii => |->", a)``. Otherwise as ``einsum``."""
    return _apply(SPEC_OPERATIONS["einsum1"], spec, [array], use_padding, sizes, result, out, coefficients)


def outer_sum(
    spec: str,
    first: Any,
    second: Any,
    /,
    *,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """The sum of the sums of two arrays, ``outer_sum("i; j => ij", a, b)``. Otherwise as ``einsum``.

    An axis that is summed out counts every element once for each point of it, those of arrays without the axis, too.
    """
    return _apply(SPEC_OPERATIONS["outer_sum"], spec, [first, second], use_padding, sizes, result, out, coefficients)


def tropical(
    spec: str,
    first: Any,
    second: Any,
    /,
    *,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """The maximum of the sums of two arrays, ``tropical("ij; jk => ik", a, b)``. Otherwise as ``einsum``.

    Cells that are not reached are the least of their type: ``-inf`` for floats.
    """
    return _apply(
        SPEC_OPERATIONS["tropical"],
        spec,
        [first, second],
        use_padding,
        sizes,
        result,
        out,
        coefficients,
    )


def einmax1(
    spec: str,
    array: Any,
    /,
    *,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """The maximum of one array, ``einmax1("ij => i", a)``. NaN is kept. Otherwise as ``tropical``."""
    return _apply(SPEC_OPERATIONS["einmax1"], spec, [array], use_padding, sizes, result, out, coefficients)


def where_einsum(
    spec: str,
    condition: Any,
    first: Any,
    second: Any,
    /,
    *,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """The sum of ``first`` where the condition is not 0, and of ``second`` elsewhere. Otherwise as ``einsum``."""
    operands = [condition, first, second]
    return _apply(WHERE_EINSUM, spec, operands, use_padding, sizes, result, out, coefficients)


def concat(
    spec: str,
    *arrays: Any,
    use_padding: bool | None = None,
    sizes: Mapping[str, int] | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
    **coefficients: int,
) -> Array:
    """Arrays one after the other, ``concat("a; b => a^b", x, y)``, and parts, ``concat("3^a^5 => a", x)`` (spec d.8).

    Otherwise as ``einsum``, for any number of arrays.
    """
    return _apply(SPEC_OPERATIONS["concat"], spec, arrays, use_padding, sizes, result, out, coefficients)


def stack(
    arrays: Sequence[Any], axis: Literal["batch", "input", "output"] = "output", *, out: np.ndarray | None = None
) -> Array:
    """Arrays of one shape along a new first axis of a row (spec g.1).

    Raises:
        ShapeError: There are no arrays, their shapes differ, or there is no such row.
        DtypeError: An array holds something that the operation does not take.
    """
    if axis not in _ROW_KINDS:
        raise ShapeError(f"stack adds an axis to the batch, input or output row, not to {axis!r}.")
    if not len(arrays):
        raise ShapeError("stack needs at least 1 array: the shape of the result is theirs.")
    components = [f"n{number}" for number in range(len(arrays))]
    operands = "; ".join(_row_before(axis, component) for component in components)
    spec = f"{operands} => {_row_before(axis, '^'.join(components))}"
    return compute(SPEC_OPERATIONS["concat"], [_with_axis(array, axis) for array in arrays], spec=spec, out=out)


def _row_before(kind: str, component: str) -> str:
    """A shape of a spec whose row of this kind begins with ``component``."""
    first = {row: f"{component}, ..." if row == kind else "..." for row in _ROW_KINDS}
    # The comma selects the mode with names of several characters.
    return f"{first['batch']}|{first['input']}->{first['output']}"


def _with_axis(value: Any, kind: str) -> np.ndarray:
    """The array with a first axis of size 1 in a row: the unsqueeze of spec g.1, without a copy."""
    array = to_numpy(value, "stack")
    rows: dict[str, Row] = dict(shape_of(array).rows())
    before = {"batch": 0, "output": len(rows["batch"].axes)}
    before["input"] = before["output"] + len(rows["output"].axes)
    rows[kind] = Row(trailing=(Axis(1, DEFAULT), *rows[kind].axes))
    shape = Shape(rows["batch"], rows["input"], rows["output"])
    expanded = np.expand_dims(np.asarray(array), before[kind])
    assert expanded.shape == memory_sizes(shape)
    return with_rows(expanded, shape)


def _apply(
    operation: Operation,
    spec: str,
    arrays: Sequence[Any],
    use_padding: bool | None,
    sizes: Mapping[str, int] | None,
    result: str | None,
    out: np.ndarray | None,
    coefficients: Mapping[str, int],
) -> Array:
    if not isinstance(spec, str):
        raise TypeError(
            f"The first argument of {operation.name} is a spec such as 'ij; jk => ik', not {type(spec).__name__}."
        )
    if sizes is not None and not isinstance(sizes, Mapping):
        raise TypeError(f"sizes maps labels to sizes, as in {{'k': 3}}; it is not {type(sizes).__name__}.")
    if result is not None and not isinstance(result, str):
        raise TypeError(f"result is a shape such as '2|3->4', not {type(result).__name__}.")
    scope = Scope(
        {key: _integer(f"coefficient `{key}`", value) for key, value in coefficients.items()},
        use_padding,
        {key: _integer(f"size of `{key}`", value) for key, value in (sizes or {}).items()},
    )
    return compute(operation, arrays, spec=spec, scope=scope, result=result, out=out)


def _integer(what: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"The {what} is an integer, not {type(value).__name__}.") from None
