"""Errors of compilation show the user's line; the builder and the text are one language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tdsl

THIS_FILE = str(Path(__file__))


def _line_after(function: Callable[..., object], offset: int) -> int:
    return function.__code__.co_firstlineno + offset


def _mismatch() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("mismatch")
    x = program.node("x", "8|->3", role="input", precision="f32")
    w = program.node("w", "|5->4", role="param")
    h = program.node("h", "...|...->...")
    program.projections("p", "@", [w, x], h)
    return program


def test_inconsistent_shapes_name_both_sizes_at_the_users_line() -> None:
    with pytest.raises(tdsl.CompileError) as caught:
        tdsl.compile(_mismatch())
    (error,) = (d for d in caught.value.diagnostics if d.severity == "error")
    assert error.file == THIS_FILE
    assert error.line == _line_after(_mismatch, 5)
    first = error.message.split("\n")[0]
    assert "5" in first
    assert "3" in first


def _open() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("open")
    x = program.node("x", "8|->3", role="input", precision="f32")
    w = program.node("w", "..i..->..o..", role="param")
    h = program.node("h", "...|...->...")
    program.projections("p", "@", [w, x], h)
    return program


def test_an_open_parameter_says_that_the_hidden_dimension_was_forgotten() -> None:
    with pytest.raises(tdsl.CompileError, match="You forgot to specify the hidden dimension"):
        tdsl.compile(_open())


def _statement() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("statement")
    x = program.node("x", "->3", role="input", precision="i32")
    y = program.node("y", "->3", precision="i32")
    p = program.projections("p", ".", [x], y)
    with program.routine("run") as code:
        code.assign(y, "overwrite", "exp", [x], p)
    return program


def test_a_primitive_that_is_missing_is_reported_at_its_statement() -> None:
    with pytest.raises(tdsl.CompileError) as caught:
        tdsl.compile(_statement())
    line = _line_after(_statement, 6)
    assert str(caught.value) == (f"{THIS_FILE}:{line}:1: error: 'exp' is not available for cells of precision i32")


def test_a_name_used_twice_shows_both_lines() -> None:
    program = tdsl.ProgramBuilder("twice")
    program.node("x", "->3", precision="f32")
    program.node("x", "->4", precision="f32")
    line = _line_after(test_a_name_used_twice_shows_both_lines, 3)
    with pytest.raises(tdsl.CompileError, match=rf"{THIS_FILE}:{line}:1: error: redefinition of symbol named 'x'"):
        tdsl.compile(program)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one tdsl.program to compile, but the module has 0"),
        ("tdsl.program @a {}\ntdsl.program @b {}", "expected one tdsl.program to compile, but the module has 2"),
    ],
)
def test_texts_without_one_program(text: str, message: str) -> None:
    with pytest.raises(tdsl.TdslError) as caught:
        tdsl.compile(text)
    assert str(caught.value) == message


def test_what_is_no_program() -> None:
    with pytest.raises(TypeError, match=r"^expected a ProgramBuilder or MLIR text to compile, not int$"):
        tdsl.compile(3)  # pyright: ignore[reportArgumentType]


def test_a_routine_without_statements() -> None:
    assert dict(tdsl.compile("tdsl.program @p { tdsl.routine @run {} }")["run"]()) == {}


TEXT = """tdsl.program @affine {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : ? "|3->4" param
  tdsl.node @h : ? "8|->4" result
  tdsl.projections @product "@" (@w, @x) -> @h
  tdsl.routine @forward {
    tdsl.assign @h reset add = mul(@w, @x) by @product
  }
}"""


def test_the_builder_and_the_text_give_one_program() -> None:
    program = tdsl.ProgramBuilder("affine")
    x = program.node("x", "8|->3", role="input", precision="f32")
    w = program.node("w", "|3->4", role="param")
    h = program.node("h", "8|->4")
    product = program.projections("product", "@", [w, x], h)
    with program.routine("forward") as code:
        code.assign(h, "add", "mul", [w, x], product, reset=True)
    built, written = tdsl.compile(program), tdsl.compile(TEXT)
    for stage in ("input", "inferred", "linalg", "scheduled", "llvm"):
        assert built.mlir(stage) == written.mlir(stage)
    assert built.object_code == written.object_code
    cells = np.arange(24, dtype="f4").reshape(8, 3)
    weights = np.arange(12, dtype="f4").reshape(4, 3)
    for compiled in (built, written):
        np.testing.assert_array_equal(compiled["forward"](x=cells, w=weights)["h"], cells @ weights.T)
