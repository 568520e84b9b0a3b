"""Bad calls: each one clear error, and nothing is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tdsl

PROGRAM = """tdsl.program @calls {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @n : i32 "->3" input
  tdsl.node @w : f32 "->3" param
  tdsl.node @y : f32 "->3" result
  tdsl.node @z : f32 "->3" result
  tdsl.node private @t : f32 "->3" result
  tdsl.projections @take slice(@i) (@x) -> @t
  tdsl.projections @p "." (@t, @n) -> @y
  tdsl.projections @q "." (@y, @w) -> @z
  tdsl.projections @u "." (@y) -> @w
  tdsl.routine @run(%i: !tdsl.index<@i>) {
    tdsl.assign @t overwrite = id(@x) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @y overwrite = add(@t, @n) by @p
    tdsl.assign @z overwrite = mul(@y, @w) by @q
    tdsl.assign @w sub = id(@y) by @u
  }
}"""


@pytest.fixture(scope="module")
def compiled() -> tdsl.CompiledProgram:
    return tdsl.compile(PROGRAM)


def _values() -> dict[str, Any]:
    return {
        "x": np.arange(12, dtype="f4").reshape(4, 3),
        "n": np.array([1, 2, 3], "i4"),
        "w": np.array([1, 2, 3], "f4"),
        "y": np.full(3, 7, "f4"),
        "z": np.full(3, 8, "f4"),
        "i": 2,
    }


def test_the_correct_call(compiled: tdsl.CompiledProgram) -> None:
    values = _values()
    results = compiled["run"](values)
    np.testing.assert_array_equal(results["y"], [7, 9, 11])
    np.testing.assert_array_equal(results["z"], [7, 18, 33])
    np.testing.assert_array_equal(values["w"], [-6, -7, -8])
    assert all(results[name] is values[name] for name in results)
    assert sorted(results) == ["w", "y", "z"]


_BUFFER = np.zeros(5, "f4")
_READ_ONLY = np.zeros(3, "f4")
_READ_ONLY.flags.writeable = False

MISTAKES: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "rank": (
        {"x": np.zeros(12, "f4")},
        tdsl.ShapeError,
        "node 'x' has 2 axes [4, 3] in memory order (batch, output, input), but was given 1 axes [12]",
    ),
    "one axis": (
        {"x": np.zeros((4, 2), "f4")},
        tdsl.ShapeError,
        "node 'x' has size 3 on axis 1, but was given size 2: "
        "its axes in memory order (batch, output, input) are [4, 3], not [4, 2]",
    ),
    "shape of an output": (
        {"z": np.zeros(4, "f4")},
        tdsl.ShapeError,
        "node 'z' has size 3 on axis 0, but was given size 4: "
        "its axes in memory order (batch, output, input) are [3], not [4]",
    ),
    "dtype": (
        {"x": np.zeros((4, 3), "f8")},
        tdsl.DtypeError,
        "node 'x' holds float32, but was given float64: convert it with .astype('float32')",
    ),
    "byte order": (
        {"x": np.zeros((4, 3), ">f4")},
        tdsl.DtypeError,
        "node 'x' holds float32, but was given >f4, the same type in the other byte order: "
        "convert it with .astype('float32')",
    ),
    "objects": (
        {"x": np.zeros((4, 3), object)},
        tdsl.DtypeError,
        "node 'x' was given an array of Python objects; it holds float32: convert it with .astype('float32')",
    ),
    "mask": (
        {"x": np.ma.zeros((4, 3), "f4")},
        tdsl.DtypeError,
        "node 'x' was given a masked array: its mask would be ignored; fill it first, for example with .filled(0)",
    ),
    "complex": (
        {"x": np.zeros((4, 3), "c8")},
        tdsl.DtypeError,
        "node 'x' holds float32, but was given complex64: convert it with .astype('float32')",
    ),
    "list of complex": (
        {"n": [1j, 2, 3]},
        tdsl.DtypeError,
        "node 'n' needs an array of int32 or numbers: complex numbers have no place in a node",
    ),
    "strings": (
        {"n": ["1", "2", "3"]},
        tdsl.DtypeError,
        "node 'n' needs an array of int32 or numbers: got list",
    ),
    "nothing": ({"n": None}, tdsl.DtypeError, "node 'n' needs an array of int32 or numbers: got NoneType"),
    "fractions for integers": (
        {"n": [1.5, 2, 3]},
        tdsl.DtypeError,
        "node 'n' needs an array of int32 or numbers: 1.5 is not one of its values",
    ),
    "too large for integers": (
        {"n": [1, 2, 2**40]},
        tdsl.DtypeError,
        "node 'n' needs an array of int32 or numbers: 1099511627776 is not one of its values",
    ),
    "list for an output": (
        {"y": [1.0, 2.0, 3.0]},
        tdsl.DtypeError,
        "node 'y' is written by the routine, so it needs a NumPy array, not list",
    ),
    "read-only output": (
        {"z": _READ_ONLY},
        tdsl.TdslError,
        "node 'z' is written by the routine, but its array is read-only",
    ),
    "read-only parameter": (
        {"w": _READ_ONLY},
        tdsl.TdslError,
        "node 'w' is written by the routine, but its array is read-only",
    ),
    "broadcast output": (
        {"z": np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (3,), (0,))},
        tdsl.TdslError,
        "node 'z' is written by the routine, but several cells of its array are the same memory "
        "(a broadcast view): pass a copy",
    ),
    "overlapping outputs": (
        {"y": _BUFFER[:3], "z": _BUFFER[2:]},
        tdsl.TdslError,
        "nodes 'y' and 'z' are both written, but their arrays overlap",
    ),
    "extra": ({"q": 1}, tdsl.TdslError, "routine 'run' has no node or symbol 'q'; it takes i, n, w, x, y, z"),
    "private": (
        {"t": np.zeros(3, "f4")},
        tdsl.TdslError,
        "routine 'run' has no node or symbol 't' (it is private to the compiled code); it takes i, n, w, x, y, z",
    ),
    "symbol above": ({"i": 4}, tdsl.TdslError, "static symbol 'i' is 4, outside of its range 0 to 4"),
    "symbol below": ({"i": -1}, tdsl.TdslError, "static symbol 'i' is -1, outside of its range 0 to 4"),
    "huge symbol": ({"i": 2**64}, tdsl.TdslError, f"static symbol 'i' is {2**64}, outside of its range 0 to 4"),
    "boolean symbol": ({"i": True}, tdsl.TdslError, "static symbol 'i' is an integer, not bool"),
    "fractional symbol": ({"i": 1.0}, tdsl.TdslError, "static symbol 'i' is an integer, not float"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_named_and_nothing_written(compiled: tdsl.CompiledProgram, name: str) -> None:
    changes, kind, message = MISTAKES[name]
    values = {**_values(), **changes}
    before = {name: np.array(value) for name, value in values.items()}
    with pytest.raises(kind) as caught:
        compiled["run"](values)
    assert str(caught.value) == message
    for key, value in values.items():
        np.testing.assert_array_equal(np.array(value), before[key])


@pytest.mark.parametrize("name", ["x", "w", "i"])
def test_missing_value(compiled: tdsl.CompiledProgram, name: str) -> None:
    values = _values()
    del values[name]
    before = {name: np.array(value) for name, value in values.items()}
    with pytest.raises(tdsl.TdslError) as caught:
        compiled["run"](values)
    assert str(caught.value) == f"routine 'run' needs a value for '{name}'"
    for key, value in values.items():
        np.testing.assert_array_equal(np.array(value), before[key])


def test_values_are_given_by_name(compiled: tdsl.CompiledProgram) -> None:
    with pytest.raises(tdsl.TdslError) as caught:
        compiled["run"](_values()["x"])
    assert str(caught.value) == (
        "routine 'run' takes its values by name: give keyword arguments, or a dictionary from names to values"
    )


def test_unknown_routine_and_stage(compiled: tdsl.CompiledProgram) -> None:
    with pytest.raises(tdsl.TdslError, match=r"^program 'calls' has no routine 'go'; it has run$"):
        compiled["go"]
    with pytest.raises(
        tdsl.TdslError, match=r"^there is no stage 'ptx'; there are input, inferred, linalg, scheduled, llvm$"
    ):
        compiled.mlir("ptx")
