"""The pass that derives index spaces does not change what programs compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from notation.conformance import cases
from reference.programs import ASSIGNMENTS, OPERATORS, numbers, program, sizes
from reference.test_conformance import einsum_program, operand_values
from reference.test_stages import PROGRAMS, random_values
from tdsl.passes.derive_projections import DeriveProjections
from tdsl.reference import compare, run_routine

ACCUMULATORS = ["add", "sub", "mul", "div", "pow", "or", "and", "max", "min", "relu_gate", "sat01_gate"]


def check(text: str, values: dict[str, np.ndarray]) -> None:
    derived = program(text)
    assert DeriveProjections().run(derived)
    assert compare(run_routine(program(text), "run", values), run_routine(derived, "run", values)) is None


def with_solved_captures(case: dict[str, Any], text: str) -> str:
    """The program after shape inference, which writes the sizes of captures on their declarations."""
    for name, size in {**case["expect"].get("captures", {}), **case.get("set_dims", {})}.items():
        text = text.replace(f"tdsl.dim @capture_{name}\n", f"tdsl.dim @capture_{name} = {size}\n")
    return text


@pytest.mark.parametrize("case", cases("einsum"), ids=lambda case: case["id"])
def test_einsum(context, case):
    text = einsum_program(case, OPERATORS[case["op"]], case["expect"]["rows"])
    check(with_solved_captures(case, text), operand_values(case))


@pytest.mark.parametrize("accumulator", ACCUMULATORS)
def test_every_accumulator_with_a_reset(context, accumulator):
    for case in cases("einsum"):
        if case["op"] in ("einsum", "einsum1"):
            primitive = "id" if case["op"] == "einsum1" else "sub"
            text = einsum_program(case, f"reset {accumulator} = {primitive}", case["expect"]["rows"])
            check(with_solved_captures(case, text), operand_values(case))


@pytest.mark.parametrize("case", cases("cd_assign"), ids=lambda case: case["id"])
def test_cd_assign(context, case):
    before = numbers(case["lhs_before"]).reshape(sizes(case["lhs_rows"]))
    text = einsum_program(case, ASSIGNMENTS[case["assign"]], case["lhs_rows"])
    check(text, {**operand_values(case), "y": before})


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_every_logic(context, name):
    text, _ = PROGRAMS[name].texts()
    check(text, random_values(text, seed=3))


@pytest.mark.parametrize("accumulator", ["add", "or", "max", "min", "mul"])
def test_padded_candidates_in_the_product_space(context, accumulator):
    # sum_pspace =:@^ add(t1, t2) of spec f.4, over a padded window.
    text = f"""
      tdsl.node @t1 : f64 "4" input
      tdsl.node @t2 : f64 "3" input
      tdsl.node @t : f64 "4" result
      tdsl.node @sum : f64 "4,3" result
      tdsl.projections @p "o=+k; k => o" (@t1, @t2) -> @t
      tdsl.routine @run {{ tdsl.assign @sum[pspace] reset {accumulator} = add(@t1[rhs1], @t2[rhs2]) by @p }}"""
    check(text, {"t1": -np.arange(1.0, 5.0), "t2": -np.arange(1.0, 4.0)})
