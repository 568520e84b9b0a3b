"""Every primitive and every conversion of cells against NumPy (spec a.8, b.3-b.5)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import tdsl

from .programs import dtype_of, one_assignment, run_poisoned

FLOATS = ["f64", "f32", "f16", "bf16"]
SPECIAL = np.array([0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -2.5, 3.0, 100.0, np.nan, np.inf, -np.inf])

UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "id": lambda x: x,
    "relu": lambda x: np.where(x >= 0, x, 0),
    "sat01": lambda x: np.where(x <= 0, 0, np.where(x >= 1, 1, x)),
    "exp": np.exp,
    "log": np.log,
    "exp2": np.exp2,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "recip": lambda x: 1 / x,
    "recip_sqrt": lambda x: 1 / np.sqrt(x),
    "neg": lambda x: -x,
    "tanh": np.tanh,
    "not": lambda x: (x == 0) * 1.0,
    "trunc": np.trunc,
}

BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "fst": lambda a, b: a + 0 * b,
    "snd": lambda a, b: b + 0 * a,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "relu_gate": lambda a, b: np.where(a > 0, b, 0),
    "sat01_gate": lambda a, b: np.where((a > 0) & (a < 1), b, 0),
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "or": lambda a, b: (a != 0) | (b != 0),
    "and": lambda a, b: (a != 0) & (b != 0),
    "mod": np.mod,
    "max": np.maximum,
    "min": np.minimum,
}


def _tolerance(dtype: np.dtype) -> float:
    return {8: 1e-14, 4: 2e-6, 2: 1e-2}[dtype.itemsize]


@pytest.mark.parametrize("precision", FLOATS)
def test_unary_primitives_of_floats(precision: str) -> None:
    dtype = dtype_of(precision)
    lines = [f'tdsl.node @x : {precision} "->{len(SPECIAL)}" input']
    for name in UNARY:
        lines += [f'tdsl.node @{name} : {precision} "->{len(SPECIAL)}" result']
        lines += [f'tdsl.projections @p.{name} "." (@x) -> @{name}']
    code = [f"tdsl.assign @{name} overwrite = {name}(@x) by @p.{name}" for name in UNARY]
    compiled = tdsl.compile("\n".join(["tdsl.program @p {", *lines, "tdsl.routine @run {", *code, "}}"]))
    x = SPECIAL.astype(dtype)
    results = run_poisoned(compiled, {"x": x})
    with np.errstate(all="ignore"):
        for name, function in UNARY.items():
            expected = np.asarray(function(x.astype("f4" if dtype.itemsize == 2 else dtype))).astype(dtype)
            np.testing.assert_allclose(
                results[name].astype("f8"), expected.astype("f8"), rtol=_tolerance(dtype), err_msg=name
            )


@pytest.mark.parametrize("precision", FLOATS)
def test_binary_primitives_of_floats(precision: str) -> None:
    dtype = dtype_of(precision)
    a, b = (axis.ravel().astype(dtype) for axis in np.meshgrid(SPECIAL, SPECIAL))
    lines = [f'tdsl.node @{n} : {precision} "->{a.size}" input' for n in "ab"]
    for name in BINARY:
        lines += [f'tdsl.node @{name} : {precision} "->{a.size}" result']
        lines += [f'tdsl.projections @p.{name} "." (@a, @b) -> @{name}']
    code = [f"tdsl.assign @{name} overwrite = {name}(@a, @b) by @p.{name}" for name in BINARY]
    compiled = tdsl.compile("\n".join(["tdsl.program @p {", *lines, "tdsl.routine @run {", *code, "}}"]))
    results = run_poisoned(compiled, {"a": a, "b": b})
    wide = "f4" if dtype.itemsize == 2 else dtype
    with np.errstate(all="ignore"):
        for name, function in BINARY.items():
            expected = {"fst": a, "snd": b}.get(name)
            if expected is None:
                expected = np.asarray(function(a.astype(wide), b.astype(wide))).astype(dtype)
            np.testing.assert_allclose(
                results[name].astype("f8"), expected.astype("f8"), rtol=_tolerance(dtype), err_msg=name
            )


@pytest.mark.parametrize("precision", ["i64", "i32", "u8"])
def test_primitives_of_integers(precision: str) -> None:
    dtype = dtype_of(precision)
    info = np.iinfo(dtype)
    values = np.array([0, 1, 2, 3, 7, info.max, info.min, info.max // 2], dtype)
    if info.min < 0:
        values = np.append(values, np.array([-1, -2, -7], dtype))
    a, b = (axis.ravel() for axis in np.meshgrid(values, values))
    names = [n for n in BINARY if n not in ("fst", "snd")]
    lines = [f'tdsl.node @{n} : {precision} "->{a.size}" input' for n in "ab"]
    for name in names:
        lines += [f'tdsl.node @{name} : {precision} "->{a.size}" result']
        lines += [f'tdsl.projections @p.{name} "." (@a, @b) -> @{name}']
    code = [f"tdsl.assign @{name} overwrite = {name}(@a, @b) by @p.{name}" for name in names]
    compiled = tdsl.compile("\n".join(["tdsl.program @p {", *lines, "tdsl.routine @run {", *code, "}}"]))
    results = run_poisoned(compiled, {"a": a, "b": b})
    with np.errstate(all="ignore"):
        for name in names:
            if name == "div":  # Towards zero; by zero gives 0; the most negative number by -1 wraps.
                quotients = [
                    0 if y == 0 else abs(x) // abs(y) * (1 if x * y >= 0 else -1)
                    for x, y in zip(a.tolist(), b.tolist(), strict=True)
                ]
                expected = np.array([(q - info.min) % 2**info.bits + info.min for q in quotients], dtype)
            else:
                expected = np.asarray(BINARY[name](a, b)).astype(dtype)
            np.testing.assert_array_equal(results[name], expected, err_msg=name)


def test_primitives_of_truth_values() -> None:
    truths = np.array([False, False, True, True])
    others = np.array([False, True, False, True])
    expected = {
        "or": truths | others,
        "and": truths & others,
        "eq": truths == others,
        "ne": truths != others,
        "lt": truths < others,
        "le": truths <= others,
        "max": truths | others,
        "min": truths & others,
    }
    for name, wanted in expected.items():
        compiled = tdsl.compile(
            one_assignment(".", ("->4", "->4"), write="overwrite", primitive=name, precision="bool")
        )
        result = run_poisoned(compiled, {"x1": truths, "x2": others})["y"]
        assert result.dtype == np.bool_
        np.testing.assert_array_equal(result, wanted, err_msg=name)


def test_a_byte_that_is_not_zero_is_true() -> None:
    compiled = tdsl.compile(one_assignment(".", ("->3",), write="overwrite", precision="bool"))
    odd = np.array([0, 2, 255], "u1").view(np.bool_)
    result = run_poisoned(compiled, {"x1": odd})["y"]
    np.testing.assert_array_equal(result.view("u1"), [0, 1, 1])


@pytest.mark.parametrize("name", ["where", "fma", "mul3"])
def test_ternary_primitives(name: str) -> None:
    compiled = tdsl.compile(one_assignment(".", ("->4",) * 3, write="overwrite", primitive=name))
    a = np.array([0, np.nan, -0.0, 2], "f4")
    b, c = np.array([1, 2, 3, 4], "f4"), np.array([5, 6, 7, 8], "f4")
    expected = {"where": np.where(a != 0, b, c), "fma": a * b + c, "mul3": a * b * c}[name]
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": a, "x2": b, "x3": c})["y"], expected)


POWERS = [
    (math.nan, 0, 1), (0.0, 0, 1), (math.nan, 2, math.nan), (-0.0, 3, -0.0), (-math.inf, 3, -math.inf),
    (0.0, -1, math.inf), (-0.0, -1, -math.inf), (1e20, 2, math.inf), (1e20, -2, 0), (2, 10, 1024), (2, -2, 0.25),
    (-3, 3, -27), (1, 1e30, 1), (2, 0.5, math.sqrt(2)), (4, -0.5, 0.5), (2, math.inf, math.inf), (0.5, math.inf, 0),
    (-1, 1e30, 1),
]  # fmt: skip


def test_powers_with_whole_exponents_are_exact() -> None:
    compiled = tdsl.compile(one_assignment(".", (f"->{len(POWERS)}",) * 2, write="overwrite", primitive="pow"))
    base, exponent, expected = (np.array(column, "f4") for column in zip(*POWERS, strict=True))
    result = run_poisoned(compiled, {"x1": base, "x2": exponent})["y"]
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))


PRECISIONS = ["f64", "f32", "bf16", "f16", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8", "bool"]


def _converted(x: np.ndarray, target: np.dtype) -> np.ndarray:
    """Rounded to floats; towards zero and into the range of integers, NaN to 0; modulo 2^n between integers."""
    source_is_float = x.dtype.kind in "fV"
    if target.kind == "b":
        return x.astype("f8") != 0 if source_is_float else x != 0
    if target.kind not in "iu" or not source_is_float:
        return x.astype("f8").astype(target) if target.kind not in "iu" else x.astype(target)
    info = np.iinfo(target)
    cells = [0 if v != v else max(info.min, min(info.max, info.max if v == math.inf else info.min if v == -math.inf
             else int(v))) for v in x.astype("f8").tolist()]  # fmt: skip
    return np.array(cells, target)


def test_conversions_between_all_precisions() -> None:
    values = [0, 1, 2.5, 127, 200, 3, 99]
    lines, code, inputs = [], [], {}
    for source in PRECISIONS:
        dtype = dtype_of(source)
        cells = np.array(values).astype(dtype)
        if dtype.kind in "fV":
            cells = np.append(cells, np.array([-1.5, math.nan, math.inf, -math.inf, 60000.0]).astype(dtype))
        elif dtype.kind == "i":
            cells = np.append(cells, np.array([-1, -100], dtype))
        inputs[f"x.{source}"] = cells
        lines.append(f'tdsl.node @x.{source} : {source} "->{cells.size}" input')
        for target in PRECISIONS:
            lines.append(f'tdsl.node @y.{source}.{target} : {target} "->{cells.size}" result')
            lines.append(f'tdsl.projections @p.{source}.{target} "." (@x.{source}) -> @y.{source}.{target}')
            code.append(f"tdsl.assign @y.{source}.{target} overwrite = id(@x.{source}) by @p.{source}.{target}")
    compiled = tdsl.compile(
        "\n".join(["tdsl.program @p {", *lines, "tdsl.routine @run {", *code, "}}"]), optimization_level=0
    )
    results = run_poisoned(compiled, inputs)
    for source in PRECISIONS:
        for target in PRECISIONS:
            with np.errstate(all="ignore"):
                expected = _converted(inputs[f"x.{source}"], dtype_of(target))
            result = results[f"y.{source}.{target}"]
            np.testing.assert_array_equal(result.astype("f8"), expected.astype("f8"), err_msg=f"{source} to {target}")


ACCUMULATORS = {
    "add": lambda y, x: y + x.sum(),
    "sub": lambda y, x: y - x.sum(),
    "mul": lambda y, x: y * x.prod(),
    "div": lambda y, x: y / x.prod(),
    "pow": lambda y, x: y ** x.prod(),
    "max": lambda y, x: max(y, x.max()),
    "min": lambda y, x: min(y, x.min()),
    "or": lambda y, x: float(y != 0 or x.any()),
    "and": lambda y, x: float(y != 0 and x.all()),
    "relu_gate": lambda y, x: x[-1] if y > 0 and (x[:-1] > 0).all() else 0.0,
    "sat01_gate": lambda y, x: x[-1] if 0 < y < 1 and ((x[:-1] > 0) & (x[:-1] < 1)).all() else 0.0,
}
NEUTRAL = {
    "add": 0, "sub": 0, "mul": 1, "div": 1, "pow": 1, "max": -math.inf, "min": math.inf, "or": 0, "and": 1,
    "relu_gate": 1, "sat01_gate": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("accumulator", ACCUMULATORS)
@pytest.mark.parametrize("reset", [True, False])
def test_accumulators(accumulator: str, reset: bool) -> None:
    write = f"reset {accumulator}" if reset else accumulator
    compiled = tdsl.compile(one_assignment("ij => i", ("->4,2",), write=write, precision="f64", result="->4"))
    x = np.array([[2, 3], [0.5, 0.25], [1, 2], [0.5, 0]])
    y = np.array([2, 0.75, 0.5, 0.25])
    given = {"x1": x} if reset else {"x1": x, "y": y.copy()}
    start = np.full(4, float(NEUTRAL[accumulator])) if reset else y
    with np.errstate(all="ignore"):
        expected = [ACCUMULATORS[accumulator](s, row) for s, row in zip(start, x, strict=True)]
    np.testing.assert_array_equal(run_poisoned(compiled, given)["y"], expected)


@pytest.mark.parametrize("accumulator", [*NEUTRAL])
@pytest.mark.parametrize("precision", ["f64", "bf16", "i32", "u8", "bool"])
def test_neutral_elements(accumulator: str, precision: str) -> None:
    compiled = tdsl.compile(
        f'tdsl.program @p {{ tdsl.node @y : {precision} "->2,2" result\n'
        f"tdsl.routine @run {{ tdsl.fill @y neutral {accumulator} }} }}",
        optimization_level=0,
    )
    dtype = dtype_of(precision)
    neutral = NEUTRAL[accumulator]
    if math.isinf(neutral) and dtype.kind in "iub":
        lowest, highest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        neutral = lowest if neutral < 0 else highest
    expected = np.full((2, 2), neutral if dtype.kind not in "iub" else int(neutral)).astype(dtype)
    np.testing.assert_array_equal(run_poisoned(compiled, {})["y"], expected)


@pytest.mark.parametrize(
    ("primitive", "precision"), [("exp", "i32"), ("pow", "i32"), ("add", "bool"), ("neg", "bool"), ("sqrt", "u8")]
)
def test_primitives_that_a_precision_does_not_have(primitive: str, precision: str) -> None:
    operands = ("->3",) * (2 if primitive in ("pow", "add") else 1)
    text = one_assignment(".", operands, write="overwrite", primitive=primitive, precision=precision)
    with pytest.raises(tdsl.CompileError) as caught:
        tdsl.compile(text)
    line, column = 1 + len(operands) + 3, 21
    assert str(caught.value) == (
        f"-:{line}:{column}: error: '{primitive}' is not available for cells of precision {precision}"
    )
