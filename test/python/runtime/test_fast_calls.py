"""The native call takes what it can use as it is; everything else gives the same results more slowly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tdsl

from .programs import one_assignment


@pytest.fixture(scope="module")
def routine() -> tdsl.Routine:
    return tdsl.compile(one_assignment("ij; j => i", ("->3,4", "->4"), primitive="mul"))["run"]


def _arrays() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(12, dtype="f4").reshape(3, 4), np.array([1, 2, 3, 4], "f4")


FAST: dict[str, Callable[[tdsl.Routine, np.ndarray, np.ndarray], Any]] = {
    "keywords": lambda r, a, b: r(x1=a, x2=b),
    "keywords in another order": lambda r, a, b: r(x2=b, x1=a),
    "names that are not interned": lambda r, a, b: r(**{"".join(["x", "1"]): a, "".join(["x", "2"]): b}),
    "a dictionary": lambda r, a, b: r({"x1": a, "x2": b}),
    "both": lambda r, a, b: r({"x1": a}, x2=b),
    "a keyword that replaces a value": lambda r, a, b: r({"x1": None, "x2": b}, x1=a),
    "read-only inputs": lambda r, a, b: (a.setflags(write=False), r(x1=a, x2=b))[1],
    "an output": lambda r, a, b: r(x1=a, x2=b, y=np.full(3, np.nan, "f4")),
    "another object of the same type": lambda r, a, b: r(x1=a.view(np.dtype("f4", metadata={"unit": "m"})), x2=b),
}


@pytest.mark.parametrize("name", FAST)
def test_plain_arrays_are_called_natively(routine: tdsl.Routine, name: str) -> None:
    a, b = _arrays()
    with mock.patch.object(tdsl.Routine, "_call_slowly", side_effect=AssertionError("slow")):
        np.testing.assert_array_equal(FAST[name](routine, a, b)["y"], [20, 60, 100])


class _Sub(np.ndarray):
    pass


class _Liar:
    """Claims to be equal to whatever it is compared with, and has the same hash."""

    def __init__(self, name: str) -> None:
        self._hash = hash(name)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return True


def _misaligned(array: np.ndarray) -> np.ndarray:
    result = np.zeros(array.nbytes + 1, "u1")[1:].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


SLOW: dict[str, Callable[[np.ndarray], Any]] = {
    "column major": np.asfortranarray,
    "negative strides": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "odd strides": lambda a: np.repeat(a, 3, 1)[:, ::3],
    "strides that are no multiple of a cell": lambda a: np.array(
        [(0, tuple(row)) for row in a], np.dtype([("tag", "u1"), ("cells", "f4", 4)])
    )["cells"],
    "misaligned": _misaligned,
    "subclass": lambda a: a.view(_Sub),
    "nested lists": lambda a: a.tolist(),
}


@pytest.mark.parametrize("name", SLOW)
def test_other_arrays_give_the_same_results(routine: tdsl.Routine, name: str) -> None:
    a, b = _arrays()
    given = SLOW[name](a)
    np.testing.assert_array_equal(np.asarray(given), a)
    np.testing.assert_array_equal(routine(x1=given, x2=b)["y"], [20, 60, 100])


def test_zero_strides_are_read_and_not_written(routine: tdsl.Routine) -> None:
    row = np.broadcast_to(np.array([1, 0, 0, 0], "f4"), (3, 4))
    np.testing.assert_array_equal(routine(x1=row, x2=np.broadcast_to(np.float32(2), 4))["y"], [2, 2, 2])
    a, b = _arrays()
    with pytest.raises(tdsl.TdslError, match=r"read-only|same memory"):
        routine(x1=a, x2=b, y=np.broadcast_to(np.float32(0), 3))


def test_keys_that_are_not_names(routine: tdsl.Routine) -> None:
    a, b = _arrays()
    with pytest.raises(tdsl.TdslError, match=r"^routine 'run' has no node or symbol"):
        routine({1: a, "x2": b, "x1": a})  # pyright: ignore[reportArgumentType]
    # It stands for the name, as in any dictionary.
    np.testing.assert_array_equal(
        routine({_Liar("x1"): a, "x2": b})["y"],  # pyright: ignore[reportArgumentType]
        [20, 60, 100],
    )


def test_calls_of_other_forms(routine: tdsl.Routine) -> None:
    a, b = _arrays()
    with pytest.raises(tdsl.TdslError, match=r"^routine 'run' takes its values by name: "):
        routine(a)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError):
        routine({"x1": a}, {"x2": b})  # pyright: ignore[reportCallIssue]


def test_results_are_new_in_every_call(routine: tdsl.Routine) -> None:
    a, b = _arrays()
    first = routine(x1=a, x2=b)["y"]
    kept = first.copy()
    second = routine(x1=a + 1, x2=b)["y"]
    assert not np.shares_memory(first, second)
    np.testing.assert_array_equal(first, kept)


def test_a_routine_without_arguments() -> None:
    routine = tdsl.compile("tdsl.program @p { tdsl.routine @run { } }")["run"]
    assert len(routine()) == 0
    assert len(routine({})) == 0
    assert len(routine.bind()()) == 0
    with pytest.raises(tdsl.TdslError, match=r"^routine 'run' has no node or symbol 'x'; it takes nothing$"):
        routine(x=1)


def test_a_routine_with_many_arguments() -> None:
    count = 60
    nodes = "".join(f'tdsl.node @x{i} : f32 "->2" input\n tdsl.node @y{i} : f32 "->2" result\n' for i in range(count))
    spaces = "".join(f'tdsl.projections @p{i} "." (@x{i}) -> @y{i}\n' for i in range(count))
    code = "".join(f"tdsl.assign @y{i} overwrite = neg(@x{i}) by @p{i}\n" for i in range(count))
    routine = tdsl.compile(
        f"tdsl.program @p {{ {nodes} {spaces} tdsl.routine @run {{ {code} }} }}", optimization_level=0
    )["run"]
    given = {f"x{i}": np.full(2, i, "f4") for i in range(count)}
    for results in (routine(given), routine(**given), routine.bind(given)()):
        assert [float(results[f"y{i}"][1]) for i in range(count)] == [-i for i in range(count)]


@pytest.mark.parametrize("shape", ["->", "->0", "->2,0", "->0,2", "->1,1,1,1,1,1,1,1"])
def test_arrays_without_axes_or_cells(shape: str) -> None:
    routine = tdsl.compile(one_assignment(".", (shape,), write="overwrite", primitive="neg"), optimization_level=0)[
        "run"
    ]
    x = np.full(routine.signature.arguments[0].shape, 2, "f4")
    with mock.patch.object(tdsl.Routine, "_call_slowly", side_effect=AssertionError("slow")):
        np.testing.assert_array_equal(routine(x1=x)["y"], -x)
        y = np.empty_like(x)
        assert routine.bind(x1=x, y=y)()["y"] is y
        np.testing.assert_array_equal(y, -x)


def test_arrays_without_cells_overlap_nothing() -> None:
    routine = tdsl.compile(one_assignment(".", ("->0",), write="overwrite", primitive="neg"), optimization_level=0)[
        "run"
    ]
    x = np.empty(0, "f4")
    assert routine(x1=x, y=x)["y"] is x


def test_an_uninitialised_routine_is_an_error() -> None:
    routine = tdsl.Routine.__new__(tdsl.Routine)
    with pytest.raises(TypeError, match=r"the routine was not initialised"):
        routine()
