"""Groups of operations that are computed row by row, against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tdsl
from runtime.programs import run_poisoned

_SHAPES = [(1000, 64), (7, 100), (2, 1000), (1, 64), (3, 5, 37), (2, 130, 4, 65), (64, 31)]


def _program(shape: tuple[int, ...], precision: str) -> tdsl.ProgramBuilder:
    """A softmax along the last axis, then the mean and the squared deviation of each row of the logarithm."""
    program = tdsl.ProgramBuilder("rows")
    *batch, columns = map(str, shape)
    x = program.node("x", f"{','.join(batch)}|->{columns}", role="input", precision=precision)
    share = program.node("share", "1:bcast_if_1", role="leaf")
    names = ("largest", "powers", "total", "weights", "logs", "sum", "mean", "deviation", "squares", "variance")
    nodes = {name: program.node(name, "..b..|..i..->..o..") for name in names}
    sources = {
        "largest": [x], "powers": [x, nodes["largest"]], "total": [nodes["powers"]],
        "weights": [nodes["powers"], nodes["total"]], "logs": [nodes["weights"]], "sum": [nodes["logs"]],
        "mean": [nodes["sum"], share], "deviation": [nodes["logs"], nodes["mean"]],
        "squares": [nodes["deviation"], nodes["deviation"]], "variance": [nodes["squares"]],
    }  # fmt: skip
    reductions = {"largest": "max", "total": "add", "sum": "add", "variance": "add"}
    primitives = {"powers": "sub", "weights": "div", "logs": "log", "mean": "mul", "deviation": "sub", "squares": "mul"}
    with program.routine("run") as code:
        code.constant(share, 1 / shape[-1])
        for name, node in nodes.items():
            spec = "...|c => ...|0" if name in reductions else "."
            space = program.projections(f"to_{name}", spec, sources[name], node)
            code.assign(
                node,
                reductions.get(name, "overwrite"),
                primitives.get(name, "id"),
                sources[name],
                space,
                reset=name in reductions,
            )
            if name == "powers":
                exponents = program.node("exponents", "..b..|..i..->..o..")
                code.assign(exponents, "overwrite", "exp", [node], program.projections("raise", ".", [node], exponents))
                sources["total"], sources["weights"] = [exponents], [exponents, nodes["total"]]
    return program


def _expected(x: np.ndarray) -> dict[str, np.ndarray]:
    x = x.astype(np.longdouble)
    powers = np.exp(x - x.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    logs = np.log(weights)
    deviation = logs - logs.mean(-1, keepdims=True)
    return {"weights": weights, "logs": logs, "variance": (deviation**2).sum(-1, keepdims=True)}


def _input(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    return np.random.default_rng(5).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", _SHAPES, ids=str)
@pytest.mark.parametrize("keep", [None, ("variance",), ("weights", "variance")], ids=str)
def test_rows(shape: tuple[int, ...], dtype: type, keep: tuple[str, ...] | None) -> None:
    compiled = tdsl.compile(_program(shape, "f32" if dtype is np.float32 else "f64"), keep=keep)
    results = run_poisoned(compiled, {"x": _input(shape, dtype)})
    tolerance = 200 * np.finfo(dtype).eps
    for name, expected in _expected(_input(shape, dtype)).items():
        if name in results:
            np.testing.assert_allclose(results[name], expected, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("shape", [(1001, 96), (67, 1000), (2, 40000)], ids=str)
def test_any_number_of_threads_gives_the_same_bits(shape: tuple[int, ...]) -> None:
    results = []
    for threads in (1, 2, 3, 8):
        with tdsl.knobs.scope(num_threads=threads):
            compiled = tdsl.compile(_program(shape, "f32"))
        results.append(run_poisoned(compiled, {"x": _input(shape, np.float32)}))
    for one, other in itertools.pairwise(results):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])


def test_a_row_needs_memory_for_a_row() -> None:
    """The powers of all rows are never in memory at a time."""
    with tdsl.knobs.scope(num_threads=1):
        compiled = tdsl.compile(_program((1000, 256), "f32"), keep=["variance"])
    assert compiled["run"].signature.workspace_bytes <= 8 * 256 * 4


def test_strict_sums_keep_the_written_order() -> None:
    x = _input((50, 100), np.float32)
    with tdsl.knobs.scope(strict=True):
        results = run_poisoned(tdsl.compile(_program(x.shape, "f32")), {"x": x})
    expected = np.zeros((50, 1), np.float32)
    for column in results["squares"].T:
        expected[:, 0] += column
    np.testing.assert_array_equal(results["variance"], expected)


def test_rows_of_nothing_but_infinities() -> None:
    x = _input((40, 64), np.float32)
    x[3] = -np.inf
    x[5, 7] = np.inf
    x[6, 9] = np.nan
    with np.errstate(invalid="ignore"):
        powers = np.exp(x - x.max(-1, keepdims=True))
        expected = powers / powers.sum(-1, keepdims=True)
    weights = run_poisoned(tdsl.compile(_program(x.shape, "f32"), keep=["weights"]), {"x": x})["weights"]
    np.testing.assert_array_equal(np.isnan(weights), np.isnan(expected))
    np.testing.assert_allclose(weights, expected, rtol=1e-5)
