"""Whole routines: order of statements, updates in place, fetches, merge buffers, slots (spec b, e.5)."""

from __future__ import annotations

import numpy as np
import pytest

import tdsl

from .programs import dtype_of, one_assignment, run_poisoned


def test_accumulation_without_reset_goes_on_from_the_cells_before() -> None:
    compiled = tdsl.compile(one_assignment("ij => i", ("->2,3",), write="add"))
    y = np.array([10, 20], "f4")
    x = np.arange(6, dtype="f4").reshape(2, 3)
    run_poisoned(compiled, {"x1": x, "y": y})
    run_poisoned(compiled, {"x1": x, "y": y})
    np.testing.assert_array_equal(y, [16, 44])


def test_reads_before_a_write_see_the_old_cells() -> None:
    compiled = tdsl.compile(
        """tdsl.program @swap {
          tdsl.node @a : f32 "->3" param
          tdsl.node @b : f32 "->3" param
          tdsl.node private @t : f32 "->3" result
          tdsl.projections @p "." (@a) -> @t
          tdsl.projections @q "." (@b) -> @a
          tdsl.projections @r "." (@t) -> @b
          tdsl.routine @run {
            tdsl.assign @t overwrite = id(@a) by @p
            tdsl.assign @a overwrite = id(@b) by @q
            tdsl.assign @b overwrite = id(@t) by @r
          }
        }"""
    )
    a, b = np.array([1, 2, 3], "f4"), np.array([4, 5, 6], "f4")
    run_poisoned(compiled, {"a": a, "b": b})
    np.testing.assert_array_equal([a, b], [[4, 5, 6], [1, 2, 3]])


#: Statements over nodes a, b (read and written), c, d (written first) and t (private), and what Python does.
ORDERS: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "rotate by a copy": [("t", "id", ("a",)), ("a", "id", ("b",)), ("b", "id", ("t",))],
    "rotate by exponentials": [("t", "id", ("a",)), ("a", "exp", ("b",)), ("b", "exp", ("t",))],
    "late read of a computed copy": [("t", "neg", ("a",)), ("a", "exp", ("b",)), ("b", "mul", ("t", "a"))],
    "copy, then overwrite": [("c", "id", ("a",)), ("a", "exp", ("b",)), ("b", "neg", ("c",))],
    "copy out, then overwrite": [("c", "id", ("a",)), ("a", "mul", ("a", "b"))],
    "copy out twice": [("c", "id", ("a",)), ("d", "id", ("a",)), ("a", "neg", ("a",)), ("b", "id", ("d",))],
    "copy of a written result": [("d", "exp", ("a",)), ("c", "id", ("d",)), ("d", "neg", ("d",))],
    "written, then copied and written": [("a", "neg", ("a",)), ("c", "id", ("a",)), ("a", "mul", ("a", "a"))],
    "first of two": [("c", "fst", ("a", "b")), ("a", "id", ("b",)), ("b", "snd", ("a", "c"))],
    "max with itself": [("c", "max", ("a", "a")), ("a", "neg", ("b",)), ("b", "id", ("c",))],
    "copy of a copy": [("t", "id", ("a",)), ("c", "id", ("t",)), ("a", "neg", ("b",)), ("b", "id", ("t",))],
}
_FUNCTIONS = {
    "id": lambda x: x, "exp": np.exp, "neg": np.negative, "mul": np.multiply, "fst": lambda x, y: x,
    "snd": lambda x, y: y, "max": np.maximum,
}  # fmt: skip


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("order", ["abcd", "dcba", "bdac"])
@pytest.mark.parametrize("shape", ["->3", "->", "->1", "2|->3"])
def test_reads_and_writes_keep_their_order(name: str, order: str, shape: str) -> None:
    used = {node for target, _, sources in ORDERS[name] for node in (target, *sources)}
    lines = [f'tdsl.node {"private " * (n == "t")}@{n} : f64 "{shape}" result' for n in f"{order}t" if n in used]
    code = []
    for number, (target, primitive, sources) in enumerate(ORDERS[name]):
        operands = ", ".join(f"@{source}" for source in sources)
        lines.append(f'tdsl.projections @p{number} "." ({operands}) -> @{target}')
        code.append(f"tdsl.assign @{target} overwrite = {primitive}({operands}) by @p{number}")
    compiled = tdsl.compile("\n".join(["tdsl.program @p {", *lines, "tdsl.routine @run {", *code, "}}"]))
    sizes = compiled["run"].signature.arguments[0].shape
    cells = {"a": np.arange(0.5, np.prod(sizes)).reshape(sizes), "b": np.full(sizes, 0.25)}
    given = {n: c.copy() for n, c in cells.items() if n in used}
    results = run_poisoned(compiled, given)
    for target, primitive, sources in ORDERS[name]:
        cells[target] = np.asarray(_FUNCTIONS[primitive](*(cells[source] for source in sources)))
    for node in results:
        np.testing.assert_allclose(results[node], cells[node], rtol=1e-14, err_msg=node)


@pytest.mark.parametrize("fetch", ["constant 2.0", "range", "fill [1.0, 2.0, 3.0]", "slice @x at %i : !tdsl.index<@i>"])
def test_a_fetch_after_a_read_keeps_the_order(fetch: str) -> None:
    compiled = tdsl.compile(
        f"""tdsl.program @p {{
          tdsl.symbol @i range 0 to 2
          tdsl.node @x : f64 "2|->3" leaf
          tdsl.node @a : f64 "->3" result
          tdsl.node private @t : f64 "->3" result
          tdsl.node @b : f64 "->3" result
          tdsl.projections @p "." (@a) -> @t
          tdsl.projections @q "." (@t, @a) -> @b
          tdsl.projections @r slice(@i) (@x) -> @a
          tdsl.routine @run(%i: !tdsl.index<@i>) {{
            tdsl.assign @t overwrite = id(@a) by @p
            tdsl.fetch @a = {fetch}
            tdsl.assign @b overwrite = sub(@t, @a) by @q
            tdsl.assign @x[rhs1] add = id(@b[lhs]) by @r[%i : !tdsl.index<@i>]
          }}
        }}"""
    )
    x = np.arange(6.0).reshape(2, 3)
    a = np.array([10.0, 20, 30])
    fetched = {"c": np.full(3, 2.0), "r": np.arange(3.0), "f": np.array([1.0, 2, 3]), "s": x[1].copy()}[fetch[0]]
    b = a - fetched
    expected = x + np.array([[0.0], [1]]) * b
    results = run_poisoned(compiled, {"x": x, "a": a}, i=1)
    np.testing.assert_array_equal(results["a"], fetched)
    np.testing.assert_array_equal(results["b"], b)
    np.testing.assert_array_equal(results["x"], expected)


def test_update_that_reads_its_destination() -> None:
    compiled = tdsl.compile(
        """tdsl.program @decay {
          tdsl.node @w : f64 "->3" param
          tdsl.node @rate : f64 "1:bcast_if_1" input
          tdsl.projections @p "." (@w, @rate) -> @w
          tdsl.routine @run {
            tdsl.assign @w sub = mul(@w, @rate) by @p
            tdsl.assign @w overwrite = mul(@w, @w) by @q
          }
          tdsl.projections @q "." (@w, @w) -> @w
        }"""
    )
    w = np.array([1.0, 2.0, 3.0])
    run_poisoned(compiled, {"w": w, "rate": [0.5]})
    np.testing.assert_array_equal(w, [0.25, 1, 2.25])


def test_broadcast_of_scalars_and_rows() -> None:
    compiled = tdsl.compile(
        one_assignment(".", ("2|->3", "1:bcast_if_1|->1:bcast_if_1"), write="overwrite", primitive="add")
    )
    x = np.arange(6, dtype="f4").reshape(2, 3)
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": x, "x2": [[10]]})["y"], x + 10)


@pytest.mark.parametrize("precision", ["f64", "f32", "bf16", "f16", "i64", "i32", "u8", "bool"])
def test_fetches(precision: str) -> None:
    compiled = tdsl.compile(
        f"""tdsl.program @fetches {{
          tdsl.symbol @i range 0 to 4
          tdsl.dim @d = 3
          tdsl.node @x : {precision} "4|->3" input
          tdsl.node @constant : {precision} "->2,2" result
          tdsl.node @fill : {precision} "->2,2" result
          tdsl.node @range : {precision} "->2,2" result
          tdsl.node @slice : {precision} "->3" result
          tdsl.node @symbol : {precision} "->" result
          tdsl.node @id : {precision} "->2" result id 7
          tdsl.node @dim : {precision} "->1" result
          tdsl.routine @run(%i: !tdsl.index<@i>) {{
            tdsl.fetch @constant = constant 2.0
            tdsl.fetch @fill = fill [1.0, 2.0, 3.0, 4.0]
            tdsl.fetch @range = range
            tdsl.fetch @slice = slice @x at %i : !tdsl.index<@i>
            tdsl.fetch @symbol = symbol %i : !tdsl.index<@i>
            tdsl.fetch @id = self_id
            tdsl.fetch @dim = dim @d
          }}
        }}"""
    )
    dtype = dtype_of(precision)
    x = (np.arange(12).reshape(4, 3) % 5).astype(dtype)
    results = run_poisoned(compiled, {"x": x}, i=3)
    expected = {
        "constant": np.full((2, 2), 2),
        "fill": np.array([[1, 2], [3, 4]]),
        "range": np.array([[0, 1], [2, 3]]),
        "slice": x[3],
        "symbol": np.array(3),
        "id": np.array([7, 7]),
        "dim": np.array([3]),
    }
    for name, cells in expected.items():
        np.testing.assert_array_equal(results[name], cells.astype(dtype), err_msg=name)


@pytest.mark.parametrize(
    ("precision", "bits", "expected"),
    [("f32", 0x3F800000, 1.0), ("f64", 1, 5e-324), ("bf16", 0x3F80, 1.0), ("f16", 0x3C00, 1.0), ("i32", -1, -1),
     ("u8", 511, 255), ("i64", -1, -1), ("bool", 2, False)],
)  # fmt: skip
def test_bits(precision: str, bits: int, expected: float) -> None:
    compiled = tdsl.compile(
        f'tdsl.program @p {{ tdsl.node @y : {precision} "->2" result\n'
        f"tdsl.routine @run {{ tdsl.fetch @y = bits {bits} }} }}"
    )
    np.testing.assert_array_equal(run_poisoned(compiled, {})["y"], np.full(2, expected).astype(dtype_of(precision)))


def test_constants_of_integers_are_brought_into_range() -> None:
    compiled = tdsl.compile(
        'tdsl.program @p { tdsl.node @y : u8 "->2" result\n tdsl.routine @run { tdsl.fetch @y = fill [300.0, -2.5] } }'
    )
    np.testing.assert_array_equal(run_poisoned(compiled, {})["y"], [255, 0])


def test_merge_buffers_are_read() -> None:
    compiled = tdsl.compile(
        """tdsl.program @merging {
          tdsl.node @g : f32 "->3" result
          tdsl.projections @p "." (@g) -> @g
          tdsl.routine @run { tdsl.assign @g add = id(merge(@g)) by @p }
        }"""
    )
    g, other = np.array([1, 2, 3], "f4"), np.array([10, 20, 30], "f4")
    run_poisoned(compiled, {"g": g, "g.merge": other})
    np.testing.assert_array_equal(g, [11, 22, 33])
    # One array as both: the buffer is read as it was.
    compiled["run"]({"g": g, "g.merge": g})
    np.testing.assert_array_equal(g, [22, 44, 66])


def test_gradients_of_a_contraction_use_its_space() -> None:
    compiled = tdsl.compile(
        """tdsl.program @gradients {
          tdsl.node @w : f64 "|3->4" param
          tdsl.node @x : f64 "8|->3" input
          tdsl.node @h : f64 "8|->4" result
          tdsl.node @h.grad : f64 "8|->4" input
          tdsl.node @w.grad : f64 "...|...->..." result grad_of @w
          tdsl.node @x.grad : f64 "...|...->..." result grad_of @x
          tdsl.projections @p "@" (@w, @x) -> @h
          tdsl.routine @run {
            tdsl.assign @w.grad[rhs1] reset add = mul(@h.grad[lhs], @x[rhs2]) by @p
            tdsl.assign @x.grad[rhs2] reset add = mul(@h.grad[lhs], @w[rhs1]) by @p
          }
        }"""
    )
    generator = np.random.default_rng(0)
    w, x, g = (generator.standard_normal(shape) for shape in ((4, 3), (8, 3), (8, 4)))
    results = run_poisoned(compiled, {"w": w, "x": x, "h.grad": g})
    np.testing.assert_allclose(results["w.grad"], g.T @ x, rtol=1e-13)
    np.testing.assert_allclose(results["x.grad"], g @ w, rtol=1e-13)


def test_slices_by_a_symbol_are_read_and_written() -> None:
    compiled = tdsl.compile(
        """tdsl.program @slices {
          tdsl.symbol @i range 0 to 4
          tdsl.node @x : f32 "4|->3" leaf
          tdsl.node @y : f32 "->3" result
          tdsl.projections @p slice(@i) (@x) -> @y
          tdsl.routine @read(%i: !tdsl.index<@i>) {
            tdsl.assign @y overwrite = id(@x) by @p[%i : !tdsl.index<@i>]
          }
          tdsl.routine @write(%i: !tdsl.index<@i>) {
            tdsl.assign @x[rhs1] add = id(@y[lhs]) by @p[%i : !tdsl.index<@i>]
          }
        }"""
    )
    x = np.arange(12, dtype="f4").reshape(4, 3)
    for i in range(4):
        np.testing.assert_array_equal(run_poisoned(compiled, {"x": x}, "read", i=i)["y"], x[i])
    expected = x.copy()
    expected[2] += 100
    run_poisoned(compiled, {"x": x, "y": np.full(3, 100, "f4")}, "write", i=2)
    np.testing.assert_array_equal(x, expected)


def test_temporaries_hold_nothing_from_earlier_calls() -> None:
    compiled = tdsl.compile(
        """tdsl.program @temporaries {
          tdsl.node @x : f32 "->64,3" input
          tdsl.node private @t : f32 "...|...->..." result
          tdsl.node @y : f32 "->3" result
          tdsl.projections @p "ij => ij2" (@x) -> @t
          tdsl.projections @q "ijk => j" (@t) -> @y
          tdsl.routine @run {
            tdsl.assign @t reset add = id(@x) by @p
            tdsl.assign @y reset add = id(@t) by @q
          }
        }"""
    )
    assert [a.name for a in compiled["run"].signature.arguments] == ["x", "y"]
    poisoned = np.full((64, 3), np.nan, "f4")
    ones = np.ones((64, 3), "f4")
    for _ in range(3):
        run_poisoned(compiled, {"x": poisoned})
        np.testing.assert_array_equal(run_poisoned(compiled, {"x": ones})["y"], [64, 64, 64])


@pytest.mark.parametrize(
    "name", ["exp", "expf", "malloc", "free", "memcpy", "main", "llvm.foo", "a b", "_mlir_ciface_r", "p"]
)
def test_routines_may_have_the_names_of_other_functions(name: str) -> None:
    compiled = tdsl.compile(
        f"""tdsl.program @p {{
          tdsl.node @x : f64 "->3" input
          tdsl.node private @t : f64 "->3,3" result
          tdsl.node @y : f64 "->3" result
          tdsl.projections @o "i; j => ij" (@x, @x) -> @t
          tdsl.projections @s "ij => i" (@t) -> @y
          tdsl.projections @e "." (@y) -> @y
          tdsl.routine @r {{ tdsl.assign @y add = exp(@y) by @e }}
          tdsl.routine @"{name}" {{
            tdsl.assign @t reset add = mul(@x, @x) by @o
            tdsl.assign @y reset add = exp(@t) by @s
          }}
        }}"""
    )
    x = np.array([0.5, 1, 2])
    result = run_poisoned(compiled, {"x": x}, name)["y"]
    np.testing.assert_allclose(result, np.exp(np.outer(x, x)).sum(1), rtol=1e-14)
