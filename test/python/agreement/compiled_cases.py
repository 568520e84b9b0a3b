"""The conformance cases that have values, as programs that are compiled, loaded and run.

Cases without values (grammar, shapes, the solver) are answered by the tests of the libraries; `case_table.py` counts
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tdsl
from notation.conformance import cases
from reference.programs import ASSIGNMENTS, OPERATORS, RENAMED, numbers, shape, sizes
from reference.test_conformance import FORMULAS, einsum_program, operand_values

__all__ = ["CHECKS", "compiled_cases"]

Case = dict[str, Any]
Arrays = dict[str, np.ndarray]

_BITS = {"nan": "0x7FF8000000000000", "inf": "0x7FF0000000000000", "-inf": "0xFFF0000000000000"}
_ELEMENTARY = frozenset({"exp", "log", "exp2", "log2", "sin", "cos", "tanh"})


def _compile(body: str) -> tdsl.CompiledProgram:
    return tdsl.compile(f"tdsl.program @test {{\n{body}\n}}")


def _run(body: str, values: Arrays | None = None) -> Arrays:
    """What the routine ``@run`` writes, over poison where nothing is given."""
    routine = _compile(body).run
    given = dict(values or {})
    for argument in routine.signature.arguments:
        if argument.key not in given and argument.is_written:
            poison = np.nan if argument.dtype.kind == "f" else 77
            given[argument.key] = np.full(argument.shape, poison, argument.dtype)
    return dict(routine(given))


def _einsum(case: Case) -> None:
    rows, values = case["expect"]["rows"], operand_values(case)
    results = _run(einsum_program(case, OPERATORS[case["op"]], rows), values)
    if "values" in case["expect"]:
        expected = numbers(case["expect"]["values"]).reshape(sizes(rows))
    else:
        expected = np.einsum(FORMULAS[case["id"]], *values.values())
    np.testing.assert_array_equal(results["y"], expected)
    for name, size in {**case["expect"].get("captures", {}), **case.get("set_dims", {})}.items():
        assert results[f"n_{name}"] == size


def _cd_assign(case: Case) -> None:
    before = numbers(case["lhs_before"]).reshape(sizes(case["lhs_rows"]))
    text = einsum_program(case, ASSIGNMENTS[case["assign"]], case["lhs_rows"])
    assert _run(text, {**operand_values(case), "y": before})["y"].ravel().tolist() == case["expect"]["values"]


def _compose_value(case: Case) -> None:
    text = einsum_program({**case, "spec": "@"}, "reset add = mul", case["expect"]["rows"])
    assert _run(text, operand_values(case))["y"].ravel().tolist() == case["expect"]["values"]


def _scalar(case: Case) -> None:
    """On operands of the call, and on constants, which passes can fold."""
    name = RENAMED.get(case["op"], case["op"])
    expected = float(case["expect"]["value"])
    for precision, dtype in (("f64", np.float64), ("f32", np.float32)):
        operands = [f"@x{number}" for number in range(len(case["args"]))]
        joined = ", ".join(operands)
        body = [f'tdsl.node {operand} : {precision} "1" leaf' for operand in operands]
        body += [f'tdsl.node @y : {precision} "1" result', f'tdsl.projections @p "." ({joined}) -> @y']
        assign = f"tdsl.assign @y overwrite = {name}({joined}) by @p }}"
        fetches = [
            f"tdsl.fetch {operand} = constant {_BITS.get(value, float(value))}"
            for operand, value in zip(operands, case["args"], strict=True)
        ]
        compiled = _compile("\n".join([*body, "tdsl.routine @run {", assign, "tdsl.routine @fold {", *fetches, assign]))
        given = {
            operand[1:]: np.array([float(value)], dtype) for operand, value in zip(operands, case["args"], strict=True)
        }
        for result in (compiled.run(given)["y"][0], compiled.fold()["y"][0]):
            if np.isnan(expected):
                assert np.isnan(result)
            else:
                tolerance = 4 * np.finfo(dtype).eps if case["op"] in _ELEMENTARY else 0
                np.testing.assert_allclose(result, dtype(expected), rtol=tolerance)
                assert np.signbit(result) == np.signbit(expected)


def _neutral(case: Case) -> None:
    name = RENAMED.get(case["op"], case["op"])
    if name == "snd":
        # Overwriting has no fill, but a read outside contributes its neutral element.
        body = """
          tdsl.node @x : f32 "2" input
          tdsl.node @k : f32 "3" input
          tdsl.node @y : f32 "2" result
          tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y
          tdsl.routine @run { tdsl.assign @y overwrite = fst(@x, @k) by @p }"""
        results = _run(body, {"x": np.array([7, 8], np.float32), "k": np.ones(3, np.float32)})
        assert results["y"].tolist() == [8, case["expect"]["value"]]
        return
    results = _run(f'tdsl.node @y : f32 "2" result\ntdsl.routine @run {{ tdsl.fill @y neutral {name} }}')
    assert results["y"].tolist() == [case["expect"]["value"]] * 2


def _memory(case: Case) -> None:
    results = _run('tdsl.node @x : f32 "2|3->4" leaf\ntdsl.routine @run { tdsl.fetch @x = range }')
    if "dims" in case["expect"]:
        assert list(results["x"].shape) == case["expect"]["dims"]
    else:
        assert results["x"][1, 2, 1] == case["expect"]["value"]


def _product_space(case: Case) -> None:
    """A node of the product space is reached once at each cell, and where all reads are inside."""
    names = [f"@x{number}" for number in range(1, len(case["operands"]) + 1)]
    whole = shape(case["expect"]["pspace_rows"])
    lines = [f'tdsl.node {n} : f32 "{shape(rows)}" input' for n, rows in zip(names, case["operands"], strict=True)]
    lines += [
        'tdsl.node @y : f32 "...|...->..." result',
        f'tdsl.node @count : f32 "{whole}" result',
        f'tdsl.node @valid : f32 "{whole}" result',
        'tdsl.node @one : f32 "1:bcast_if_1" leaf',
        f'tdsl.projections @p "{case["spec"]}" ({", ".join(names)}) -> @y',
        "tdsl.same_shape @count, product_space @p",
        "tdsl.routine @run {",
        "tdsl.fetch @one = constant 1.0",
        "tdsl.assign @count[pspace] reset add = id(@one[scalar]) by @p",
        "tdsl.assign @valid[pspace] reset or = eq(@x1[rhs1], @x1[rhs1]) by @p }",
    ]
    results = _run("\n".join(lines), {"x1": np.full(sizes(case["operands"][0]), -3, np.float32)})
    assert (results["count"] == 1).all()
    assert results["valid"].ravel().tolist() == case["expect"].get("values", [1] * results["valid"].size)


def _lowering(case: Case) -> None:
    body = einsum_program({**case, "expect": {}}, OPERATORS[case["op"]], case["operands"][0])
    with pytest.raises(tdsl.TdslError) as refusal:
        _compile(body)
    assert all(word in str(refusal.value).lower() for word in case["expect"]["mention"])


_CONCATENATED = """
  tdsl.node @a : f64 "2" input
  tdsl.node @b : f64 "3" input
  tdsl.node @c : f64 "{last}" input
  tdsl.node @other : f64 "7" input
  tdsl.node @joined : ? "...|...->..." result
  tdsl.node @y : ? "...|...->..." result
  tdsl.projections @p "ii; jj; kk, => ii^jj^kk" (@a, @b, @c) -> @joined
  tdsl.projections @q "." (@joined, @other) -> @y
  tdsl.routine @run {{
    tdsl.assign @joined reset add = block id(@a, @b, @c) by @p
    tdsl.assign @y overwrite = add(@joined, @other) by @q
  }}"""


def _inference(case: Case) -> None:
    """The two cases with values: a concatenation of sizes 2, 3, 2 and a sum with it."""
    other = {"stack-12": np.zeros(7), "stack-13": np.arange(1.0, 8)}[case["id"]]
    parts = {"a": np.array([10.0, 20]), "b": np.array([30.0, 40, 50]), "c": np.array([60.0, 70])}
    results = _run(_CONCATENATED.format(last=2), {**parts, "other": other})
    assert results["y"].tolist() == case["expect"]["values"]


CHECKS: dict[str, Callable[[Case], None]] = {
    "einsum": _einsum,
    "cd_assign": _cd_assign,
    "compose_value": _compose_value,
    "scalar": _scalar,
    "neutral": _neutral,
    "memory": _memory,
    "pspace": _product_space,
    "lowering": _lowering,
    "inference": _inference,
}


def compiled_cases() -> list[Case]:
    """The cases that ``CHECKS`` compiles and runs."""
    found = []
    for case in cases(*CHECKS):
        expect = case["expect"]
        has_values = bool({"values", "value", "dims", "pspace_rows"} & expect.keys()) or case["id"] in FORMULAS
        if case["kind"] in ("einsum", "lowering") or has_values:
            found.append(case)
    return found
