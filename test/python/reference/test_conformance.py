"""The conformance cases that a reference interpreter can run (test/cases)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from notation.conformance import cases
from tdsl.reference import compare, rational, run_routine

from .programs import ASSIGNMENTS, OPERATORS, RENAMED, numbers, program, run, shape, sizes

#: Independent formulas, in memory order of the axes (batch, output, input), of the cases that give only shapes.
FORMULAS = {
    "perm-2": "abefcd->cfdbae",
    "outer-2": "ikj,lnm->ilknjm",
    "ell-3": "xbyozi->xiybzo",
    "seed-mm": "bij,bjk->bik",
    "attn-scores": "bshd,bthd->bsht",
    "attn-apply": "bsht,bthe->bshe",
    "gnn-1": "bif,bjf->bijf",
    "multi-2": "bchw->bhwc",
}

PRECISION = "f64"


def einsum_program(case: dict[str, Any], assignment: str, result: dict[str, list[Any]]) -> str:
    """One assignment over the case's spec, with nodes @x1, @x2, ... and @y."""
    operands = case["operands"]
    names = [f"@x{number}" for number in range(1, len(operands) + 1)]
    lines = [
        f'tdsl.node {name} : {PRECISION} "{shape(rows)}" input' for name, rows in zip(names, operands, strict=True)
    ]
    lines.append(f'tdsl.node @y : {PRECISION} "{shape(result)}" result')
    captured = case["expect"].get("captures", {})
    known = case.get("set_dims", {})
    row_variables = {name for name in captured if f"..{name}.." in case["spec"]}
    for name in {**captured, **known}:
        lines.append(f"tdsl.{'row' if name in row_variables else 'dim'} @capture_{name}")
        lines.append(f'tdsl.node @n_{name} : i32 "1" leaf')
    lines += [f"tdsl.set_dim @capture_{name} = {size}" for name, size in known.items()]
    options = ""
    if captured or known:
        options += f" captures {{{', '.join(f'{name} = @capture_{name}' for name in {**captured, **known})}}}"
    scope = dict(case.get("scope", {}))
    padding = scope.pop("use_padding", None)
    if scope:
        options += f" coefficients {{{', '.join(f'{name} = {value}' for name, value in scope.items())}}}"
    if padding is not None:
        options += f" use_padding {str(padding).lower()}"
    joined = ", ".join(names)
    lines.append(f'tdsl.projections @p "{case["spec"]}" ({joined}) -> @y{options}')
    lines.append(f"tdsl.routine @run {{ tdsl.assign @y {assignment}({joined}) by @p")
    lines += [f"tdsl.fetch @n_{name} = dim @capture_{name}" for name in {**captured, **known}]
    return "\n".join([*lines, "}"])


def operand_values(case: dict[str, Any]) -> dict[str, np.ndarray]:
    arrays = {}
    for number, rows in enumerate(case["operands"]):
        axes = sizes(rows)
        if case["operand_values"] == "range":
            array = np.arange(np.prod(axes, dtype=int), dtype=np.float64)
        else:
            array = numbers(case["operand_values"][number])
        arrays[f"x{number + 1}"] = array.reshape(axes)
    return arrays


@pytest.mark.parametrize("case", cases("einsum"), ids=lambda case: case["id"])
def test_einsum(context, case):
    expect = case["expect"]
    values = operand_values(case)
    results = run(einsum_program(case, OPERATORS[case["op"]], expect["rows"]), values)
    if "values" in expect:
        expected = numbers(expect["values"]).reshape(sizes(expect["rows"]))
    else:
        expected = np.einsum(FORMULAS[case["id"]], *values.values())
    np.testing.assert_array_equal(results["y"], expected)
    for name, size in {**expect.get("captures", {}), **case.get("set_dims", {})}.items():
        assert results[f"n_{name}"] == size


@pytest.mark.parametrize("case", [c for c in cases("einsum") if "values" in c["expect"]], ids=lambda case: case["id"])
def test_einsum_is_exact_in_rationals(context, case):
    text = einsum_program(case, OPERATORS[case["op"]], case["expect"]["rows"])
    results = run(text, operand_values(case), arithmetic=rational)
    assert results["y"].ravel().tolist() == numbers(case["expect"]["values"]).tolist()


@pytest.mark.parametrize("case", cases("cd_assign"), ids=lambda case: case["id"])
def test_cd_assign(context, case):
    before = numbers(case["lhs_before"]).reshape(sizes(case["lhs_rows"]))
    values = {**operand_values(case), "y": before}
    results = run(einsum_program(case, ASSIGNMENTS[case["assign"]], case["lhs_rows"]), values)
    assert results["y"].ravel().tolist() == case["expect"]["values"]


@pytest.mark.parametrize("case", cases("compose_value"), ids=lambda case: case["id"])
def test_compose_value(context, case):
    text = einsum_program({**case, "spec": "@"}, "reset add = mul", case["expect"]["rows"])
    assert run(text, operand_values(case))["y"].ravel().tolist() == case["expect"]["values"]


@pytest.mark.parametrize("precision", ["f64", "f32", "bf16", "f16", "f8"])
@pytest.mark.parametrize("case", cases("scalar"), ids=lambda case: case["id"])
def test_scalar(context, case, precision):
    names = [f"@x{number}" for number in range(len(case["args"]))]
    lines = [f'tdsl.node {name} : {precision} "1" leaf' for name in [*names, "@y"]]
    joined = ", ".join(names)
    lines.append(f'tdsl.projections @p "." ({joined}) -> @y')
    lines.append("tdsl.routine @run {")
    for name, value in zip(names, case["args"], strict=True):
        bits = {"nan": "0x7FF8000000000000", "inf": "0x7FF0000000000000", "-inf": "0xFFF0000000000000"}
        lines.append(f"tdsl.fetch {name} = constant {bits.get(value, float(value))}")
    lines.append(f"tdsl.assign @y overwrite = {RENAMED.get(case['op'], case['op'])}({joined}) by @p }}")
    result = float(run("\n".join(lines))["y"][0])
    expected = float(case["expect"]["value"])
    assert result == expected or (np.isnan(result) and np.isnan(expected))
    assert np.isnan(expected) or np.signbit(result) == np.signbit(expected)


@pytest.mark.parametrize("case", [c for c in cases("neutral") if c["op"] != "snd"], ids=lambda case: case["id"])
def test_neutral(context, case):
    name = RENAMED.get(case["op"], case["op"])
    text = f'tdsl.node @y : f32 "2" result\ntdsl.routine @run {{ tdsl.fill @y neutral {name} }}'
    assert run(text)["y"].tolist() == [case["expect"]["value"]] * 2


def test_neutral_of_overwriting(context):
    # The case `snd`: overwriting has no fill, but a guarded read outside contributes its neutral element.
    (case,) = [case for case in cases("neutral") if case["op"] == "snd"]
    text = """
      tdsl.node @x : f32 "2" input
      tdsl.node @y : f32 "2" result
      tdsl.projections @p "." (@x) -> @y space <[i 2 parallel] lhs[i] rhs1[i + 1] guarded>
      tdsl.routine @run { tdsl.assign @y overwrite = id(@x) by @p }"""
    assert run(text, {"x": [7, 8]})["y"].tolist() == [8, case["expect"]["value"]]


def prng_case(identifier: str) -> dict[str, Any]:
    (case,) = [case for case in cases("prng") if case["id"] == identifier]
    return case


@pytest.mark.parametrize("case", [c for c in cases("prng") if "key" in c], ids=lambda case: case["id"])
def test_threefry(context, case):
    text = """
      tdsl.node @key : uint4x32 "1" input
      tdsl.node @counter : uint4x32 "1" input
      tdsl.node @y : uint4x32 "1" result
      tdsl.projections @p "." (@key, @counter) -> @y
      tdsl.routine @run { tdsl.assign @y overwrite = threefry4x32(@key, @counter) by @p }"""
    words = {"key": np.array([case["key"]], np.uint32), "counter": np.array([case["counter"]], np.uint32)}
    assert run(text, words)["y"].tolist() == [case["expect"]["words"]]


STREAM = """
  tdsl.node @random_seed : uint4x32 "1:bcast_if_1" leaf
  tdsl.node @counter : u32 "2" leaf
  tdsl.node @words : uint4x32 "2" result
  tdsl.node @y : {precision} "{cells}" result
  tdsl.projections @p "." (@random_seed, @counter) -> @words
  tdsl.projections @u uniform (@words) -> @y
  tdsl.routine @run {{
    tdsl.fetch @counter = range
    tdsl.assign @words overwrite = threefry4x32(@random_seed, @counter) by @p
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u
  }}"""


@pytest.mark.parametrize(("identifier", "precision"), [("u4x32-demo-half", "f16"), ("u4x32-first5-single", "f32")])
def test_uniform_stream(context, identifier, precision):
    case = prng_case(identifier)
    expected = case["expect"]["values"]
    result = run(STREAM.format(precision=precision, cells=len(expected)))["y"]
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=0, atol=case.get("tolerance", 1e-7))


@pytest.mark.parametrize(("identifier", "precision"), [("u4x32-single-vec", "f32"), ("u4x32-half-vec-lo-hi", "f16")])
def test_unpacking(context, identifier, precision):
    case = prng_case(identifier)
    expected = case["expect"]["values"]
    text = f"""
      tdsl.node @words : uint4x32 "1" input
      tdsl.node @y : {precision} "{len(expected)}" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run {{ tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }}"""
    words = np.array([(case["words"] + [0, 0, 0])[:4]], np.uint32)
    assert run(text, {"words": words})["y"].tolist() == expected


@pytest.mark.parametrize("case", [c for c in cases("pspace") if "pspace_rows" in c["expect"]], ids=lambda c: c["id"])
def test_product_space(context, case):
    """A node of the product space is reached at each cell once; for the mask, values are given too."""
    names = [f"@x{number}" for number in range(1, len(case["operands"]) + 1)]
    results = {
        "pad-mask": "4",
        "pspace-1": "2,2",
        "pspace-2": "2,4",
        "pspace-3": "4,1",
    }
    lines = [f'tdsl.node {n} : f32 "{shape(rows)}" leaf' for n, rows in zip(names, case["operands"], strict=True)]
    lines += [
        f'tdsl.node @y : f32 "{results[case["id"]]}" result',
        f'tdsl.node @count : f32 "{shape(case["expect"]["pspace_rows"])}" result',
        f'tdsl.node @valid : f32 "{shape(case["expect"]["pspace_rows"])}" result',
        'tdsl.node @one : f32 "1:bcast_if_1" leaf',
        f'tdsl.projections @p "{case["spec"]}" ({", ".join(names)}) -> @y',
        "tdsl.routine @run {",
        "tdsl.fetch @one = constant 1.0",
        "tdsl.fetch @x1 = constant -3.0",
        "tdsl.assign @count[pspace] reset add = id(@one[scalar]) by @p",
        "tdsl.assign @valid[pspace] reset or = eq(@x1[rhs1], @x1[rhs1]) by @p }",
    ]
    nodes = run("\n".join(lines))
    assert (nodes["count"] == 1).all()
    expected = case["expect"].get("values", [1] * nodes["valid"].size)
    assert nodes["valid"].ravel().tolist() == expected


def test_memory_order(context):
    nodes = run('tdsl.node @x : f32 "2|3->4" leaf\ntdsl.routine @run { tdsl.fetch @x = range }')
    (value, dims) = [case["expect"] for case in cases("memory")]
    assert list(nodes["x"].shape) == dims["dims"]
    assert nodes["x"][1, 2, 1] == value["value"]


@pytest.mark.parametrize("case", [c for c in cases("einsum") if c["op"] == "einsum"], ids=lambda case: case["id"])
def test_products_commute(context, case):
    """A product does not depend on the order of its factors, whatever the spec."""
    rows = case["expect"]["rows"]
    first = run(einsum_program(case, "reset add = mul", rows), operand_values(case))
    body = einsum_program(case, "reset add = mul", rows).replace("mul(@x1, @x2)", "mul(@x2[rhs2], @x1[rhs1])")
    assert compare(first, run_routine(program(body), "run", operand_values(case))) is None
