"""Every case of test/cases/tensor-dsl.json about shapes that is written as data."""

from __future__ import annotations

from typing import Any

import pytest

from tdsl.errors import ShapeError
from tdsl.notation import discardable_labels, parse
from tdsl.shapes import OPEN, Inference

from .conformance import by_id, cases, infer, mentions, rows_of, shape

_OPERATIONS = [case for kind in ("einsum", "broadcast", "basis", "shape") for case in cases(kind)]


@by_id([case for case in _OPERATIONS if "error" not in case["expect"]])
def test_shapes_of_operations(case: dict[str, Any]) -> None:
    inference = infer(case)
    assert rows_of(inference.shape("result")) == case["expect"]["rows"]
    for capture, value in case["expect"].get("captures", {}).items():
        assert inference.capture(capture) == value


@by_id([case for case in _OPERATIONS if "error" in case["expect"]])
def test_errors_of_operations(case: dict[str, Any]) -> None:
    with pytest.raises(ShapeError) as caught:
        infer(case)
    mentions(caught.value, case["expect"])


@by_id(cases("discardable"))
def test_discardable_labels(case: dict[str, Any]) -> None:
    assert list(discardable_labels(parse(case["spec"]))) == case["expect"]["discardable"]


@by_id([case for case in cases("pspace") if "spec" in case])
def test_product_spaces(case: dict[str, Any]) -> None:
    inference = Inference()
    names = [f"x{number}" for number in range(len(case["operands"]))]
    for name, rows in zip(names, case["operands"], strict=True):
        inference.add_node(name, shape(rows), "input")
    inference.add_node("t", OPEN, "result")
    inference.add_node("x_pspace", OPEN, "result")
    inference.relate("spec", names, "t", name="operation", spec=case["spec"])
    inference.same_shape_as_product_space("x_pspace", "operation")
    inference.close()
    assert rows_of(inference.shape("x_pspace")) == case["expect"]["pspace_rows"]


@by_id([case for case in cases("pspace") if "logic" in case])
def test_product_spaces_without_a_spec(case: dict[str, Any]) -> None:
    inference = Inference()
    inference.add_node("x", "4", "input")
    inference.add_node("t", OPEN, "result")
    inference.add_node("x_pspace", OPEN, "result")
    inference.relate(case["logic"], ["x"], "t", name="operation")
    with pytest.raises(ShapeError) as caught:
        inference.same_shape_as_product_space("x_pspace", "operation")
    mentions(caught.value, case["expect"])
