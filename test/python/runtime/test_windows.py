"""Windows, strides and dilations against loops over every point (spec d.7, e.4)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tdsl

from .programs import one_assignment, random_cells, run_poisoned


def _window_1d(x: np.ndarray, kernel: np.ndarray, stride: int, dilation: int, padded: bool) -> np.ndarray:
    """``y[o] += x[stride * o + dilation * k - left] * kernel[k]``; padded reads outside contribute nothing."""
    span = 1 + (len(kernel) - 1) * dilation
    size = len(x) // stride if padded else (len(x) - span) // stride + 1
    left = span // 2 if padded else 0
    y = np.zeros(size)
    for o, k in itertools.product(range(size), range(len(kernel))):
        i = stride * o + dilation * k - left
        if 0 <= i < len(x):
            y[o] += x[i] * kernel[k]
    return y


@pytest.mark.parametrize("size", [1, 2, 5, 12])
@pytest.mark.parametrize("kernel", [1, 2, 3, 5])
@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (1, 2), (2, 3)])
def test_padded_window(size: int, kernel: int, stride: int, dilation: int) -> None:
    if size % stride:
        size += 1
    spec = f"{stride}*o=+{dilation}*k; k => o"
    compiled = tdsl.compile(
        one_assignment(spec, (f"->{size}", f"->{kernel}"), primitive="mul", precision="f64"), optimization_level=0
    )
    generator = np.random.default_rng(size + kernel)
    x, k = (random_cells(generator, (n,), np.dtype("f8")) for n in (size, kernel))
    result = run_poisoned(compiled, {"x1": x, "x2": k})["y"]
    np.testing.assert_array_equal(result, _window_1d(x, k, stride, dilation, padded=True))


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "dilation"), [(9, 3, 1, 1), (9, 3, 2, 1), (9, 3, 1, 2), (11, 3, 2, 2)]
)
def test_valid_window(size: int, kernel: int, stride: int, dilation: int) -> None:
    spec = f"{stride}*o<+{dilation}*k; k => o"
    compiled = tdsl.compile(one_assignment(spec, (f"->{size}", f"->{kernel}"), primitive="mul", precision="f64"))
    generator = np.random.default_rng(0)
    x, k = (random_cells(generator, (n,), np.dtype("f8")) for n in (size, kernel))
    result = run_poisoned(compiled, {"x1": x, "x2": k})["y"]
    np.testing.assert_array_equal(result, _window_1d(x, k, stride, dilation, padded=False))


@pytest.mark.parametrize(
    ("height", "width", "kernel"), [(4, 5, (3, 3)), (3, 2, (2, 3)), (1, 1, (3, 3)), (2, 7, (5, 1))]
)
@pytest.mark.parametrize("dilation", [1, 2])
def test_padded_window_in_two_dimensions(height: int, width: int, kernel: tuple[int, int], dilation: int) -> None:
    spec = f"o=+{dilation}*k, p=+{dilation}*l, c; k, l, c => o, p"
    operands = (f"->{height},{width},2", f"->{kernel[0]},{kernel[1]},2")
    compiled = tdsl.compile(one_assignment(spec, operands, primitive="mul"), optimization_level=0)
    generator = np.random.default_rng(1)
    x = random_cells(generator, (height, width, 2), np.dtype("f4"))
    k = random_cells(generator, (*kernel, 2), np.dtype("f4"))
    expected = np.zeros((height, width))
    lefts = [(1 + (n - 1) * dilation) // 2 for n in kernel]
    for o, p, a, b in itertools.product(range(height), range(width), range(kernel[0]), range(kernel[1])):
        i, j = o + dilation * a - lefts[0], p + dilation * b - lefts[1]
        if 0 <= i < height and 0 <= j < width:
            expected[o, p] += x[i, j] @ k[a, b]
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": x, "x2": k})["y"], expected)


def test_max_pooling_takes_its_window_from_a_capture() -> None:
    compiled = tdsl.compile(
        """tdsl.program @pool {
          tdsl.dim @w
          tdsl.set_dim @w = 2
          tdsl.node @x : f32 "2|->6,4" input
          tdsl.node @y : f32 "...|...->..." result
          tdsl.projections @p "b | 2*o<+w, c => b | o, c" (@x) -> @y captures {w = @w}
          tdsl.routine @run { tdsl.assign @y reset max = id(@x) by @p }
        }"""
    )
    x = np.random.default_rng(0).standard_normal((2, 6, 4)).astype("f4")
    np.testing.assert_array_equal(run_poisoned(compiled, {"x": x})["y"], x.reshape(2, 3, 2, 4).max(2))


@pytest.mark.parametrize(("accumulator", "neutral"), [("or", 0), ("and", 1)])
def test_reads_outside_contribute_the_neutral_element(accumulator: str, neutral: int) -> None:
    # eq(x, x) is 1 inside; the whole contribution of a read outside is neutral, not eq of two paddings (spec e.4).
    text = one_assignment("o=+k => o,k", ("->3",), write=f"reset {accumulator}", result="->3,3")
    text = text.replace("id(@x1)", "eq(@x1, @x1)").replace("(@x1) -> @y", "(@x1, @x1) -> @y")
    text = text.replace('"o=+k => o,k"', '"o=+k; o=+k => o,k"')
    compiled = tdsl.compile(text)
    result = run_poisoned(compiled, {"x1": np.array([1, 2, 3], "f4")})["y"]
    expected = np.ones((3, 3))
    expected[0, 0] = expected[2, 2] = neutral
    np.testing.assert_array_equal(result, expected)


def test_padded_max_of_infinite_kernels() -> None:
    compiled = tdsl.compile(one_assignment("o=+k; k => o", ("->4", "->3"), write="reset max", primitive="add"))
    kernel = np.array([np.inf, 0, -np.inf], "f4")
    result = run_poisoned(compiled, {"x1": np.array([1, 2, 3, 4], "f4"), "x2": kernel})["y"]
    # The tap at +inf of the first window reads outside: only the others count.
    np.testing.assert_array_equal(result, [1, np.inf, np.inf, np.inf])


def test_gradients_of_a_padded_convolution_skip_writes_outside() -> None:
    compiled = tdsl.compile(
        """tdsl.program @conv {
          tdsl.node @x : f64 "->6" input
          tdsl.node @k : f64 "->3" param
          tdsl.node @y : f64 "->6" result
          tdsl.node @x.grad : f64 "->6" result grad_of @x
          tdsl.node @k.grad : f64 "->3" result grad_of @k
          tdsl.node @y.grad : f64 "->6" input
          tdsl.projections @p "o=+k; k => o" (@x, @k) -> @y
          tdsl.routine @run {
            tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p
            tdsl.assign @k.grad[rhs2] reset add = mul(@y.grad[lhs], @x[rhs1]) by @p
          }
        }"""
    )
    generator = np.random.default_rng(0)
    x, k, g = (random_cells(generator, (n,), np.dtype("f8")) for n in (6, 3, 6))
    results = run_poisoned(compiled, {"x": x, "k": k, "y.grad": g})
    x_grad, k_grad = np.zeros(6), np.zeros(3)
    for o, t in itertools.product(range(6), range(3)):
        if 0 <= o + t - 1 < 6:
            x_grad[o + t - 1] += g[o] * k[t]
            k_grad[t] += g[o] * x[o + t - 1]
    np.testing.assert_array_equal(results["x.grad"], x_grad)
    np.testing.assert_array_equal(results["k.grad"], k_grad)


def test_strides_read_and_write_every_other_cell() -> None:
    read = tdsl.compile(one_assignment("2*o => o", ("->6",)))
    np.testing.assert_array_equal(run_poisoned(read, {"x1": np.arange(6, dtype="f4")})["y"], [0, 2, 4])
    write = tdsl.compile(one_assignment("o => 2*o", ("->3",)))
    np.testing.assert_array_equal(run_poisoned(write, {"x1": np.arange(1, 4, dtype="f4")})["y"], [1, 0, 2, 0, 3, 0])
    offset = tdsl.compile(one_assignment("o => 2*o+1", ("->3",)))
    np.testing.assert_array_equal(run_poisoned(offset, {"x1": np.arange(1, 4, dtype="f4")})["y"], [0, 1, 0, 2, 0, 3])


def test_depth_to_space_writes_all_cells() -> None:
    compiled = tdsl.compile(one_assignment("o,k => 2*o<+k", ("->3,2",)))
    assert [a.access for a in compiled["run"].signature.arguments] == ["in", "out"]
    x = np.arange(6, dtype="f4").reshape(3, 2)
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": x})["y"], x.reshape(6))
