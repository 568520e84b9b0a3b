"""Gradients of windows as gathers compute what they computed as scatters (spec i.4)."""

from __future__ import annotations

import mlir.ir as ir
import numpy as np
import pytest

import tdsl
from runtime.programs import dtype_of, random_cells, run_poisoned
from tdsl.ir import create_context
from tdsl.passes.pipeline import run_pipeline

_INVERTED = (
    "builtin.module(tdsl.program("
    "tdsl-infer-precision,tdsl-infer-shapes,tdsl-derive-projections,tdsl-invert-scatter))"
)  # fmt: skip


def _inverted(text: str) -> str:
    """The program with gathers in place of scatters."""
    with create_context():
        module = ir.Module.parse(text)
        run_pipeline(module, _INVERTED)
        return str(module)


def _window(stride: int, dilation: int, kernel: int, over: int, *, padded: bool) -> tuple[str, int]:
    span = 1 + (kernel - 1) * dilation
    size = stride * over if padded else stride * (over - 1) + span
    return f"{stride}*o{'=' if padded else '<'}+{dilation}*k; k => o", size


@pytest.mark.parametrize(
    ("accumulate", "precision"), [("reset add", "f64"), ("add", "i32"), ("max", "f64"), ("reset min", "f64")]
)
def test_gradients_of_windows(accumulate: str, precision: str) -> None:
    """Windows of every kind in one program; small whole numbers, so that no order of sums matters."""
    shapes = [(s, d, 3, 4, padded) for s in (1, 2, 3) for d in (1, 2) for padded in (False, True)]
    shapes += [(2, 1, 4, 2, True), (1, 3, 1, 3, False)]
    dtype = dtype_of(precision)
    generator = np.random.default_rng(0)
    lines, code, values = [], [], {}
    for number, (stride, dilation, kernel, over, padded) in enumerate(shapes):
        spec, size = _window(stride, dilation, kernel, over, padded=padded)
        sizes = {"x": size, "k": kernel, "y": over, "g": size, "o": over}
        roles = {"x": "input", "k": "input", "y": "result", "g": "leaf", "o": "input"}
        lines += [f'tdsl.node @{n}{number} : {precision} "->{sizes[n]}" {roles[n]}' for n in sizes]
        lines.append(f'tdsl.projections @p{number} "{spec}" (@x{number}, @k{number}) -> @y{number}')
        code.append(f"tdsl.assign @g{number}[rhs1] {accumulate} = mul(@o{number}[lhs], @k{number}[rhs2]) by @p{number}")
        values |= {f"{n}{number}": random_cells(generator, (sizes[n],), dtype) for n in "kgo"}
    text = "\n".join(["tdsl.program @test {", *lines, "tdsl.routine @run {", *code, "}}"])
    gathering = _inverted(text)
    assert "floordiv" in gathering
    assert "guarded" in gathering
    taken = {a.key for a in tdsl.compile(text)["run"].signature.arguments}
    scatter, gather = (
        run_poisoned(
            tdsl.compile(program, optimization_level=1), {name: values[name].copy() for name in values if name in taken}
        )
        for program in (text, gathering)
    )
    assert len(scatter) == len(shapes)
    for name in scatter:
        np.testing.assert_array_equal(gather[name], scatter[name], err_msg=f"{name}: {shapes[int(name[1:])]}")


def test_the_gradient_of_a_convolution_of_images() -> None:
    text = """tdsl.program @test {
      tdsl.node @x : f64 "2|->7,4,3" input
      tdsl.node @k : f64 "|->3,3,3,2" param
      tdsl.node @y : f64 "2|->3,4,2" result
      tdsl.node @x.grad : f64 "2|->7,4,3" result grad_of @x
      tdsl.node @y.grad : f64 "2|->3,4,2" input grad_of @y
      tdsl.projections @p "b | 2*oh<+kh, ow=+kw, i; | kh, kw, i, c => b | oh, ow, c" (@x, @k) -> @y
      tdsl.routine @run { tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p }
    }"""
    generator = np.random.default_rng(0)
    g, k = (random_cells(generator, shape, np.dtype("f8")) for shape in ((2, 3, 4, 2), (3, 3, 3, 2)))
    expected = np.zeros((2, 7, 6, 3))
    for oh, ow, kh, kw in np.ndindex(3, 4, 3, 3):
        expected[:, 2 * oh + kh, ow + kw] += g[:, oh, ow] @ k[kh, kw].T
    for program in (text, _inverted(text)):
        result = run_poisoned(tdsl.compile(program), {"y.grad": g, "k": k})["x.grad"]
        np.testing.assert_array_equal(result, expected[:, :, 1:5])


@pytest.mark.parametrize("accumulator", ["or", "and", "relu_gate", "max", "overwrite"])
def test_a_guarded_remainder_contributes_the_neutral_element(accumulator: str) -> None:
    """Also where the neutral element changes the cell; a space as no specification gives it."""
    text = f"""tdsl.program @test {{
      tdsl.node @x : f64 "3" input
      tdsl.node @y : f64 "8" leaf
      tdsl.projections @p "." (@x) -> @y segment 0
        space <[i 8 parallel] lhs[i] rhs1[i mod 5] guarded>
      tdsl.routine @run {{ tdsl.assign @y {accumulator} = id(@x) by @p }}
    }}"""
    x, y = np.array([2.0, 0, -3]), np.array([0.0, 1, 2, 3, -4, 0, 5, np.nan])
    neutral = {"or": 0, "and": 1, "relu_gate": 1, "max": -np.inf, "overwrite": 0}[accumulator]
    contributions = np.array([x[i % 5] if i % 5 < 3 else neutral for i in range(8)])
    expected = {
        "or": (y != 0) | (contributions != 0),
        "and": (y != 0) & (contributions != 0),
        "relu_gate": np.where(y > 0, contributions, 0),
        "max": np.maximum(y, contributions),
        "overwrite": contributions,
    }[accumulator]
    result = run_poisoned(tdsl.compile(text), {"x": x, "y": y.copy()})["y"]
    np.testing.assert_array_equal(result, expected)
