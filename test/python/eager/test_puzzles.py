"""Tensor puzzles: each solved with single operations, every case of kind ``puzzle``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tdsl

CASES = json.loads((Path(__file__).parents[2] / "cases" / "tensor-dsl.json").read_text())["cases"]
EXPECTED = {case["op"]: case["expect"]["values"] for case in CASES if case["kind"] == "puzzle"}


def numbers(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def column(values: np.ndarray) -> tdsl.Array:
    """The values down a column that stretches to any width: ``i => i0`` puts each at index 0 of a new axis."""
    return tdsl.asarray(np.asarray(tdsl.einsum1("i => i0", values)), rows="?,1:bcast_if_1")


def row(values: np.ndarray) -> tdsl.Array:
    """The values along a row that stretches to any height."""
    return tdsl.asarray(np.asarray(tdsl.einsum1("j => 0j", values)), rows="1:bcast_if_1,?")


def count(size: int) -> np.ndarray:
    return np.arange(size, dtype=np.float32)


def outer() -> np.ndarray:
    return tdsl.einsum("i; j => ij", numbers(0, 1, 2, 3), numbers(0, 1, 2))


def vstack() -> np.ndarray:
    return tdsl.stack([numbers(0, 1, 2), numbers(10, 20, 30)], "output")


def heaviside() -> np.ndarray:
    # The value at 0 comes from a second operand.
    a, b = numbers(-2, 0, 3), numbers(7, 5, 7)
    return tdsl.where(tdsl.eq(a, 0.0), b, tdsl.gt(a, 0.0))


def bucketize() -> np.ndarray:
    values, bounds = numbers(0, 2, 7), numbers(1, 3, 5)
    below = tdsl.le(row(bounds), column(values))
    return tdsl.einsum1("ij => i", np.asarray(below).astype(np.float32))


def eye() -> np.ndarray:
    return tdsl.einsum1("i => ii", numbers(1, 1, 1))


def trunc() -> np.ndarray:
    return tdsl.einsum1("a^b => a", numbers(1, 2, 3, 4, 5), sizes={"a": 3})


def seq_mask() -> np.ndarray:
    values, lengths = np.arange(6, dtype=np.float32).reshape(2, 3), numbers(2, 1)
    inside = tdsl.lt(row(count(3)), column(lengths))
    return tdsl.mul(np.asarray(inside).astype(np.float32), values)


def linspace() -> np.ndarray:
    return tdsl.add(tdsl.mul(count(5), 2.0), 2.0)


def cumsum() -> np.ndarray:
    not_after = tdsl.le(row(count(4)), column(count(4)))
    return tdsl.einsum("ij; j => i", np.asarray(not_after).astype(np.float32), numbers(1, 2, 3, 4))


def flip() -> np.ndarray:
    opposite = tdsl.eq(tdsl.add(column(count(4)), row(count(4))), 3.0)
    return tdsl.einsum("ij; j => i", np.asarray(opposite).astype(np.float32), numbers(1, 2, 3, 4))


def flatten() -> np.ndarray:
    # Three rows of two, each cell at index 2 * row + column.
    return tdsl.einsum1("i, j => 2*i<+j", numbers(10, 20, 30, 40, 50, 60).reshape(3, 2))


PUZZLES: list[Callable[[], np.ndarray]] = [
    outer,
    vstack,
    heaviside,
    bucketize,
    eye,
    trunc,
    seq_mask,
    linspace,
    cumsum,
    flip,
    flatten,
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: f"puzzle-{puzzle.__name__}")
def test_puzzle(puzzle: Callable[[], np.ndarray]) -> None:
    np.testing.assert_array_equal(np.asarray(puzzle()).ravel(), EXPECTED[puzzle.__name__])


def test_every_puzzle_is_solved() -> None:
    assert {puzzle.__name__ for puzzle in PUZZLES} == set(EXPECTED)
