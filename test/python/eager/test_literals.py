"""Literals, with every case of kind ``literal``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tdsl
from tdsl import basis, batch, literal

CASES = json.loads((Path(__file__).parents[2] / "cases" / "tensor-dsl.json").read_text())["cases"]
LITERALS = {case["id"]: case for case in CASES if case["kind"] == "literal" and case["id"] != "lit-e3"}


def value_of(case: dict[str, Any]) -> Any:
    # The cases spell `basis` with the arguments in the other order.
    names = {"batch": batch, "axis": lambda values, name: basis(name, values)}
    return eval(case["python"], {"__builtins__": {}}, names)


def text_of(axes: list[Any]) -> str:
    return ",".join(str(axis) if isinstance(axis, int) else f"{axis[0]}:{axis[1]}" for axis in axes)


@pytest.mark.parametrize("case", LITERALS.values(), ids=LITERALS)
def test_case(case: dict[str, Any]) -> None:
    expected = case["expect"]
    if "error" in expected:
        with pytest.raises(tdsl.SpecSyntaxError) as error:
            literal(value_of(case))
        assert all(word in str(error.value).lower() for word in expected["mention"])
        return
    rows = expected["rows"]
    assert (
        literal(value_of(case)).rows == f"{text_of(rows['batch'])}|{text_of(rows['input'])}->{text_of(rows['output'])}"
    )


def test_lit_e3_a_parameter_has_no_batch_axes() -> None:
    # The shape of such a literal is refused for a parameter.
    rows = literal(batch([[1.0, 2.0], [3.0, 4.0]])).rows
    program = tdsl.ProgramBuilder("p")
    program.node("w", rows, role="param", precision="f32")
    with pytest.raises(tdsl.CompileError, match=r"is a parameter, so its batch row is closed and empty \(spec a\.5\)"):
        program.verify()


def test_cells_lie_in_memory_order() -> None:
    array = literal(batch([[(1, 2), (3, 4), (5, 6)], [(7, 8), (9, 10), (11, 12)]]))
    assert array.rows == "2|2->3"
    assert array.tolist() == [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]


def test_bases_meet_operations() -> None:
    colour = literal(basis("rgb", [1.0, 2.0, 3.0]))
    assert (colour.rows, tdsl.add(colour, 1.0).rows) == ("|->3:rgb", "|->3:rgb")
    with pytest.raises(tdsl.ShapeError):
        tdsl.add(colour, literal([1.0, 2.0, 3.0]))


def test_a_number_stretches() -> None:
    assert np.asarray(tdsl.mul(literal(2.0), literal([1.0, 2.0]))).tolist() == [2.0, 4.0]
    assert literal(basis("q", 2.0)).rows == "|->1:q"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            ([1, 2], [3, 4]),
            "The axes of a literal nest in memory order: batch([...]) around lists, which are output axes, around "
            "tuples, which are input axes; this one nests input around output.",
        ),
        ([[1, 2], (3, 4)], "Axis mismatch in a literal: one part is a list [...], another a tuple (...)."),
        ([[1, 2], [3]], "Axis mismatch in a literal: one part has 2 elements, another 1."),
        ([[1], [[2]]], "A literal mixes a number with a container of numbers on one axis."),
        (
            [basis("a", [1]), basis("b", [2])],
            "Axis mismatch in a literal: one part has basis 'a', another 'b'.",
        ),
        (["x"], "A literal consists of numbers, lists, tuples, batch(...) and basis(...), not str."),
    ],
)
def test_misuse(value: Any, message: str) -> None:
    with pytest.raises(tdsl.SpecSyntaxError) as error:
        literal(value)
    assert str(error.value) == message
