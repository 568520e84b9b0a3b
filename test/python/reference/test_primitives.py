"""What primitive operations compute on cells of each precision (spec b.5; section G of the pitfalls list)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference.programs import binary, one_assignment, run, unary


def test_gates_are_strict(context):
    # 88
    assert [binary("sat01_gate", a, 7.0) for a in (0.0, 0.5, 1.0)] == [0, 7, 0]
    assert [binary("relu_gate", a, 7.0) for a in (-1.0, 0.0, 1e-30)] == [0, 0, 7]


@pytest.mark.parametrize("operation", ["max", "min"])
def test_maximum_and_minimum_propagate_nan(context, operation):
    # 89
    assert math.isnan(binary(operation, math.nan, 1.0))
    assert math.isnan(binary(operation, 1.0, math.nan))


def test_zeros_are_ordered(context):
    assert math.copysign(1, binary("max", -0.0, 0.0)) == 1
    assert math.copysign(1, binary("max", 0.0, -0.0)) == 1
    assert math.copysign(1, binary("min", -0.0, 0.0)) == -1
    assert math.copysign(1, binary("min", 0.0, -0.0)) == -1


def test_tanh_has_the_precision_of_its_node(context):
    assert unary("tanh", 0.1, "f64") == pytest.approx(math.tanh(0.1), rel=1e-15)  # 90


def test_less_or_equal_is_not_the_negation_of_greater(context):
    # 91
    assert binary("le", math.nan, 1.0) == 0
    assert unary("not", binary("lt", 1.0, math.nan)) == 1


@pytest.mark.parametrize(("a", "b", "expected"), [(-1, 3, 2), (7, -3, -2), (-7, -3, -1), (6, 3, 0)])
@pytest.mark.parametrize("precision", ["f32", "f64", "i32"])
def test_modulo_floors(context, a, b, expected, precision):
    assert binary("mod", a, b, precision) == expected  # 92


def test_reciprocal_root_is_accurate(context):
    assert unary("recip_sqrt", 2.0) == np.float32(1 / math.sqrt(2))  # 93


@pytest.mark.parametrize(
    ("operation", "a", "b", "expected"),
    [
        ("div", 7, 2, 3),
        ("div", -7, 2, -3),
        ("add", 2**31 - 1, 1, -(2**31)),
        ("mul", 65536, 65536, 0),
        ("pow", 3, 4, 81),
        ("pow", 1, -3, 1),
        ("pow", -1, -3, -1),
        ("pow", 2, -1, 0),
    ],
)
def test_integers_truncate_and_wrap(context, operation, a, b, expected):
    assert binary(operation, a, b, "i32") == expected  # 94


def test_narrow_floats_round_when_stored(context):
    # bf16 has 8 bits of precision: 256 + 1 rounds to even, at every step of an accumulation.
    text = one_assignment("i => |->0", ["2"], "1", "add = id", "bf16").replace("result", "leaf")
    import ml_dtypes

    start = np.array([256], ml_dtypes.bfloat16)
    assert run(text, {"x1": [1, 1], "y": start})["y"].tolist() == [256]


def test_conditions_keep_their_own_precision(context):
    # The condition 1e-300 would be zero as f32.
    text = """
      tdsl.node @c : f64 "1" input
      tdsl.node @a : f32 "1" input
      tdsl.node @b : f32 "1" input
      tdsl.node @y : f32 "1" result
      tdsl.node @less : bool "1" result
      tdsl.projections @p "." (@c, @a, @b) -> @y
      tdsl.projections @q "." (@a, @c) -> @less
      tdsl.routine @run {
        tdsl.assign @y overwrite = where(@c, @a, @b) by @p
        tdsl.assign @less overwrite = lt(@b, @c) by @q
      }"""
    nodes = run(text, {"c": [1e-300], "a": [1], "b": [0]})
    assert nodes["y"].tolist() == [1]
    assert nodes["less"].tolist() == [True]


@pytest.mark.parametrize("operation", ["div", "mod"])
@pytest.mark.parametrize("precision", ["i32", "u8"])
def test_integers_divided_by_zero(context, operation, precision):
    assert binary(operation, 7, 0, precision) == 0
