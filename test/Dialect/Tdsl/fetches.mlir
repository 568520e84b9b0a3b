// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-op-generic | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt | FileCheck %s --match-full-lines

// Each constructor of Fetch (spec b.1), in the printed form.

// CHECK: tdsl.program @fetches {
tdsl.program @fetches {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.dim @h
  tdsl.dim @h
  // CHECK-NEXT: tdsl.row @d
  tdsl.row @d
  // CHECK-NEXT: tdsl.node @x : f32 "4|->3" input
  tdsl.node @x : f32 "4|->3" input
  // CHECK-NEXT: tdsl.node @n : f32 "|->3" leaf id 7
  tdsl.node @n : f32 "|->3" leaf id 7
  // CHECK-NEXT: tdsl.node @none : f32 "|->0" leaf
  tdsl.node @none : f32 "|->0" leaf
  // CHECK-NEXT: tdsl.node @open : f32 "|->?" leaf
  tdsl.node @open : f32 "|->?" leaf
  // CHECK-NEXT: tdsl.routine @all(%i: !tdsl.index<@i>) {
  tdsl.routine @all(%i: !tdsl.index<@i>) {
    // CHECK-NEXT: tdsl.fetch @n = constant 1.500000e+00
    tdsl.fetch @n = constant 1.500000e+00
    // CHECK-NEXT: tdsl.fetch @n = constant -0.000000e+00
    tdsl.fetch @n = constant -0.000000e+00
    // CHECK-NEXT: tdsl.fetch @n = constant 0x7FF0000000000000
    tdsl.fetch @n = constant 0x7FF0000000000000
    // CHECK-NEXT: tdsl.fetch @n = constant 0xFFF0000000000000
    tdsl.fetch @n = constant 0xFFF0000000000000
    // CHECK-NEXT: tdsl.fetch @n = constant 0x7FF8000000000000
    tdsl.fetch @n = constant 0x7FF8000000000000
    // CHECK-NEXT: tdsl.fetch @n = constant 4.940660e-324
    tdsl.fetch @n = constant 4.940660e-324
    // CHECK-NEXT: tdsl.fetch @n = constant 1.000000e-01
    tdsl.fetch @n = constant 1.000000e-01
    // CHECK-NEXT: tdsl.fetch @n = constant 0.30000000000000004
    tdsl.fetch @n = constant 0.30000000000000004
    // CHECK-NEXT: tdsl.fetch @n = bits 42
    tdsl.fetch @n = bits 42
    // CHECK-NEXT: tdsl.fetch @n = bits -9223372036854775808
    tdsl.fetch @n = bits -9223372036854775808
    // CHECK-NEXT: tdsl.fetch @n = fill [1.000000e+00, -2.500000e+00, 0x7FF8000000000000]
    tdsl.fetch @n = fill [1.000000e+00, -2.500000e+00, 0x7FF8000000000000]
    // CHECK-NEXT: tdsl.fetch @none = fill []
    tdsl.fetch @none = fill []
    // CHECK-NEXT: tdsl.fetch @open = fill [1.000000e+00, 2.000000e+00]
    tdsl.fetch @open = fill [1.000000e+00, 2.000000e+00]
    // CHECK-NEXT: tdsl.fetch @n = range
    tdsl.fetch @n = range
    // CHECK-NEXT: tdsl.fetch @n = slice @x at %i : !tdsl.index<@i>
    tdsl.fetch @n = slice @x at %i : !tdsl.index<@i>
    // CHECK-NEXT: tdsl.fetch @n = symbol %i : !tdsl.index<@i>
    tdsl.fetch @n = symbol %i : !tdsl.index<@i>
    // CHECK-NEXT: tdsl.fetch @n = self_id
    tdsl.fetch @n = self_id
    // CHECK-NEXT: tdsl.fetch @n = dim @h
    tdsl.fetch @n = dim @h
    // CHECK-NEXT: tdsl.fetch @n = dim @d
    tdsl.fetch @n = dim @d
    // CHECK-NEXT: tdsl.fetch @n = range {note = "kept"}
    tdsl.fetch @n = range {note = "kept"}
    // CHECK-NEXT: tdsl.fetch @n = slice @x at %i : !tdsl.index<@i> {note = "kept"}
    tdsl.fetch @n = slice @x at %i : !tdsl.index<@i> {note = "kept"}
    // CHECK-NEXT: tdsl.fetch @n = fill [1.000000e+00, 2.000000e+00, 3.000000e+00] {note = "kept"}
    tdsl.fetch @n = fill [1.000000e+00, 2.000000e+00, 3.000000e+00] {note = "kept"}
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
