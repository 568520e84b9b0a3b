"""tdsl explain: the size, the basis and the origin of every axis of a node."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdsl.tools.main import main

PROGRAM = """\
tdsl.program @layer {
  tdsl.node @x : f32 "8:batch|->3" input
  tdsl.node @w : f32 "..i..->5" param
  tdsl.node @w.grad : f32 "...|...->..." result grad_of @w
  tdsl.node @y : f32 "...|...->..." result
  tdsl.projections @product "@" (@w, @x) -> @y
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "layer.mlir"
    file.write_text(PROGRAM)
    return file


def _explained(capsys: pytest.CaptureFixture[str], program: Path, node: str) -> list[str]:
    assert main(["explain", str(program), node]) == 0
    return capsys.readouterr().out.replace(str(program), "layer.mlir").splitlines()


def test_each_axis_has_its_origin(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _explained(capsys, program, "@y") == [
        '@y is "8:batch|->5", declared as "...|...->..."',
        "batch axis 0: size 8, basis batch",
        "  from the batch row of @x (axis 0) [layer.mlir:2], through the composition `@` (operand 2) [layer.mlir:6]",
        "output axis 0: size 5, basis default",
        "  from the output row of @w (axis 0) [layer.mlir:3], through the composition `@` (operand 1) [layer.mlir:6]",
    ]


def test_the_sign_may_be_left_out(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _explained(capsys, program, "w") == _explained(capsys, program, "@w")


def test_a_gradient_has_the_shape_of_its_node(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = _explained(capsys, program, "@w.grad")
    assert lines[:2] == ['@w.grad is "|3->5", declared as "...|...->..."', "its shape is that of @w"]


def test_a_node_that_is_not_there(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(program), "@z"]) == 1
    assert capsys.readouterr().err == "tdsl explain: There is no node @z; the nodes are: @x, @w, @w.grad, @y.\n"


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.mlir"
    assert main(["explain", str(missing), "@y"]) == 1
    assert capsys.readouterr().err == f"tdsl explain: cannot read {missing}: No such file or directory\n"


def test_a_file_that_is_no_program(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("tdsl.program @layer {")
    assert main(["explain", str(program), "@y"]) == 1
    assert capsys.readouterr().err.startswith(f"{program}:1:")


def test_shapes_that_contradict_each_other(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(PROGRAM.replace('@y : f32 "...|...->..."', '@y : f32 "|->4"'))
    assert main(["explain", str(program), "@y"]) == 1
    assert capsys.readouterr().err.startswith(f"{program}:6:")
