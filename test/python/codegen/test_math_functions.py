"""exp, log, tanh and so on as arithmetic: special values, and errors against mpmath and f64 (docs/numbers.md)."""

from __future__ import annotations

import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

import tdsl
from tdsl.codegen.object_code import TargetDescription, emit
from tdsl.ir import create_context

from .machine_code import AARCH64, HOST
from .math_functions import WITHOUT_FMA, compiled_loop, errors_in_ulp, lowered_loop

INF, NAN = np.inf, np.nan

#: The largest errors in ulp that docs/numbers.md states, with and without fused multiply-add.
BOUNDS = {
    ("exp", "f32"): (0.80, 0.80),
    ("exp2", "f32"): (0.87, 0.87),
    ("tanh", "f32"): (0.98, 1.10),
    ("log", "f32"): (0.92, 0.92),
    ("log2", "f32"): (0.87, 0.87),
    ("sin", "f32"): (0.501, 0.501),
    ("cos", "f32"): (0.501, 0.501),
    ("exp", "f64"): (0.80, 0.80),
    ("exp2", "f64"): (1.0, 1.0),
    ("tanh", "f64"): (1.0, 1.2),
    ("log", "f64"): (0.9, 0.9),
    ("log2", "f64"): (0.9, 0.9),
}
FUNCTIONS = sorted(BOUNDS)
TARGETS = {"fma": HOST, "no-fma": WITHOUT_FMA}
DTYPES = {"f32": np.float32, "f64": np.float64}
#: The unsigned integers of the same width.
BITS = {"f32": np.uint32, "f64": np.uint64}

#: Where each function is interesting: intervals for grids.
RANGES = {
    "exp": [(-104, 89), (-1, 1), (-746, 710), (-1e-3, 1e-3)],
    "exp2": [(-151, 128), (-1, 1), (-1076, 1024), (-1e-3, 1e-3)],
    "tanh": [(-1.1, 1.1), (-10, 10), (-1e-3, 1e-3), (18, 20)],
    "log": [(0.5, 2), (0.99, 1.01), (1e-3, 1e3), (1e-38, 1e38)],
    "log2": [(0.5, 2), (0.99, 1.01), (1e-3, 1e3), (1e-38, 1e38)],
    "sin": [(-4, 4), (-100, 100), (1e8, 2e8), (-3e38, 3e38)],
    "cos": [(-4, 4), (-100, 100), (1e8, 2e8), (-3e38, 3e38)],
}

#: The least subnormal, the least normal and the largest number.
ENDS = {
    "f32": (1.4e-45, 1.17549435e-38, 3.4028235e38),
    "f64": (5e-324, 2.2250738585072014e-308, 1.7976931348623157e308),
}

#: Arguments and exact results; LEAST stands for the least subnormal number.
LEAST = "least"
SPECIAL = {
    "exp": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0.0), (1e4, INF), (-1e4, 0.0), (LEAST, 1)],
    "exp2": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0.0), (1024, INF), (-1080, 0.0), (10, 1024), (-3, 0.125)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1), (-INF, -1), (30, 1), (-30, -1), (LEAST, LEAST)],
    "log": [(1, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (-1, NAN), (-1e-40, NAN)],
    "log2": [(1, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (-1, NAN), (8, 3), (0.25, -2)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (LEAST, LEAST)],
    "cos": [(0.0, 1), (-0.0, 1), (INF, NAN), (-INF, NAN), (LEAST, 1)],
}


@pytest.fixture(scope="module")
def loop() -> Callable[[str, str, str], Callable[[np.ndarray], np.ndarray]]:
    """Compiled loops, each made once."""
    made: dict[tuple[str, str, str], Callable[[np.ndarray], np.ndarray]] = {}

    def get(function: str, type_name: str, target: str) -> Callable[[np.ndarray], np.ndarray]:
        key = (function, type_name, target)
        if key not in made:
            made[key] = compiled_loop(function, type_name, TARGETS[target])
        return made[key]

    return get


def arguments(function: str, type_name: str, number: int) -> np.ndarray:
    """Grids, any bits, and the ends of the range."""
    random = np.random.default_rng(number)
    bits = random.integers(0, np.iinfo(BITS[type_name]).max, number, BITS[type_name], endpoint=True)
    with np.errstate(over="ignore"):
        grids = [np.linspace(*ends, number).astype(DTYPES[type_name]) for ends in RANGES[function]]
    ends = np.array([s * e * f for s in (1, -1) for e in ENDS[type_name][:2] for f in (1, 2, 3, 1000)])
    return np.concatenate([bits.view(DTYPES[type_name]), *grids, ends.astype(DTYPES[type_name])])


def exact_in_f64(function: str, x: np.ndarray) -> np.ndarray:
    """Exact for f32: errors of f64 are 2^-29 of its last place."""
    with np.errstate(all="ignore"):
        return getattr(np, function)(x.astype(np.float64))


def exact_by_mpmath(function: str, x: np.ndarray) -> np.ndarray:
    """For finite results. They have 64 bits, so that errors can be seen below one place of f64."""
    functions = {"exp2": lambda v: mpmath.power(2, v), "log2": lambda v: mpmath.log(v, 2)}
    evaluate = functions.get(function) or getattr(mpmath, function)
    with mpmath.workprec(160):
        values = [evaluate(mpmath.mpf(float(v))) for v in x]
        high = np.array([float(v) for v in values], np.longdouble)
        return high + np.array([float(v - mpmath.mpf(float(v))) for v in values], np.longdouble)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("function", "type_name"), FUNCTIONS)
def test_special_values(loop: Callable, function: str, type_name: str, target: str) -> None:
    least = ENDS[type_name][0]
    rows = [[least if v is LEAST else v for v in row] for row in [*SPECIAL[function], (NAN, NAN), (-NAN, NAN)]]
    x, expected = np.array(rows).T.astype(DTYPES[type_name])
    result = loop(function, type_name, target)(x)
    np.testing.assert_array_equal(result, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[numbers]), np.signbit(expected[numbers]))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("function", [f for f, t in FUNCTIONS if t == "f32"])
def test_errors_of_single_precision(loop: Callable, function: str, target: str) -> None:
    x = arguments(function, "f32", 200_000)
    # Every number of two binades.
    x = np.append(x, np.arange(0x3F000000, 0x40000000, dtype=np.uint32).view(np.float32))
    result, exact = loop(function, "f32", target)(x).astype(np.float64), exact_in_f64(function, x)
    np.testing.assert_array_equal(np.isnan(result), np.isnan(exact))
    rounded = exact.astype(np.float32)
    finite = np.isfinite(result) & np.isfinite(exact)
    # Infinity only where rounding gives it, too.
    np.testing.assert_array_equal(result[~finite], rounded[~finite])
    error = errors_in_ulp(result[finite], exact[finite], "f32")
    assert error.max() <= BOUNDS[function, "f32"][target != "fma"]
    assert not (np.signbit(result[finite]) != np.signbit(rounded[finite])).any()


@pytest.mark.parametrize("function", [f for f, t in FUNCTIONS if t == "f64"])
def test_errors_of_double_precision(loop: Callable, function: str) -> None:
    x = arguments(function, "f64", 600)
    results = {target: loop(function, "f64", target)(x) for target in TARGETS}
    with np.errstate(all="ignore"):
        rounded = getattr(np, function)(x)
    finite = np.isfinite(rounded) & np.isfinite(x)
    exact = exact_by_mpmath(function, x[finite])
    for target, result in results.items():
        np.testing.assert_array_equal(result[~finite], rounded[~finite])
        assert errors_in_ulp(result[finite], exact, "f64").max() <= BOUNDS[function, "f64"][target != "fma"], target


def test_f64_is_exact_enough_to_judge_f32() -> None:
    """NumPy's f64 functions against mpmath, where the tests of f32 use them as exact."""
    for function in RANGES:
        x = arguments(function, "f32", 50)
        approximate = exact_in_f64(function, x)
        finite = np.isfinite(approximate)
        exact = exact_by_mpmath(function, x[finite])
        assert errors_in_ulp(approximate[finite], exact, "f64").max() < 4, function


def test_hyperbolic_tangent_is_odd_and_at_most_1(loop: Callable) -> None:
    for type_name in ("f32", "f64"):
        x = arguments("tanh", type_name, 20_000)
        x = x[~np.isnan(x)]
        result = loop("tanh", type_name, "fma")(x)
        assert np.abs(result).max() == 1
        np.testing.assert_array_equal(loop("tanh", type_name, "fma")(-x), -result)


@pytest.mark.parametrize(("function", "type_name"), FUNCTIONS)
def test_vectors_are_scalars_side_by_side(loop: Callable, function: str, type_name: str) -> None:
    x = arguments(function, type_name, 64)[:312]
    vectors = compiled_loop(function, type_name, HOST, width=8)(x)
    np.testing.assert_array_equal(vectors, loop(function, type_name, "fma")(x))


@pytest.mark.parametrize(("function", "type_name"), FUNCTIONS)
def test_loops_vectorise(function: str, type_name: str) -> None:
    suffix = "ps" if type_name == "f32" and function not in ("sin", "cos") else "pd"
    with create_context():
        module = lowered_loop(function, type_name)
        avx2 = TargetDescription("x86_64-unknown-linux-gnu", "x86-64-v3")
        assert f"vfmadd213{suffix}\t" in emit(module, avx2, kind="assembly", optimization_level=3).decode()
        for target in (avx2, WITHOUT_FMA, AARCH64):
            text = emit(module, target, kind="assembly", optimization_level=3).decode()
            # The C interface calls the loop.
            assert set(re.findall(r"\t(?:callq|bl)\t(\w+)", text)) <= {"loop"}


@pytest.mark.parametrize("type_name", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("function", list(RANGES))
def test_operations_on_arrays(function: str, type_name: str) -> None:
    """Every number of the narrow types; grids of the others."""
    if type_name in DTYPES:
        x = arguments(function, type_name, 1000)
        # The interpreter of the tests' own machine is as good as any for huge f64 angles.
        bound = 1.5
    else:
        import ml_dtypes

        dtype = np.dtype(np.float16 if type_name == "f16" else ml_dtypes.bfloat16)
        x = np.arange(2**16, dtype=np.uint16).view(dtype)
        bound = 0.501
    result = np.asarray(getattr(tdsl, function)(x))
    assert result.dtype == x.dtype
    exact = exact_in_f64(function, x)
    with np.errstate(all="ignore"):
        rounded = exact.astype(x.dtype).astype(np.float64)
        wide = result.astype(np.float64)
    finite = np.isfinite(rounded) & np.isfinite(exact)
    np.testing.assert_array_equal(wide[~finite], rounded[~finite])
    assert errors_in_ulp(wide[finite], exact[finite], type_name).max() <= bound


@pytest.mark.parametrize("type_name", ["f16", "bf16", "f32"])
def test_powers(type_name: str) -> None:
    import ml_dtypes

    dtype = np.dtype({"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}[type_name])
    random = np.random.default_rng(0)
    special = [0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, 3, -3, 100.5, 1e30, 1e-30, INF, -INF, NAN]
    pairs = np.array([(a, b) for a in special for b in special])
    random_pairs = np.stack([random.lognormal(0, 3, 50_000), random.normal(0, 10, 50_000)], axis=1)
    with np.errstate(over="ignore"):
        base, exponent = np.concatenate([pairs, random_pairs]).T.astype(dtype)
    # Whole exponents are powers by squaring, with its own roundings: test_primitives.
    exponent64 = exponent.astype(np.float64)
    whole = np.isfinite(exponent64) & (np.floor(exponent64) == exponent64)
    base, exponent = base[~whole], exponent[~whole]
    result = np.asarray(tdsl.pow(base, exponent)).astype(np.float64)
    with np.errstate(all="ignore"):
        exact = np.power(base.astype(np.float64), exponent.astype(np.float64))
        rounded = exact.astype(dtype).astype(np.float64)
    finite = np.isfinite(rounded) & np.isfinite(exact)
    np.testing.assert_array_equal(result[~finite], rounded[~finite])
    assert errors_in_ulp(result[finite], exact[finite], type_name).max() <= 0.501


def test_the_c_library_on_request() -> None:
    text = """tdsl.program @p {
      tdsl.node @x : f32 "->8" input
      tdsl.node @y : f32 "->8" result
      tdsl.projections @q "." (@x) -> @y
      tdsl.routine @run { tdsl.assign @y overwrite = exp(@x) by @q }
    }"""
    x = np.linspace(-2, 2, 8, dtype=np.float32)
    own = tdsl.compile(text)
    with tdsl.knobs.scope(libm=True):
        library = tdsl.compile(text)
        assert "llvm.intr.exp(" in library.mlir("llvm")
    assert "llvm.intr.exp(" not in own.mlir("llvm")
    for compiled in (own, library):
        np.testing.assert_allclose(compiled.run({"x": x})["y"], np.exp(x.astype("f8")), rtol=1.2e-7)
