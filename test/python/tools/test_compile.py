"""tdsl-compile: outputs, sources, mistakes."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tdsl.tools.compile import main

ROOT = Path(__file__).parents[3]
AFFINE = str(ROOT / "examples" / "affine.mlir")

MODEL = """
import tdsl

def build():
    program = tdsl.ProgramBuilder("model")
    x = program.node("x", "|->3", role="input", precision="f32")
    y = program.node("y", "...|...->...")
    space = program.projections("p", ".", [x], y)
    with program.routine("run") as code:
        code.assign(y, "overwrite", "exp", [x], space)
    return program

program = build()
number = 3

class Models:
    build = staticmethod(build)

def fails():
    raise ValueError("no data")

def needs(size):
    return build()

def wrong_name():
    tdsl.ProgramBuilder("p").node("x", "|->3", role="inptu")
"""


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def test_several_files_at_once(tmp_path: Path) -> None:
    outputs = [tmp_path / f"affine.{suffix}" for suffix in ("o", "ll", "s", "mlir")]
    flags = [flag for path in outputs for flag in ("-o", path)]
    assert run(AFFINE, *flags, "--header", tmp_path / "affine.h") == 0
    assert outputs[0].read_bytes().startswith(b"\x7fELF")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["affine.h", *(path.name for path in outputs)])


def test_texts_on_the_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(AFFINE, "--emit", "header", "--prefix", "net_") == 0
    assert "void net_forward(" in capsys.readouterr().out
    assert run(AFFINE, "--emit", "mlir", "--stage", "inferred") == 0
    assert 'tdsl.node @h : f32 "8|->5" result' in capsys.readouterr().out


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(Path(AFFINE).read_text()))
    assert run("-", "--emit", "assembly", "--target", "aarch64-linux-gnu", "--opt-level", "1") == 0
    assert "affine_forward:" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("tdsl.nonsense"))
    assert run("-", "--emit", "assembly") == 1
    assert capsys.readouterr().err.startswith("-:1:1: error: ")


def test_timing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(AFFINE, "-o", tmp_path / "affine.o", "--timing") == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.rsplit(maxsplit=2)[0] for line in lines] == [
        "infer and derive",
        "lower",
        "translate to LLVM IR",
        "optimize",
        "generate code",
        "total",
    ]


@pytest.mark.parametrize("name", ["build", "program", "Models.build"])
def test_python_sources(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    assert run(f"{tmp_path / 'model.py'}:{name}", "--emit", "header") == 0
    assert "void model_run(" in capsys.readouterr().out


def test_a_module_of_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "my_model.py").write_text(MODEL)
    tool = Path(sys.executable).parent / "tdsl-compile"
    done = subprocess.run(
        [tool, "my_model:build", "--emit", "header"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "void model_run(" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("model.py:fails", "{folder}/model.py:20: ValueError: no data"),
        ("model.py:needs", "model.py:needs: TypeError: needs() missing 1 required positional argument: 'size'"),
        ("model.py:number", "'{folder}/model.py:number' is int, not a ProgramBuilder or a function that returns one"),
        ("model.py:absent", "'{folder}/model.py' has no object 'absent'"),
        ("model.py:wrong_name", "'inptu' is not a role; expected one of result, leaf, input, param, init, stretch"),
        ("model.py", "say which object of '{folder}/model.py' is the program: '{folder}/model.py:name'"),
        ("absent.py:build", "cannot read '{folder}/absent.py:build': No such file or directory"),
        ("broken.py:build", "{folder}/broken.py:1: SyntaxError: '(' was never closed"),
        ("imports.py:build", "{folder}/imports.py:1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("absent.mlir", "cannot read '{folder}/absent.mlir': No such file or directory"),
        ("absent.mlir:build", "'{folder}/absent.mlir:build' is neither a file nor of the form 'module:object'"),
        ("model.py:", "'{folder}/model.py:' is neither a file nor of the form 'module:object'"),
        ("", "cannot read '{folder}/': Is a directory"),
    ],
)
def test_wrong_sources(name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "broken.py").write_text("f(")
    (tmp_path / "imports.py").write_text("import no_such_module")
    assert run(f"{tmp_path}/{name}", "--emit", "header") == 1
    said = capsys.readouterr().err
    assert message.format(folder=tmp_path) in said
    assert "Traceback" not in said
    assert said.startswith("tdsl-compile: error: ")


def test_an_unknown_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("no_such_package.model:build", "--emit", "header") == 1
    assert capsys.readouterr().err == "tdsl-compile: error: there is no Python module 'no_such_package'\n"


def test_a_wrong_program_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = ROOT / "examples" / "wrong_sizes.mlir"
    assert run(wrong, "--emit", "header") == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{wrong}:6:3: error: Size mismatch: axis `j` is 3 from the output row of @a (axis 1)")
    assert '\n    tdsl.projections @product "ij; jk => ik" (@a, @b) -> @c\n    ^' in said


def test_a_syntax_error_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text('tdsl.program @p {\n  tdsl.node @x : f33 "|->3" input\n}\n')
    assert run(path, "--emit", "header") == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{path}:2:18: error: ")
    assert '\n    tdsl.node @x : f33 "|->3" input\n' + " " * 19 + "^" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one tdsl.program to compile, but the module has 0"),
        ("tdsl.program @a {}\ntdsl.program @b {}", "expected one tdsl.program to compile, but the module has 2"),
        (
            'tdsl.program @p { tdsl.routine @"a.b" {} tdsl.routine @a_b {} }',
            "routines 'a.b' and 'a_b' would both be called 'p_a_b' in C: rename one of them",
        ),
    ],
)
def test_programs_that_cannot_be_compiled(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.mlir").write_text(text)
    assert run(tmp_path / "p.mlir", "--emit", "header") == 1
    assert capsys.readouterr().err == f"tdsl-compile: error: {message}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--emit", "assembly", "--target", "riscv-none"], "unknown target 'riscv-none'"),
        (["--emit", "assembly", "--cpu", "x86-64-v9"], "unknown CPU 'x86-64-v9'"),
        (["--emit", "assembly", "--features", "+nothing"], "unknown feature '+nothing'"),
        (["--emit", "header", "--keep", "z"], "keep names 'z', which is not a node of program 'affine'"),
        (["--emit", "mlir", "--stage", "z"], "there is no stage 'z'; there are input, "),
        (["-o", "affine.exe"], "'affine.exe' does not say what to write: end it with .o, .so, .ll, .s, .h, .mlir"),
        (["-o", "/no/such/folder/affine.o"], "cannot write '/no/such/folder/affine.o': No such file or directory"),
        (["-o", "/dev/full", "--emit", "object"], "cannot write '/dev/full': No space left on device"),
        (["--emit", "assembly", "--target", "nvptx64-nvidia-cuda"], "ahead-of-time compilation is for CPUs"),
        (["-o", "affine.so", "--linker", "'cc"], "is not a command: No closing quotation"),
        (["-o", "affine.so", "--linker", "no-such-cc"], "there is no 'no-such-cc' to link a shared library with"),
    ],
)
def test_wrong_options(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(AFFINE, *arguments) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say what to write: -o with a file, or --emit with a kind"),
        (["-o", "a.o", "-o", "b.s", "--emit", "object"], "--emit says what one output holds"),
        (["-o", "a.h", "--header", "a.h"], "two outputs have the same name"),
        (["--emit", "exe"], "invalid choice: 'exe'"),
        (["--emit", "header", "--opt-level", "4"], "invalid choice: 4"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(AFFINE, *arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_bytecode_and_bytes_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = [sys.executable, "-m", "tdsl.tools.opt", AFFINE, "--emit-bytecode", "-o", tmp_path / "affine.mlirbc"]
    subprocess.run(tool, check=True, timeout=60)
    assert run(tmp_path / "affine.mlirbc", "--emit", "header") == 0
    assert "void affine_forward(" in capsys.readouterr().out
    whole = (tmp_path / "affine.mlirbc").read_bytes()
    for length in (0, 5, len(whole) // 2):
        (tmp_path / "part.mlirbc").write_bytes(whole[:length])
        assert run(tmp_path / "part.mlirbc", "--emit", "header") == 1
        assert "error: " in capsys.readouterr().err


def test_nothing_is_written_if_something_fails(tmp_path: Path) -> None:
    (tmp_path / "affine.o").write_text("old")
    outputs = ["-o", tmp_path / "affine.o", "-o", tmp_path / "affine.so", "--linker", "false"]
    assert run(AFFINE, *outputs) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["affine.o"]
    assert (tmp_path / "affine.o").read_text() == "old"
