"""Small programs for the tests of this folder."""

from __future__ import annotations

from typing import Any

import numpy as np

from tdsl.ir import ProgramOp
from tdsl.reference import run_routine

#: The accumulation, and the operation, of each operator of the conformance cases.
OPERATORS = {
    "einsum": "reset add = mul",
    "einsum1": "reset add = id",
    "einsum3": "reset add = mul3",
    "where_einsum": "reset add = where",
    "outer_sum": "reset add = add",
    "tropical": "reset max = add",
    "einmax1": "reset max = id",
    "concat": "reset add = block id",
}

#: The accumulation of each assignment operator of the conformance cases.
ASSIGNMENTS = {
    "=:": "overwrite = id",
    "=+": "add = id",
    "=:+": "reset add = id",
    "=@^": "max = id",
    "=-": "sub = id",
    "=:-": "reset sub = id",
    "=:||": "reset or = id",
    "=:*": "reset mul = id",
    "=:&&": "reset and = id",
}

#: The primitives whose names in the conformance cases avoid keywords.
RENAMED = {"or_": "or", "and_": "and", "mod_": "mod"}


def program(body: str) -> ProgramOp:
    """The program with these declarations and routines; the caller has entered a context."""
    return ProgramOp.parse(f"tdsl.program @test {{\n{body}\n}}")


def run(body: str, values: dict[str, Any] | None = None, **options: Any) -> dict[str, np.ndarray]:
    """The nodes after the routine ``@run`` of a program."""
    return run_routine(program(body), "run", values or {}, **options)


def row(axes: list[Any]) -> str:
    """A row of a conformance case as it is written in a shape."""
    return ",".join(str(axis) if isinstance(axis, int) else f"{axis[0]}:{axis[1]}" for axis in axes)


def shape(rows: dict[str, list[Any]]) -> str:
    return f"{row(rows['batch'])}|{row(rows['input'])}->{row(rows['output'])}"


def sizes(rows: dict[str, list[Any]]) -> list[int]:
    """The sizes of a case's rows in memory order."""
    axes = rows["batch"] + rows["output"] + rows["input"]
    return [axis if isinstance(axis, int) else axis[0] for axis in axes]


def numbers(values: list[Any]) -> np.ndarray:
    """Numbers of a case, where ``"nan"`` and the infinities are strings."""
    return np.array([float(value) for value in values], dtype=np.float64)


def one_assignment(spec: str, shapes: list[str], result: str, assignment: str, precision: str = "f32") -> str:
    names = [f"@x{number}" for number in range(1, len(shapes) + 1)]
    nodes = [f'tdsl.node {name} : {precision} "{shape}" input' for name, shape in zip(names, shapes, strict=True)]
    joined = ", ".join(names)
    return "\n".join(
        [
            *nodes,
            f'tdsl.node @y : {precision} "{result}" result',
            f'tdsl.projections @p "{spec}" ({joined}) -> @y',
            f"tdsl.routine @run {{ tdsl.assign @y {assignment}({joined}) by @p }}",
        ]
    )


def binary(operation: str, a: float, b: float, precision: str = "f32") -> float:
    text = one_assignment(".", ["1", "1"], "1", f"overwrite = {operation}", precision)
    return run(text, {"x1": [a], "x2": [b]})["y"][0].item()


def unary(operation: str, a: float, precision: str = "f32") -> float:
    return run(one_assignment(".", ["1"], "1", f"overwrite = {operation}", precision), {"x1": [a]})["y"][0].item()
