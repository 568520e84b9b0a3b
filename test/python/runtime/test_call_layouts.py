"""Arrays of any layout are read and written right, and reads see the values from before the call."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tdsl

from .programs import one_assignment, run_poisoned


@pytest.fixture(scope="module")
def compiled() -> tdsl.CompiledProgram:
    return tdsl.compile(one_assignment("ij => ji", ("->3,4",)))


def _misaligned(array: np.ndarray) -> np.ndarray:
    result = np.zeros(array.nbytes + 1, "u1")[1:].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "contiguous": lambda a: a,
    "column major": np.asfortranarray,
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "strided": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "misaligned": _misaligned,
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_inputs_of_any_layout(compiled: tdsl.CompiledProgram, layout: str) -> None:
    x = np.arange(12, dtype="f4").reshape(3, 4)
    given = LAYOUTS[layout](x)
    np.testing.assert_array_equal(given, x)
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": given})["y"], x.T)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_outputs_of_any_layout(compiled: tdsl.CompiledProgram, layout: str) -> None:
    x = np.arange(12, dtype="f4").reshape(3, 4)
    y = LAYOUTS[layout](np.full((4, 3), np.nan, "f4"))
    results = run_poisoned(compiled, {"x1": x, "y": y})
    assert results["y"] is y
    np.testing.assert_array_equal(y, x.T)


def test_a_view_of_a_larger_array_is_written_and_the_rest_is_kept(compiled: tdsl.CompiledProgram) -> None:
    x = np.arange(12, dtype="f4").reshape(3, 4)
    whole = np.full((8, 9), -1, "f4")
    run_poisoned(compiled, {"x1": x, "y": whole[1:8:2, 2:8:2]})
    np.testing.assert_array_equal(whole[1:8:2, 2:8:2], x.T)
    whole[1:8:2, 2:8:2] = -1
    np.testing.assert_array_equal(whole, np.full((8, 9), -1))


@pytest.mark.parametrize(
    ("shape", "value"),
    [("->", 2.5), ("->", np.float64(2.5)), ("->", np.array(2.5, "f4")), ("->2", [1, 2]), ("->2", (True, False)),
     ("->0", []), ("->2,0", np.zeros((2, 0), "f4")), ("->1,2", [[1, 2]])],
)  # fmt: skip
def test_numbers_lists_and_arrays_without_axes_or_cells(shape: str, value: object) -> None:
    compiled = tdsl.compile(one_assignment(".", (shape,), write="overwrite"), optimization_level=0)
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": value})["y"], np.asarray(value, "f4"))


def test_an_input_that_is_also_the_output_is_read_first() -> None:
    compiled = tdsl.compile(one_assignment("ij; jk => ik", ("->3,3", "->3,3"), primitive="mul"))
    x = np.arange(9, dtype="f4").reshape(3, 3)
    expected = x @ x
    compiled["run"](x1=x, x2=x, y=x)
    np.testing.assert_array_equal(x, expected)


def test_an_input_that_overlaps_the_output_in_part_is_read_first() -> None:
    compiled = tdsl.compile(one_assignment("i => i", ("->4",)))
    buffer = np.arange(5, dtype="f4")
    compiled["run"](x1=buffer[:4], y=buffer[1:])
    np.testing.assert_array_equal(buffer, [0, 0, 1, 2, 3])
    reversed_buffer = np.arange(4, dtype="f4")
    compiled["run"](x1=reversed_buffer[::-1], y=reversed_buffer)
    np.testing.assert_array_equal(reversed_buffer, [3, 2, 1, 0])
