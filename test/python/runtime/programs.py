"""Small programs, and runs of them on poisoned memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import tdsl
from tdsl.ir.precision import Precision, numpy_dtype


def dtype_of(precision: str) -> np.dtype:
    """The NumPy type of a precision, by its keyword."""
    dtype = numpy_dtype(next(p for p in Precision if str(p) == precision))
    assert dtype is not None
    return dtype


def one_assignment(
    logic: str,
    operands: Sequence[str],
    *,
    write: str = "reset add",
    primitive: str = "id",
    result: str = "...|...->...",
    precision: str = "f32",
    result_precision: str | None = None,
) -> str:
    """The text of a program whose routine ``@run`` assigns to ``@y`` from inputs ``@x1``, ``@x2``, ..."""
    names = [f"@x{number}" for number in range(1, len(operands) + 1)]
    nodes = [f'tdsl.node {n} : {precision} "{s}" input' for n, s in zip(names, operands, strict=True)]
    sources = ", ".join(names)
    lines = [
        *nodes,
        f'tdsl.node @y : {result_precision or precision} "{result}" result',
        f'tdsl.projections @p "{logic}" ({sources}) -> @y',
        f"tdsl.routine @run {{ tdsl.assign @y {write} = {primitive}({sources}) by @p }}",
    ]
    return "tdsl.program @one {\n" + "\n".join(lines) + "\n}"


def poison(shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """An array of NaN, or of a value that no test computes."""
    if dtype.kind in "iu":
        return np.full(tuple(shape), 77, dtype)
    return np.full(tuple(shape), np.nan).astype(dtype)


def run_poisoned(
    compiled: tdsl.CompiledProgram, values: Mapping[str, Any], routine: str = "run", **symbols: int
) -> dict[str, np.ndarray]:
    """Runs a routine with every output that is not given poisoned; checks that inputs stay as they are."""
    given = dict(values)
    for argument in compiled[routine].signature.arguments:
        if argument.access == "out" and argument.key not in given:
            given[argument.key] = poison(argument.shape, argument.dtype)
    before = {name: np.array(value) for name, value in given.items()}
    results = dict(compiled[routine](given, **symbols))
    for argument in compiled[routine].signature.arguments:
        if argument.access == "in" and argument.key in given:
            # As bytes: NaN of bf16 is not equal to itself.
            assert np.array(given[argument.key]).tobytes() == before[argument.key].tobytes()
    return results


def random_cells(generator: np.random.Generator, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Small numbers of either sign, which integers and narrow floats hold exactly."""
    if dtype.kind == "b":
        return generator.integers(0, 2, tuple(shape)).astype(dtype)
    low = 0 if dtype.kind == "u" else -4
    return generator.integers(low, 5, tuple(shape)).astype(dtype)
