"""Failures of the compiler leave a file that repeats them; mistakes in programs do not."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import mlir.ir as ir
import pytest

import tdsl
from tdsl.codegen import reproducer
from tdsl.codegen.lowering import lower_program
from tdsl.codegen.object_code import TargetDescription
from tdsl.codegen.pipelines import CpuPipeline
from tdsl.codegen.reproducer import run_stage, write_reproducer
from tdsl.ir import create_context
from tdsl.passes import Pass, emit_error, register
from tdsl.session import knobs

#: The last pass of `FAILING` knows nothing of tosa.
UNSUPPORTED = """
func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.abs %a : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
FAILING = "builtin.module(canonicalize,one-shot-bufferize{bufferize-function-boundaries=1})"
AFFINE = (Path(__file__).parents[3] / "examples" / "affine.mlir").read_text(encoding="utf-8")
PROGRAM = "tdsl.program @p { tdsl.dim @n }"


@register
class RaiseInStage(Pass):
    """Has a bug."""

    name = "test-stage-raise"
    description = "raise"

    def run(self, op: ir.OpView) -> None:
        """Raises what the compiler never raises on purpose."""
        raise ZeroDivisionError("a bug")


@register
class ReportInStage(Pass):
    """Finds a mistake."""

    name = "test-stage-report"
    description = "report"

    def run(self, op: ir.OpView) -> bool:
        """Reports."""
        emit_error(op, "the sizes are 3 and 4")
        return False


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    """The temporary folder of this test."""
    previous, tempfile.tempdir = tempfile.tempdir, str(tmp_path)
    yield tmp_path
    tempfile.tempdir = previous


def parse(text: str) -> ir.Module:
    with create_context():
        return ir.Module.parse(text)


def replay(path: str | None) -> subprocess.CompletedProcess[str]:
    assert path is not None
    command = [sys.executable, "-m", "tdsl.tools.opt", "--run-reproducer", path]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_pass_that_fails_is_replayed() -> None:
    with pytest.raises(tdsl.CompileError) as caught:
        run_stage(parse(UNSUPPORTED), FAILING)
    path = caught.value.reproducer
    message = "'tosa.abs' op was not bufferized" if "tosa.abs" in str(caught.value) else "bufferized"
    assert message in str(caught.value)
    assert str(caught.value).endswith(f"\nThe compiler failed. To repeat it: tdsl-opt --run-reproducer {path}")
    done = replay(path)
    assert done.returncode == 1
    assert message in done.stderr


def test_a_reproducer_that_no_longer_fails_passes() -> None:
    path = write_reproducer(parse(UNSUPPORTED).operation, "builtin.module(canonicalize)")
    done = replay(path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "tosa.abs" in done.stdout


def test_mistakes_need_none(folder: Path) -> None:
    with pytest.raises(tdsl.CompileError, match=r"the sizes are 3 and 4$") as caught:
        run_stage(parse(PROGRAM), "builtin.module(tdsl.program(test-stage-report))", finds_mistakes=True)
    assert caught.value.reproducer is None
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("finds_mistakes", [True, False])
def test_an_exception_in_a_pass_is_a_failure(finds_mistakes: bool) -> None:
    with pytest.raises(tdsl.CompileError, match="a bug") as caught:
        run_stage(parse(PROGRAM), "builtin.module(tdsl.program(test-stage-raise))", finds_mistakes=finds_mistakes)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.reproducer is not None
    assert 'pipeline: "builtin.module(tdsl.program(test-stage-raise))"' in Path(caught.value.reproducer).read_text()


def test_one_failure_has_one_file_in_a_private_folder(folder: Path) -> None:
    paths = set()
    for _ in range(3):
        with pytest.raises(tdsl.CompileError) as caught:
            run_stage(parse(UNSUPPORTED), FAILING)
        paths.add(caught.value.reproducer)
    (path,) = paths
    assert Path(path).parent == folder / f"tdsl-reproducers-{os.geteuid()}"
    assert Path(path).parent.stat().st_mode & 0o777 == 0o700


def test_the_dump_folder_is_preferred(folder: Path) -> None:
    with knobs.scope(dump_dir=folder / "dump" / "here"):
        path = write_reproducer(parse(PROGRAM).operation, FAILING)
    assert path is not None
    assert Path(path).parent == folder / "dump" / "here"


def test_a_folder_of_somebody_else_is_not_used(folder: Path) -> None:
    planted = folder / f"tdsl-reproducers-{os.geteuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    path = write_reproducer(parse(PROGRAM).operation, FAILING)
    assert path is not None
    assert Path(path).parent != planted
    assert Path(path).parent.stat().st_mode & 0o777 == 0o700


def test_old_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproducer, "_LIMIT", 3)
    paths = []
    for number in range(5):
        path = write_reproducer(parse(f"tdsl.program @p{number} {{}}").operation, FAILING)
        assert path is not None
        os.utime(path, (number, number))
        paths.append(Path(path))
    assert [path.exists() for path in paths] == [False, False, True, True, True]


def test_no_place_for_a_reproducer(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        knobs.scope(dump_dir="/proc/nowhere", debug=1),
        pytest.raises(tdsl.CompileError, match="bufferized") as caught,
    ):
        run_stage(parse(UNSUPPORTED), FAILING)
    assert caught.value.reproducer is None
    assert "To repeat it" not in str(caught.value)
    assert "tdsl: no reproducer was written: " in capsys.readouterr().err


def test_a_compilation_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CpuPipeline, "lower", "convert-func-to-llvm,no-such-pass")
    with pytest.raises(tdsl.CompileError) as caught:
        tdsl.compile(AFFINE)
    assert caught.value.reproducer is not None
    assert "no-such-pass" in replay(caught.value.reproducer).stderr


def test_code_generation_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CpuPipeline, "lower", "canonicalize")
    monkeypatch.setattr("tdsl.codegen.lowering.with_workspaces", lambda signatures, module: signatures)
    with pytest.raises(tdsl.CompileError, match=r"vector\.transfer_write") as caught:
        tdsl.compile(AFFINE)
    assert "tdsl-emit-code{" in Path(caught.value.reproducer or "").read_text()
    done = replay(caught.value.reproducer)
    assert done.returncode == 1
    assert "vector.transfer_write" in done.stderr


def test_a_target_that_does_not_exist_is_a_mistake(folder: Path) -> None:
    lowered = lower_program(AFFINE, TargetDescription("x86_64-unknown-linux-gnu", "pentium99"))
    with pytest.raises(tdsl.CompileError, match="unknown CPU 'pentium99'") as caught:
        lowered.emit()
    assert caught.value.reproducer is None
    assert list(folder.iterdir()) == []


_CRASH = """
import ctypes, sys
import mlir.ir as ir
from tdsl import _tdsl
from tdsl.ir import create_context
from tdsl.passes import run_pipeline
from tdsl.errors import CompileError


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class ExternalPass(ctypes.Structure):
    _fields_ = [
        ("name", Text), ("description", Text), ("anchor", Text),
        ("dialect_count", ctypes.c_ssize_t), ("dialects", ctypes.c_void_p),
        ("option_count", ctypes.c_ssize_t), ("options", ctypes.c_void_p),
        ("user_data", ctypes.c_void_p), ("run", ctypes.c_void_p),
        ("holds_lock", ctypes.c_void_p), ("destroy", ctypes.c_void_p),
    ]


def text(value):
    return Text(value.encode(), len(value))


# A pass in native code that does what a failed assertion does.
abort = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p)
crash = ExternalPass(text("test-crash"), text("abort"), text(""), 0, None, 0, None, None, abort, None, None)
library = ctypes.CDLL(sys.argv[1])
library.tdslRegisterExternalPass(ctypes.byref(crash), None, None)
"""

_SURVIVE = """
from tdsl.codegen.reproducer import run_stage
for number in range(3):
    with create_context():
        module = ir.Module.parse("func.func @f() { return }")
    try:
        run_stage(module, "builtin.module(canonicalize,test-crash,cse)")
    except CompileError as error:
        assert "pass 'test-crash' crashed: an assertion in LLVM failed" in str(error), str(error)
        assert error.reproducer is not None
    else:
        raise SystemExit("no error")
    with create_context():
        run_pipeline(ir.Module.parse("func.func @f() { return }"), "builtin.module(cse)", survive_crashes=True)
print("survived")
"""

_CRASH_IN_PYTHON = """
import os
from tdsl.passes import Pass, register

@register
class Crash(Pass):
    name = "test-crash-in-python"
    description = "abort"

    def run(self, op):
        os.abort()

with create_context():
    module = ir.Module.parse("tdsl.program @p {}")
run_pipeline(module, "builtin.module(tdsl.program(test-crash-in-python))", survive_crashes=True)
"""


def _run_with_crash(script: str) -> subprocess.CompletedProcess[str]:
    native = importlib.util.find_spec("tdsl._tdsl")
    assert native is not None
    assert native.origin is not None
    library = Path(native.origin).with_name("libTdsl.dylib" if sys.platform == "darwin" else "libTdsl.so")
    return subprocess.run(
        [sys.executable, "-c", _CRASH + textwrap.dedent(script), str(library)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_crash_of_a_native_pass_is_an_error() -> None:
    done = _run_with_crash(_SURVIVE)
    assert (done.returncode, done.stdout) == (0, "survived\n"), done.stderr


def test_a_crash_inside_of_python_ends_the_process_and_does_not_hang() -> None:
    done = _run_with_crash(_CRASH_IN_PYTHON)
    assert done.returncode < 0
    assert "tdsl: MLIR crashed inside of a Python pass" in done.stderr


def test_pipelines_are_quoted() -> None:
    path = write_reproducer(parse(PROGRAM).operation, 'builtin.module(a{b="c\\d"})')
    assert path is not None
    assert re.search(r'pipeline: "builtin.module\(a\{b=\\"c\\\\d\\"\}\)"', Path(path).read_text())
