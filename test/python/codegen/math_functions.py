"""Loops around one function of the math dialect, compiled for a target, and how far their results are off."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import mlir.ir as ir
import numpy as np
from mlir.runtime import get_ranked_memref_descriptor

from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit
from tdsl.ir import create_context
from tdsl.passes import run_pipeline

#: The oldest CPUs of the architecture, without fused multiply-add.
WITHOUT_FMA = TargetDescription("x86_64-unknown-linux-gnu", "x86-64")

TO_LLVM = (
    "builtin.module(tdsl-expand-math,convert-vector-to-llvm,convert-scf-to-cf,expand-strided-metadata,"
    "finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts,"
    "canonicalize,cse)"
)

LOOP = """
func.func @loop(%x: memref<?x{type}>, %y: memref<?x{type}>) attributes {{llvm.emit_c_interface}} {{
  %c0 = arith.constant 0 : index
  %step = arith.constant {width} : index
  %n = memref.dim %x, %c0 : memref<?x{type}>
  scf.for %i = %c0 to %n step %step {{
    {body}
  }}
  return
}}
"""
SCALAR = """
    %v = memref.load %x[%i] : memref<?x{type}>
    %w = math.{function} %v : {type}
    memref.store %w, %y[%i] : memref<?x{type}>
"""
VECTOR = """
    %v = vector.load %x[%i] : memref<?x{type}>, vector<{width}x{type}>
    %w = math.{function} %v : vector<{width}x{type}>
    vector.store %w, %y[%i] : memref<?x{type}>, vector<{width}x{type}>
"""

MLIR_TYPES = {np.dtype("f4"): "f32", np.dtype("f8"): "f64"}

#: Digits of the mantissa with the leading one, and the smallest exponent of normal numbers.
FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}


def lowered_loop(function: str, type_name: str, width: int = 1) -> ir.Module:
    """``y[i] = function(x[i])`` on vectors of ``width`` cells, in the LLVM dialect. A context is entered."""
    body = (SCALAR if width == 1 else VECTOR).format(function=function, type=type_name, width=width)
    module = ir.Module.parse(LOOP.format(body=body, type=type_name, width=width))
    run_pipeline(module, TO_LLVM)
    return module


def compiled_loop(
    function: str, type_name: str, target: TargetDescription, width: int = 1
) -> Callable[[np.ndarray], np.ndarray]:
    """The loop as a function of arrays, whose size is a multiple of ``width``. It calls no library."""
    with create_context():
        loaded = LoadedObject(emit(lowered_loop(function, type_name, width), target, optimization_level=3))
    assert loaded.required_symbols == ()
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.lookup("_mlir_ciface_loop"))

    def run(x: np.ndarray) -> np.ndarray:
        x = np.ascontiguousarray(x)
        assert MLIR_TYPES[x.dtype] == type_name
        assert loaded is not None
        y = np.full_like(x, 42)
        call(*(ctypes.byref(get_ranked_memref_descriptor(array)) for array in (x, y)))
        return y

    return run


def errors_in_ulp(result: np.ndarray, exact: np.ndarray, type_name: str) -> np.ndarray:
    """How far results are off, in units of the last place of the exact result.

    Args:
        result: Cells of the type, as float64.
        exact: The exact results, in a wider type. Those beyond the range count as the first number beyond it.
    """
    digits, least = FORMATS[type_name]
    exponent = np.frexp(np.where(np.isfinite(exact) & (exact != 0), exact, 1))[1] - 1
    # One place beyond the largest number is infinity.
    result = np.where(np.isinf(result), np.copysign(2.0 ** -(least - 2), result), result) if digits < 53 else result
    difference = np.abs(result.astype(exact.dtype) - exact)
    return np.ldexp(difference, digits - 1 - np.maximum(exponent, least))
