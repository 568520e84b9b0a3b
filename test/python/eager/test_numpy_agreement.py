"""Agreement with NumPy on what both can say."""

from __future__ import annotations

import threading

import ml_dtypes
import numpy as np
import pytest

import tdsl

EINSUMS = [
    # NumPy's formula, ours, the shapes of the operands.
    ("ij,jk->ik", "ij; jk => ik", [(2, 3), (3, 4)]),
    ("bij,bjk->bik", "bij; bjk => bik", [(2, 2, 3), (2, 3, 4)]),
    ("ij,kj->ik", "ij; kj => ik", [(2, 3), (4, 3)]),
    ("i,i->", "i; i => |->", [(5,), (5,)]),
    ("i,j->ij", "i; j => ij", [(3,), (4,)]),
    ("ij->ji", "ij => ji", [(2, 3)]),
    ("ij->", "ij => |->", [(2, 3)]),
    ("ij->j", "ij => j", [(2, 3)]),
    ("ii->", "ii => |->", [(3, 3)]),
    ("ii->i", "ii => i", [(3, 3)]),
    ("iij->ij", "iij => ij", [(3, 3, 2)]),
    ("abcb->ac", "abcb => ac", [(3, 2, 4, 2)]),
    ("iji,j->i", "iji; j => i", [(3, 2, 3), (2,)]),
    ("ij,j,jk->ik", "ij; j; jk => ik", [(2, 3), (3,), (3, 2)]),
    ("...ij->...ji", "...ij => ...ji", [(2, 2, 3, 4)]),
    ("...i,...i->...", "...i; ...i => ...", [(2, 3, 4), (2, 3, 4)]),
    # Axes of size 0: nothing to add up, or nothing to return.
    ("ij->j", "ij => j", [(0, 3)]),
    ("ij->i", "ij => i", [(0, 3)]),
    ("ij,jk->ik", "ij; jk => ik", [(2, 0), (0, 4)]),
    ("ij,jk->ik", "ij; jk => ik", [(0, 3), (3, 4)]),
    ("i,i->", "i; i => |->", [(0,), (0,)]),
    # Operands and results without axes.
    (",->", "|->; |-> => |->", [(), ()]),
    (",i->i", "|->; i => i", [(), (3,)]),
]


@pytest.mark.parametrize("dtype", [np.float64, np.int32])
@pytest.mark.parametrize(
    ("formula", "spec", "shapes"), EINSUMS, ids=[f"{spec} {shapes}" for _, spec, shapes in EINSUMS]
)
def test_einsum(formula: str, spec: str, shapes: list[tuple[int, ...]], dtype: type) -> None:
    generator = np.random.default_rng(0)
    arrays = [generator.integers(-9, 10, shape).astype(dtype) for shape in shapes]
    found = tdsl.einsum(spec, *arrays)
    expected = np.asarray(np.einsum(formula, *arrays))
    assert found.dtype == dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


X = np.array([[-2.5, -1.0, -0.0], [0.25, 1.0, 3.0]])
Y = np.array([[2.0, -1.0, 1.0], [0.5, 4.0, -3.0]])
POSITIVE = np.abs(X) + 0.5

POINTWISE = [
    (tdsl.add, np.add, [X, Y]),
    (tdsl.sub, np.subtract, [X, Y]),
    (tdsl.mul, np.multiply, [X, Y]),
    (tdsl.div, np.divide, [X, Y]),
    (tdsl.pow, np.power, [POSITIVE, Y]),
    (tdsl.mod, np.mod, [X, Y]),
    (tdsl.maximum, np.maximum, [X, Y]),
    (tdsl.minimum, np.minimum, [X, Y]),
    (tdsl.lt, np.less, [X, Y]),
    (tdsl.le, np.less_equal, [X, Y]),
    (tdsl.gt, np.greater, [X, Y]),
    (tdsl.ge, np.greater_equal, [X, Y]),
    (tdsl.eq, np.equal, [X, Y]),
    (tdsl.ne, np.not_equal, [X, Y]),
    (tdsl.and_, np.logical_and, [X, Y]),
    (tdsl.or_, np.logical_or, [X, Y]),
    (tdsl.not_, np.logical_not, [X]),
    (tdsl.neg, np.negative, [X]),
    (tdsl.relu, lambda a: np.maximum(a, 0), [X]),
    (tdsl.sat01, lambda a: np.clip(a, 0, 1), [X]),
    (tdsl.relu_gate, lambda a, b: np.where(a > 0, b, 0), [X, Y]),
    (tdsl.sat01_gate, lambda a, b: np.where((a > 0) & (a < 1), b, 0), [X, Y]),
    (tdsl.exp, np.exp, [X]),
    (tdsl.exp2, np.exp2, [X]),
    (tdsl.log, np.log, [POSITIVE]),
    (tdsl.log2, np.log2, [POSITIVE]),
    (tdsl.sin, np.sin, [X]),
    (tdsl.cos, np.cos, [X]),
    (tdsl.tanh, np.tanh, [X]),
    (tdsl.sqrt, np.sqrt, [POSITIVE]),
    (tdsl.recip, np.reciprocal, [Y]),
    (tdsl.recip_sqrt, lambda a: 1 / np.sqrt(a), [POSITIVE]),
    (tdsl.where, np.where, [X > 0, X, Y]),
    (tdsl.fma, lambda a, b, c: a * b + c, [X, Y, POSITIVE]),
]


@pytest.mark.parametrize(("ours", "theirs", "arrays"), POINTWISE, ids=[ours.__name__ for ours, _, _ in POINTWISE])
def test_pointwise(ours, theirs, arrays) -> None:
    found, expected = ours(*arrays), theirs(*arrays)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=0)


def test_matmul_and_transpose() -> None:
    weights = tdsl.asarray(X, input=1)
    assert tdsl.matmul(weights, Y[0]).rows == "|->2"
    np.testing.assert_allclose(tdsl.matmul(weights, Y[0]), X @ Y[0])
    batch = tdsl.matmul(weights, tdsl.asarray(Y, batch=1))
    assert batch.rows == "2|->2"
    np.testing.assert_allclose(batch, Y @ X.T)
    assert tdsl.transpose(weights).rows == "|2->3"
    np.testing.assert_array_equal(tdsl.transpose(weights), X.T)


@pytest.mark.parametrize(
    ("operands", "dtype"),
    [
        ([np.ones(3, np.float32), np.ones(3)], np.float64),
        ([np.ones(3, np.float16), np.ones(3, np.int64)], np.float16),
        ([np.ones(3, ml_dtypes.bfloat16), np.ones(3, np.float16)], ml_dtypes.bfloat16),
        ([np.ones(3, np.uint8), np.ones(3, np.int32)], np.int32),
        ([np.ones(3, np.bool_), np.ones(3, np.int8)], np.int8),
        # A number takes the type of the arrays; where they cannot hold it, it has its own.
        ([np.ones(3, np.float32), 2.5], np.float32),
        ([np.ones(3, np.float16), 2], np.float16),
        ([np.ones(3, np.int16), 2], np.int16),
        ([np.ones(3, np.int64), 2.5], np.float32),
        ([np.ones(3, np.bool_), 2], np.int64),
        ([1, 2], np.int64),
        ([1, 2.5], np.float32),
        # A NumPy number has a type as arrays have.
        ([np.ones((), np.float32), np.float64(2.5)], np.float64),
    ],
    ids=lambda value: str([getattr(v, "dtype", v) for v in value]) if isinstance(value, list) else value.__name__,
)
def test_promotion(operands: list, dtype: type) -> None:
    found = tdsl.add(*operands)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.broadcast_to(operands[0] + operands[1], found.shape).astype(dtype))


def test_integers_wrap_in_their_own_precision() -> None:
    assert tdsl.einsum1("ij => i", np.full((1, 3), 100, np.int8)).tolist() == [300 - 256]


def test_cells_that_are_not_reached_are_neutral() -> None:
    assert tdsl.einsum("i => i1", np.ones(2)).tolist() == [[0, 1], [0, 1]]
    assert tdsl.einmax1("i => i1", np.ones(2)).tolist() == [[-np.inf, 1], [-np.inf, 1]]
    assert tdsl.einmax1("ij => i", np.ones((1, 0), np.int8)).tolist() == [-128]


def test_concatenation_of_nothing() -> None:
    found = tdsl.concat("a; b => a^b", np.ones(0), np.ones(0))
    assert (found.shape, found.dtype) == ((0,), np.float64)


def test_operands_are_read_whatever_their_layout() -> None:
    x = np.arange(24.0).reshape(4, 6)
    np.testing.assert_array_equal(tdsl.einsum("ij => ji", x[::2, ::-3]), x[::2, ::-3].T)
    np.testing.assert_array_equal(tdsl.einsum("ij => ji", np.asfortranarray(x)), x.T)
    x.setflags(write=False)
    np.testing.assert_array_equal(tdsl.einsum("ij => ji", x), x.T)


def test_out_may_overlap_the_operands() -> None:
    x = np.arange(9.0).reshape(3, 3)
    result = tdsl.einsum("ij => ji", x, out=x)
    assert np.shares_memory(result, x)
    assert x.tolist() == np.arange(9.0).reshape(3, 3).T.tolist()
    y = np.arange(5)
    tdsl.concat("a; b => a^b", y[3:], y[:3], out=y)
    assert y.tolist() == [3, 4, 0, 1, 2]


def test_threads_share_programs() -> None:
    tdsl.eager_cache.clear()
    results: list[float] = []

    def work() -> None:
        for _ in range(20):
            results.append(float(tdsl.einsum("i; i => |->", np.arange(7.0), np.ones(7))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [21.0] * 80
    info = tdsl.eager_cache.info()
    assert (info.misses, info.hits) == (1, 79)


def test_concatenations_that_share_a_label() -> None:
    """Where one of them is in `a`, so is the other (spec e.2 step 6)."""
    x = np.arange(35, dtype=np.float32).reshape(5, 7)
    np.testing.assert_array_equal(tdsl.einsum("b^a, c^a => a", x, sizes={"a": 3}), x[2:, 4:].diagonal())
    square = np.arange(25, dtype=np.float32).reshape(5, 5)
    np.testing.assert_array_equal(tdsl.einsum("b^a, b^a => a", square, sizes={"a": 3}), square[2:, 2:].diagonal())
    # In the other labels, both are free.
    cells = np.arange(24, dtype=np.float32).reshape(3, 4, 1, 2)
    np.testing.assert_array_equal(
        tdsl.einsum("e^a, c^a, e, c => e, c", cells), [[cells[0, 0, 0, 0], cells[0, 1, 0, 1]]]
    )
    # Here, each part lacks a label of the operand: sums of nothing.
    np.testing.assert_array_equal(tdsl.einsum("b^a, a, b => a", np.ones((5, 3, 2), np.float32)), np.zeros(3))
