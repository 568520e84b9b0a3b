"""Compiled routines against the reference interpreter, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import tdsl
from reference.programs import run as interpret
from runtime.programs import run_poisoned


def run_compiled(body: str, values: Mapping[str, Any], **symbols: int) -> dict[str, np.ndarray]:
    """What the routine ``@run`` of a program with this body writes, from poisoned memory."""
    compiled = tdsl.compile(f"tdsl.program @test {{\n{body}\n}}", optimization_level=1)
    return run_poisoned(compiled, {name: np.array(value) for name, value in values.items()}, **symbols)


def assert_same_cells(result: np.ndarray, expected: np.ndarray, what: str) -> None:
    """The same numbers with the same signs; any NaN is as good as another."""
    assert result.dtype == expected.dtype, what
    if result.dtype.kind in "fV":
        # NumPy's assertions know no bf16; every narrower float is exactly a f64.
        result, expected = result.astype(np.float64), expected.astype(np.float64)
        np.testing.assert_array_equal(
            np.signbit(result) & ~np.isnan(result), np.signbit(expected) & ~np.isnan(expected), what
        )
    np.testing.assert_array_equal(result, expected, err_msg=what)


def check_agreement(body: str, values: Mapping[str, Any], **symbols: int) -> dict[str, np.ndarray]:
    """Runs ``@run`` of a program compiled and interpreted, and compares every node that it writes.

    Returns those nodes. The caller has entered a context.
    """
    expected = interpret(body, dict(values), symbols=symbols)
    results = run_compiled(body, values, **symbols)
    for name, cells in results.items():
        assert_same_cells(cells, expected[name], name)
    return results
