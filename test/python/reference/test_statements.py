"""Fetches, block forms, merge buffers, initial cells, precisions, exact rationals, and the comparison of runs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from reference.programs import one_assignment, program, run
from tdsl.reference import compare, machine, rational, run_routine


def test_every_fetch(context):
    text = """
      tdsl.symbol @i range 2 to 5
      tdsl.dim @h
      tdsl.row @r
      tdsl.row @window = "3,5"
      tdsl.node @x : f32 "2,3" input
      tdsl.node @z : f32 "2" result
      tdsl.projections @p "h..r.. => h" (@x) -> @z captures {h = @h, r = @r}
      tdsl.node @constant : bf16 "2" leaf
      tdsl.node @bits : f32 "1" leaf
      tdsl.node @fill : i16 "2->1" leaf
      tdsl.node @range : u8 "2->3" leaf
      tdsl.node @symbol : f64 "1" leaf
      tdsl.node @id : u32 "1" leaf id 9
      tdsl.node @dim : i64 "1" leaf
      tdsl.node @row : i64 "1" leaf
      tdsl.node @window_size : i64 "1" leaf
      tdsl.routine @run(%i: !tdsl.index<@i>) {
        tdsl.fetch @constant = constant 1.5
        tdsl.fetch @bits = bits 1069547520
        tdsl.fetch @fill = fill [3.0, -4.0]
        tdsl.fetch @range = range
        tdsl.fetch @symbol = symbol %i : !tdsl.index<@i>
        tdsl.fetch @id = self_id
        tdsl.fetch @dim = dim @h
        tdsl.fetch @row = dim @r
        tdsl.fetch @window_size = dim @window
      }"""
    nodes = run(text, symbols={"i": 4})
    assert nodes["constant"].tolist() == [1.5, 1.5]
    assert nodes["bits"].tolist() == [1.5]  # 0x3FC00000
    assert nodes["fill"].tolist() == [[3, -4]]
    assert nodes["range"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert [nodes[name].tolist() for name in ("symbol", "id", "dim", "row", "window_size")] == [
        [4],
        [9],
        [2],
        [3],
        [15],
    ]


def test_initial_cells(context):
    text = """
      tdsl.node @splat : f32 "2" leaf = dense<2.0> : tensor<2xf32>
      tdsl.node @cells : bf16 "3" leaf = dense<[1.0, 0x7F80, -2.5]> : tensor<3xbf16>
      tdsl.node @narrow : f8 "2" leaf = dense<0.5> : tensor<2xf8E5M2>
      tdsl.node @unsigned : u8 "2" leaf = dense<[-1, 5]> : tensor<2xi8>
      tdsl.node @truth : bool "2" leaf = dense<[true, false]> : tensor<2xi1>
      tdsl.routine @run { }"""
    nodes = run(text)
    assert nodes["splat"].tolist() == [2, 2]
    assert nodes["cells"].tolist() == [1, math.inf, -2.5]
    assert nodes["narrow"].tolist() == [0.5, 0.5]
    assert nodes["unsigned"].tolist() == [255, 5]
    assert nodes["truth"].tolist() == [True, False]
    assert run(text, arithmetic=rational)["cells"].tolist() == [1, math.inf, Fraction(-5, 2)]


def test_initial_cells_printed_as_one_blob(context):
    numbers = ", ".join(f"{n}.0" for n in range(128))
    text = f"""
      tdsl.node @x : bf16 "128" leaf = dense<[{numbers}]> : tensor<128xbf16>
      tdsl.routine @run {{ }}"""
    assert run(text)["x"].tolist() == list(range(128))


def test_merge_buffers(context):
    text = """
      tdsl.node @p : f32 "2" param
      tdsl.node @p.grad : f32 "2" leaf grad_of @p
      tdsl.projections @same "." (@p.grad) -> @p.grad
      tdsl.routine @run { tdsl.assign @p.grad add = id(merge(@p.grad)) by @same }"""
    nodes = run(text, {"p.grad": [1, 2]}, merge_buffers={"p.grad": [10, 20]})
    assert nodes["p.grad"].tolist() == [11, 22]


def test_one_source_twice_in_a_concatenation(context):
    # Pitfall 50: the gradient of (x, x) ++^ "a; b => a^b" collects both segments.
    text = """
      tdsl.node @x : f32 "2" input
      tdsl.node @y : f32 "4" result
      tdsl.node @x.grad : f32 "2" leaf grad_of @x
      tdsl.node @y.grad : f32 "4" input grad_of @y
      tdsl.projections @p "a; b => a^b" (@x, @x) -> @y
      tdsl.routine @run {
        tdsl.assign @y overwrite = block id(@x, @x) by @p
        tdsl.fill @x.grad neutral add
        tdsl.assign (@x.grad[rhs1], @x.grad[rhs2]) add = id(@y.grad[lhs]) by @p
      }"""
    nodes = run(text, {"x": [1, 2], "y.grad": [1, 10, 100, 1000]})
    assert nodes["y"].tolist() == [1, 2, 1, 2]
    assert nodes["x.grad"].tolist() == [101, 1010]


def test_middle_components_are_kept(context):
    # Pitfall 39, and 40: every component may have size 1.
    text = """
      tdsl.node @a : f32 "2" input
      tdsl.node @b : f32 "1" input
      tdsl.node @c : f32 "2" input
      tdsl.node @y : f32 "5" result
      tdsl.projections @p "i;m;k => i^m^k" (@a, @b, @c) -> @y
      tdsl.routine @run { tdsl.assign @y reset add = block neg(@a, @b, @c) by @p }"""
    assert run(text, {"a": [1, 2], "b": [3], "c": [4, 5]})["y"].tolist() == [-1, -2, -3, -4, -5]


def test_tropical_gradient(context):
    # Spec f.4, ties in one window: every tied position receives the whole gradient.
    text = """
      tdsl.node @t1 : f32 "4" input
      tdsl.node @t2 : f32 "3" input
      tdsl.node @t : f32 "2" result
      tdsl.node @g : f32 "2" input
      tdsl.node @g1 : f32 "4" result
      tdsl.node @g2 : f32 "3" result
      tdsl.node @sum : f32 "2,3" result
      tdsl.node @cond : f32 "2,3" result
      tdsl.node @valid : f32 "2,3" result
      tdsl.node @zero : f32 "1:bcast_if_1" leaf = dense<0.0> : tensor<1xf32>
      tdsl.projections @p "o<+k; k => o" (@t1, @t2) -> @t
      tdsl.routine @run {
        tdsl.assign @t reset max = add(@t1, @t2) by @p
        tdsl.assign @sum[pspace] reset max = add(@t1[rhs1], @t2[rhs2]) by @p
        tdsl.assign @cond[pspace] overwrite = eq(@t[lhs], @sum[pspace]) by @p
        tdsl.assign @valid[pspace] reset or = eq(@t1[rhs1], @t1[rhs1]) by @p
        tdsl.assign @cond[pspace] and = id(@valid[pspace]) by @p
        tdsl.fill @g1 neutral add
        tdsl.fill @g2 neutral add
        tdsl.assign @g1[rhs1] add = where(@cond[pspace], @g[lhs], @zero[scalar]) by @p
        tdsl.assign @g2[rhs2] add = where(@cond[pspace], @g[lhs], @zero[scalar]) by @p
      }"""
    nodes = run(text, {"t1": [5, 5, 5, 1], "t2": [0, 0, 0], "g": [1, 10]})
    assert nodes["t"].tolist() == [5, 5]
    assert nodes["g1"].tolist() == [1, 11, 11, 0]
    assert nodes["g2"].tolist() == [11, 11, 1]


def test_empty_axes(context):
    text = """
      tdsl.node @x : f32 "0,3" input
      tdsl.node @sum : f32 "3" result
      tdsl.node @most : f32 "3" result
      tdsl.projections @p "ij => j" (@x) -> @sum
      tdsl.projections @q "ij => j" (@x) -> @most
      tdsl.routine @run {
        tdsl.assign @sum reset add = id(@x) by @p
        tdsl.assign @most reset max = id(@x) by @q
      }"""
    nodes = run(text, {"x": np.zeros((0, 3), np.float32)})
    assert nodes["sum"].tolist() == [0, 0, 0]
    assert nodes["most"].tolist() == [-math.inf] * 3


@pytest.mark.parametrize("accumulator", ["add", "sub", "mul", "div", "pow", "or", "and", "max", "min", "relu_gate"])
@pytest.mark.parametrize("precision", ["f64", "f16", "i32"])
def test_accumulation_is_the_loop_of_the_specification(context, accumulator, precision):
    text = f"""
      tdsl.node @x : {precision} "3,4" input
      tdsl.node @y : {precision} "4" leaf
      tdsl.projections @p "ij => j" (@x) -> @y
      tdsl.routine @run {{ tdsl.assign @y {accumulator} = id(@x) by @p }}"""
    dtype = {"f64": np.float64, "f16": np.float16, "i32": np.int32}[precision]
    x = np.array([[1, 2, 3, 1], [2, 1, 1, 3], [1, 1, 2, 2]], dtype)
    y = np.array([60, 7, 5, 2], dtype)
    step = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a // b if precision == "i32" else a / b,
        "pow": lambda a, b: a**b,
        "or": lambda a, b: (a != 0) | (b != 0),
        "and": lambda a, b: (a != 0) & (b != 0),
        "max": max,
        "min": min,
        "relu_gate": lambda a, b: b if a > 0 else 0,
    }[accumulator]
    expected = y.copy()
    for i in range(3):
        for j in range(4):
            expected[j] = step(expected[j], x[i, j])
    np.testing.assert_allclose(run(text, {"x": x, "y": y})["y"], expected, rtol=1e-3)


# Exact rationals.

MEAN = """
  tdsl.node @x : f64 "3" input
  tdsl.node @n : f64 "1:bcast_if_1" leaf
  tdsl.node @y : f64 "3" result
  tdsl.node @s : f64 "1" result
  tdsl.projections @p "." (@x, @n) -> @y
  tdsl.projections @q "i => |->0" (@y) -> @s
  tdsl.routine @run {
    tdsl.fetch @n = constant 3.0
    tdsl.assign @y overwrite = div(@x, @n) by @p
    tdsl.assign @s reset add = id(@y) by @q
  }"""


def test_rationals_do_not_round(context):
    assert run(MEAN, {"x": [1, 2, 4]}, arithmetic=rational)["s"].tolist() == [Fraction(7, 3)]
    assert run(MEAN, {"x": [Fraction(1, 7), 0, 0]}, arithmetic=rational)["s"].tolist() == [Fraction(1, 21)]


def test_rationals_agree_with_floats(context):
    random = np.random.default_rng(2)
    x = random.normal(size=3)
    floats, exact = run(MEAN, {"x": x}), run(MEAN, {"x": x}, arithmetic=rational)
    assert float(exact["s"][0]) == pytest.approx(floats["s"][0], rel=1e-15)
    assert exact["s"][0] == sum(Fraction(float(cell)) for cell in x) / 3


def test_rationals_beside_infinities_and_poison(context):
    text = """
      tdsl.node @x : f32 "0" input
      tdsl.node @t : f32 "1" result
      tdsl.node @y : f32 "1" result
      tdsl.node @z : f32 "1" result
      tdsl.projections @p "i => |->0" (@x) -> @y
      tdsl.projections @q "." (@t, @y) -> @z
      tdsl.routine @run {
        tdsl.assign @y reset max = id(@x) by @p
        tdsl.assign @z overwrite = add(@t, @y) by @q
      }"""
    nodes = run(text, {"x": np.zeros(0)}, arithmetic=rational)
    assert nodes["y"].tolist() == [-math.inf]
    assert math.isnan(nodes["z"][0])


def test_rationals_times_infinity(context):
    text = one_assignment(".", ["3", "3"], "3", "overwrite = mul")
    values = {"x1": [-2, 3, 0], "x2": [math.inf] * 3}
    products = run(text, values, arithmetic=rational)["y"]
    assert products[:2].tolist() == [-math.inf, math.inf]
    assert math.isnan(products[2])


# Comparison.


def test_comparison(context):
    a = {"x": np.array([1.0, math.nan, math.inf]), "n": np.array([[1, 2]])}
    assert compare(a, {"x": a["x"].copy(), "n": a["n"].copy()}) is None
    b = {"x": np.array([1.0, math.nan, 3.0]), "n": a["n"]}
    assert compare(a, b) == "@x[2] is inf before, but 3.0 after (1 of 3 cells differs)."
    c = {"x": a["x"], "n": np.array([[3, 4]])}
    assert compare(a, c) == "@n[0, 0] is 1 before, but 3 after (2 of 2 cells differ)."
    assert compare(a, {"n": a["n"]}, names=["x"]) == "@x is missing after."
    assert compare(a, {"n": np.array([1, 2])}) == "@n has the shape [1, 2] before, but [2] after."
    assert compare(a, {"n": np.array([[1.0, 2.0]])}) == "@n holds int64 before, but float64 after."


def test_comparison_with_a_tolerance():
    a, b = {"x": np.array([1000.0])}, {"x": np.array([1000.5])}
    assert compare(a, b, 1e-3) is None
    assert compare(a, b, 1e-4) is not None
    assert compare({"x": np.array([math.nan])}, {"x": np.array([0.0])}, 1e9) is not None
    exact = {"x": np.array([Fraction(1, 3)], object)}
    assert compare(exact, {"x": np.array([Fraction(1, 3)], object)}) is None
    assert compare(exact, {"x": np.array([Fraction(1, 2)], object)}) is not None


def test_results_do_not_alias(context):
    operation = program(MEAN)
    x = np.ones(3)
    nodes = run_routine(operation, "run", {"x": x}, arithmetic=machine)
    nodes["x"][:] = 5
    assert x.tolist() == [1, 1, 1]
