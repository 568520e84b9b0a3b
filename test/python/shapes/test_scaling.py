"""Inference takes time in proportion to the number of operations, and no recursion limits it."""

from __future__ import annotations

import pytest

from tdsl.shapes import OPEN, Inference


def _pointwise(inference: Inference, number: int) -> None:
    inference.relate("pointwise", [f"n{number}"], f"n{number + 1}")


def _shared(inference: Inference, number: int) -> None:
    inference.relate("pointwise", ["n0", f"n{number}"], f"n{number + 1}")


def _spec(inference: Inference, number: int) -> None:
    inference.relate("spec", [f"n{number}"], f"n{number + 1}", spec="...|i => ...|i")


def _layer(inference: Inference, number: int) -> None:
    inference.add_node(f"w{number}", "|...->...", "param")
    inference.add_node(f"b{number}", "|...->3", "param")
    inference.add_node(f"u{number}", OPEN, "result")
    inference.relate("compose", [f"w{number}", f"n{number}"], f"u{number}")
    inference.relate("pointwise", [f"u{number}", f"b{number}"], f"n{number + 1}")


@pytest.mark.parametrize("operation", [_pointwise, _shared, _spec, _layer])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.slow
def test_long_chains(operation: object, backwards: bool) -> None:
    assert callable(operation)
    count = 5_000 if operation is _layer else 10_000
    inference = Inference()
    for number in reversed(range(count)) if backwards else range(count):
        operation(inference, number)
    inference.add_node("n0", "5|->3", "input")
    for number in range(count):
        inference.add_node(f"n{number + 1}", OPEN, "result")
    inference.close()
    assert str(inference.shape(f"n{count}")) == "5|->3"


@pytest.mark.slow
def test_a_parameter_at_the_other_end_of_a_long_chain() -> None:
    inference = Inference()
    inference.add_node("n0", "|...->...", "param")
    inference.add_node("x", "5|->3", "input")
    inference.add_node("y", OPEN, "result")
    for number in range(10_000):
        inference.add_node(f"n{number + 1}", OPEN, "result")
        _pointwise(inference, number)
    inference.relate("pointwise", ["n10000", "x"], "y")
    inference.close()
    assert str(inference.shape("n0")) == "|->3"
