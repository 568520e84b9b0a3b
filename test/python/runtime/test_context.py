"""Contexts, and what of a program the host can see."""

from __future__ import annotations

import numpy as np
import pytest

import tdsl

TRAINING = """tdsl.program @training {
  tdsl.symbol @i range 0 to 2
  tdsl.node @x : f32 "2|->3" input
  tdsl.node @w : f32 "->3" param
  tdsl.node @h : f32 "->3" result
  tdsl.node @y : f32 "->3" result
  tdsl.projections @take slice(@i) (@x) -> @h
  tdsl.projections @p "." (@h, @w) -> @y
  tdsl.projections @u "." (@y) -> @w
  tdsl.routine @forward(%i: !tdsl.index<@i>) {
    tdsl.assign @h overwrite = id(@x) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @y overwrite = mul(@h, @w) by @p
  }
  tdsl.routine @update {
    tdsl.assign @w sub = id(@y) by @u
  }
}"""


def test_parameters_that_one_routine_updates_are_seen_by_others() -> None:
    context = tdsl.Context(tdsl.compile(TRAINING), {"x": np.ones((2, 3), "f4"), "w": [1, 2, 3]})
    memory = context["w"]
    context.run("forward", i=1)
    np.testing.assert_array_equal(context["y"], [1, 2, 3])
    context.run("update")
    np.testing.assert_array_equal(context["w"], [0, 0, 0])
    assert context["w"] is memory
    context.run("forward", i=0)
    np.testing.assert_array_equal(context["y"], [0, 0, 0])


def test_a_context_copies_what_it_is_given() -> None:
    x = np.ones((2, 3), "f4")
    context = tdsl.Context(tdsl.compile(TRAINING), {"x": x, "w": [1, 2, 3]})
    x[:] = 5
    context.run("forward", i=0)
    np.testing.assert_array_equal(context["y"], [1, 2, 3])
    np.testing.assert_array_equal(context["x"], np.ones((2, 3)))


def test_mistakes_with_contexts() -> None:
    context = tdsl.Context(tdsl.compile(TRAINING))
    mistakes = {
        "routine 'forward' reads node 'x', which has no cells yet: set it first": lambda: context.run("forward", i=0),
        "routine 'update' reads node 'w', which has no cells yet: set it first": lambda: context.run("update"),
        "node 'y' has no cells yet: set it, or run a routine that writes it": lambda: context["y"],
        "program 'training' has no node 'q' that the host can see; it has h, w, x, y": lambda: context["q"],
        "program 'training' has no routine 'back'; it has forward, update": lambda: context.run("back"),
    }
    for message, mistake in mistakes.items():
        with pytest.raises(tdsl.TdslError) as caught:
            mistake()
        assert str(caught.value) == message
    context["x"], context["w"] = np.ones((2, 3), "f4"), [1, 2, 3]
    symbols = {
        "routine 'forward' needs a value for 'i'": {},
        "routine 'forward' has no static symbol 'j'": {"i": 0, "j": 1},
        "static symbol 'i' is 2, outside of its range 0 to 2": {"i": 2},
    }
    for message, values in symbols.items():
        with pytest.raises(tdsl.TdslError) as caught:
            context.run("forward", **values)
        assert str(caught.value) == message
    with pytest.raises(tdsl.ShapeError, match=r"^node 'w' has size 3 on axis 0, but was given size 2:"):
        context["w"] = [1, 2]
    with pytest.raises(tdsl.DtypeError, match=r"^node 'x' holds float32, but was given int64:"):
        context["x"] = np.ones((2, 3), "i8")
    np.testing.assert_array_equal(context["w"], [1, 2, 3])


def test_reading_a_node_that_was_not_kept_says_so() -> None:
    compiled = tdsl.compile(TRAINING, keep=["y"])
    message = "node 'h' was not kept, so its cells may never have been in memory: compile with keep=[..., 'h']"
    results = compiled["forward"](x=np.ones((2, 3), "f4"), w=[1, 2, 3], i=0)
    assert list(results) == ["y"]
    assert "h" not in results
    with pytest.raises(tdsl.TdslError) as caught:
        results["h"]
    assert str(caught.value) == message
    context = tdsl.Context(compiled, {"x": np.ones((2, 3), "f4"), "w": [1, 2, 3]})
    context.run("forward", i=0)
    with pytest.raises(tdsl.TdslError) as caught:
        context["h"]
    assert str(caught.value) == message
    with pytest.raises(tdsl.TdslError, match=r"^the routine writes no node 'x'; it writes y$"):
        results["x"]


def test_private_nodes_that_two_routines_share_live_in_the_context() -> None:
    compiled = tdsl.compile(TRAINING, keep=[])
    assert {a.name: a.access for a in compiled["forward"].signature.arguments} == {"x": "in", "w": "in", "y": "out"}
    context = tdsl.Context(compiled, {"x": np.ones((2, 3), "f4"), "w": [1, 2, 3]})
    context.run("forward", i=0)
    context.run("update")
    np.testing.assert_array_equal(context["w"], [0, 0, 0])
    with pytest.raises(tdsl.TdslError, match=r"^node 'y' was not kept"):
        context["y"]


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("y", "keep is a list of names of nodes: write keep=['y']"),
        (["z"], "keep names 'z', which is not a node of program 'training'; it has x, w, h, y"),
        ([3], "keep names 3, which is not a node of program 'training'; it has x, w, h, y"),
        (["y}"], "keep names 'y}', which is not a node of program 'training'; it has x, w, h, y"),
    ],
)
def test_mistakes_with_keep(keep: list[str], message: str) -> None:
    with pytest.raises(tdsl.TdslError) as caught:
        tdsl.compile(TRAINING, keep=keep)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("precision", "cells", "expected"),
    [
        ("f32", "dense<[3.0, 4.0]> : tensor<2xf32>", [3, 4]),
        ("bf16", "dense<2.5> : tensor<2xbf16>", [2.5, 2.5]),
        ("bf16", "dense<[2.5, 1.0]> : tensor<2xbf16>", [2.5, 1]),
        ("u8", "dense<[255, 1]> : tensor<2xi8>", [255, 1]),
        ("u64", "dense<-1> : tensor<2xi64>", [2**64 - 1] * 2),
        ("bool", "dense<[true, false]> : tensor<2xi1>", [1, 0]),
    ],
)
def test_nodes_start_from_the_cells_of_their_declaration(precision: str, cells: str, expected: list[float]) -> None:
    compiled = tdsl.compile(
        f"""tdsl.program @p {{
          tdsl.node private @c : {precision} "->2" leaf = {cells}
          tdsl.node @y : {precision} "->2" result
          tdsl.projections @q "." (@c) -> @y
          tdsl.routine @run {{ tdsl.assign @y overwrite = id(@c) by @q }}
        }}""",
        optimization_level=0,
    )
    wanted = np.array(expected, compiled["run"].signature.arguments[-1].dtype)
    np.testing.assert_array_equal(compiled["run"]()["y"], wanted)
    context = tdsl.Context(compiled)
    context.run("run")
    np.testing.assert_array_equal(context["y"], wanted)


def test_initial_cells_that_are_updated_start_anew_in_each_call() -> None:
    compiled = tdsl.compile(
        """tdsl.program @p {
          tdsl.node @c : f32 "->2" param = dense<1.0> : tensor<2xf32>
          tdsl.projections @q "." (@c) -> @c
          tdsl.routine @run { tdsl.assign @c add = id(@c) by @q }
        }"""
    )
    for _ in range(2):
        np.testing.assert_array_equal(compiled["run"]()["c"], [2, 2])
    np.testing.assert_array_equal(compiled["run"](c=np.full(2, 3, "f4"))["c"], [6, 6])
    context = tdsl.Context(compiled)
    context.run("run")
    context.run("run")
    np.testing.assert_array_equal(context["c"], [4, 4])
