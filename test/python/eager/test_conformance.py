"""The conformance cases of the repository (test/cases) through the eager operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tdsl
from notation.conformance import cases
from reference.programs import numbers, shape, sizes
from reference.test_conformance import FORMULAS

OPERATORS = {
    "einsum": tdsl.einsum,
    "einsum1": tdsl.einsum1,
    "einsum3": tdsl.einsum,
    "where_einsum": tdsl.where_einsum,
    "outer_sum": tdsl.outer_sum,
    "tropical": tdsl.tropical,
    "einmax1": tdsl.einmax1,
    "concat": tdsl.concat,
}
#: Opening, closing and separator of block literals, and the row that they add an axis to.
BRACKETS = (("[|", "|]", ";", "batch"), ("[", "]", ";", "output"), ("(", ")", ",", "input"))
LOGICS = {"pointwise": tdsl.mul, "compose": tdsl.matmul, "transpose": tdsl.transpose}


def operands(case: dict[str, Any]) -> list[tdsl.Array]:
    arrays = []
    for number, rows in enumerate(case["operands"]):
        axes = sizes(rows)
        given = case.get("operand_values", "range")
        cells = np.arange(np.prod(axes, dtype=int), dtype=np.float64) if given == "range" else numbers(given[number])
        arrays.append(tdsl.asarray(cells.reshape(axes), rows=shape(rows)))
    return arrays


def apply(case: dict[str, Any]) -> tdsl.Array:
    options = dict(case.get("scope", {}))
    if "known_result" in case:
        options["result"] = shape(case["known_result"])
    if "set_dims" in case:
        options["sizes"] = case["set_dims"]
    return OPERATORS[case["op"]](case["spec"], *operands(case), **options)


def check_rows(found: tdsl.Array, rows: dict[str, list[Any]]) -> None:
    assert found.rows == shape({kind: rows.get(kind, []) for kind in ("batch", "input", "output")})
    assert found.shape == tuple(sizes(rows))


@pytest.mark.parametrize("case", cases("einsum"), ids=lambda case: case["id"])
def test_einsum(case: dict[str, Any]) -> None:
    expect = case["expect"]
    found = apply(case)
    check_rows(found, expect["rows"])
    if "values" in expect:
        np.testing.assert_array_equal(found.ravel(), numbers(expect["values"]))
    else:
        np.testing.assert_array_equal(found, np.einsum(FORMULAS[case["id"]], *operands(case)))


@pytest.mark.parametrize("case", cases("concat", "basis"), ids=lambda case: case["id"])
def test_bases(case: dict[str, Any]) -> None:
    if "error" in case["expect"]:
        with pytest.raises(tdsl.ShapeError) as caught:
            apply(case)
        assert all(text.lower() in str(caught.value).lower() for text in case["expect"]["mention"])
    else:
        check_rows(apply(case), case["expect"]["rows"])


@pytest.mark.parametrize("case", cases("broadcast"), ids=lambda case: case["id"])
def test_broadcast(case: dict[str, Any]) -> None:
    operation, arrays = LOGICS[case["logic"]], operands(case)
    if "error" in case["expect"]:
        with pytest.raises(tdsl.ShapeError) as caught:
            operation(*arrays)
        assert all(text.lower() in str(caught.value).lower() for text in case["expect"]["mention"])
    else:
        check_rows(operation(*arrays), case["expect"]["rows"])


@pytest.mark.parametrize("case", cases("compose_value"), ids=lambda case: case["id"])
def test_compose_value(case: dict[str, Any]) -> None:
    found = tdsl.matmul(*operands(case))
    check_rows(found, case["expect"]["rows"])
    assert found.ravel().tolist() == case["expect"]["values"]


def block(text: str, leaves: dict[str, Any]) -> Any:
    """A block literal of the cases, ``[x1; (x2, x1)]``, stacked from the inside."""

    def read(position: int) -> tuple[Any, int]:
        for opening, closing, separator, kind in BRACKETS:
            if text.startswith(opening, position):
                parts, position = [], position + len(opening)
                while True:
                    part, position = read(position)
                    parts.append(part)
                    if text.startswith(closing, position):
                        return tdsl.stack(parts, kind), position + len(closing)
                    assert text.startswith(separator, position)
                    position += len(separator)
        return leaves[text[position : position + 2]], position + 2

    text = text.replace(" ", "")
    return read(0)[0]


@pytest.mark.parametrize("case", cases("stack"), ids=lambda case: case["id"])
def test_stack(case: dict[str, Any]) -> None:
    leaves = {
        name: np.array(entry["values"], np.float64).reshape(entry["output"]) for name, entry in case["operands"].items()
    }
    found = block(case["text"], leaves)
    check_rows(found, case["expect"]["rows"])
    assert found.ravel().tolist() == case["expect"]["values"]
