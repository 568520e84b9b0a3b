"""What LLVM's optimizer does with loops: code must not grow with their length."""

from __future__ import annotations

import mlir.ir as ir
import pytest

from tdsl.codegen.object_code import emit

from .machine_code import HOST, lowered

#: Each cell depends on the one before, so that nothing is vectorized.
RECURRENCE = """
func.func @recurrence(%x: memref<{length}xf32>, %first: f32) -> f32 {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = arith.constant {length} : index
  %last = scf.for %i = %zero to %length step %one iter_args(%value = %first) -> f32 {{
    %cell = memref.load %x[%i] : memref<{length}xf32>
    %difference = arith.subf %cell, %value : f32
    %next = arith.divf %difference, %cell : f32
    scf.yield %next : f32
  }}
  func.return %last : f32
}}
"""


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(("length", "divisions"), [(7, 7), (9, 1), (10, 1), (32, 1), (1001, 1)])
def test_short_loops_only_are_unrolled(context: ir.Context, level: int, length: int, divisions: int) -> None:
    module = lowered(RECURRENCE.format(length=length))
    text = emit(module, HOST, kind="llvm-ir", optimization_level=level).decode()
    assert text.count("fdiv ") == divisions
