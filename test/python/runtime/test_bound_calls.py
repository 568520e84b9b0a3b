"""Bound calls: the arrays are used in place, every time."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import tdsl

from .programs import one_assignment

STEP = """tdsl.program @training {
  tdsl.symbol @i range 0 to 3
  tdsl.symbol @j range -1 to 2
  tdsl.node @x : f32 "3|->4" input
  tdsl.node @w : f32 "->4" param
  tdsl.node @y : f32 "->4" result
  tdsl.node @s : i32 "->" result
  tdsl.projections @take slice(@i) (@x) -> @y
  tdsl.projections @u "." (@y) -> @w
  tdsl.routine @run(%i: !tdsl.index<@i>, %j: !tdsl.index<@j>) {
    tdsl.assign @y overwrite = id(@x) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @w add = id(@y) by @u
    tdsl.fetch @s = symbol %j : !tdsl.index<@j>
  }
}"""


@pytest.fixture(scope="module")
def routine() -> tdsl.Routine:
    return tdsl.compile(STEP)["run"]


def _x() -> np.ndarray:
    return np.arange(12, dtype="f4").reshape(3, 4)


def test_every_call_reads_and_writes_the_same_arrays(routine: tdsl.Routine) -> None:
    x, w = _x(), np.zeros(4, "f4")
    step = routine.bind(x=x, w=w)
    y = step.results["y"]
    assert step(1, -1) is step.results
    np.testing.assert_array_equal(y, [4, 5, 6, 7])
    x[2] = 10
    step(i=2, j=1)
    np.testing.assert_array_equal(y, [10, 10, 10, 10])
    np.testing.assert_array_equal(w, [14, 15, 16, 17])
    assert step.results["w"] is w
    assert step.results["s"] == 1
    assert sorted(step.results) == ["s", "w", "y"]


@pytest.mark.parametrize(
    ("values", "more", "message"),
    [
        ((), {}, "routine 'run' needs a value for 'i'"),
        ((0,), {}, "routine 'run' needs a value for 'j'"),
        ((0, 0, 0), {}, "routine 'run' has 2 static symbols, but was given 3 values"),
        ((0, 0), {"j": 0}, "static symbol 'j' is given twice"),
        ((0,), {"k": 0}, "routine 'run' has no static symbol 'k'"),
        ((3, 0), {}, "static symbol 'i' is 3, outside of its range 0 to 3"),
        ((-1, 0), {}, "static symbol 'i' is -1, outside of its range 0 to 3"),
        ((0, -2), {}, "static symbol 'j' is -2, outside of its range -1 to 2"),
        ((2**80, 0), {}, f"static symbol 'i' is {2**80}, outside of its range 0 to 3"),
        ((True, 0), {}, "static symbol 'i' is an integer, not bool"),
        ((0.0, 0), {}, "static symbol 'i' is an integer, not float"),
    ],
)
def test_mistakes_with_symbols(
    routine: tdsl.Routine, values: tuple[Any, ...], more: dict[str, Any], message: str
) -> None:
    w = np.zeros(4, "f4")
    step = routine.bind(x=_x(), w=w)
    with pytest.raises(tdsl.TdslError) as caught:
        step(*values, **more)
    assert str(caught.value) == message
    np.testing.assert_array_equal(w, 0)


def test_symbols_may_be_numpy_integers(routine: tdsl.Routine) -> None:
    step = routine.bind(x=_x(), w=np.zeros(4, "f4"))
    np.testing.assert_array_equal(step(np.int8(2), j=np.uint64(1))["y"], [8, 9, 10, 11])


_STRIDED = np.zeros((3, 8), "f4")[:, ::2]
_READ_ONLY = np.zeros(4, "f4")
_READ_ONLY.flags.writeable = False
_BUFFER = np.zeros(12, "f4")

_NOT_IN_PLACE = (
    "cannot be bound: a bound call uses arrays in place, and this one is not contiguous or not aligned; "
    "bind a copy of it, made with np.array(x, order='C')"
)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({}, tdsl.TdslError, "routine 'run' needs a value for 'x', 'w'"),
        ({"x": _x(), "w": np.zeros(4, "f4"), "i": 0}, tdsl.TdslError, "static symbol 'i' is not bound"),
        ({"x": _x(), "w": np.zeros(4, "f4"), "q": 0}, tdsl.TdslError, "routine 'run' has no node or symbol 'q'"),
        ({"x": _STRIDED, "w": np.zeros(4, "f4")}, tdsl.TdslError, f"the array of node 'x' {_NOT_IN_PLACE}"),
        ({"x": _x(), "w": np.zeros(8, "f4")[::-2]}, tdsl.TdslError, f"the array of node 'w' {_NOT_IN_PLACE}"),
        (
            {"x": _x(), "w": _READ_ONLY},
            tdsl.TdslError,
            "node 'w' is written by the routine, but its array is read-only",
        ),
        ({"x": _x().astype("f8"), "w": np.zeros(4, "f4")}, tdsl.DtypeError, "node 'x' holds float32, but was given"),
        ({"x": _x(), "w": np.zeros(5, "f4")}, tdsl.ShapeError, "node 'w' has size 4 on axis 0, but was given size 5"),
        (
            {"x": _BUFFER.reshape(3, 4), "w": _BUFFER[4:8]},
            tdsl.TdslError,
            "the arrays of nodes 'w' and 'x' overlap, and 'w' is written: a bound call makes no copies",
        ),
        (
            {"x": _x(), "w": _BUFFER[:4], "y": _BUFFER[:4]},
            tdsl.TdslError,
            "the arrays of nodes 'w' and 'y' overlap, and 'w' is written",
        ),
    ],
)
def test_mistakes_with_arrays(
    routine: tdsl.Routine, values: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        routine.bind(values)
    assert str(caught.value).startswith(message)


def test_numbers_and_lists_are_converted_once() -> None:
    step = tdsl.compile(one_assignment(".", ("->2", "->"), write="overwrite", primitive="add"))["run"].bind(
        x1=[1, 2], x2=3
    )
    np.testing.assert_array_equal(step()["y"], [4, 5])


def test_declared_cells_are_where_the_first_call_starts() -> None:
    routine = tdsl.compile(
        """tdsl.program @p {
          tdsl.node @c : f32 "->2" param = dense<1.0> : tensor<2xf32>
          tdsl.projections @q "." (@c) -> @c
          tdsl.routine @run { tdsl.assign @c add = id(@c) by @q }
        }"""
    )["run"]
    step = routine.bind()
    np.testing.assert_array_equal(step()["c"], [2, 2])
    np.testing.assert_array_equal(step()["c"], [4, 4])
    np.testing.assert_array_equal(routine.bind()()["c"], [2, 2])


def test_an_array_that_was_changed_since_is_refused(routine: tdsl.Routine) -> None:
    message = "the array of node 'w' was changed in type, shape, memory or writability since it was bound: bind again"

    def resize(w: np.ndarray) -> None:
        w.resize((400_000,), refcheck=False)

    def reshape(w: np.ndarray) -> None:
        w.shape = (2, 2)

    def protect(w: np.ndarray) -> None:
        w.flags.writeable = False

    for change in (resize, reshape, protect):
        w = np.zeros(4, "f4")
        step = routine.bind(x=_x(), w=w)
        step(0, 0)
        change(w)
        with pytest.raises(tdsl.TdslError) as caught:
            step(0, 0)
        assert str(caught.value) == message


def test_two_threads_cannot_be_in_one_bound_call() -> None:
    # Long enough that the second thread starts in the middle of the first call.
    n = 1200
    text = one_assignment("ij; jk => ik", (f"->{n},{n}", f"->{n},{n}"), primitive="mul")
    x = np.ones((n, n), "f4")
    step = tdsl.compile(text, optimization_level=1)["run"].bind(x1=x, x2=x)
    first = threading.Thread(target=step)
    refused: list[str] = []
    first.start()
    while first.is_alive() and not refused:
        try:
            step()
        except tdsl.TdslError as error:
            refused.append(str(error))
    first.join()
    assert refused == ["this bound call is running in another thread, on the same arrays: bind once for each thread"]
    np.testing.assert_array_equal(step()["y"], np.full((n, n), n, "f4"))


def test_the_code_stays_loaded_as_long_as_a_routine_or_a_bound_call_lives() -> None:
    compiled = tdsl.compile(STEP)
    w = np.zeros(4, "f4")
    step = compiled["run"].bind(x=_x(), w=w)
    routine = weakref.ref(compiled["run"])
    loaded = weakref.ref(compiled["run"].loaded)
    del compiled
    gc.collect()
    assert loaded() is not None
    step(1, 0)
    np.testing.assert_array_equal(w, [4, 5, 6, 7])
    results = step.results
    del step
    gc.collect()
    assert routine() is None
    assert loaded() is None
    np.testing.assert_array_equal(results["w"], [4, 5, 6, 7])
