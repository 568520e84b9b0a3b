"""A program means the same before and after derivation: logic strings against spaces that were written by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from reference.programs import program, run
from tdsl.ir import NodeOp, Precision, ShapeAttr, enumerator
from tdsl.reference import compare, machine, run_routine


@dataclass(frozen=True)
class Stages:
    """One program in two stages: its nodes, and for each stage the projections and the statements."""

    nodes: dict[str, str]
    logic: str
    statement: str
    space: str
    derived: str | None = None

    def texts(self) -> tuple[str, str]:
        nodes = "\n".join(f'tdsl.node @{name} : f64 "{shape}" leaf' for name, shape in self.nodes.items())
        before = f"{nodes}\n{self.logic}\ntdsl.routine @run {{ {self.statement} }}"
        projections = self.space if self.space.startswith("tdsl.") else f"{self.logic} space {self.space}"
        after = f"{nodes}\n{projections}\ntdsl.routine @run {{ {self.derived or self.statement} }}"
        return before, after


PROGRAMS = {
    "matmul": Stages(
        {"a": "2,3", "b": "3,4", "y": "2,4"},
        'tdsl.projections @p "ij;jk=>ik" (@a, @b) -> @y',
        "tdsl.assign @y reset add = mul(@a, @b) by @p",
        "<[i 2 parallel, k 4 parallel, j 3 reduction] lhs[i, k] rhs1[i, j] rhs2[j, k]>",
        "tdsl.fill @y neutral add\ntdsl.assign @y add = mul(@a, @b) by @p",
    ),
    "matmul-gradient": Stages(
        {"a": "2,3", "b": "3,4", "y": "2,4", "y.grad": "2,4", "a.grad": "2,3"},
        'tdsl.projections @p "ij;jk=>ik" (@a, @b) -> @y',
        "tdsl.assign @a.grad[rhs1] add = mul(@y.grad[lhs], @b[rhs2]) by @p",
        "<[i 2 parallel, k 4 parallel, j 3 reduction] lhs[i, k] rhs1[i, j] rhs2[j, k]>",
    ),
    "compose": Stages(
        {"w": "3->2", "x": "5|->3", "y": "5|->2"},
        'tdsl.projections @p "@" (@w, @x) -> @y',
        "tdsl.assign @y reset add = mul(@w, @x) by @p",
        "<[b 5 parallel, o 2 parallel, i 3 reduction] lhs[b, o] rhs1[o, i] rhs2[b, i]>",
    ),
    "compose-matrices": Stages(
        {"w": "3->2", "x": "4->3", "y": "4->2"},
        'tdsl.projections @p "@" (@w, @x) -> @y',
        "tdsl.assign @y reset add = mul(@w, @x) by @p",
        "<[o 2 parallel, i 4 parallel, j 3 reduction] lhs[o, i] rhs1[o, j] rhs2[j, i]>",
    ),
    "fma": Stages(
        {"w": "3->2", "x": "3", "b": "2", "y": "2"},
        "tdsl.projections @p fma (@w, @x, @b) -> @y",
        "tdsl.assign @y reset add = fma(@w, @x, @b) by @p",
        "<[o 2 parallel, i 3 reduction] lhs[o] rhs1[o, i] rhs2[i] rhs3[o]>",
    ),
    "broadcast": Stages(
        {"a": "2|->3", "b": "3", "c": "1:bcast_if_1", "y": "2|->3"},
        'tdsl.projections @p "." (@a, @b, @c) -> @y',
        "tdsl.assign @y overwrite = mul3(@a, @b, @c) by @p",
        "<[i 2 parallel, j 3 parallel] lhs[i, j] rhs1[i, j] rhs2[j] rhs3[0]>",
    ),
    "broadcast-from-the-right": Stages(
        {"a": "2,3", "b": "3", "y": "2,3"},
        'tdsl.projections @p "." (@a, @b) -> @y',
        "tdsl.assign @y overwrite = add(@a, @b) by @p",
        "<[i 2 parallel, j 3 parallel] lhs[i, j] rhs1[i, j] rhs2[j]>",
    ),
    "broadcast-a-square": Stages(
        {"a": "3", "y": "3,3"},
        'tdsl.projections @p "." (@a) -> @y',
        "tdsl.assign @y overwrite = id(@a) by @p",
        "<[i 3 parallel, j 3 parallel] lhs[i, j] rhs1[j]>",
    ),
    "window-with-an-offset": Stages(
        {"x": "5", "k": "3", "y": "2"},
        'tdsl.projections @p "2*o<+1+k; k => o" (@x, @k) -> @y',
        "tdsl.assign @y reset max = add(@x, @k) by @p",
        "<[o 2 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k + 1] guarded rhs2[k]>",
    ),
    "transpose": Stages(
        {"a": "2|3->4", "y": "2|4->3"},
        'tdsl.projections @p "T" (@a) -> @y',
        "tdsl.assign @y overwrite = id(@a) by @p",
        "<[b 2 parallel, o 3 parallel, i 4 parallel] lhs[b, o, i] rhs1[b, i, o]>",
    ),
    "strided-convolution": Stages(
        {"x": "9", "k": "3", "y": "4"},
        'tdsl.projections @p "2*o<+k; k => o" (@x, @k) -> @y',
        "tdsl.assign @y reset add = mul(@x, @k) by @p",
        "<[o 4 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k] rhs2[k]>",
    ),
    "padded-dilated-convolution": Stages(
        {"x": "6", "k": "3", "y": "6"},
        'tdsl.projections @p "o=+2*k; k => o" (@x, @k) -> @y',
        "tdsl.assign @y reset max = add(@x, @k) by @p",
        "<[o 6 parallel, k 3 reduction] lhs[o] rhs1[o + k * 2 - 2] guarded rhs2[k]>",
    ),
    "padded-gradient": Stages(
        {"x": "4", "k": "3", "y": "4", "x.grad": "4", "y.grad": "4"},
        'tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y',
        "tdsl.assign @x.grad[rhs1] add = mul(@y.grad[lhs], @k[rhs2]) by @p",
        "<[o 4 parallel, k 3 reduction] lhs[o] rhs1[o + k - 1] guarded rhs2[k]>",
    ),
    "tropical-candidates": Stages(
        {"x": "5", "k": "3", "y": "3", "sum": "3,3"},
        'tdsl.projections @p "o<+k; k => o" (@x, @k) -> @y',
        "tdsl.assign @sum[pspace] reset max = add(@x[rhs1], @k[rhs2]) by @p",
        "<[o 3 parallel, k 3 reduction] lhs[o] rhs1[o + k] rhs2[k]>",
    ),
    "diagonal": Stages(
        {"x": "3", "y": "3,3"},
        'tdsl.projections @p "i => ii" (@x) -> @y',
        "tdsl.assign @y reset mul = id(@x) by @p",
        "<[i 3 parallel] lhs[i, i] rhs1[i]>",
        "tdsl.fill @y neutral mul\ntdsl.assign @y overwrite = id(@x) by @p",
    ),
    "placed": Stages(
        {"x": "3", "y": "3,3"},
        'tdsl.projections @p "... => ...2" (@x) -> @y',
        "tdsl.assign @y reset add = id(@x) by @p",
        "<[i 3 parallel] lhs[i, 2] rhs1[i]>",
    ),
    "concatenation": Stages(
        {"a": "2", "b": "3", "y": "5"},
        'tdsl.projections @p "a; b => a^b" (@a, @b) -> @y',
        "tdsl.assign @y reset add = block id(@a, @b) by @p",
        """tdsl.projections @p0 "a; b => a^b" (@a, @b) -> @y segment 0
          space <[a 2 parallel] lhs[a] rhs1[a] rhs2[0]>
        tdsl.projections @p1 "a; b => a^b" (@a, @b) -> @y segment 1
          space <[b 3 parallel] lhs[b + 2] rhs1[0] rhs2[b]>""",
        """tdsl.assign @y overwrite = id(@a[rhs1]) by @p0
        tdsl.assign @y overwrite = block id(@b[rhs2]) by @p1""",
    ),
    "segments-before-derivation": Stages(
        {"a": "2", "b": "3", "y": "5"},
        'tdsl.projections @p "a; b => a^b" (@a, @b) -> @y',
        "tdsl.assign @y overwrite = block id(@a, @b) by @p",
        """tdsl.projections @p0 "a; b => a^b" (@a, @b) -> @y segment 0
        tdsl.projections @p1 "a; b => a^b" (@a, @b) -> @y segment 1""",
        """tdsl.assign @y overwrite = id(@a) by @p0
        tdsl.assign @y overwrite = id(@b[rhs2]) by @p1""",
    ),
    "concatenation-gradient": Stages(
        {"a": "2", "b": "3", "y": "5", "a.grad": "2", "b.grad": "3", "y.grad": "5"},
        'tdsl.projections @p "a; b => a^b" (@a, @b) -> @y',
        "tdsl.assign (@a.grad[rhs1], @b.grad[rhs2]) add = id(@y.grad[lhs]) by @p",
        """tdsl.projections @p0 "a; b => a^b" (@a, @b) -> @y segment 0
          space <[a 2 parallel] lhs[a] rhs1[a] rhs2[0]>
        tdsl.projections @p1 "a; b => a^b" (@a, @b) -> @y segment 1
          space <[b 3 parallel] lhs[b + 2] rhs1[0] rhs2[b]>""",
        """tdsl.assign @a.grad[rhs1] add = id(@y.grad[lhs]) by @p0
        tdsl.assign @b.grad[rhs2] add = id(@y.grad[lhs]) by @p1""",
    ),
    "block-diagonal": Stages(
        {"a": "2,1", "b": "1,3", "y": "3,4"},
        'tdsl.projections @p "i, k; j, l => i^j, k^l" (@a, @b) -> @y',
        "tdsl.assign @y reset add = block id(@a, @b) by @p",
        """tdsl.projections @p0 "i, k; j, l => i^j, k^l" (@a, @b) -> @y segment 0
          space <[i 2 parallel, k 1 parallel] lhs[i, k] rhs1[i, k] rhs2[0, 0]>
        tdsl.projections @p1 "i, k; j, l => i^j, k^l" (@a, @b) -> @y segment 1
          space <[j 1 parallel, l 3 parallel] lhs[j + 2, l + 1] rhs1[0, 0] rhs2[j, l]>""",
        """tdsl.fill @y neutral add
        tdsl.assign @y overwrite = id(@a[rhs1]) by @p0
        tdsl.assign @y overwrite = id(@b[rhs2]) by @p1""",
    ),
    "division-of-the-neutral": Stages(
        {"x": "3", "y": "3"},
        'tdsl.projections @p "i => i" (@x) -> @y',
        "tdsl.assign @y reset div = id(@x) by @p",
        "<[i 3 parallel] lhs[i] rhs1[i]>",
        "tdsl.assign @y overwrite = recip(@x) by @p",
    ),
    "deinterleaved": Stages(
        {"x": "6", "y": "3"},
        'tdsl.projections @p "2*i+1 => i" (@x) -> @y',
        "tdsl.assign @y overwrite = id(@x) by @p",
        "<[i 3 parallel] lhs[i] rhs1[i * 2 + 1]>",
    ),
    "gathered-form": Stages(
        # The scatter y[i + j] += x[i, j] as a gather: for each cell the pairs that hit it.
        {"x": "3,2", "y": "4"},
        'tdsl.projections @p "i, j => i<+j" (@x) -> @y',
        "tdsl.assign @y reset add = id(@x) by @p",
        "<[c 4 parallel, j 2 reduction] lhs[c] rhs1[c - j, j] guarded>",
    ),
}


def random_values(text: str, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    nodes = [op for op in program(text).body.blocks[0].operations if isinstance(op, NodeOp)]
    return {
        node.sym_name.value: random.integers(1, 100, ShapeAttr(node.shape).memory_order_sizes).astype(
            machine(enumerator(Precision, node.precision)).storage
        )
        for node in nodes
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_stages_agree(context, name):
    before, after = PROGRAMS[name].texts()
    values = random_values(before, seed=len(name))
    assert compare(run(before, values), run(after, values)) is None


def test_one_segment_of_a_concatenation(context):
    text = """
      tdsl.node @a : f32 "2" input
      tdsl.node @b : f32 "3" input
      tdsl.node @y : f32 "5" leaf
      tdsl.projections @p "a; b => a^b" (@a, @b) -> @y segment 1
      tdsl.routine @run { tdsl.assign @y overwrite = block id(@a, @b) by @p }"""
    values = {"a": [1, 2], "b": [3, 4, 5], "y": [9, 9, 9, 9, 9]}
    assert run(text, values)["y"].tolist() == [9, 9, 3, 4, 5]


def test_divisions_in_indices(context):
    text = """
      tdsl.node @x : f64 "2,3" input
      tdsl.node @y : f64 "6" result
      tdsl.node @z : f64 "3" result
      tdsl.projections @p "..." (@x) -> @y space <[c 6 parallel] lhs[c] rhs1[c floordiv 3, c mod 3]>
      tdsl.projections @q "..." (@y) -> @z space <[c 3 parallel] lhs[c] rhs1[5 - c ceildiv 2]>
      tdsl.routine @run {
        tdsl.assign @y overwrite = id(@x) by @p
        tdsl.assign @z overwrite = id(@y) by @q
      }"""
    nodes = run(text, {"x": [[0, 1, 2], [3, 4, 5]]})
    assert nodes["y"].tolist() == [0, 1, 2, 3, 4, 5]
    assert nodes["z"].tolist() == [5, 4, 4]


def test_slice_in_three_forms(context):
    nodes = """
      tdsl.symbol @s range 0 to 4
      tdsl.node @x : f32 "4,2|3->5" input
      tdsl.node @y : f32 "2|3->5" result
    """
    argument = "%s: !tdsl.index<@s>"
    space = "space <[b 2 parallel, o 5 parallel, i 3 parallel] symbols [s] lhs[b, o, i] rhs1[s, b, o, i]>"
    texts = [
        f"tdsl.routine @run({argument}) {{ tdsl.fetch @y = slice @x at %s : !tdsl.index<@s> }}",
        f"""tdsl.projections @p slice(@s) (@x) -> @y
        tdsl.routine @run({argument}) {{ tdsl.assign @y overwrite = id(@x) by @p[%s : !tdsl.index<@s>] }}""",
        f"""tdsl.projections @p slice(@s) (@x) -> @y {space}
        tdsl.routine @run({argument}) {{ tdsl.assign @y overwrite = id(@x) by @p[%s : !tdsl.index<@s>] }}""",
    ]
    x = np.arange(120, dtype=np.float32).reshape(4, 2, 5, 3)
    for text in texts:
        for position in range(4):
            y = run(nodes + text, {"x": x}, symbols={"s": position})["y"]
            np.testing.assert_array_equal(y, x[position])


def test_large_matmul_is_fast(context):
    # 262144 points; also checks that points are visited in chunks without losing any.
    text = """
      tdsl.node @x : f64 "64,64" input
      tdsl.node @w : f64 "64,64" input
      tdsl.node @y : f64 "64,64" result
      tdsl.projections @p "ij;jk=>ik" (@x, @w) -> @y
      tdsl.routine @run { tdsl.assign @y reset add = mul(@x, @w) by @p }"""
    random = np.random.default_rng(1)
    x, w = random.normal(size=(2, 64, 64))
    np.testing.assert_allclose(run(text, {"x": x, "w": w})["y"], x @ w, rtol=1e-12, atol=1e-12)


def test_sums_run_in_product_order(context):
    # In f32, 1 is absorbed by 1e8 unless 1e8 - 1e8 comes first.
    text = """
      tdsl.node @x : f32 "3" input
      tdsl.node @y : f32 "1" result
      tdsl.projections @p "i => |->0" (@x) -> @y
      tdsl.routine @run { tdsl.assign @y reset add = id(@x) by @p }"""
    assert run(text, {"x": [1e8, 1, -1e8]})["y"].tolist() == [0]
    assert run(text, {"x": [1e8, -1e8, 1]})["y"].tolist() == [1]


def test_overwriting_keeps_the_last_point(context):
    text = """
      tdsl.node @x : f32 "2,3" input
      tdsl.node @y : f32 "2" result
      tdsl.projections @p "ij => i" (@x) -> @y
      tdsl.routine @run { tdsl.assign @y overwrite = id(@x) by @p }"""
    operation = program(text)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert run_routine(operation, "run", {"x": x})["y"].tolist() == [2, 5]
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
