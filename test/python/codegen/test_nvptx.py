"""PTX of elementwise programs: its text, how to launch it, what ptxas says, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import mlir.ir as ir
import pytest

from tdsl.codegen.nvptx import PtxKernel, compile_to_ptx, nvptx_target
from tdsl.errors import UnsupportedError
from tdsl.ir import create_context

GATE = """
tdsl.program @gate {
  tdsl.node @x : PRECISION "1000|->37" input
  tdsl.node @b : PRECISION "->37" input
  tdsl.node @y : PRECISION "...|...->..." result
  tdsl.projections @p "." (@x, @b) -> @y
  tdsl.projections @q "." (@y) -> @y
  tdsl.routine @scale {
    tdsl.assign @y overwrite = mul(@x, @b) by @p
    tdsl.assign @y overwrite = PRIMITIVE(@y) by @q
  }
}
"""


def kernels(text: str, chip: str = "sm_80") -> list[PtxKernel]:
    with create_context():
        return compile_to_ptx(ir.Module.parse(text), chip)


def gate(precision: str = "f32", primitive: str = "relu") -> str:
    return GATE.replace("PRECISION", precision).replace("PRIMITIVE", primitive)


def test_one_kernel_covers_all_cells() -> None:
    (kernel,) = kernels(gate())
    assert (kernel.routine, kernel.arguments) == ("scale", ("x", "b", "y"))
    assert kernel.block == (256, 1, 1)
    # 37,000 cells: the last block is not full.
    assert kernel.grid == (145, 1, 1)
    assert f".visible .entry {kernel.name}(" in kernel.text
    assert ".target sm_80" in kernel.text
    assert kernel.text.count("ld.global") == 2
    assert kernel.text.count("st.global") == 1
    assert "36999" in kernel.text


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas, of NVIDIA's CUDA toolkit, is not installed")
@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
@pytest.mark.parametrize("precision", ["f32", "f64", "f16", "bf16", "i32", "u8"])
def test_ptxas_accepts_it(tmp_path: Path, precision: str, chip: str) -> None:
    (kernel,) = kernels(gate(precision), chip)
    (tmp_path / "kernel.ptx").write_text(kernel.text)
    command = ["ptxas", f"-arch={chip}", "-v", "kernel.ptx", "-o", "kernel.cubin"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert "0 bytes spill stores" in result.stderr


@pytest.mark.parametrize(
    "function", ["exp", "exp2", "log", "log2", "tanh", "sin", "cos", "sqrt", "recip_sqrt", "trunc"]
)
@pytest.mark.parametrize("precision", ["f32", "f64", "f16", "bf16"])
def test_functions_need_no_library(tmp_path: Path, precision: str, function: str) -> None:
    if precision == "f64" and function in ("sin", "cos"):
        pytest.skip("sin and cos of f64 need a library: test_what_is_refused")
    (kernel,) = kernels(gate(precision, function))
    assert "call" not in kernel.text
    assert ".extern" not in kernel.text
    if shutil.which("ptxas") is not None:
        (tmp_path / "kernel.ptx").write_text(kernel.text)
        command = ["ptxas", "-arch=sm_80", "-v", "kernel.ptx", "-o", "kernel.cubin"]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        assert "0 bytes spill stores" in result.stderr


def test_powers_are_computed_in_the_module(tmp_path: Path) -> None:
    for kernel in kernels(gate().replace("mul(@x", "pow(@x")):
        assert ".extern" not in kernel.text
        if shutil.which("ptxas") is not None:
            (tmp_path / "kernel.ptx").write_text(kernel.text)
            command = ["ptxas", "-arch=sm_80", "kernel.ptx", "-o", "kernel.cubin"]
            subprocess.run(command, cwd=tmp_path, check=True, timeout=60)


def test_same_input_same_text() -> None:
    assert kernels(gate()) == kernels(gate())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            gate("f64", "sin"),
            "the program needs '__nv_sin' of NVIDIA's device library, which is not part of this package",
        ),
        (
            """tdsl.program @sum {
              tdsl.node @x : f32 "8|->3" input
              tdsl.node private @t : f32 "...|...->..." result
              tdsl.node @y : f32 "...|...->..." result
              tdsl.projections @p "b|i => b|0" (@x) -> @t
              tdsl.projections @q "." (@x, @t) -> @y
              tdsl.routine @normalise {
                tdsl.assign @t reset add = id(@x) by @p
                tdsl.assign @y overwrite = div(@x, @t) by @q
              }
            }""",
            "routine 'normalise' is not elementwise: it needs memory between its loops, which PTX generation does not "
            "provide yet",
        ),
    ],
    ids=["device-library", "temporary"],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        kernels(text)
    assert str(error.value) == message


@pytest.mark.parametrize("chip", ["sm_35", "sm_", "gfx90", "80"])
def test_chips_that_are_refused(chip: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        nvptx_target(chip)
    assert str(error.value) == f"'{chip}' is not a chip that PTX is generated for: expected sm_70 or newer"
