"""The traps of padding, lowering, primitives and random streams (sections D, E, G and H of the pitfalls), compiled.

Every output starts poisoned with NaN (74). Of section H, test_random_words.py has 95 and 96, the streams and golden
words, 97, the counters, and 98, the streams of nodes; 71, 90, 93 and 94 are in test_primitives.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import tdsl

from .agreement import run_compiled


def _floats(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def _statements(nodes: list[str], spaces: list[str], code: list[str]) -> str:
    projections = [f"tdsl.projections {space}" for space in spaces]
    return "\n".join([*(f"tdsl.node {n}" for n in nodes), *projections, "tdsl.routine @run {", *code, "}"])


# Section D: padding and convolution.


def test_padding_belongs_to_a_statement() -> None:
    """54, 55, 58, 59: windows of several sizes and accumulators, and a sum, over one node and over a fetched one."""
    nodes = ['@x : f32 "4" input', '@k3 : f32 "3" input', '@k5 : f32 "5" input', '@r : f32 "3" leaf']
    nodes += [f'@{n} : f32 "4" result' for n in ("pool", "sum", "again", "wide")]
    nodes += ['@total : f32 "1" result', '@range : f32 "3" result']
    spaces = [f'@p.{n} "o=+k; k => o" (@x, @k3) -> @{n}' for n in ("pool", "sum", "again")]
    spaces += ['@p.wide "o=+k; k => o" (@x, @k5) -> @wide', '@p.total "i => |->0" (@x) -> @total']
    spaces += ['@p.range "o=+k; k => o" (@r, @k3) -> @range']
    code = [
        "tdsl.assign @pool reset max = fst(@x, @k3) by @p.pool",
        "tdsl.assign @sum reset add = mul(@x, @k3) by @p.sum",
        "tdsl.assign @again reset max = fst(@x, @k3) by @p.again",
        "tdsl.assign @wide reset add = mul(@x, @k5) by @p.wide",
        "tdsl.assign @total reset add = id(@x) by @p.total",
        "tdsl.fetch @r = range",
        "tdsl.assign @range reset add = mul(@r, @k3) by @p.range",
    ]
    values = {"x": _floats(-4, -3, -2, -1), "k3": _floats(1, 1, 1), "k5": _floats(1, 1, 1, 1, 1)}
    results = run_compiled(_statements(nodes, spaces, code), values)
    assert results["pool"].tolist() == results["again"].tolist() == [-3, -2, -1, -1]
    assert results["sum"].tolist() == [-7, -9, -6, -3]
    assert results["wide"].tolist() == [-9, -10, -10, -6]
    assert results["total"].tolist() == [-10]
    assert results["range"].tolist() == [1, 3, 3]


def test_where_windows_start() -> None:
    """56, 57, 62b: kernel parity, dilation, and an outer sum that adds nothing in the margin."""
    nodes = ['@x : f32 "4" input', '@z : f32 "5" input', '@k3 : f32 "3" input', '@k2 : f32 "2" input']
    nodes += ['@odd : f32 "4" result', '@even : f32 "4" result', '@dilated : f32 "5" result', '@outer : f32 "4" result']
    spaces = [
        '@a "o=+k; k => o" (@x, @k3) -> @odd',
        '@b "o=+k; k => o" (@x, @k2) -> @even',
        '@c "o=+2*k; k => o" (@z, @k3) -> @dilated',
        '@d "o=+k; k => o" (@x, @k3) -> @outer',
    ]
    code = [
        "tdsl.assign @odd reset add = fst(@x, @k3) by @a",
        "tdsl.assign @even reset add = fst(@x, @k2) by @b",
        "tdsl.assign @dilated reset add = mul(@z, @k3) by @c",
        "tdsl.assign @outer reset add = add(@x, @k3) by @d",
    ]
    values = {"x": _floats(1, 2, 3, 4), "z": _floats(1, 2, 3, 4, 5), "k3": _floats(1, 10, 100), "k2": _floats(1, 1)}
    results = run_compiled(_statements(nodes, spaces, code), values)
    assert results["odd"].tolist() == [3, 6, 9, 7]
    assert results["even"].tolist() == [1, 3, 5, 7]
    assert results["dilated"].tolist() == [310, 420, 531, 42, 53]
    assert results["outer"].tolist() == [113, 117, 120, 18]


@pytest.mark.parametrize(("spec", "shape"), [("2*o=+k; k => o", "5"), ("2*o<+k; k => o", "8")])
def test_strides_that_do_not_divide(spec: str, shape: str) -> None:
    """60, 61."""
    text = _statements(
        [f'@x : f32 "{shape}" input', '@k : f32 "3" input', '@y : f32 "...|...->..." result'],
        [f'@p "{spec}" (@x, @k) -> @y'],
        ["tdsl.assign @y reset add = mul(@x, @k) by @p"],
    )
    with pytest.raises(tdsl.CompileError, match="stride"):
        run_compiled(text, {})


def test_masks_and_gradients_of_the_margin() -> None:
    """62, 62b: the mask of valid points is 0 outside, and gradients skip what is outside."""
    nodes = ['@x : f32 "4" input', '@k : f32 "3" input', '@g : f32 "4" input', '@y : f32 "4" result']
    nodes += ['@valid : f32 "4,3" result', '@x.grad : f32 "4" result', '@k.grad : f32 "3" result']
    code = [
        "tdsl.assign @y reset add = mul(@x, @k) by @p",
        "tdsl.assign @valid[pspace] reset or = eq(@x[rhs1], @x[rhs1]) by @p",
        "tdsl.assign @x.grad[rhs1] reset add = mul(@g[lhs], @k[rhs2]) by @p",
        "tdsl.assign @k.grad[rhs2] reset add = mul(@g[lhs], @x[rhs1]) by @p",
    ]
    values = {"x": _floats(1, 2, 3, 4), "k": _floats(1, 10, 100), "g": _floats(1, 1, 1, 1)}
    results = run_compiled(_statements(nodes, ['@p "o=+k; k => o" (@x, @k) -> @y'], code), values)
    assert results["valid"].tolist() == [[0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 0]]
    assert results["x.grad"].tolist() == [11, 111, 111, 110]
    assert results["k.grad"].tolist() == [6, 10, 9]


def test_a_private_producer_of_a_window() -> None:
    """63: a chain of pointwise operations that may be fused into the window, with the margin outside of it."""
    text = _statements(
        ['@x : f32 "4" input', '@k : f32 "3" input', 'private @t : f32 "4" result', '@y : f32 "4" result'],
        ['@e "." (@x) -> @t', '@p "o=+k; k => o" (@t, @k) -> @y'],
        ["tdsl.assign @t overwrite = exp(@x) by @e", "tdsl.assign @y reset add = mul(@t, @k) by @p"],
    )
    results = run_compiled(text, {"x": _floats(0, 0, 0, 0), "k": _floats(1, 1, 1)})
    assert results["y"].tolist() == [2, 3, 3, 2]


# Section E: lowering and optimization.


@pytest.mark.parametrize("swapped", [False, True])
def test_common_subexpressions_are_the_same_cells(swapped: bool) -> None:
    """64."""
    specs = ["ii=>i", "ij=>i"] if swapped else ["ij=>i", "ii=>i"]
    text = _statements(
        ['@m : f32 "3,3" input', 'private @a : f32 "3" result', 'private @b : f32 "3" result', '@y : f32 "3" result'],
        [f'@p "{specs[0]}" (@m) -> @a', f'@q "{specs[1]}" (@m) -> @b', '@r "." (@a, @b) -> @y'],
        [
            "tdsl.assign @a reset add = id(@m) by @p",
            "tdsl.assign @b reset add = id(@m) by @q",
            "tdsl.assign @y overwrite = add(@a, @b) by @r",
        ],
    )
    assert run_compiled(text, {"m": np.arange(9, dtype=np.float32).reshape(3, 3)})["y"].tolist() == [3, 16, 29]


def test_a_write_between_two_equal_expressions() -> None:
    """65, with the write inside a block."""
    text = _statements(
        [
            '@a : f32 "2" leaf',
            '@b : f32 "2" input',
            '@one : f32 "1:bcast_if_1" input',
            '@s : f32 "2" result',
            '@r : f32 "2" result',
        ],
        ['@p "." (@a, @b) -> @s', '@q "." (@a, @one) -> @a', '@t "." (@a, @b) -> @r'],
        [
            "tdsl.assign @s overwrite = add(@a, @b) by @p",
            'tdsl.comment "in between" { tdsl.assign @a overwrite = add(@a, @one) by @q }',
            "tdsl.assign @r overwrite = add(@a, @b) by @t",
        ],
    )
    results = run_compiled(text, {"a": _floats(1, 2), "b": _floats(10, 20), "one": _floats(1)})
    assert (results["r"] - results["s"]).tolist() == [1, 1]


def test_private_nodes_beside_others() -> None:
    """66, 67, 68: two uses of one private node, a private and a kept result of one node, a private diagonal."""
    nodes = ['@x : f32 "3" input', 'private @v : f32 "3" result', '@w : f32 "3" result', '@y : f32 "3" result']
    nodes += ['@z : f32 "3" result', 'private @diagonal : f32 "3,3" result', '@columns : f32 "3" result']
    spaces = ['@a "." (@x, @x) -> @v', '@b "." (@x, @x) -> @w', '@c "." (@v, @w) -> @y', '@d "." (@v, @v) -> @z']
    spaces += ['@e "i => ii" (@x) -> @diagonal', '@f "ij => j" (@diagonal) -> @columns']
    code = [
        "tdsl.assign @v overwrite = add(@x, @x) by @a",
        "tdsl.assign @w overwrite = mul(@x, @x) by @b",
        "tdsl.assign @y overwrite = sub(@v, @w) by @c",
        "tdsl.assign @z overwrite = mul(@v, @v) by @d",
        "tdsl.assign @diagonal reset add = id(@x) by @e",
        "tdsl.assign @columns reset add = id(@diagonal) by @f",
    ]
    results = run_compiled(_statements(nodes, spaces, code), {"x": _floats(5, 6, 7)})
    assert results["w"].tolist() == [25, 36, 49]
    assert results["y"].tolist() == [-15, -24, -35]
    assert results["z"].tolist() == [100, 144, 196]
    assert results["columns"].tolist() == [5, 6, 7]


def test_arithmetic_is_not_simplified_beyond_its_precision() -> None:
    """69, 70, 72, 94: x * 0, (x + 1e8) - 1e8, where(c, a, b) + 1 and n / 2 * 2."""
    nodes = [f'@{n} : f32 "3" input' for n in ("x", "c", "b")] + ['@zero : f32 "3" leaf', '@big : f32 "3" leaf']
    nodes += ['@one : f32 "3" leaf', '@n : i32 "3" input', '@two : i32 "3" leaf']
    nodes += [f'private @{n} : f32 "3" result' for n in ("s", "w")] + ['private @h : i32 "3" result']
    nodes += [f'@{n} : f32 "3" result' for n in ("product", "sum", "chosen", "square", "inverse")]
    nodes += ['@even : i32 "3" result']
    spaces = ['@a "." (@x, @zero) -> @product', '@b2 "." (@x, @big) -> @s', '@c2 "." (@s, @big) -> @sum']
    spaces += ['@d "." (@c, @x, @b) -> @w', '@e "." (@w, @one) -> @chosen', '@f "." (@n, @two) -> @h']
    spaces += ['@g "." (@h, @two) -> @even', '@i "." (@b, @b) -> @square', '@j "." (@b, @b) -> @inverse']
    code = [
        "tdsl.fetch @zero = constant 0.0",
        "tdsl.fetch @big = constant 1.0e8",
        "tdsl.fetch @one = constant 1.0",
        "tdsl.fetch @two = constant 2.0",
        "tdsl.assign @product overwrite = mul(@x, @zero) by @a",
        "tdsl.assign @s overwrite = add(@x, @big) by @b2",
        "tdsl.assign @sum overwrite = sub(@s, @big) by @c2",
        "tdsl.assign @w overwrite = where(@c, @x, @b) by @d",
        "tdsl.assign @chosen overwrite = add(@w, @one) by @e",
        "tdsl.assign @h overwrite = div(@n, @two) by @f",
        "tdsl.assign @even overwrite = mul(@h, @two) by @g",
        "tdsl.assign @square overwrite = mul(@b, @b) by @i",
        "tdsl.assign @inverse overwrite = div(@b, @b) by @j",
    ]
    values = {"x": _floats(1, np.inf, np.nan), "c": _floats(0, 1, np.nan), "b": _floats(1e20, 0, 3)}
    values["n"] = np.array([1, -3, 4], np.int32)
    results = run_compiled(_statements(nodes, spaces, code), values)
    np.testing.assert_array_equal(results["product"], _floats(0, np.nan, np.nan))
    np.testing.assert_array_equal(results["sum"], _floats(0, np.inf, np.nan))
    np.testing.assert_array_equal(results["chosen"], _floats(1e20, np.inf, np.nan))
    np.testing.assert_array_equal(results["square"], _floats(np.inf, 0, 9))
    np.testing.assert_array_equal(results["inverse"], _floats(1, np.nan, 1))
    assert results["even"].tolist() == [0, -2, 4]


@pytest.mark.parametrize("precision", ["f16", "bf16"])
def test_neutral_elements_of_narrow_floats_are_infinite(precision: str) -> None:
    """73: the maximum of nothing is no finite number."""
    text = _statements([f'@y : {precision} "2" result'], [], ["tdsl.fill @y neutral max"])
    assert run_compiled(text, {})["y"].astype("f8").tolist() == [-np.inf] * 2


def test_one_hot_outside_is_zero() -> None:
    """75: ids outside of [0, 3), huge and NaN ones select nothing."""
    text = _statements(
        ['@ids : f32 "6|->1:bcast_if_1" input', '@classes : f32 "3" leaf', '@hot : f32 "6|->3" result'],
        ['@p "." (@classes, @ids) -> @hot'],
        ["tdsl.fetch @classes = range", "tdsl.assign @hot overwrite = eq(@classes, @ids) by @p"],
    )
    hot = run_compiled(text, {"ids": _floats(-1, 0, 2, 3, 1e30, np.nan).reshape(6, 1)})["hot"]
    assert hot.tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_guards_do_not_depend_on_the_optimization(level: int) -> None:
    """76."""
    compiled = tdsl.compile(
        """tdsl.program @p {
          tdsl.node @x : f32 "4" input
          tdsl.node @k : f32 "3" input
          tdsl.node @y : f32 "4" result
          tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y
          tdsl.routine @run { tdsl.assign @y reset add = add(@x, @k) by @p }
        }""",
        optimization_level=level,
    )
    # Both sides of x are readable, and would show.
    memory = np.full(6, 1000, np.float32)
    memory[1:5] = [1, 2, 3, 4]
    assert compiled["run"](x=memory[1:5], k=_floats(0, 0, 0))["y"].tolist() == [3, 6, 9, 7]


def test_a_slice_and_its_node_are_one_memory_in_order() -> None:
    """77: a read of x after a write to its slice sees the write, one before does not."""
    compiled = tdsl.compile(
        """tdsl.program @p {
          tdsl.symbol @i range 0 to 2
          tdsl.node @x : f32 "2|->2" leaf
          tdsl.node @s : f32 "->2" result
          tdsl.node @before : f32 "2|->2" result
          tdsl.node @after : f32 "2|->2" result
          tdsl.projections @p slice(@i) (@x) -> @s
          tdsl.projections @q "." (@x) -> @before
          tdsl.projections @r "." (@x) -> @after
          tdsl.routine @run(%i: !tdsl.index<@i>) {
            tdsl.assign @before overwrite = id(@x) by @q
            tdsl.fetch @s = constant 9.0
            tdsl.assign @x[rhs1] overwrite = id(@s[lhs]) by @p[%i : !tdsl.index<@i>]
            tdsl.assign @after overwrite = id(@x) by @r
          }
        }"""
    )
    results = compiled["run"]({"x": np.arange(4, dtype=np.float32).reshape(2, 2), "i": 1})
    assert results["before"].tolist() == [[0, 1], [2, 3]]
    assert results["after"].tolist() == results["x"].tolist() == [[0, 1], [9, 9]]


# Section G: primitives.


def test_edges_of_primitives() -> None:
    """88, 89, 91, 92."""
    table = [
        ("sat01_gate", 0, 5, 0), ("sat01_gate", 1, 5, 0), ("sat01_gate", 0.5, 5, 5), ("sat01_gate", math.nan, 5, 0),
        ("max", math.nan, 1, math.nan), ("max", 1, math.nan, math.nan), ("min", math.nan, 1, math.nan),
        ("min", 1, math.nan, math.nan), ("max", -0.0, 0.0, 0.0), ("min", 0.0, -0.0, -0.0), ("le", math.nan, 1, 0),
        ("le", 1, math.nan, 0), ("lt", 1, math.nan, 0), ("mod", -1, 3, 2), ("mod", 1, -3, -2), ("mod", -7.5, 2, 0.5),
        ("relu_gate", 0, 5, 0), ("relu_gate", math.nan, 5, 0),
    ]  # fmt: skip
    for precision in ("f64", "f32"):
        nodes, spaces, code, values = [], [], [], {}
        for number, (operation, a, b, _) in enumerate(table):
            nodes += [f'@{n}{number} : {precision} "1" {"result" if n == "y" else "input"}' for n in "aby"]
            spaces.append(f'@p{number} "." (@a{number}, @b{number}) -> @y{number}')
            code.append(f"tdsl.assign @y{number} overwrite = {operation}(@a{number}, @b{number}) by @p{number}")
            values |= {f"{n}{number}": np.array([v], precision.replace("f", "float")) for n, v in (("a", a), ("b", b))}
        results = run_compiled(_statements(nodes, spaces, code), values)
        for number, (operation, a, b, expected) in enumerate(table):
            [cell] = results[f"y{number}"].tolist()
            what = f"{operation}({a}, {b}) in {precision}"
            assert math.isnan(cell) if math.isnan(expected) else cell == expected, what
            assert math.isnan(cell) or math.copysign(1, cell) == math.copysign(1, expected), what


def test_tanh_has_the_precision_of_its_node() -> None:
    """90."""
    text = _statements(
        ['@x : f64 "1" input', '@y : f64 "1" result'],
        ['@p "." (@x) -> @y'],
        ["tdsl.assign @y overwrite = tanh(@x) by @p"],
    )
    assert run_compiled(text, {"x": np.array([0.1])})["y"][0] == pytest.approx(math.tanh(0.1), rel=4e-16)


# Section H: randomness.


def test_the_seed_is_there_for_every_routine() -> None:
    """99: whichever routine runs first."""
    compiled = tdsl.compile(
        """tdsl.program @p {
          tdsl.node @random_seed : uint4x32 "1" leaf
          tdsl.node @a : uint4x32 "1" result id 7
          tdsl.node @b : uint4x32 "1" result id 8
          tdsl.projections @p "." (@a, @random_seed) -> @a
          tdsl.projections @q "." (@b, @random_seed) -> @b
          tdsl.routine @first {
            tdsl.fetch @a = self_id
            tdsl.assign @a overwrite = threefry4x32(@a, @random_seed) by @p
          }
          tdsl.routine @second {
            tdsl.fetch @b = self_id
            tdsl.assign @b overwrite = threefry4x32(@b, @random_seed) by @q
          }
        }"""
    )
    alone = compiled["second"]()["b"]
    context = tdsl.Context(compiled)
    context.run("first")
    context.run("second")
    np.testing.assert_array_equal(context["b"], alone)
    assert (context["a"] != alone).any()
