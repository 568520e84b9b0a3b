"""Specifications against NumPy: contractions, transposes, diagonals, reductions, slices, concatenations (spec c, e)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import tdsl

from .programs import dtype_of, one_assignment, random_cells, run_poisoned


@dataclass(frozen=True)
class Case:
    """One assignment and what NumPy says of it; axes of shapes are in memory order in the arrays."""

    logic: str
    operands: tuple[str, ...]
    expected: Callable[..., np.ndarray]
    write: str = "reset add"
    primitive: str = "id"


def _einsum(spec: str) -> Callable[..., np.ndarray]:
    return lambda *arrays: np.einsum(spec, *arrays)


def _placed(shape: tuple[int, ...], where: object, neutral: float) -> Callable[..., np.ndarray]:
    def place(x: np.ndarray) -> np.ndarray:
        result = np.full(shape, neutral)
        result[where] = x  # pyright: ignore[reportArgumentType, reportCallIssue]
        return result

    return place


def _diagonal(x: np.ndarray) -> np.ndarray:
    return np.diag(x)


CASES = {
    "matmul": Case("ij; jk => ik", ("->5,7", "->7,3"), _einsum("ij,jk->ik"), primitive="mul"),
    "matmul transposed": Case("ji; kj => ik", ("->7,5", "->3,7"), _einsum("ji,kj->ik"), primitive="mul"),
    "batched matmul": Case("bij; bjk => bik", ("->2,5,7", "->2,7,3"), _einsum("bij,bjk->bik"), primitive="mul"),
    "chain of three": Case("ij; jk; kl => il", ("->2,3", "->3,5", "->5,2"), _einsum("ij,jk,kl->il"), primitive="mul3"),
    "outer product": Case("i; j => ij", ("->3", "->5"), _einsum("i,j->ij"), primitive="mul"),
    "outer sum": Case("i; j => ij", ("->3", "->5"), np.add.outer, primitive="add"),
    "inner product": Case("i; i => 0", ("->7", "->7"), lambda a, b: np.array([a @ b]), primitive="mul"),
    "transpose": Case("ij => ji", ("->3,5",), np.transpose),
    "rotate axes": Case("ijk => kij", ("->2,3,5",), _einsum("ijk->kij")),
    "diagonal": Case("ii => i", ("->5,5",), _einsum("ii->i")),
    "diagonal of the first two": Case("iij => ij", ("->3,3,2",), _einsum("iij->ij")),
    "diagonal around": Case("iji => ij", ("->3,2,3",), _einsum("iji->ij")),
    "trace": Case("ii => 0", ("->5,5",), lambda x: np.array([np.trace(x)])),
    "partial trace": Case("iij => j", ("->3,3,2",), _einsum("iij->j")),
    "onto the diagonal": Case("i => ii", ("->3",), _diagonal),
    "sum": Case("ij => 0", ("->3,5",), lambda x: np.array([x.sum()])),
    "sum of rows": Case("ij => i", ("->3,5",), lambda x: x.sum(1)),
    "sum of columns": Case("ij => j", ("->3,5",), lambda x: x.sum(0)),
    "max of rows": Case("ij => i", ("->3,5",), lambda x: x.max(1), write="reset max"),
    "min of columns": Case("ij => j", ("->3,5",), lambda x: x.min(0), write="reset min"),
    "product of rows": Case("ij => i", ("->3,5",), lambda x: x.prod(1), write="reset mul"),
    "any of rows": Case("ij => i", ("->3,5",), lambda x: x.any(1) * 1.0, write="reset or"),
    "all of rows": Case("ij => i", ("->3,5",), lambda x: x.all(1) * 1.0, write="reset and"),
    "minus sum": Case("ij => i", ("->3,5",), lambda x: -x.sum(1), write="reset sub"),
    "max plus": Case(
        "ij; jk => ik",
        ("->3,5", "->5,2"),
        lambda a, b: (a[:, :, None] + b[None]).max(1),
        write="reset max",
        primitive="add",
    ),
    "pinned column": Case("i1 => i", ("->3,4",), lambda x: x[:, 1]),
    "pinned corner": Case("20 => 0", ("->3,4",), lambda x: x[2:3, 0]),
    "into a column, zeros elsewhere": Case("i => i2", ("->3",), _placed((3, 3), (slice(None), 2), 0)),
    "into a column, ones elsewhere": Case("i => i2", ("->3",), _placed((3, 3), (slice(None), 2), 1), write="reset mul"),
    "into a column, -inf elsewhere": Case(
        "i => i1", ("->3",), _placed((3, 2), (slice(None), 1), -np.inf), write="reset max"
    ),
    "transpose in a batch": Case("b|ji => b|ij", ("2|->3,5",), _einsum("bji->bij")),
    "matrix of an operator": Case("b|i->o => b|o->i", ("2|3->5",), _einsum("boi->bio")),
    "batch matmul by rows": Case(
        "b|j->i; b|k->j => b|k->i", ("2|3->5", "2|7->3"), _einsum("bij,bjk->bik"), primitive="mul"
    ),
    "sum over the batch": Case("b|i => i", ("7|->3",), lambda x: x.sum(0)),
    "compose": Case("@", ("|3->5", "2|->3"), lambda w, x: x @ w.T, primitive="mul"),
    "transpose of rows": Case("T", ("2|3->5",), _einsum("boi->bio")),
    "ellipsis": Case("...|i => ...|0", ("2,3|->5",), lambda x: x.sum(-1, keepdims=True)),
}


#: Integers have no infinity.
SPECIFICATIONS = [
    (name, precision)
    for precision in ("f32", "f64", "i32")
    for name in CASES
    if precision != "i32" or "inf" not in name
]


@pytest.mark.parametrize(("name", "precision"), SPECIFICATIONS)
def test_specification(name: str, precision: str) -> None:
    case, dtype = CASES[name], dtype_of(precision)
    generator = np.random.default_rng(0)
    text = one_assignment(case.logic, case.operands, write=case.write, primitive=case.primitive, precision=precision)
    compiled = tdsl.compile(text, optimization_level=1)
    shapes = [a.shape for a in compiled["run"].signature.arguments if a.access == "in"]
    arrays = [random_cells(generator, shape, dtype) for shape in shapes]
    result = run_poisoned(compiled, {f"x{i}": array for i, array in enumerate(arrays, 1)})["y"]
    expected = case.expected(*(a.astype("f8") for a in arrays))
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, expected)


def test_concatenation_writes_all_cells_of_its_result() -> None:
    compiled = tdsl.compile(
        one_assignment("a; b; c => a^b^c", ("->2", "->3", "->1"), write="overwrite", primitive="block id")
    )
    assert [a.access for a in compiled["run"].signature.arguments] == ["in", "in", "in", "out"]
    result = run_poisoned(compiled, {"x1": [1, 2], "x2": [3, 4, 5], "x3": [6]})["y"]
    np.testing.assert_array_equal(result, [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("write", ["reset add", "reset mul", "reset max"])
def test_concatenation_of_rows_with_a_reset(write: str) -> None:
    compiled = tdsl.compile(one_assignment("a,i; b,i => a^b,i", ("->2,3", "->5,3"), write=write, primitive="block id"))
    a, b = np.ones((2, 3), "f4"), np.full((5, 3), 2, "f4")
    np.testing.assert_array_equal(run_poisoned(compiled, {"x1": a, "x2": b})["y"], np.concatenate([a, b]))


def test_segments_receive_their_part_of_a_source() -> None:
    compiled = tdsl.compile(
        """tdsl.program @split {
          tdsl.node @a : f32 "->2" param
          tdsl.node @b : f32 "->3" param
          tdsl.node @c : f32 "->5" result
          tdsl.node @a.grad : f32 "->2" result grad_of @a
          tdsl.node @b.grad : f32 "->3" result grad_of @b
          tdsl.node @c.grad : f32 "->5" input
          tdsl.projections @p "a; b => a^b" (@a, @b) -> @c
          tdsl.routine @run { tdsl.assign (@a.grad[rhs1], @b.grad[rhs2]) reset add = id(@c.grad[lhs]) by @p }
        }"""
    )
    results = run_poisoned(compiled, {"c.grad": np.arange(5, dtype="f4")})
    np.testing.assert_array_equal(results["a.grad"], [0, 1])
    np.testing.assert_array_equal(results["b.grad"], [2, 3, 4])


def test_overwrite_of_a_prefix_keeps_the_suffix() -> None:
    compiled = tdsl.compile(one_assignment("a => a^b", ("->2",), write="overwrite", result="->5"))
    y = np.arange(5, dtype="f4")
    results = run_poisoned(compiled, {"x1": [10, 11], "y": y})
    assert results["y"] is y
    np.testing.assert_array_equal(y, [10, 11, 2, 3, 4])


@pytest.mark.parametrize(
    ("sizes", "expected"), [((0, 3), (0, 2)), ((3, 0), (3, 2)), ((1, 1), (1, 2)), ((13, 17), (13, 2))]
)
def test_matmul_of_unusual_sizes(sizes: tuple[int, int], expected: tuple[int, int]) -> None:
    m, k = sizes
    compiled = tdsl.compile(one_assignment("ij; jk => ik", (f"->{m},{k}", f"->{k},2"), primitive="mul"))
    generator = np.random.default_rng(0)
    a, b = random_cells(generator, (m, k), np.dtype("f4")), random_cells(generator, (k, 2), np.dtype("f4"))
    result = run_poisoned(compiled, {"x1": a, "x2": b})["y"]
    assert result.shape == expected
    np.testing.assert_array_equal(result, a @ b)


def test_overwrite_over_no_points_keeps_every_cell() -> None:
    compiled = tdsl.compile(one_assignment("ij => i", ("->3,0",), write="overwrite", result="->3"))
    y = np.arange(3, dtype="f4")
    run_poisoned(compiled, {"x1": np.zeros((3, 0), "f4"), "y": y})
    np.testing.assert_array_equal(y, [0, 1, 2])
