"""The conformance cases of the repository (test/cases), for the tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tdsl.errors import ShapeError
from tdsl.shapes import OPEN, Axis, Inference, Row, Shape

_CASES = Path(__file__).parents[2] / "cases" / "tensor-dsl.json"


def cases(*kinds: str) -> list[dict[str, Any]]:
    """The cases of these kinds."""
    everything = json.loads(_CASES.read_text(encoding="utf-8"))["cases"]
    return [case for case in everything if case["kind"] in kinds]


def by_id(selected: Sequence[dict[str, Any]]) -> Any:
    """A decorator that runs a test once for each case, under the case's id."""
    return pytest.mark.parametrize("case", selected, ids=[case["id"] for case in selected])


def axis(entry: Any) -> Axis:
    """An axis as the cases write it: a size, or a size and a basis."""
    return Axis(entry, "default") if isinstance(entry, int) else Axis(*entry)


def shape(rows: Mapping[str, Any]) -> Shape:
    """A shape as the cases write it: lists of axes by kind."""
    return Shape(*(Row(trailing=tuple(map(axis, rows.get(kind, [])))) for kind in ("batch", "input", "output")))


def rows_of(found: Shape) -> dict[str, list[Any]]:
    """A solved shape, written as in the cases."""
    return {
        kind: [a.size if a.basis == "default" else [a.size, a.basis] for a in row.axes] for kind, row in found.rows()
    }


def infer(case: dict[str, Any]) -> Inference:
    """Infer the shapes of a case with one operation, up to closing; the result is called ``result``."""
    inference = Inference()
    names = [f"x{number}" for number in range(1, len(case["operands"]) + 1)]
    for name, rows in zip(names, case["operands"], strict=True):
        inference.add_node(name, shape(rows), "input")
    known = case.get("known_result")
    inference.add_node("result", OPEN if known is None else shape(known), "result")
    wanted = dict.fromkeys([*case.get("captures", []), *case.get("set_dims", {})])
    for capture in wanted:
        is_row = f"..{capture}.." in case.get("spec", "")
        inference.add_capture(capture, row=is_row, value=case.get("set_dims", {}).get(capture))
    scope = dict(case.get("scope", {}))
    padding = scope.pop("use_padding", None)
    if "spec" in case:
        inference.relate(
            "spec",
            names,
            "result",
            name="operation",
            spec=case["spec"],
            captures={capture: capture for capture in wanted},
            coefficients=scope,
            use_padding=padding,
        )
    else:
        inference.relate(case["logic"], names, "result", name="operation")
    inference.close()
    return inference


def mentions(error: BaseException, expected: Mapping[str, Any]) -> None:
    """Check that the message of an error contains all that the case asks for."""
    assert isinstance(error, ShapeError)
    for text in expected.get("mention", []):
        assert text.lower() in str(error).lower(), f"{text!r} is not in:\n{error}"
