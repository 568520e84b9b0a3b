"""Modules that the tests of code generation compile, and how they call what comes out."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import llvm
import mlir.ir as ir
import numpy as np
from mlir.runtime import get_ranked_memref_descriptor

from tdsl.codegen.object_code import LoadedObject, TargetDescription
from tdsl.passes import run_pipeline

LLVM_PACKAGE = Path(next(iter(llvm.__path__)))

HOST = TargetDescription.host()
AARCH64 = TargetDescription("aarch64-unknown-linux-gnu", "neoverse-v1")
NVPTX = TargetDescription("nvptx64-nvidia-cuda", "sm_90", "+ptx80")

TO_LLVM = (
    "builtin.module(func.func(convert-scf-to-cf),convert-math-to-libm,expand-strided-metadata,lower-affine,"
    "convert-arith-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"
)

KERNELS = """
func.func @scaled_erf(%x: memref<?x{type}>, %y: memref<?x{type}>, %a: {type}) attributes {{llvm.emit_c_interface}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x{type}>
  scf.for %i = %c0 to %n step %c1 {{
    %v = memref.load %x[%i] : memref<?x{type}>
    %e = math.erf %v : {type}
    %s = arith.mulf %a, %e : {type}
    memref.store %s, %y[%i] : memref<?x{type}>
  }}
  return
}}
func.func @copy(%x: memref<4x?x{type}>, %y: memref<4x?x{type}>) attributes {{llvm.emit_c_interface}} {{
  memref.copy %x, %y : memref<4x?x{type}> to memref<4x?x{type}>
  return
}}
"""

ADD_ONE = """
llvm.func @add_one(%x: f32) -> f32 {
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %y = llvm.fadd %x, %one : f32
  llvm.return %y : f32
}
"""

PTX_KERNEL = """
llvm.func @double(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %g = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %g : !llvm.ptr<1> -> f32
  %w = llvm.fadd %v, %v : f32
  llvm.store %w, %g : f32, !llvm.ptr<1>
  llvm.return
}
"""

OPENMP = """
llvm.func @run() {
  omp.parallel {
    omp.terminator
  }
  llvm.return
}
"""

CALLS_UNKNOWN = """
llvm.func @first_unknown()
llvm.func @second_unknown()
llvm.func @run() {
  llvm.call @first_unknown() : () -> ()
  llvm.call @second_unknown() : () -> ()
  llvm.return
}
"""

RETURN_VALUE = """
llvm.func @value() -> i32 {{
  %v = llvm.mlir.constant({} : i32) : i32
  llvm.return %v : i32
}}
"""


def lowered(text: str) -> ir.Module:
    module = ir.Module.parse(text)
    run_pipeline(module, TO_LLVM)
    return module


def function(loaded: LoadedObject, name: str, result: type | None, *arguments: type) -> Callable[..., object]:
    return ctypes.CFUNCTYPE(result, *arguments)(loaded.lookup(name))


def descriptor(array: np.ndarray) -> object:
    return ctypes.byref(get_ranked_memref_descriptor(array))


def run_script(script: str, *, hash_seed: str = "random") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONHASHSEED": hash_seed},
    )
