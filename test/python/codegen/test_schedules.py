"""Scheduled code against NumPy: every layout of a contraction, sizes that fit no tile, several threads."""

from __future__ import annotations

import ctypes
import itertools
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import mlir.ir as ir
import numpy as np
import pytest

import tdsl
from runtime.programs import run_poisoned
from tdsl.codegen.lowering import lower_program
from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit
from tdsl.codegen.pipelines import TO_LINALG, CpuPipeline
from tdsl.ir import create_context
from tdsl.passes import run_pipeline

# Rows, columns and depth: multiples of tiles, one more or less, primes, thin ones, several blocks of rows, a depth
# of several slices, rows that are far apart.
_SIZES = [
    (16, 64, 16), (4, 64, 33), (5, 65, 7), (13, 17, 19), (64, 31, 40), (3, 130, 11), (130, 8, 9), (37, 101, 1030),
    (1, 300, 40), (2, 300, 40), (8, 257, 64), (9, 260, 2100), (300, 17, 700), (517, 65, 9), (261, 67, 1030),
    (9, 9001, 70),
]  # fmt: skip
_FEATURES = ("avx", "avx2", "fma", "avx512f", "avx512vl", "avx512bw", "avx512dq")
_LAYOUTS = ["ij; jk => ik", "ji; jk => ik", "ij; kj => ik", "ji; kj => ik", "ij; jk => ki", "ji; kj => ki"]


def _program(spec: str, first: tuple[int, ...], second: tuple[int, ...], precision: str, reset: str = "reset ") -> str:
    shapes = [",".join(map(str, shape)) for shape in (first, second)]
    return f"""
    tdsl.program @contraction {{
      tdsl.node @a : {precision} "|->{shapes[0]}" input
      tdsl.node @b : {precision} "|->{shapes[1]}" input
      tdsl.node @c : {precision} "|->..." result
      tdsl.projections @p "{spec}" (@a, @b) -> @c
      tdsl.routine @run {{ tdsl.assign @c {reset}add = mul(@a, @b) by @p }}
    }}"""


def _check(spec: str, first: tuple[int, ...], second: tuple[int, ...], dtype: type = np.float32) -> None:
    generator = np.random.default_rng(7)
    a, b = (generator.standard_normal(shape).astype(dtype) for shape in (first, second))
    precision = "f32" if dtype is np.float32 else "f64"
    compiled = tdsl.compile(_program(spec, first, second, precision))
    result = run_poisoned(compiled, {"a": a, "b": b})["c"]
    numpy_spec = spec.replace("; ", ",").replace(" => ", "->")
    expected = np.einsum(numpy_spec, a.astype(np.longdouble), b.astype(np.longdouble))
    # The sums of k products of numbers around 1 round k times at most.
    magnitudes = np.einsum(numpy_spec, abs(a).astype(np.float64), abs(b).astype(np.float64))
    depth = a.size * b.size / max(1, expected.size)
    assert np.all(abs(result - expected) <= np.finfo(dtype).eps * (depth**0.5 + 2) * magnitudes)


@pytest.mark.parametrize("sizes", _SIZES, ids=str)
@pytest.mark.parametrize("spec", _LAYOUTS)
def test_layouts_and_edges(spec: str, sizes: tuple[int, int, int]) -> None:
    by_label = dict(zip("ikj", sizes, strict=True))
    first, second = (tuple(by_label[label] for label in part.strip()) for part in spec.split("=>")[0].split(";"))
    _check(spec, first, second)


@pytest.mark.parametrize("sizes", [(16, 64, 16), (13, 17, 19), (37, 101, 1030)], ids=str)
def test_double_precision(sizes: tuple[int, int, int]) -> None:
    m, n, k = sizes
    _check("ij; jk => ik", (m, k), (k, n), np.float64)


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [
        ("bij; bjk => bik", (3, 20, 30), (3, 30, 40)),
        ("bihc; bjhc => bhij", (2, 12, 3, 16), (2, 20, 3, 16)),
        ("bhij; bjhc => bihc", (2, 3, 12, 20), (2, 20, 3, 16)),
        ("ibj; bjk => kbi", (10, 3, 20), (3, 20, 40)),
        ("ijk; kjl => il", (20, 6, 8), (8, 6, 30)),
        ("ijk; jkl => il", (20, 6, 8), (6, 8, 30)),
        ("ajb; jcd => adbc", (4, 10, 5), (10, 6, 7)),
        ("iab; abj => ij", (33, 3, 5), (3, 5, 17)),
        ("ij; jk => ik", (1, 64), (64, 64)),
        ("ij; jk => ik", (64, 64), (64, 1)),
        ("ij; jk => ik", (64, 1), (1, 64)),
        ("ij; kj => ik", (3, 700), (50, 700)),
    ],
)
def test_groups_of_axes(spec: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    _check(spec, first, second)


def test_accumulating_into_what_is_there() -> None:
    generator = np.random.default_rng(3)
    a, b, c = (generator.standard_normal(s).astype(np.float32) for s in ((30, 40), (40, 70), (30, 70)))
    text = _program("ij; jk => ik", a.shape, b.shape, "f32", reset="").replace('"|->..." result', '"|->30,70" input')
    result = tdsl.compile(text)["run"](a=a, b=b, c=c.copy())["c"]
    np.testing.assert_allclose(result, c + a @ b, rtol=1e-5, atol=1e-5)


def test_operands_that_begin_at_run_time() -> None:
    """A batch of many is a view that begins at a place known at run time only."""
    text = """
    tdsl.program @slices {
      tdsl.symbol @i range 0 to 5
      tdsl.node @images : f32 "5,30|->40" input
      tdsl.node @w : f32 "40->70" input
      tdsl.node @x : f32 "30|->40" result
      tdsl.node @y : f32 "30|->70" result
      tdsl.projections @take slice(@i) (@images) -> @x
      tdsl.projections @affine "@" (@w, @x) -> @y
      tdsl.routine @run(%i: !tdsl.index<@i>) {
        tdsl.assign @x overwrite = id(@images) by @take[%i : !tdsl.index<@i>]
        tdsl.assign @y reset add = mul(@w, @x) by @affine
      }
    }"""
    generator = np.random.default_rng(3)
    images, w = (generator.standard_normal(shape).astype(np.float32) for shape in ((5, 30, 40), (70, 40)))
    compiled = tdsl.compile(text, keep=["y"])
    assert "tdsl.product" in compiled.mlir("llvm")
    for i in range(5):
        y = run_poisoned(compiled, {"images": images, "w": w}, i=i)["y"]
        np.testing.assert_allclose(y, images[i] @ w.T, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "shape", [(1,), (7,), (16,), (83,), (1000,), (5, 83), (3, 1), (2, 3, 130), (70000,), (3, 50001)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_elementwise(shape: tuple[int, ...], dtype: type) -> None:
    generator = np.random.default_rng(5)
    x, y = (generator.integers(-9, 9, shape).astype(dtype) for _ in range(2))
    precision = {np.float32: "f32", np.float64: "f64", np.int32: "i32", np.int64: "i64"}[dtype]
    text = f"""
    tdsl.program @elementwise {{
      tdsl.node @x : {precision} "|->{",".join(map(str, shape))}" input
      tdsl.node @y : {precision} "|->{",".join(map(str, shape))}" input
      tdsl.node @s : {precision} "|->..." result
      tdsl.node @p : {precision} "|->..." result
      tdsl.projections @a "." (@x, @y) -> @s
      tdsl.projections @b "." (@s, @y) -> @p
      tdsl.routine @run {{
        tdsl.assign @s overwrite = add(@x, @y) by @a
        tdsl.assign @p overwrite = mul(@s, @y) by @b
      }}
    }}"""
    result = run_poisoned(tdsl.compile(text), {"x": x, "y": y})
    np.testing.assert_array_equal(result["p"], (x + y) * y)


@pytest.mark.parametrize("shape", [(300, 5), (300, 83), (9, 20, 33)])
def test_sums_over_leading_axes_keep_their_order(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float32)
    labels = "abcd"[: len(shape)]
    text = f"""
    tdsl.program @sums {{
      tdsl.node @x : f32 "|->{",".join(map(str, shape))}" input
      tdsl.node @y : f32 "|->..." result
      tdsl.projections @p "{labels} => {labels[-1]}" (@x) -> @y
      tdsl.routine @run {{ tdsl.assign @y reset add = id(@x) by @p }}
    }}"""
    expected = np.zeros(shape[-1], np.float32)
    for row in x.reshape(-1, shape[-1]):
        expected += row
    np.testing.assert_array_equal(run_poisoned(tdsl.compile(text), {"x": x})["y"], expected)


@pytest.mark.parametrize("shape", [(5, 3), (7, 64), (4, 130), (2, 3, 1000), (70001,), (3, 1), (600, 200)], ids=str)
@pytest.mark.parametrize(("accumulator", "ufunc"), [("add", np.add), ("max", np.maximum), ("min", np.minimum)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows(shape: tuple[int, ...], accumulator: str, ufunc: np.ufunc, dtype: type) -> None:
    x = np.random.default_rng(2).standard_normal(shape).astype(dtype)
    labels = "abcd"[: len(shape)]
    text = _reduction(f"{labels} => {labels[:-1] or '0'}", x, accumulator)
    expected = np.atleast_1d(ufunc.reduce(x.astype(np.float64), -1))
    for threads in (1, 2):
        with tdsl.knobs.scope(num_threads=threads):
            result = run_poisoned(tdsl.compile(text), {"x": x})["y"]
        scale = abs(x).sum(-1) if accumulator == "add" else 0
        assert np.all(abs(result - expected) <= 16 * np.finfo(dtype).eps * scale)


def _reduction(spec: str, x: np.ndarray, accumulator: str) -> str:
    precision = "f32" if x.dtype == np.float32 else "f64"
    return f"""
    tdsl.program @reduction {{
      tdsl.node @x : {precision} "|->{",".join(map(str, x.shape))}" input
      tdsl.node @y : {precision} "|->..." result
      tdsl.projections @p "{spec}" (@x) -> @y
      tdsl.routine @run {{ tdsl.assign @y reset {accumulator} = id(@x) by @p }}
    }}"""


@pytest.mark.parametrize("position", [0, 17, 64, 129])
@pytest.mark.parametrize("accumulator", ["max", "min"])
def test_extrema_of_rows_propagate_nan_and_know_signed_zeros(position: int, accumulator: str) -> None:
    x = np.full((2, 130), -1.0 if accumulator == "max" else 1.0, np.float32)
    x[0, position] = np.nan
    x[1, 3:] = 0.0 if accumulator == "min" else -0.0
    x[1, position] = -0.0 if accumulator == "min" else 0.0
    result = run_poisoned(tdsl.compile(_reduction("ij => i", x, accumulator)), {"x": x})["y"]
    assert np.isnan(result[0])
    assert result[1] == 0
    assert np.signbit(result[1]) == (accumulator == "min")


def test_strict_sums_keep_the_written_order() -> None:
    x = (10.0 ** np.random.default_rng(2).uniform(-6, 6, (4, 777))).astype(np.float32)
    expected = np.zeros(4, np.float32)
    for column in x.T:
        expected += column
    with tdsl.knobs.scope(strict=True):
        result = run_poisoned(tdsl.compile(_reduction("ij => i", x, "add")), {"x": x})["y"]
    np.testing.assert_array_equal(result, expected)


def test_rows_that_end_in_every_other_cell() -> None:
    x = np.random.default_rng(2).standard_normal((4, 3)).astype(np.float32)
    compiled = tdsl.compile(_reduction("i, j => 2*i", x, "add").replace('"|->..." result', '"|->8" result'))
    expected = np.zeros(8, np.float32)
    expected[::2] = (x[:, 0] + x[:, 1]) + x[:, 2]
    np.testing.assert_allclose(run_poisoned(compiled, {"x": x})["y"], expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [
        ("ij; jk => ik", (256, 64), (64, 192)),
        ("ij; jk => ik", (509, 71), (71, 307)),
        ("ij; jk => ik", (128, 1031), (1031, 128)),
        ("ij; jk => ik", (9, 80), (80, 4001)),  # more panels of columns than rows
        ("ij; jk => ik", (33, 70), (70, 9001)),  # several blocks of columns
        ("ij; kj => ik", (9, 1031), (1001, 1031)),
        ("bij; bjk => bik", (9, 96, 64), (9, 64, 97)),  # whole batches
        ("bij; bjk => bik", (2, 131, 96), (2, 96, 97)),  # fewer batches than threads
    ],
)
def test_any_number_of_threads_gives_the_same_bits(spec: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    generator = np.random.default_rng(1)
    a, b = generator.standard_normal(first, np.float32), generator.standard_normal(second, np.float32)
    results = []
    for threads in (1, 2, 3, 8):
        with tdsl.knobs.scope(num_threads=threads):
            compiled = tdsl.compile(_program(spec, first, second, "f32"))
        results.append(run_poisoned(compiled, {"a": a, "b": b})["c"])
        assert ("kmpc" in compiled.asm()) == (threads > 1)
    for one, other in itertools.pairwise(results):
        np.testing.assert_array_equal(one, other)
    expected = np.einsum(spec.replace("; ", ",").replace(" => ", "->"), a, b)
    np.testing.assert_allclose(results[0], expected, rtol=1e-3, atol=1e-3)


_FORK = """
import os, sys
import numpy as np
import tdsl

def product(a, b):
    with tdsl.knobs.scope(num_threads=2):
        return np.asarray(tdsl.einsum("ij; jk => ik", a, b))

a = np.ones((256, 256), np.float32)
assert (product(a, a) == 256).all()  # Threads of the parent exist from here on.
child = os.fork()
if child == 0:
    right = (product(2 * a, a) == 512).all()
    tasks = os.listdir("/proc/self/task") if os.path.isdir("/proc/self/task") else ["main"]
    os._exit(0 if right and len(tasks) == 1 else 1)
assert os.waitpid(child, 0)[1] == 0
assert (product(a, 3 * a) == 768).all()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_computes_the_same() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", _FORK], check=True, timeout=120)


@pytest.mark.parametrize("threads", [1, 2])
def test_python_threads_may_call_one_shared_routine(threads: int) -> None:
    generator = np.random.default_rng(4)
    b = generator.standard_normal((192, 160), np.float32)
    with tdsl.knobs.scope(num_threads=threads):
        routine = tdsl.compile(_program("ij; jk => ik", (160, 192), b.shape, "f32"))["run"]

    def check(seed: int) -> bool:
        a = np.random.default_rng(seed).standard_normal((160, 192), np.float32)
        return all(np.allclose(routine(a=a, b=b)["c"], a @ b, rtol=1e-3, atol=1e-3) for _ in range(20))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(check, range(8)))


@pytest.mark.parametrize(
    ("cpu", "instruction", "accumulators"), [("x86-64-v4", "zmm", 16), ("x86-64-v3", "ymm", 12)], ids=str
)
def test_accumulators_stay_in_registers(cpu: str, instruction: str, accumulators: int) -> None:
    target = TargetDescription("x86_64-unknown-linux-gnu", cpu)
    with create_context():
        module = ir.Module.parse(_program("ij; jk => ik", (96, 128), (128, 128), "f32"))
    run_pipeline(module, f"builtin.module({TO_LINALG},{CpuPipeline(target).text})")
    text = emit(module, target, kind="assembly", optimization_level=0).decode()
    loops = [body for body in _innermost_loops(text) if any("vfmadd" in line for line in body)]
    [loop] = loops
    assert sum("vfmadd" in line and instruction in line for line in loop) == accumulators
    assert not [line for line in loop if "%rsp" in line]


def _innermost_loops(assembly: str) -> Iterator[list[str]]:
    """The lines between a label and the last jump back to it that has no label in between."""
    lines = [line for line in assembly.splitlines() if not line.lstrip().startswith(("#", ".cfi", ".p2align"))]
    start: dict[str, int] = {}
    for number, line in enumerate(lines):
        if line.startswith(".L"):
            start = {line.split(":")[0]: number}
        target = re.match(r"\s+j\w+\s+(\.L\w+)", line)
        if target and target[1] in start:
            yield lines[start[target[1]] : number + 1]


def test_compiling_imports_no_python_module_of_linalg() -> None:
    """That takes 50 ms, as long as the compilation itself."""
    program = _program("ij; jk => ik", (96, 128), (128, 128), "f32")
    code = f"import sys, tdsl; tdsl.compile({program!r}); assert 'mlir.dialects.linalg' not in sys.modules"
    environment = {**os.environ, "TDSL_CACHE": "off"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@pytest.mark.skipif(platform.machine() != "x86_64", reason="runs code for x86-64")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("spec", ["ij; jk => ik", "ji; kj => ik"])
def test_other_widths_of_vectors(cpu: str, dtype: type, spec: str) -> None:
    target = TargetDescription("x86_64-unknown-linux-gnu", cpu)
    if not all(TargetDescription.host().has_feature(f) for f in _FEATURES if target.has_feature(f)):
        pytest.skip(f"this machine cannot run code for {cpu}")
    m, n, k = 67, 45, 530
    first, second = ((m, k), (k, n)) if spec[0] == "i" else ((k, m), (n, k))
    precision = "f32" if dtype is np.float32 else "f64"
    lowered = lower_program(_program(spec, first, second, precision), target)
    loaded = LoadedObject(lowered.emit())
    [signature] = lowered.signatures
    generator = np.random.default_rng(9)
    arrays = [generator.standard_normal(a.shape).astype(dtype) for a in signature.arguments]
    workspace = np.zeros(signature.workspace_bytes + 64, np.uint8)
    aligned = workspace.ctypes.data + (-workspace.ctypes.data) % 64
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(loaded.lookup(signature.function))
    function(*(array.ctypes.data for array in arrays), aligned)
    a, b, c = arrays
    expected = np.einsum(spec.replace("; ", ",").replace(" => ", "->"), a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(c, expected, rtol=0, atol=2000 * np.finfo(dtype).eps)
