"""Traps of padding and of lowering (sections D and E of the pitfalls list) that show in what a routine computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference.programs import binary, one_assignment, run

# Section D: padding and convolution.


def test_neutral_of_a_window_belongs_to_its_statement(context):
    # 54: a max pool and a convolution over one node, then the pool again.
    text = """
      tdsl.node @x : f32 "4" input
      tdsl.node @k : f32 "3" input
      tdsl.node @first : f32 "4" result
      tdsl.node @sum : f32 "4" result
      tdsl.node @again : f32 "4" result
      tdsl.projections @a "o=+k; k => o" (@x, @k) -> @first
      tdsl.projections @b "o=+k; k => o" (@x, @k) -> @sum
      tdsl.projections @c "o=+k; k => o" (@x, @k) -> @again
      tdsl.routine @run {
        tdsl.assign @first reset max = add(@x, @k) by @a
        tdsl.assign @sum reset add = mul(@x, @k) by @b
        tdsl.assign @again reset max = add(@x, @k) by @c
      }"""
    nodes = run(text, {"x": [-4, -3, -2, -1], "k": [0, 0, 0]})
    assert nodes["first"].tolist() == [-3, -2, -1, -1]
    assert nodes["sum"].tolist() == [0, 0, 0, 0]
    assert nodes["again"].tolist() == [-3, -2, -1, -1]


def test_windows_leave_their_node_alone(context):
    # 55: a sum after a padded convolution.
    text = """
      tdsl.node @x : f32 "4" input
      tdsl.node @k : f32 "3" input
      tdsl.node @y : f32 "4" result
      tdsl.node @s : f32 "1" result
      tdsl.projections @a "o=+k; k => o" (@x, @k) -> @y
      tdsl.projections @b "i => |->0" (@x) -> @s
      tdsl.routine @run {
        tdsl.assign @y reset add = mul(@x, @k) by @a
        tdsl.assign @s reset add = id(@x) by @b
      }"""
    assert run(text, {"x": [1, 2, 3, 4], "k": [1, 1, 1]})["s"].tolist() == [10]


@pytest.mark.parametrize(("kernel", "expected"), [([1, 1, 1], [3, 6, 9, 7]), ([1, 1], [1, 3, 5, 7])])
def test_kernel_parity(context, kernel, expected):
    text = one_assignment("o=+k; k => o", ["4", str(len(kernel))], "4", "reset add = mul")
    assert run(text, {"x1": [1, 2, 3, 4], "x2": kernel})["y"].tolist() == expected


def test_dilation_counts_in_the_margin(context):
    # 57: span 5, two cells to the left and two to the right.
    text = one_assignment("o=+2*k; k => o", ["5", "3"], "5", "reset add = mul")
    assert run(text, {"x1": [1, 2, 3, 4, 5], "x2": [1, 10, 100]})["y"].tolist() == [310, 420, 531, 42, 53]


def test_fetched_nodes_have_no_margins(context):
    # 58: a range as the input of a convolution.
    text = """
      tdsl.node @x : f32 "3" leaf
      tdsl.node @k : f32 "3" leaf
      tdsl.node @y : f32 "3" result
      tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y
      tdsl.routine @run {
        tdsl.fetch @x = range
        tdsl.fetch @k = constant 1.0
        tdsl.assign @y reset add = mul(@x, @k) by @p
      }"""
    assert run(text)["y"].tolist() == [1, 3, 3]


def test_gradient_of_a_window_skips_what_is_outside(context):
    # 62: the gradient of "o=+k; k=>o" with g = 1 everywhere counts the windows that hold a cell.
    text = """
      tdsl.node @x : f32 "4" input
      tdsl.node @k : f32 "3" input
      tdsl.node @y : f32 "4" result
      tdsl.node @x.grad : f32 "4" result grad_of @x
      tdsl.node @y.grad : f32 "4" input grad_of @y
      tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y
      tdsl.routine @run { tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p }"""
    nodes = run(text, {"x": [9, 9, 9, 9], "k": [1, 10, 100], "y.grad": [1, 1, 1, 1]})
    # Cell i receives k[i - o + 1] of the windows o = i-1, i, i+1 that exist.
    assert nodes["x.grad"].tolist() == [11, 111, 111, 110]


def test_outer_sum_in_the_margin_adds_nothing(context):
    # 62b: not 0 + k.
    text = one_assignment("o=+k; k => o", ["2", "3"], "2", "reset add = add")
    assert run(text, {"x1": [1, 2], "x2": [10, 20, 30]})["y"].tolist() == [21 + 32, 11 + 22]


def test_infinite_kernels_do_not_leak_from_the_margin(context):
    text = one_assignment("o=+k; k => o", ["2", "3"], "2", "reset add = mul")
    assert run(text, {"x1": [1, 2], "x2": [math.inf, 1, 0]})["y"].tolist() == [1, math.inf]


# Section E: lowering and optimization.


@pytest.mark.parametrize("swapped", [False, True])
def test_row_sums_and_diagonals_differ(context, swapped):
    # 64
    specs = ["ii=>i", "ij=>i"] if swapped else ["ij=>i", "ii=>i"]
    text = f"""
      tdsl.node @m : f32 "3,3" input
      tdsl.node @a : f32 "3" result
      tdsl.node @b : f32 "3" result
      tdsl.node @y : f32 "3" result
      tdsl.projections @p "{specs[0]}" (@m) -> @a
      tdsl.projections @q "{specs[1]}" (@m) -> @b
      tdsl.projections @r "." (@a, @b) -> @y
      tdsl.routine @run {{
        tdsl.assign @a reset add = id(@m) by @p
        tdsl.assign @b reset add = id(@m) by @q
        tdsl.assign @y overwrite = add(@a, @b) by @r
      }}"""
    assert run(text, {"m": np.arange(9, dtype=np.float32).reshape(3, 3)})["y"].tolist() == [3, 16, 29]


def test_statements_see_what_earlier_ones_wrote(context):
    # 65, with the write inside a comment block.
    text = """
      tdsl.node @a : f32 "2" input
      tdsl.node @b : f32 "2" input
      tdsl.node @one : f32 "1:bcast_if_1" leaf = dense<1.0> : tensor<1xf32>
      tdsl.node @s : f32 "2" result
      tdsl.node @r : f32 "2" result
      tdsl.projections @p "." (@a, @b) -> @s
      tdsl.projections @q "." (@a, @one) -> @a
      tdsl.routine @run {
        tdsl.assign @s overwrite = add(@a, @b) by @p
        tdsl.comment "in between" { tdsl.assign @a overwrite = add(@a, @one) by @q }
        tdsl.assign @r overwrite = add(@a, @b) by @p
      }"""
    nodes = run(text, {"a": [1, 2], "b": [10, 20]})
    assert (nodes["r"] - nodes["s"]).tolist() == [1, 1]


def test_a_statement_sees_its_own_writes(context):
    # Fibonacci numbers: each point reads what the two points before it wrote.
    text = """
      tdsl.node @f : i64 "10" leaf
      tdsl.projections @p "." (@f, @f) -> @f
        space <[i 8 parallel] lhs[i + 2] rhs1[i] rhs2[i + 1]>
      tdsl.routine @run {
        tdsl.fetch @f = constant 1.0
        tdsl.assign @f overwrite = add(@f, @f) by @p
      }"""
    assert run(text)["f"].tolist() == [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]


def test_diagonal_then_column_sums(context):
    # 68
    text = """
      tdsl.node @x : f32 "3" input
      tdsl.node @t : f32 "3,3" result
      tdsl.node @y : f32 "3" result
      tdsl.projections @p "i => ii" (@x) -> @t
      tdsl.projections @q "ij => j" (@t) -> @y
      tdsl.routine @run {
        tdsl.assign @t reset add = id(@x) by @p
        tdsl.assign @y reset add = id(@t) by @q
      }"""
    assert run(text, {"x": [5, 6, 7]})["y"].tolist() == [5, 6, 7]


def test_zero_times_infinity(context):
    assert math.isnan(binary("mul", 0.0, math.inf))  # 69


def test_single_precision_rounds_every_operation(context):
    # 70: 1 is lost in 1e8, and the square overflows on the way.
    large = float(np.float32(1e8))
    assert binary("sub", binary("add", 1.0, large), large) == 0.0
    assert binary("sub", binary("add", 1.0, large, "f64"), large, "f64") == 1.0
    assert binary("pow", 1e20, 2.0) == math.inf
    assert binary("pow", 1e20, -2.0) == 0.0
    assert binary("pow", 1e20, 2.0, "f64") == 1e20**2


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [(math.nan, 0.0, 1.0), (-2.0, 3.0, -8.0), (2.0, 1e300, math.inf), (1.0, -1e300, 1.0), (0.0, -1.0, math.inf)],
)
def test_whole_powers(context, base, exponent, expected):
    assert binary("pow", base, exponent, "f64") == expected  # 71


def test_fractional_powers(context):
    assert binary("pow", 2.0, 0.5, "f64") == math.sqrt(2)
    assert math.isnan(binary("pow", -2.0, 0.5, "f64"))


def test_what_was_never_written_is_poison(context):
    # 74
    text = """
      tdsl.node @t : f32 "2" result
      tdsl.node @n : i32 "2" result
      tdsl.node @y : f32 "2" result
      tdsl.projections @p "." (@t) -> @y
      tdsl.routine @run { tdsl.assign @y reset add = id(@t) by @p }"""
    nodes = run(text)
    assert np.isnan(nodes["y"]).all()
    assert nodes["n"].view(np.uint32).tolist() == [0xBDBDBDBD] * 2


def test_one_hot_outside_is_zero(context):
    # 75: ids outside [0, 3) select nothing.
    text = """
      tdsl.node @ids : f32 "4|->1:bcast_if_1" input
      tdsl.node @classes : f32 "3" leaf
      tdsl.node @hot : f32 "4|->3" result
      tdsl.projections @p "." (@classes, @ids) -> @hot
      tdsl.routine @run {
        tdsl.fetch @classes = range
        tdsl.assign @hot overwrite = eq(@classes, @ids) by @p
      }"""
    expected = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert run(text, {"ids": [[-1], [0], [2], [3]]})["hot"].tolist() == expected
