"""Every primitive and every accumulator against the reference interpreter, in every precision (spec b.3-b.5)."""

from __future__ import annotations

import mlir.ir as ir
import numpy as np
import pytest

import tdsl
from reference.programs import run as interpret
from runtime.programs import dtype_of

from .agreement import assert_same_cells, check_agreement, run_compiled

FLOATS = ["f64", "f32", "bf16", "f16"]
INTEGERS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]

#: Computed exactly, or rounded once: compiled code has no freedom.
EXACT_UNARY = ["id", "relu", "sat01", "sqrt", "recip", "neg", "not", "trunc"]
LIBRARY_UNARY = ["exp", "log", "exp2", "log2", "sin", "cos", "recip_sqrt", "tanh"]
BINARY = [
    "fst", "snd", "add", "sub", "mul", "div", "relu_gate", "sat01_gate", "lt", "le", "eq", "ne", "or", "and", "mod",
    "max", "min",
]  # fmt: skip
TERNARY = ["where", "fma", "mul3"]
INTEGER_UNARY = ["id", "relu", "sat01", "neg", "not", "trunc"]
ACCUMULATORS = ["add", "sub", "mul", "div", "pow", "max", "min", "or", "and", "relu_gate", "sat01_gate"]


def _cells(precision: str) -> np.ndarray:
    """Numbers at which definitions change, and the ends of the range."""
    dtype = dtype_of(precision)
    if precision == "bool":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, info.max, info.max - 1, info.max // 2, info.min]
        return np.array([*numbers, *([-1, -2, -3, -7, info.min + 1] if info.min else [])], dtype)
    tiny = {"f64": 5e-324, "f32": 1e-45, "f16": 6e-8, "bf16": 9.2e-41}[precision]
    huge = {"f64": 1.7976931348623157e308, "f32": 3.4028234663852886e38, "f16": 65504.0, "bf16": 3.3895e38}[precision]
    numbers = [0.0, tiny, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 100.0, huge, np.inf]
    with np.errstate(over="ignore"):
        return np.array([*numbers, *(-n for n in numbers), np.nan]).astype(dtype)


def _program(precision: str, operations: list[str], operands: int, number: int) -> str:
    names = [f"@x{position}" for position in range(operands)]
    lines = [f'tdsl.node {name} : {precision} "{number}" input' for name in names]
    code = []
    joined = ", ".join(names)
    for operation in operations:
        lines.append(f'tdsl.node @y.{operation} : {precision} "{number}" result')
        lines.append(f'tdsl.projections @p.{operation} "." ({joined}) -> @y.{operation}')
        code.append(f"tdsl.assign @y.{operation} overwrite = {operation}({joined}) by @p.{operation}")
    return "\n".join([*lines, "tdsl.routine @run {", *code, "}"])


def _every_combination(cells: np.ndarray, operands: int) -> dict[str, np.ndarray]:
    axes = np.meshgrid(*[np.arange(cells.size)] * operands, indexing="ij")
    return {f"x{position}": cells[axis.ravel()] for position, axis in enumerate(axes)}


def _check(precision: str, operations: list[str], operands: int) -> None:
    values = _every_combination(_cells(precision), operands)
    check_agreement(_program(precision, operations, operands, values["x0"].size), values)


@pytest.mark.parametrize("precision", FLOATS)
@pytest.mark.parametrize(("operations", "operands"), [(EXACT_UNARY, 1), (BINARY, 2), (TERNARY, 3)])
def test_floats(context: ir.Context, precision: str, operations: list[str], operands: int) -> None:
    _check(precision, operations, operands)


@pytest.mark.parametrize("precision", FLOATS)
def test_functions_of_the_library(context: ir.Context, precision: str) -> None:
    # 90, 93: in the node's own precision, not in a narrower one and not through a fast approximation.
    cells = np.append(_cells(precision), np.linspace(-3, 3, 61).astype(dtype_of(precision)))
    # The sine of huge numbers is anyone's guess.
    cells = cells[~(np.abs(cells.astype("f8")) > 1e4) | np.isinf(cells.astype("f8"))]
    text = _program(precision, LIBRARY_UNARY, 1, cells.size)
    expected = interpret(text, {"x0": cells})
    results = run_compiled(text, {"x0": cells})
    tolerance = {"f64": 4e-16, "f32": 2.4e-7, "f16": 1e-3, "bf16": 8e-3}[precision]
    for operation in LIBRARY_UNARY:
        result, wanted = (nodes[f"y.{operation}"].astype("f8") for nodes in (results, expected))
        np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=1e-300, err_msg=operation)
        np.testing.assert_array_equal(np.isnan(result), np.isnan(wanted), operation)
        where = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(result[where]), np.signbit(wanted[where]), operation)


@pytest.mark.parametrize("precision", FLOATS)
def test_whole_powers(context: ir.Context, precision: str) -> None:
    # 71: by squaring in f32 or f64, overflow on the way included; never through exp and log.
    dtype = dtype_of(precision)
    bases = _cells(precision)
    with np.errstate(over="ignore"):
        numbers = [0, 1, 2, 3, 4, 5, 10, 31, 100, 1e4, 1e15, 1e30, 1e300]
        exponents = np.array([*numbers, *(-n for n in numbers)]).astype(dtype)
    exponents = exponents[np.isfinite(exponents.astype("f8"))]
    x0, x1 = (axis.ravel() for axis in np.meshgrid(np.arange(bases.size), np.arange(exponents.size)))
    check_agreement(_program(precision, ["pow"], 2, x0.size), {"x0": bases[x0], "x1": exponents[x1]})


def test_powers_of_the_specification() -> None:
    table = [
        (np.nan, 0, 1), (0.0, 0, 1), (np.inf, 0, 1), (np.nan, 2, np.nan), (-0.0, 3, -0.0), (-np.inf, 3, -np.inf),
        (0.0, -1, np.inf), (-0.0, -1, -np.inf), (1e20, 2, {"f32": np.inf, "f64": 1e20 * 1e20}),
        (1e20, -2, {"f32": 0.0, "f64": 1 / (1e20 * 1e20)}), (-2, 3, -8), (2, -2, 0.25), (1, 1e300, 1), (-1, 1e300, 1),
        (2, 1e300, np.inf), (0.5, 1e300, 0), (2, -1e300, 0),
    ]  # fmt: skip
    for precision in ("f64", "f32"):
        dtype = dtype_of(precision)
        rows = [row for row in table if precision == "f64" or abs(row[1]) < 1e38]
        base, exponent = (np.array([row[column] for row in rows], dtype) for column in (0, 1))
        expected = np.array([e[precision] if isinstance(e, dict) else e for _, _, e in rows], dtype)
        result = run_compiled(_program(precision, ["pow"], 2, len(rows)), {"x0": base, "x1": exponent})["y.pow"]
        assert_same_cells(result, expected, precision)


@pytest.mark.parametrize("precision", INTEGERS)
@pytest.mark.parametrize(("operations", "operands"), [(INTEGER_UNARY, 1), ([*BINARY, "pow"], 2), (TERNARY, 3)])
def test_integers(context: ir.Context, precision: str, operations: list[str], operands: int) -> None:
    # 94: x / 2 * 2 is not x, and everything wraps (k.15).
    _check(precision, operations, operands)


@pytest.mark.parametrize(
    "operations", [["id", "not"], ["fst", "snd", "lt", "le", "eq", "ne", "or", "and", "max", "min"]]
)
def test_truth_values(context: ir.Context, operations: list[str]) -> None:
    _check("bool", operations, 1 if "not" in operations else 2)


@pytest.mark.parametrize("operation", ["or", "and", "not", "lt", "le", "eq", "ne", "where"])
def test_operands_keep_their_precision(context: ir.Context, operation: str) -> None:
    """Truth is decided in each operand's own precision, comparisons in the stronger one (spec a.8)."""
    results = ["f64", "f16", "i32", "u8", "bool"]
    x = np.array([0.0, -0.0, 0.25, -0.25, 1.0, 300.0, np.nan, 1e-30] * 3, np.float32)
    n = np.repeat(np.array([0, 1, 300], np.int64), 8)
    operands = {"not": ["x"], "where": ["x", "n", "n"]}.get(operation, ["x", "n"])
    joined = ", ".join(f"@{name}" for name in operands)
    lines = ['tdsl.node @x : f32 "24" input', 'tdsl.node @n : i64 "24" input']
    code = []
    for precision in results:
        lines.append(f'tdsl.node @y.{precision} : {precision} "24" result')
        lines.append(f'tdsl.projections @p.{precision} "." ({joined}) -> @y.{precision}')
        code.append(f"tdsl.assign @y.{precision} overwrite = {operation}({joined}) by @p.{precision}")
    # @n is an operand of all but one.
    values = {"x": x, "n": n} if "n" in operands else {"x": x}
    check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)


def _accumulators(precision: str) -> list[str]:
    """Those whose neutral element the precision holds: 0.5 is no integer."""
    return [a for a in ACCUMULATORS if precision in FLOATS or a != "sat01_gate"]


def _accumulations(precision: str) -> str:
    lines = [f'tdsl.node @x : {precision} "6,4" input']
    code = []
    for accumulator in _accumulators(precision):
        for name, write in (("fresh", f"reset {accumulator}"), ("kept", accumulator)):
            node = f"{name}.{accumulator}"
            role = "result" if name == "fresh" else "leaf"
            lines.append(f'tdsl.node @{node} : {precision} "6" {role}')
            lines.append(f'tdsl.projections @p.{node} "ij => i" (@x) -> @{node}')
            code.append(f"tdsl.assign @{node} {write} = id(@x) by @p.{node}")
    return "\n".join([*lines, "tdsl.routine @run {", *code, "}"])


@pytest.mark.parametrize("precision", [*FLOATS, *INTEGERS])
def test_accumulators_with_and_without_reset(context: ir.Context, precision: str) -> None:
    dtype = dtype_of(precision)
    generator = np.random.default_rng(0)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -3
        x, y = generator.integers(low, 9, (6, 4)).astype(dtype), generator.integers(1, 9, 6).astype(dtype)
    else:
        x = generator.uniform(-0.5, 2, (6, 4)).astype(dtype)
        x[4:] = np.abs(x[4:].astype("f8")).astype(dtype) / dtype.type(4)
        # Whole powers are exact; others are the library's.
        x[:, 1:] = np.where(generator.random((6, 3)) < 0.5, np.round(x[:, 1:].astype("f8")), x[:, 1:].astype("f8"))
        x = np.round(x.astype("f8") * 4).astype(dtype) / dtype.type(4)
        y = np.array([0.25, 0.5, 0.75, 1.0, 2.0, np.nan]).astype(dtype)
    text = _accumulations(precision)
    values = {"x": x, **{f"kept.{accumulator}": y.copy() for accumulator in _accumulators(precision)}}
    expected = interpret(text, values)
    results = run_compiled(text, values)
    for name, cells in results.items():
        if name.endswith(".pow") and dtype.kind not in "iu":
            tolerance = {8: 1e-15, 4: 3e-7, 2: 2e-2}[dtype.itemsize]
            np.testing.assert_allclose(cells.astype("f8"), expected[name].astype("f8"), rtol=tolerance, err_msg=name)
        else:
            assert_same_cells(cells, expected[name], name)


def test_accumulators_of_truth_values(context: ir.Context) -> None:
    accumulators = ["max", "min", "or", "and"]
    lines = ['tdsl.node @x : bool "4,2" input']
    code = []
    for accumulator in accumulators:
        for name, write in (("fresh", f"reset {accumulator}"), ("kept", accumulator)):
            lines.append(f'tdsl.node @{name}.{accumulator} : bool "4" {"result" if name == "fresh" else "leaf"}')
            lines.append(f'tdsl.projections @p.{name}.{accumulator} "ij => i" (@x) -> @{name}.{accumulator}')
            code.append(f"tdsl.assign @{name}.{accumulator} {write} = id(@x) by @p.{name}.{accumulator}")
    values = {"x": np.array([[0, 0], [0, 1], [1, 0], [1, 1]], bool)}
    values |= {f"kept.{a}": np.array([False, True, False, True]) for a in accumulators}
    check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)


@pytest.mark.parametrize("precision", [*FLOATS, *INTEGERS])
def test_neutral_elements(context: ir.Context, precision: str) -> None:
    lines = [f'tdsl.node @{accumulator} : {precision} "2" result' for accumulator in _accumulators(precision)]
    code = [f"tdsl.fill @{accumulator} neutral {accumulator}" for accumulator in _accumulators(precision)]
    check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), {})


@pytest.mark.parametrize("statement", ["assign @y sat01_gate = id(@x) by @p", "fill @y neutral sat01_gate"])
def test_integers_have_no_half(statement: str) -> None:
    text = f"""
      tdsl.node @x : i32 "2" input
      tdsl.node @y : i32 "2" leaf
      tdsl.projections @p "." (@x) -> @y
      tdsl.routine @run {{ tdsl.{statement} }}"""
    with pytest.raises(tdsl.CompileError, match="cells of precision i32 do not have"):
        run_compiled(text, {"x": np.ones(2, np.int32)})
