"""Traps of sections D, E, G and H of the pitfalls list that can be told from what a routine computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference.programs import program, run
from tdsl.reference import run_routine


def one_assignment(spec: str, shapes: list[str], result: str, assignment: str, precision: str = "f32") -> str:
    names = [f"@x{number}" for number in range(1, len(shapes) + 1)]
    nodes = [f'tdsl.node {name} : {precision} "{shape}" input' for name, shape in zip(names, shapes, strict=True)]
    joined = ", ".join(names)
    return "\n".join(
        [
            *nodes,
            f'tdsl.node @y : {precision} "{result}" result',
            f'tdsl.projections @p "{spec}" ({joined}) -> @y',
            f"tdsl.routine @run {{ tdsl.assign @y {assignment}({joined}) by @p }}",
        ]
    )


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


def binary(operation: str, a: float, b: float, precision: str = "f32") -> float:
    text = one_assignment(".", ["1", "1"], "1", f"overwrite = {operation}", precision)
    return run(text, {"x1": [a], "x2": [b]})["y"][0].item()


def unary(operation: str, a: float, precision: str = "f32") -> float:
    return run(one_assignment(".", ["1"], "1", f"overwrite = {operation}", precision), {"x1": [a]})["y"][0].item()


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


# Section G: numeric primitives.


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


# Section H: randomness.


def scalar_threefry(key: list[int], counter: list[int], schedule: list[list[int]]) -> list[int]:
    """Spec b.6 once more, on Python integers; ``schedule`` lists the rounds before each injection of the key."""
    mask = 0xFFFFFFFF
    keys = [*key, key[0] ^ key[1] ^ key[2] ^ key[3] ^ 0x1BD11BDA]
    x = [(c + k) & mask for c, k in zip(counter, key, strict=True)]
    rotations = [(13, 15, 26, 6), (17, 29, 16, 24)]
    for injection, rounds in enumerate(schedule, start=1):
        for number in rounds:
            r = rotations[number]
            for half in (0, 2):
                for a, b, count in ((0, 1, r[half]), (2, 3, r[half + 1])):
                    x[a] = (x[a] + x[b]) & mask
                    x[b] = ((x[b] << count | x[b] >> (32 - count)) & mask) ^ x[a]
                x = [x[0], x[3], x[2], x[1]]
        x = [(x[q] + keys[(injection + q) % 5]) & mask for q in range(4)]
        x[3] = (x[3] + injection) & mask
    return x


@pytest.mark.parametrize(
    ("operation", "schedule"), [("threefry4x32", [[0, 1]]), ("threefry4x32_crypto", [[0, 1, 0, 1]] * 5)]
)
def test_threefry_on_random_words(context, operation, schedule):
    text = f"""
      tdsl.node @key : uint4x32 "16" input
      tdsl.node @counter : uint4x32 "16" input
      tdsl.node @y : uint4x32 "16" result
      tdsl.projections @p "." (@key, @counter) -> @y
      tdsl.routine @run {{ tdsl.assign @y overwrite = {operation}(@key, @counter) by @p }}"""
    random = np.random.default_rng(0)
    key, counter = random.integers(0, 1 << 32, (2, 16, 4), dtype=np.uint32)
    words = run(text, {"key": key, "counter": counter})["y"].tolist()
    assert words == [scalar_threefry(k, c, schedule) for k, c in zip(key.tolist(), counter.tolist(), strict=True)]


def test_pointwise_uniform_is_uniform(context):
    # 95: 256 bins of 16 expected numbers each; chi-square has mean 255 and deviation 22.6.
    text = """
      tdsl.node @random_seed : uint4x32 "1:bcast_if_1" leaf
      tdsl.node @counter : uint4x32 "4096" leaf
      tdsl.node @words : uint4x32 "4096" result
      tdsl.node @y : f32 "4096" result
      tdsl.projections @p "." (@random_seed, @counter) -> @words
      tdsl.projections @q "." (@words) -> @y
      tdsl.routine @run {
        tdsl.fetch @counter = range
        tdsl.assign @words overwrite = threefry4x32(@random_seed, @counter) by @p
        tdsl.assign @y overwrite = uint4x32_to_prec_uniform1(@words) by @q
      }"""
    operation = program(text)
    y = run_routine(operation, "run", {})["y"]
    assert y[0] == pytest.approx(0.4637976288795471, abs=1e-7)  # the first cell of the packed stream
    counts = np.bincount((y * 256).astype(int), minlength=256)
    assert ((counts - 16) ** 2 / 16).sum() < 255 + 4 * 22.6
    other = run_routine(operation, "run", {}, seed=43)["y"]
    assert (y != other).mean() > 0.99


@pytest.mark.parametrize("precision", ["f64", "f32", "f16", "bf16", "f8"])
def test_uniform_numbers_stay_below_one(context, precision):
    lanes = {"f64": 2, "f32": 4, "f16": 8, "bf16": 8, "f8": 16}[precision]
    text = f"""
      tdsl.node @words : uint4x32 "1" input
      tdsl.node @y : {precision} "{lanes}" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run {{ tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }}"""
    y = run(text, {"words": np.full((1, 4), 0xFFFFFFFF, np.uint32)})["y"].astype(np.float64)
    assert (y < 1).all()
    assert (y > 0.8).all()


def test_packed_uniform_truncates_the_last_word(context):
    # k.14: five cells take two words, of which three lanes are dropped.
    text = """
      tdsl.node @words : uint4x32 "2" input
      tdsl.node @y : f32 "5" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run { tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }"""
    words = np.arange(8, dtype=np.uint32).reshape(2, 4) << 29
    assert run(text, {"words": words})["y"].tolist() == [0, 0.125, 0.25, 0.375, 0.5]


def test_wide_counters_are_split_and_narrow_ones_spread(context):
    # 97
    text = """
      tdsl.node @wide : i64 "1" input
      tdsl.node @narrow : i32 "1" input
      tdsl.node @a : uint4x32 "1" result
      tdsl.node @b : uint4x32 "1" result
      tdsl.projections @p "." (@wide) -> @a
      tdsl.projections @q "." (@narrow) -> @b
      tdsl.routine @run {
        tdsl.assign @a overwrite = id(@wide) by @p
        tdsl.assign @b overwrite = id(@narrow) by @q
      }"""
    nodes = run(text, {"wide": [(3 << 32) + 5], "narrow": [5]})
    assert nodes["a"].tolist() == [[5, 3, 0, 0]]
    assert nodes["b"].tolist() == [[5, 5 ^ 0x9E3779B9, 5 ^ 0x6C078965, 5 ^ (5 << 16)]]


def test_streams_of_different_nodes_differ(context):
    # 98: the key mixes the id of the node.
    text = """
      tdsl.node @random_seed : uint4x32 "1:bcast_if_1" leaf
      tdsl.node @a : uint4x32 "1" result id 7
      tdsl.node @b : uint4x32 "1" result id 8
      tdsl.projections @p "." (@a, @random_seed) -> @a
      tdsl.projections @q "." (@b, @random_seed) -> @b
      tdsl.routine @run {
        tdsl.fetch @a = self_id
        tdsl.fetch @b = self_id
        tdsl.assign @a overwrite = threefry4x32(@a, @random_seed) by @p
        tdsl.assign @b overwrite = threefry4x32(@b, @random_seed) by @q
      }"""
    nodes = run(text)
    assert (nodes["a"] != nodes["b"]).all()
