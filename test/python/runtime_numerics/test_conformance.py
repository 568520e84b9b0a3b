"""The conformance cases of primitives, neutral elements and assignments, compiled (spec b.2-b.5)."""

from __future__ import annotations

import numpy as np
import pytest

from notation.conformance import cases
from reference.programs import ASSIGNMENTS, RENAMED, numbers, shape, sizes
from runtime.programs import dtype_of

from .agreement import assert_same_cells, run_compiled


@pytest.mark.parametrize("precision", ["f64", "f32", "bf16", "f16"])
def test_scalar(precision: str) -> None:
    """Every case in one routine."""
    scalar = cases("scalar")
    assert len(scalar) == 38
    dtype = dtype_of(precision)
    lines, code, values = [], [], {}
    for case in scalar:
        identifier = case["id"]
        names = [f"x.{identifier}.{number}" for number in range(len(case["args"]))]
        for name, value in zip(names, case["args"], strict=True):
            lines.append(f'tdsl.node @{name} : {precision} "2" input')
            values[name] = np.array([float(value)] * 2).astype(dtype)
        operands = ", ".join(f"@{name}" for name in names)
        lines.append(f'tdsl.node @y.{identifier} : {precision} "2" result')
        lines.append(f'tdsl.projections @p.{identifier} "." ({operands}) -> @y.{identifier}')
        operation = RENAMED.get(case["op"], case["op"])
        code.append(f"tdsl.assign @y.{identifier} overwrite = {operation}({operands}) by @p.{identifier}")
    # Names of cases have dashes, which names of nodes have not.
    lines = [line.replace("-", "_").replace("_>", "->") for line in lines]
    code = [line.replace("-", "_") for line in code]
    values = {name.replace("-", "_"): cells for name, cells in values.items()}
    results = run_compiled("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)
    for case in scalar:
        expected = np.array([float(case["expect"]["value"])] * 2).astype(dtype)
        assert_same_cells(results[f"y.{case['id']}".replace("-", "_")], expected, case["id"])


@pytest.mark.parametrize("precision", ["f64", "f32", "bf16", "f16"])
def test_neutral(precision: str) -> None:
    """Fills, and guarded reads outside: an overwrite has no fill, but contributes its neutral element all the same."""
    neutral = cases("neutral")
    assert len(neutral) == 8
    lines = [f'tdsl.node @x : {precision} "2" input', f'tdsl.node @k : {precision} "3" input']
    code = []
    expected = {}
    for case in neutral:
        name = {"snd": "overwrite"}.get(case["op"], RENAMED.get(case["op"], case["op"]))
        expected[name] = case["expect"]["value"]
        lines.append(f'tdsl.node @outside.{name} : {precision} "2,3" result')
        lines.append(f'tdsl.projections @p.{name} "o=+k; k => o,k" (@x, @k) -> @outside.{name}')
        code.append(f"tdsl.assign @outside.{name} {'reset ' * (name != 'overwrite')}{name} = fst(@x, @k) by @p.{name}")
        if name != "overwrite":
            lines.append(f'tdsl.node @fill.{name} : {precision} "2" result')
            code.append(f"tdsl.fill @fill.{name} neutral {name}")
    dtype = dtype_of(precision)
    values = {"x": np.array([0.25, 0.5]).astype(dtype), "k": np.ones(3, dtype)}
    results = run_compiled("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)
    for name, value in expected.items():
        # The first tap of the first window and the last tap of the last one read outside.
        assert results[f"outside.{name}"].astype("f8")[[0, 1], [0, 2]].tolist() == [value, value], name
        if name != "overwrite":
            assert results[f"fill.{name}"].astype("f8").tolist() == [value, value], name


@pytest.mark.parametrize("precision", ["f64", "f32", "bf16", "f16", "i64", "i32", "i16", "i8"])
def test_cd_assign(precision: str) -> None:
    """Every case in one routine."""
    assignments = cases("cd_assign")
    assert len(assignments) == 13
    dtype = dtype_of(precision)
    lines, code, values = [], [], {}
    for number, case in enumerate(assignments):
        [operand] = case["operands"]
        x, y = f"x{number}", f"y{number}"
        lines.append(f'tdsl.node @{x} : {precision} "{shape(operand)}" input')
        lines.append(f'tdsl.node @{y} : {precision} "{shape(case["lhs_rows"])}" leaf')
        lines.append(f'tdsl.projections @p{number} "{case["spec"]}" (@{x}) -> @{y}')
        code.append(f"tdsl.assign @{y} {ASSIGNMENTS[case['assign']]}(@{x}) by @p{number}")
        values[x] = numbers(case["operand_values"][0]).reshape(sizes(operand)).astype(dtype)
        values[y] = numbers(case["lhs_before"]).reshape(sizes(case["lhs_rows"])).astype(dtype)
    results = run_compiled("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)
    for number, case in enumerate(assignments):
        expected = numbers(case["expect"]["values"]).reshape(sizes(case["lhs_rows"])).astype(dtype)
        assert_same_cells(results[f"y{number}"], expected, case["id"])
