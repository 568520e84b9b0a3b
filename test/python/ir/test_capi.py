"""The C API: a C program is compiled against the headers and libraries of the packages, and run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
_ROOT = Path(__file__).parents[3]

EXPECTED = """\
dialect: tdsl
axis: #tdsl.axis<"3:rgb">
size 3, is an axis 1, is a row 0
row: #tdsl.row<"3:rgb,..r..,?">
closed 0 and 1
text: 3:rgb|3:rgb->3:rgb,..r..,?
solved 0 and 1
input row: #tdsl.row<"3:rgb">
error: the size of an axis is not negative, but got -2
negative axis: null
error: in "2||3", column 3: a shape is written 'batch|input->output', each separator at most once and in this order
bad text: null
error: a row has no null axes
row of rows: null
space: #tdsl.space<[i 3 parallel] lhs[i] rhs1[i] guarded>
2 maps, guarded 0 and 1
logic: #tdsl.logic<"ij;jk=>ik">
error: 'dot' is not a kind of shape logic (spec d.4)
bad logic: null
access: #tdsl.access<merge(@x)[rhs2]>
error: 'rhs0' is not a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)
bad access: null
term: #tdsl.term<@x[output, -1]>
has row 1, 1; has axis 1, -1
literal: #tdsl.term<row "3">
type: !tdsl.index<@i>, is a symbol index 1
tdsl.program @p {
  tdsl.node @x : f32 "|->3" input
  tdsl.node @y : f32 "|->3" result
  tdsl.projections @q "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.routine @r {
    tdsl.assign @y add = id(@x) by @q
  }
}
the program has an index space: 0
the assignment has one: 1
domain: #tdsl.space<[i 3 parallel] lhs[i] rhs1[i]>
sources: [#tdsl.access<@x>]
source map: affine_map<(d0) -> (d0)>
no such source: null
bytecode version 1.0
"""


def _folder(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None, f"{module} is not installed"
    if spec.origin is not None and spec.origin != "namespace":
        return Path(spec.origin).parent
    assert spec.submodule_search_locations is not None
    return Path(next(iter(spec.submodule_search_locations)))


def _headers() -> Path | None:
    """The folder with mlir-c/, which is in the package that extensions are built with."""
    headers = _folder("mlir") / "include"
    return headers if (headers / "mlir-c" / "IR.h").exists() else None


@pytest.mark.skipif(_COMPILER is None, reason="there is no C compiler (cc, gcc or clang)")
@pytest.mark.skipif(_headers() is None, reason="the headers of MLIR are not installed (xtc-mlir-dev)")
def test_c_program(tmp_path: Path) -> None:
    native = _folder("tdsl._tdsl")
    mlir_libraries, llvm_libraries = _folder("mlir") / "_mlir_libs", _folder("llvm") / "lib"
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    program = tmp_path / "dialect"
    # libTdsl takes MLIR from its host, and libMLIRPythonCAPI takes LLVM from the folder where it is installed.
    command = [
        str(_COMPILER),
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{_ROOT / 'include'}",
        f"-isystem{_headers()}",
        str(_ROOT / "test" / "CAPI" / "dialect.c"),
        "-o",
        str(program),
        str(native / f"libTdsl{suffix}"),
        str(mlir_libraries / f"libMLIRPythonCAPI{suffix}"),
        str(llvm_libraries / f"libLLVM{suffix}"),
        *(f"-Wl,-rpath,{folder}" for folder in (native, mlir_libraries, llvm_libraries)),
    ]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == EXPECTED
