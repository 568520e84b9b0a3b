"""Results that start from one value, which common subexpressions make of two, keep their own cells."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from .agreement import run_compiled

X, A, B = np.array([0.0, 1, 2]), np.array([10.0, 20, 30]), np.array([100.0, 200, 300])

#: Statements, and what @y and @z hold after them.
CASES: dict[str, tuple[list[str], np.ndarray, np.ndarray]] = {
    "two sums from one fill": (
        ["@y reset add = id(@a) by @ya", "@z reset add = id(@b) by @zb", "@z sub = id(@a) by @za"],
        A,
        B - A,
    ),
    "two accumulators of one neutral element": (
        ["@y reset sub = id(@a) by @ya", "@z reset or = id(@b) by @zb"],
        -A,
        np.ones(3),
    ),
    "two updates of one expression": (
        ["@y overwrite = neg(@x) by @yx", "@z overwrite = neg(@x) by @zx", "@y add = id(@a) by @ya",
         "@z sub = id(@b) by @zb"],
        A - X,
        -X - B,
    ),
    "one expression, and an update of it": (
        ["@y overwrite = neg(@x) by @yx", "@z overwrite = neg(@x) by @zx", "@y add = id(@a) by @ya"],
        A - X,
        -X,
    ),
    "one expression twice": (
        ["@y overwrite = neg(@x) by @yx", "@z overwrite = neg(@x) by @zx"],
        -X,
        -X,
    ),
    "one fill before and after": (
        ["@y reset sub = id(@a) by @ya", "@z overwrite = id(@y) by @zy", "@y reset sub = id(@b) by @yb"],
        -B,
        -A,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("order", ["".join(order) for order in itertools.permutations("yzt")])
def test_results_keep_their_own_cells(name: str, order: str) -> None:
    code, y, z = CASES[name]
    used = [node for node in "xab" if any(f"@{node})" in statement for statement in code)]
    lines = [f'tdsl.node @{node} : f64 "3" input' for node in used]
    # The order of declarations is that of the stores. @t ends as one more copy of @y.
    lines += [f'tdsl.node @{node} : f64 "3" result' for node in order]
    for target, source in itertools.product("yz", "xaby"):
        if f"@{source}) by @{target}{source}" in "".join(code):
            lines.append(f'tdsl.projections @{target}{source} "." (@{source}) -> @{target}')
    lines.append('tdsl.projections @ty "." (@y) -> @t')
    statements = [*(f"tdsl.assign {statement}" for statement in code), "tdsl.assign @t overwrite = id(@y) by @ty"]
    values = {node: cells for node, cells in (("x", X), ("a", A), ("b", B)) if node in used}
    results = run_compiled("\n".join([*lines, "tdsl.routine @run {", *statements, "}"]), values)
    np.testing.assert_array_equal(results["y"], y)
    np.testing.assert_array_equal(results["z"], z)
    np.testing.assert_array_equal(results["t"], y)
