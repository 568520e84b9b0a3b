"""Small programs with known results: each fails when the compiler has the bug that it is there for.

A probe returns nothing, and raises AssertionError or an error of tdsl when a result is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

import tdsl

__all__ = ["INF", "NAN", "OPEN", "declared", "loops", "primitive", "program", "refused", "shapes", "spec"]

NAN, INF = float("nan"), float("inf")
#: A shape of which nothing is known.
OPEN = "...|...->..."


def program(body: str, values: dict[str, Any] | None = None, **expected: Any) -> None:
    """Runs ``@run`` on poisoned destinations; the nodes named in ``expected`` must hold these cells."""
    routine = tdsl.compile(f"tdsl.program @probe {{\n{body}\n}}").run
    given = {name: np.asarray(value) for name, value in (values or {}).items()}
    for argument in routine.signature.arguments:
        if argument.key in given:
            given[argument.key] = given[argument.key].astype(argument.dtype).reshape(argument.shape)
        elif argument.is_written:
            poison = NAN if argument.dtype.kind == "f" else 77
            given[argument.key] = np.full(argument.shape, poison, argument.dtype)
    results = routine(given)
    for name, cells in expected.items():
        np.testing.assert_array_equal(results[name], np.asarray(cells).reshape(results[name].shape), err_msg=name)


def spec(
    text: str, operands: Sequence[tuple[str, Any]], result: str, assignment: str, expected: Any, *, before: Any = None
) -> None:
    """One assignment over a spec; ``operands`` are shapes and cells, ``result`` is the shape of ``@y``."""
    names = [f"@x{number}" for number in range(1, len(operands) + 1)]
    nodes = [f'tdsl.node {name} : f64 "{shape}" input' for name, (shape, _) in zip(names, operands, strict=True)]
    joined = ", ".join(names)
    body = "\n".join(
        [
            *nodes,
            f'tdsl.node @y : f64 "{result}" result',
            f'tdsl.projections @p "{text}" ({joined}) -> @y',
            f"tdsl.routine @run {{ tdsl.assign @y {assignment}({joined}) by @p }}",
        ]
    )
    values = {f"x{number}": cells for number, (_, cells) in enumerate(operands, 1)}
    program(body, values if before is None else {**values, "y": before}, y=expected)


def primitive(name: str, arguments: Sequence[float], expected: float, precision: str = "f64") -> None:
    """One primitive on one cell, compared with its sign."""
    names = [f"@x{number}" for number in range(1, len(arguments) + 1)]
    joined = ", ".join(names)
    body = [f'tdsl.node {n} : {precision} "1" input' for n in names]
    body += [f'tdsl.node @y : {precision} "1" result', f'tdsl.projections @p "." ({joined}) -> @y']
    body.append(f"tdsl.routine @run {{ tdsl.assign @y overwrite = {name}({joined}) by @p }}")
    routine = tdsl.compile("\n".join(["tdsl.program @probe {", *body, "}"])).run
    dtype = routine.signature.arguments[0].dtype
    result = routine({n[1:]: np.array([a], dtype) for n, a in zip(names, arguments, strict=True)})["y"][0]
    np.testing.assert_allclose(result, expected, rtol=1e-12)
    assert np.signbit(result) == np.signbit(expected)


def refused(body: str, *words: str) -> None:
    """The program must not compile, and the message must have these words."""
    message = ""
    try:
        tdsl.compile(f"tdsl.program @probe {{\n{body}\n}}")
    except tdsl.TdslError as error:
        message = str(error)
    assert message, "the program was accepted"
    assert all(word in message for word in words), message


def declared(body: str, **expected: str) -> None:
    """What inference makes of nodes and captures: the declaration of each name must contain this text."""
    inferred = tdsl.compile(f"tdsl.program @probe {{\n{body}\n}}").mlir("inferred")
    for name, text in expected.items():
        line = next(line for line in inferred.splitlines() if re.search(rf"tdsl\.(node|dim) @{name}\b", line))
        assert text in line, line


def shapes(text: str, operands: Sequence[str], expected: str) -> None:
    """The shape that a spec gives to its result."""
    names = [f"@x{number}" for number in range(1, len(operands) + 1)]
    nodes = [f'tdsl.node {name} : f64 "{shape}" input' for name, shape in zip(names, operands, strict=True)]
    relation = f'tdsl.projections @p "{text}" ({", ".join(names)}) -> @y'
    declared("\n".join([*nodes, f'tdsl.node @y : f64 "{OPEN}" result', relation]), y=f'"{expected}"')


def loops(text: str, operands: Sequence[tuple[str, Any]], assignment: str, expected: Any) -> None:
    """Like :func:`spec`, with an inferred result."""
    spec(text, operands, OPEN, assignment, expected)
