"""Arrays with rows, and what counts as an array."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tdsl

X = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({}, "|->2,3,4"),
        ({"batch": 1}, "2|->3,4"),
        ({"input": 2}, "|3,4->2"),
        ({"batch": 1, "input": 1}, "2|4->3"),
        ({"batch": 3}, "2,3,4|->"),
        ({"rows": "2|4->3"}, "2|4->3"),
        ({"rows": "?|?:rgb->3"}, "2|4:rgb->3"),
    ],
    ids=str,
)
def test_rows(options: dict[str, Any], rows: str) -> None:
    found = tdsl.asarray(X, **options)
    assert found.rows == rows
    assert np.shares_memory(found, X)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"batch": 2, "input": 2},
            tdsl.ShapeError,
            "batch=2 and input=2 need 4 axes or more, but the array has 3: its shape is [2, 3, 4].",
        ),
        (
            {"batch": -1},
            tdsl.ShapeError,
            "batch=-1 and input=0 are numbers of axes: they cannot be negative.",
        ),
        (
            {"rows": "2|3->4"},
            tdsl.ShapeError,
            "rows='2|3->4' is [2, 4, 3] in memory order (batch, output, input), but the array is [2, 3, 4].",
        ),
        (
            {"rows": "2,3"},
            tdsl.ShapeError,
            "rows='2,3' is [2, 3] in memory order (batch, output, input), but the array is [2, 3, 4].",
        ),
        (
            {"rows": "2|..r..->3"},
            tdsl.ShapeError,
            "rows='2|..r..->3' has a row of unknown length: write its axes, with `?` for unknown sizes.",
        ),
        ({"rows": "2|4->3", "batch": 1}, TypeError, "asarray takes either rows, or batch and input."),
    ],
    ids=str,
)
def test_wrong_rows(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        tdsl.asarray(X, **options)
    assert str(caught.value) == message


def test_results_are_numpy_arrays() -> None:
    result = tdsl.einsum1("i|j => j|i", tdsl.asarray(X[0], batch=1))
    assert isinstance(result, np.ndarray)
    assert result.rows == "4|->3"
    assert float(result.sum()) == X[0].sum()
    assert type(np.asarray(result)) is np.ndarray


@pytest.mark.parametrize(
    "derive",
    [
        lambda x: x + 1,
        lambda x: x.T,
        lambda x: x[0],
        lambda x: x.copy(),
        lambda x: x.reshape(4, 2, 3),
        lambda x: np.exp(x),
        copy.deepcopy,
        lambda x: pickle.loads(pickle.dumps(x)),
    ],
    ids=["add", "transpose", "index", "copy", "reshape", "exp", "deepcopy", "pickle"],
)
def test_what_numpy_derives_is_output_only(derive) -> None:
    found = derive(tdsl.asarray(X, batch=1, input=1))
    assert found.rows == f"|->{','.join(map(str, found.shape))}"


def test_an_array_that_changes_its_shape_in_place_is_output_only() -> None:
    array = tdsl.asarray(X.copy(), batch=1)
    array.resize((3, 8), refcheck=False)
    assert array.rows == "|->3,8"


class _Exchanged:
    """An object that gives its cells by DLPack alone."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


class _OnOtherDevice(_Exchanged):
    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("the array is on a GPU")


def test_dlpack() -> None:
    found = tdsl.einsum1("ij => ji", _Exchanged(X[0]))
    np.testing.assert_array_equal(found, X[0].T)
    assert tdsl.asarray(_Exchanged(X), batch=1).rows == "2|->3,4"
    with pytest.raises(tdsl.DtypeError) as caught:
        tdsl.relu(_OnOtherDevice(X))
    assert str(caught.value) == "relu needs an array, but _OnOtherDevice cannot be read as one: the array is on a GPU"


def test_lists_and_numbers() -> None:
    assert tdsl.einsum("ij; j => i", [[1, 2], [3, 4]], [10, 1]).tolist() == [12, 34]
    assert tdsl.add(1.5, [1.0, 2.0]).tolist() == [2.5, 3.5]
    # A number is an axis that stretches, 1:bcast_if_1.
    assert tdsl.add(1, 2).rows == "|->1:bcast_if_1"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            np.ma.masked_array([1.0, 2.0], [True, False]),
            "neg was given a masked array: its mask would be ignored; fill it first, for example with .filled(0).",
        ),
        (
            np.array([1.0, 2.0], ">f4"),
            "operand 1 of neg is in the byte order of another machine: convert it with .astype('float32').",
        ),
        (np.array([1j]), "operand 1 of neg holds complex128 (complex numbers), which it does not take; it takes "),
        (np.array(["a"]), "operand 1 of neg holds <U1 (strings), which it does not take; it takes "),
        (None, "operand 1 of neg holds object (Python objects), which it does not take; it takes "),
        (np.array(["2000"], "M8[D]"), "operand 1 of neg holds datetime64[D] (dates), which it does not take; "),
        (np.zeros(2, "i4,i4"), "operand 1 of neg holds "),
        (np.zeros(2, ml_dtypes.float8_e5m2), "operand 1 of neg holds float8_e5m2, which it does not take; it takes "),
        ([[1], [2, 3]], "neg needs an array, but list cannot be read as one: "),
    ],
    ids=["masked", "byte order", "complex", "string", "object", "date", "record", "8-bit float", "ragged"],
)
def test_what_is_not_taken(value: Any, message: str) -> None:
    with pytest.raises(tdsl.DtypeError) as caught:
        tdsl.neg(value)
    assert str(caught.value).startswith(message)


def test_numbers_that_do_not_fit() -> None:
    with pytest.raises(tdsl.DtypeError) as caught:
        tdsl.add(np.ones(3, np.uint8), 300)
    assert str(caught.value) == "add was given 300, which does not fit in uint8."

    with pytest.raises(tdsl.DtypeError) as caught:
        tdsl.add(np.ones(3), 10**5000)
    assert str(caught.value) == "add was given a huge integer, which does not fit in float64."


@pytest.mark.parametrize("operation", [tdsl.exp, lambda x: tdsl.pow(x, 2)], ids=["exp", "pow"])
def test_functions_of_integers_that_need_floats(operation) -> None:
    with pytest.raises(tdsl.DtypeError, match="needs floats, not int64: convert the operand first, for example with"):
        operation(np.arange(3))


TRUE = np.array([True, False, True])
ARITHMETIC_OF_TRUTH = {
    "add": lambda: tdsl.add(TRUE, TRUE),
    "sub": lambda: tdsl.sub(TRUE, TRUE),
    "mul": lambda: tdsl.mul(TRUE, TRUE),
    "div": lambda: tdsl.div(TRUE, TRUE),
    "mod": lambda: tdsl.mod(TRUE, TRUE),
    "fma": lambda: tdsl.fma(TRUE, TRUE, TRUE),
    "neg": lambda: tdsl.neg(TRUE),
    "matmul": lambda: tdsl.matmul(tdsl.asarray(TRUE, input=1), TRUE),
    "einsum1": lambda: tdsl.einsum1("i => |->", TRUE),
    "einsum": lambda: tdsl.einsum("i; i => i", TRUE, TRUE),
    "outer_sum": lambda: tdsl.outer_sum("i; j => ij", TRUE, TRUE),
    "tropical": lambda: tdsl.tropical("i; j => ij", TRUE, TRUE),
    "where_einsum": lambda: tdsl.where_einsum("i; i; i => |->", TRUE, TRUE, TRUE),
}


@pytest.mark.parametrize("name", ARITHMETIC_OF_TRUTH)
def test_truth_values_have_no_arithmetic(name: str) -> None:
    with pytest.raises(tdsl.DtypeError) as caught:
        ARITHMETIC_OF_TRUTH[name]()
    assert str(caught.value) == (
        f"{name} of bool cells would be bool, too, which has no arithmetic: "
        "convert an operand first, for example with .astype('int64')."
    )


def test_truth_values_can_be_moved_and_selected() -> None:
    assert tdsl.einsum1("i => i1", TRUE).tolist() == [[False, True], [False, False], [False, True]]
    assert tdsl.einmax1("i => |->", TRUE).item() is True
    assert tdsl.concat("a; b => a^b", TRUE, ~TRUE).tolist() == [*TRUE, *~TRUE]
    assert tdsl.where(TRUE, ~TRUE, TRUE).tolist() == [False, False, False]
    assert tdsl.mul(TRUE, np.arange(3)).tolist() == [0, 0, 2]
