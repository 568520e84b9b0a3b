"""What emitted machine code computes, on this machine and for others."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mlir
import mlir.ir as ir
import numpy as np
import pytest

from tdsl import _tdsl
from tdsl.codegen.object_code import LoadedObject, StageTimes, TargetDescription, emit

from .machine_code import (
    AARCH64,
    ADD_ONE,
    HOST,
    KERNELS,
    LLVM_PACKAGE,
    NVPTX,
    PTX_KERNEL,
    descriptor,
    function,
    lowered,
    run_script,
)

# Numbers.


@pytest.mark.parametrize(
    ("mlir_type", "dtype", "ctype"), [("f32", "f4", ctypes.c_float), ("f64", "f8", ctypes.c_double)]
)
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_loops_and_libm(context: ir.Context, mlir_type: str, dtype: str, ctype: type, level: int) -> None:
    loaded = LoadedObject(emit(lowered(KERNELS.format(type=mlir_type)), HOST, optimization_level=level))
    x = np.linspace(-3, 3, 1001, dtype=dtype)
    y = np.full_like(x, np.nan)
    call = function(loaded, "_mlir_ciface_scaled_erf", None, ctypes.c_void_p, ctypes.c_void_p, ctype)
    call(descriptor(x), descriptor(y), 2.5)
    expected = np.array([2.5 * math.erf(v) for v in x.astype("f8")])
    np.testing.assert_allclose(y, expected, rtol=4 * np.finfo(dtype).eps, atol=0)


@pytest.mark.parametrize(("mlir_type", "dtype"), [("f32", "f4"), ("f64", "f8")])
def test_copies_of_memrefs(context: ir.Context, mlir_type: str, dtype: str) -> None:
    loaded = LoadedObject(emit(lowered(KERNELS.format(type=mlir_type)), HOST))
    x = np.arange(28, dtype=dtype).reshape(4, 7)
    y = np.zeros_like(x)
    function(loaded, "_mlir_ciface_copy", None, ctypes.c_void_p, ctypes.c_void_p)(descriptor(x), descriptor(y))
    np.testing.assert_array_equal(y, x)


def test_symbols_are_listed(context: ir.Context) -> None:
    loaded = LoadedObject(emit(lowered(KERNELS.format(type="f32")), HOST))
    assert loaded.defined_symbols == ("_mlir_ciface_copy", "_mlir_ciface_scaled_erf", "copy", "scaled_erf")
    assert loaded.required_symbols == ("erff", "memcpy")


def test_a_variable_has_an_address(context: ir.Context) -> None:
    loaded = LoadedObject(emit(ir.Module.parse("llvm.mlir.global external @answer(42 : i32) : i32"), HOST))
    assert ctypes.c_int32.from_address(loaded.lookup("answer")).value == 42


def test_emitting_leaves_the_module_as_it_is(context: ir.Context) -> None:
    module = ir.Module.parse(ADD_ONE)
    before = str(module)
    emit(module, AARCH64)
    assert str(module) == before


def test_an_operation_is_taken_like_its_module(context: ir.Context) -> None:
    module = ir.Module.parse(ADD_ONE)
    assert emit(module.operation, HOST) == emit(module, HOST)


def test_times_of_the_stages(context: ir.Context) -> None:
    times = StageTimes()
    emit(ir.Module.parse(ADD_ONE), HOST, times=times)
    assert min(times.translate, times.optimize, times.emit) > 0
    assert max(times.translate, times.optimize, times.emit) < 10


def test_llvm_ir_is_optimized_and_has_the_target(context: ir.Context) -> None:
    text = emit(ir.Module.parse(ADD_ONE), AARCH64, kind="llvm-ir").decode()
    assert 'target triple = "aarch64-unknown-linux-gnu"' in text
    assert "define float @add_one(float %0) local_unnamed_addr #0" in text
    assert "fadd float %0, 1.000000e+00" in text


# Other targets.


@pytest.mark.parametrize("cpu", ["apple-m1", "neoverse-v1", ""])
def test_aarch64_objects(context: ir.Context, tmp_path: Path, cpu: str) -> None:
    file = tmp_path / "code.o"
    file.write_bytes(emit(lowered(KERNELS.format(type="f32")), replace(AARCH64, cpu=cpu)))
    tool = LLVM_PACKAGE / "bin" / "llvm-readobj"
    report = subprocess.run(
        [tool, "--file-headers", "--symbols", file], capture_output=True, text=True, check=True
    ).stdout
    assert "Type: Relocatable (0x1)" in report
    assert "Machine: EM_AARCH64 (0xB7)" in report
    assert "Name: scaled_erf " in report


def test_features_reach_the_code_generator(context: ir.Context) -> None:
    text = """
    llvm.func @add(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
      %c = llvm.fadd %a, %b : vector<16xf32>
      llvm.return %c : vector<16xf32>
    }
    """
    module = ir.Module.parse(text)
    plain = TargetDescription("x86_64-unknown-linux-gnu", "x86-64-v4")
    assert b"zmm" in emit(module, plain, kind="assembly")
    without = emit(module, replace(plain, features="-avx512f"), kind="assembly")
    assert b"zmm" not in without
    assert b"ymm" in without


def test_ptx(context: ir.Context) -> None:
    lines = emit(ir.Module.parse(PTX_KERNEL), NVPTX, kind="assembly").decode().splitlines()
    header = [line for line in lines if line.startswith((".version", ".target", ".address_size", ".visible"))]
    assert header == [".version 8.0", ".target sm_90", ".address_size 64", ".visible .entry double("]
    assert any("%tid.x" in line for line in lines)


def test_the_host_is_a_target_that_emits(context: ir.Context) -> None:
    assert TargetDescription.host() == HOST
    assert hash(TargetDescription.host()) == hash(HOST)
    loaded = LoadedObject(emit(ir.Module.parse(ADD_ONE), HOST))
    assert function(loaded, "add_one", ctypes.c_float, ctypes.c_float)(1.5) == 2.5


def test_descriptions_print_what_is_known() -> None:
    assert str(NVPTX) == "nvptx64-nvidia-cuda cpu=sm_90 features=+ptx80"
    assert str(TargetDescription("aarch64-unknown-linux-gnu")) == "aarch64-unknown-linux-gnu"


# Determinism.


def test_an_unknown_cpu_has_no_features_and_no_warnings(capfd: pytest.CaptureFixture[str]) -> None:
    assert not TargetDescription("x86_64-unknown-linux-gnu", "pentium-9").has_feature("avx2")
    assert TargetDescription("x86_64-unknown-linux-gnu", "haswell").has_feature("avx2")
    assert capfd.readouterr() == ("", "")


def test_what_must_be_inlined_is_at_every_level(context: ir.Context) -> None:
    module = ir.Module.parse("""
        llvm.func internal @one() -> i64 attributes {always_inline} {
          %one = llvm.mlir.constant(1 : i64) : i64
          llvm.return %one : i64
        }
        llvm.func @f() -> i64 {
          %x = llvm.call @one() : () -> i64
          llvm.return %x : i64
        }""")
    for level in (0, 3):
        assert "call" not in emit(module, HOST, kind="assembly", optimization_level=level).decode()


def test_the_same_module_gives_the_same_bytes(context: ir.Context) -> None:
    text = KERNELS.format(type="f32")
    first = emit(lowered(text), HOST)
    emit(ir.Module.parse(PTX_KERNEL), NVPTX, kind="assembly")
    with ir.Context():
        assert emit(lowered(text), HOST) == first
    assert emit(lowered(f"module @name {{ {text} }}"), HOST) == first


def test_the_hash_seed_does_not_matter(context: ir.Context) -> None:
    module = lowered(KERNELS.format(type="f64"))
    script = f"""
        import mlir.ir as ir
        from tdsl.codegen.object_code import TargetDescription, emit
        with ir.Context():
            print(emit(ir.Module.parse({str(module)!r}), TargetDescription.host()).hex())
    """
    expected = emit(module, HOST).hex()
    for seed in ("1", "2"):
        completed = run_script(script, hash_seed=seed)
        assert completed.stdout.strip() == expected, completed.stderr


# Where the code of this runs.


def test_the_stock_mlir_opt_has_all_symbols(tmp_path: Path) -> None:
    tool = Path(next(iter(mlir.__path__))) / "bin" / "mlir-opt"
    if sys.platform != "linux" or not tool.exists():
        pytest.skip("needs mlir-opt, of which only the Linux loader can bind everything at once")
    library = Path(_tdsl.__file__).parent / "libTdsl.so"
    file = tmp_path / "empty.mlir"
    file.write_text("module {\n}\n")
    plugin = [f"--load-dialect-plugin={library}", f"--load-pass-plugin={library}"]
    completed = subprocess.run(
        [tool, *plugin, file], capture_output=True, text=True, check=False, env={"LD_BIND_NOW": "1"}
    )
    assert completed.stderr == ""
    assert completed.stdout.strip() == "module {\n}"
