"""Mistakes in calls, and the error that each gets."""

from __future__ import annotations

import numpy as np
import pytest

import tdsl

A = np.ones((2, 3))

MISTAKES = {
    "a NumPy spec": (
        lambda: tdsl.einsum("ij,jk->ik", A, A),
        tdsl.SpecSyntaxError,
        "The spec has no `=>`; it looks like NumPy's notation.\n  ij,jk->ik\n       ^^\nWrite `ij; jk => ik`.",
    ),
    "sizes": (
        lambda: tdsl.einsum("ij; jk => ik", A, A),
        tdsl.ShapeError,
        "Size mismatch: axis `j` is 3 from the output row of @x1 (axis 1), but 2 from the output row of @x2 (axis 0).\n"
        "  ij; jk => ik\n   ^  ^\n"
        "3 comes from the output row of @x1 (axis 1), through 'ij; jk => ik' (operand 1, axis j).\n"
        "2 comes from the output row of @x2 (axis 0).",
    ),
    "number of operands": (
        lambda: tdsl.einsum("ij; jk => ik", A),
        tdsl.ShapeError,
        "The spec is for 2 arguments, but one argument was given.\n  ij; jk => ik\n  ^^  ^^",
    ),
    "too many operands": (
        lambda: tdsl.einsum("i; i; i; i => i", *[A[0]] * 4),
        tdsl.ShapeError,
        "einsum takes 1, 2 or 3 operands, but was given 4.",
    ),
    "no spec": (
        lambda: tdsl.einsum(A, A),  # pyright: ignore[reportArgumentType]
        TypeError,
        "The first argument of einsum is a spec such as 'ij; jk => ik', not ndarray.",
    ),
    "coefficient": (
        lambda: tdsl.einsum("stride*o<+k; k => o", np.ones(9), np.ones(3), stride=2, dilatoin=1),
        tdsl.SpecSyntaxError,
        "The spec has no coefficient `dilatoin`.\n  stride*o<+k; k => o\nIts coefficients are `stride`.",
    ),
    "type of a coefficient": (
        lambda: tdsl.einsum("s*o => o", np.ones(9), s=1.5),  # pyright: ignore[reportArgumentType]
        TypeError,
        "The coefficient `s` is an integer, not float.",
    ),
    "name of a size": (
        lambda: tdsl.einsum("i => i", A[0], sizes={"z": 3}),
        tdsl.SpecSyntaxError,
        "The capture `z` is not a label or row variable of the spec.\n  i => i\nIt has `i`.",
    ),
    "negative size": (
        lambda: tdsl.einsum("0 => i", [1.0], sizes={"i": -1}),
        tdsl.ShapeError,
        f"The size of `i` is between 0 and {2**48}, not -1.",
    ),
    "no sizes": (
        lambda: tdsl.einsum("i => i", A[0], sizes=[3]),  # pyright: ignore[reportArgumentType]
        TypeError,
        "sizes maps labels to sizes, as in {'k': 3}; it is not list.",
    ),
    "size of the whole": (
        lambda: tdsl.einsum("0 => ijk", [1.0], sizes=dict.fromkeys("ijk", 2**40)),
        tdsl.ShapeError,
        f"The result `|->{2**40},{2**40},{2**40}` has more cells than memory can hold.\n  0 => ijk",
    ),
    "type of out": (
        lambda: tdsl.einsum("i => i", A[0], out=np.empty(3, np.float32)),
        tdsl.DtypeError,
        "node 'result' holds float64, but was given float32: convert it with .astype('float64')",
    ),
    "sources that never meet": (
        lambda: tdsl.einsum("a; b => a^b", A[0], A[0]),
        tdsl.ShapeError,
        "No segment of the concatenation has all sources, so nothing would be computed.\n  a; b => a^b\n"
        "Use `concat` to write each source to its own segment.",
    ),
    "nothing to stack": (
        lambda: tdsl.stack([]),
        tdsl.ShapeError,
        "stack needs at least 1 array: the shape of the result is theirs.",
    ),
    "no such row": (
        lambda: tdsl.stack([A], "rows"),  # pyright: ignore[reportArgumentType]
        tdsl.ShapeError,
        "stack adds an axis to the batch, input or output row, not to 'rows'.",
    ),
    "rows that were not said": (
        lambda: tdsl.matmul(A, A[0]),
        tdsl.ShapeError,
        "There are too many axes in the output row of operand 2 (@x2): 1 axis (3), but 0 axes in the input row of "
        "operand 1 (@x1).\n"
        "This is required by the composition `@`.\n"
        "Composition contracts the output axes of operand 2 with the input axes of operand 1; did you mean the "
        "pointwise product?\n"
        "An array is output-only unless you say more: `tdsl.asarray(a, input=1)`, `tdsl.asarray(b, batch=1)`.",
    ),
}


@pytest.mark.parametrize(("call", "error", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(call, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert str(caught.value) == message


def test_an_error_is_raised_again_and_nothing_is_kept() -> None:
    tdsl.eager_cache.clear()
    for _ in range(2):
        with pytest.raises(tdsl.ShapeError):
            tdsl.einsum("ij; jk => ik", A, A)
    assert tdsl.eager_cache.info().size == 0
