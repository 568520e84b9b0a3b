"""Every case of test/cases/tensor-dsl.json that contains a spec."""

from __future__ import annotations

from typing import Any

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import NamedRow, RowSpec, ShapeSpec, check_arity, discardable_labels, parse, to_text

from .conformance import cases, scope


def _by_id(selected: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("case", selected, ids=[case["id"] for case in selected])


def _row(row: RowSpec) -> dict[str, Any]:
    variable = None
    if row.variable is not None:
        variable = row.variable.name if isinstance(row.variable, NamedRow) else "..."
    return {"leading": len(row.leading), "rowvar": variable, "trailing": len(row.trailing)}


def _shape(shape: ShapeSpec) -> dict[str, Any]:
    return {kind: _row(row) for kind, row in shape.rows()}


@_by_id([case for case in cases("parse") if "error" not in case["expect"]])
def test_parse(case: dict[str, Any]) -> None:
    spec = parse(case["spec"], **scope(case))
    assert {
        "mode": "multichar" if spec.multichar else "single-char",
        "rhs": [_shape(operand) for operand in spec.operands],
        "lhs": _shape(spec.result),
    } == case["expect"]


@_by_id([case for case in cases("parse") if "error" in case["expect"]])
def test_parse_error(case: dict[str, Any]) -> None:
    assert case["expect"]["error"] == "parse_error"
    with pytest.raises(SpecSyntaxError) as caught:
        parse(case["spec"], **scope(case))
    for words in case["expect"]["mention"]:
        # The spec itself is shown too: only what the message and the suggestion say counts.
        said = f"{str(caught.value).splitlines()[0]}\n{caught.value.suggestion or ''}"
        assert words.lower() in said.lower()


@_by_id(cases("discardable"))
def test_discardable(case: dict[str, Any]) -> None:
    assert sorted(discardable_labels(parse(case["spec"]))) == sorted(case["expect"]["discardable"])


_WITH_SPECS = [case for case in cases() if "spec" in case and case["kind"] != "parse"]
_NAME_CLASHES = [case for case in _WITH_SPECS if "row variable" in str(case["expect"])]


@_by_id([case for case in _WITH_SPECS if case not in _NAME_CLASHES])
def test_specs_of_the_other_cases_parse_and_print(case: dict[str, Any]) -> None:
    arguments = scope(case)
    spec = parse(case["spec"], **arguments)
    assert parse(to_text(spec), coefficients=arguments["coefficients"]) == spec
    assert parse(to_text(spec, resolved=True)).multichar == spec.multichar
    wrong_arity = "one argument" in str(case["expect"])
    if "operands" in case and not wrong_arity:
        check_arity(spec, len(case["operands"]))
    if wrong_arity:
        with pytest.raises(ShapeError, match="one argument"):
            check_arity(spec, 1)


@_by_id(_NAME_CLASHES)
def test_name_clash(case: dict[str, Any]) -> None:
    assert case["expect"]["error"] == "shape_error"
    with pytest.raises(ShapeError) as caught:
        parse(case["spec"], **scope(case))
    for words in case["expect"]["mention"]:
        assert words in str(caught.value).splitlines()[0]


def test_all_kinds_of_cases_were_found() -> None:
    assert len(cases("parse")) == 28
    assert len(cases("discardable")) == 4
    assert len(_NAME_CLASHES) == 1
