"""The cases of test/cases/tensor-dsl.json that derivation answers, by brute force through the derived maps."""

from __future__ import annotations

import math
from math import prod
from typing import Any

import pytest

from notation.conformance import cases, scope
from tdsl.errors import ShapeError
from tdsl.notation import parse
from tdsl.projections import (
    Access,
    ClosedShape,
    Compose,
    Einsum,
    IndexMap,
    LinearIndex,
    Logic,
    Pointwise,
    Projections,
    Transpose,
    Write,
    derive,
    is_injective,
    is_surjective,
    plan_assignment,
    product_space_shape,
)

from .evaluation import Cells, evaluate, run_plan, shape

OPERATIONS: dict[str, tuple[str, Any]] = {
    "einsum": ("add", lambda *x: prod(x)),
    "einsum1": ("add", lambda x: x),
    "einsum3": ("add", lambda *x: prod(x)),
    "where_einsum": ("add", lambda c, a, b: a if c else b),
    "outer_sum": ("add", lambda *x: sum(x)),
    "tropical": ("max", lambda *x: sum(x)),
    "einmax1": ("max", lambda x: x),
    "concat": ("add", lambda x: x),
}
ASSIGNMENTS = {
    "=:": ("overwrite", False),
    "=+": ("add", False),
    "=-": ("sub", False),
    "=@^": ("max", False),
    "=:+": ("add", True),
    "=:-": ("sub", True),
    "=:*": ("mul", True),
    "=:||": ("or", True),
    "=:&&": ("and", True),
}
GRADIENTS = {
    # Per operand, the factor of the cotangent given the other operands' values: (slots read, op).
    "einsum": [("rhs2", lambda g, v: g * v), ("rhs1", lambda g, v: g * v)],
    "einsum1": [(None, lambda g: g)],
    "outer_sum": [(None, lambda g: g), (None, lambda g: g)],
    "concat": [(None, lambda g: g)],
}


def _by_id(selected: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("case", selected, ids=[case["id"] for case in selected])


def _numbers(values: list[Any]) -> Cells:
    return [float(value) for value in values]


def _operand_values(case: dict[str, Any]) -> list[Cells]:
    shapes = [shape(rows) for rows in case["operands"]]
    if case.get("operand_values", "range") == "range":
        return [[float(n) for n in range(prod(s.sizes))] for s in shapes]
    return [_numbers(values) for values in case["operand_values"]]


def _einsum(case: dict[str, Any]) -> Einsum:
    sizes = {**case.get("set_dims", {})}
    return Einsum(parse(case["spec"], **scope(case)), sizes)


def _derive(case: dict[str, Any], result: dict[str, Any]) -> Projections:
    return derive(_einsum(case), [shape(rows) for rows in case["operands"]], shape(result))


def _close(actual: Cells, expected: list[Any]) -> None:
    assert actual == pytest.approx(_numbers(expected), rel=1e-9, abs=1e-12)


_EINSUMS = cases("einsum")


@_by_id(_EINSUMS)
def test_einsum(case: dict[str, Any]) -> None:
    projections = _derive(case, case["expect"]["rows"])
    accumulator, op = OPERATIONS[case["op"]]
    cells = evaluate(projections, accumulator, op, _operand_values(case), block=case["op"] == "concat")
    assert not any(math.isnan(cell) for cell in cells)
    if "values" in case["expect"]:
        _close(cells, case["expect"]["values"])


@_by_id(cases("compose_value"))
def test_compose(case: dict[str, Any]) -> None:
    operands = [shape(rows) for rows in case["operands"]]
    projections = derive(Compose(), operands, shape(case["expect"]["rows"]))
    _close(evaluate(projections, "add", lambda a, b: a * b, _operand_values(case)), case["expect"]["values"])


@_by_id([case for case in cases("broadcast") if "rows" in case["expect"]])
def test_broadcast(case: dict[str, Any]) -> None:
    logics: dict[str, Logic] = {"pointwise": Pointwise(), "compose": Compose(), "transpose": Transpose()}
    operands = [shape(rows) for rows in case["operands"]]
    projections = derive(logics[case["logic"]], operands, shape(case["expect"]["rows"]))
    cells = evaluate(projections, "add", lambda *x: prod(x), _operand_values(case))
    assert not any(math.isnan(cell) for cell in cells)


@pytest.mark.parametrize("can_join", [False, True])
@_by_id(cases("cd_assign"))
def test_assignment(case: dict[str, Any], can_join: bool) -> None:
    accumulator, reset = ASSIGNMENTS[case["assign"]]
    cells = evaluate(
        _derive(case, case["lhs_rows"]),
        accumulator,
        lambda x: x,
        _operand_values(case),
        reset=reset,
        before=_numbers(case["lhs_before"]),
        can_join=can_join,
    )
    _close(cells, case["expect"]["values"])


@_by_id([case for case in cases("gradient") if case["op"] in GRADIENTS])
def test_gradient(case: dict[str, Any]) -> None:
    """The gradients of linear operations are accumulations over the space of the operation."""
    operands = [shape(rows) for rows in case["operands"]]
    result = _gradient_result(case, operands)
    projections = derive(_einsum(case), operands, result)
    values = _operand_values(case)
    cotangent = (Access("lhs", result.sizes), _numbers(case["cotangent"]))
    for number, (other, op) in enumerate(GRADIENTS[case["op"]]):
        read = [cotangent]
        if other is not None:
            index = int(other[-1]) - 1
            read.append((Access(other, operands[index].sizes), values[index]))
        destination = Access(f"rhs{number + 1}", operands[number].sizes)
        plan = plan_assignment(projections, destination, [access for access, _ in read], "add", reset=True)
        cells = [math.nan] * prod(destination.sizes)
        run_plan(plan, "add", op, cells, destination.sizes, [(v, access.sizes) for access, v in read])
        _close(cells, case["expect"]["grads"][number])


def _gradient_result(case: dict[str, Any], operands: list[ClosedShape]) -> ClosedShape:
    results = {
        "g-outer": ClosedShape.of(input=[2], output=[3]),
        "g-mm": ClosedShape.of(output=[2, 2]),
        "g-conv2d": ClosedShape.of(output=[2, 2]),
        "g-osum": ClosedShape.of(output=[2, 3]),
    }
    return results.get(case["id"], ClosedShape.of(output=[len(case["cotangent"])]))


@_by_id(cases("projection"))
def test_projection(case: dict[str, Any]) -> None:
    map_ = IndexMap(
        tuple(LinearIndex(tuple((term["sym"], term["coeff"]) for term in terms)) for terms in case["lhs_map"])
    )
    sizes = {name: case["ranges"][name] for name in case["product"]}
    expect = case["expect"]
    assert is_injective(map_, sizes) == expect["mixed_radix_says_injective"]
    surjective = is_surjective(map_, case["lhs_dims"], sizes)
    assert surjective == expect["surjective"]
    if expect["mixed_radix_says_injective"] == expect["injective"]:
        fill = not (is_injective(map_, sizes) and surjective)
        assert fill == expect["needs_init_when_initializing"]
        assert (not is_injective(map_, sizes)) == expect["needs_accumulate"]


@_by_id([case for case in cases("pspace") if "pspace_rows" in case["expect"]])
def test_product_space(case: dict[str, Any]) -> None:
    results = {"pad-mask": [4], "pspace-1": [2, 2], "pspace-2": [2, 4], "pspace-3": [4, 1]}
    operands = [shape(rows) for rows in case["operands"]]
    result = ClosedShape.of(output=results[case["id"]])
    proxy = product_space_shape(_einsum(case), operands, result)
    assert proxy == shape(case["expect"]["pspace_rows"])
    projections = derive(_einsum(case), operands, result)
    source = Access("rhs1", operands[0].sizes)
    plan = plan_assignment(projections, Access("pspace", proxy.sizes), [source, source], "or", reset=True)
    if "values" in case["expect"]:
        cells = [math.nan] * prod(proxy.sizes)
        read = [([1.0, 2.0, 3.0, 4.0], source.sizes)] * 2
        run_plan(plan, "or", lambda a, b: float(a == b), cells, proxy.sizes, read)
        _close(cells, case["expect"]["values"])


@_by_id([case for case in cases("pspace") if "error" in case["expect"]])
def test_product_space_error(case: dict[str, Any]) -> None:
    assert case["logic"] == "pointwise"
    row = ClosedShape.of(output=[3])
    with pytest.raises(ShapeError, match="Only an einsum has a product space"):
        product_space_shape(Pointwise(), [row], row)


@_by_id(cases("lowering"))
def test_ambiguous_concatenation(case: dict[str, Any]) -> None:
    projections = _derive(case, {"output": [2]})
    source = Access("rhs1", (2,))
    with pytest.raises(ShapeError) as caught:
        plan_assignment(projections, Access("lhs", (2,)), [source, Access("rhs2", (2,))], "add", reset=True, block=True)
    for words in case["expect"]["mention"]:
        assert words in str(caught.value).lower()


@_by_id([case for case in cases("shape") if case["id"] not in {"arity-1", "seed-conv-clash", "no-broadcast"}])
def test_shapes_that_do_not_fit(case: dict[str, Any]) -> None:
    """Inference refuses these first; derivation must not swallow them either, whatever result it is given."""
    results = [{"output": sizes} for sizes in ([2, 2], [2, 5], [2], [3, 3], [4], [6], [3], [4, 3])]
    results += [{"batch": [2], "output": [2, 2]}, {"batch": [2], "output": [3, 3, 5]}]
    for result in [case["known_result"]] if "known_result" in case else results:
        with pytest.raises(ShapeError):
            _derive(case, result)


def test_no_case_was_missed() -> None:
    assert len(_EINSUMS) == 99
    assert len(cases("projection")) == 8
    assert len(cases("pspace")) == 5
    assert len(cases("cd_assign")) == 13


def test_plain_store_where_every_cell_is_reached_once() -> None:
    row = ClosedShape.of(output=[3])
    projections = derive(Einsum(parse("i => i")), [row], row)
    for accumulator, write, fill in [("add", Write.STORE, False), ("sub", Write.ACCUMULATE, True)]:
        plan = plan_assignment(projections, Access("lhs", (3,)), [Access("rhs1", (3,))], accumulator, reset=True)
        assert (plan.steps[0].write, plan.fill) == (write, fill)
