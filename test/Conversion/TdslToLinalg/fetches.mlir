// RUN: tdsl-opt %s --convert-tdsl-to-linalg --split-input-file | FileCheck %s

// One form for each fetch. A later fetch of a node that was written completely starts anew.

// CHECK-LABEL: func.func @fetches(
// CHECK-DAG:     %[[CONSTANT:.*]] = arith.constant 1.500000e+00 : f32
// CHECK:         linalg.fill ins(%[[CONSTANT]] : f32)
// CHECK:         %[[BITS:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[BITS]] : f32)
// CHECK:         arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK:         linalg.generic
// CHECK:           linalg.index 0
// CHECK:           arith.sitofp %{{.*}} : i64 to f32
// CHECK:         tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
// CHECK:         arith.index_cast %{{.*}} : index to i64
// CHECK:         linalg.fill
// CHECK:         %[[ID:.*]] = arith.constant 7.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[ID]] : f32)
// CHECK:         %[[DIM:.*]] = arith.constant 9.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[DIM]] : f32)
tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.dim @d = 9
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @n : f32 "->3" result id 7
  tdsl.routine @fetches(%i: !tdsl.index<@i>) {
    tdsl.fetch @n = constant 1.5
    tdsl.fetch @n = bits 1065353216
    tdsl.fetch @n = fill [1.0, 2.0, 3.0]
    tdsl.fetch @n = range
    tdsl.fetch @n = slice @x at %i : !tdsl.index<@i>
    tdsl.fetch @n = symbol %i : !tdsl.index<@i>
    tdsl.fetch @n = self_id
    tdsl.fetch @n = dim @d
  }
}

// -----

// Neutral elements, in the precision of the node.

// CHECK-LABEL: func.func @fills(
// CHECK:         arith.constant 0xFF800000 : f32
// CHECK:         arith.constant 0x7F80 : bf16
// CHECK:         arith.constant -2147483648 : i32
// CHECK:         arith.constant -1 : i8
// CHECK:         arith.constant true
// CHECK-NEXT:    arith.extui %{{.*}} : i1 to i8
// CHECK:         arith.constant 5.000000e-01 : f64
tdsl.program @p {
  tdsl.node @f : f32 "->3" result
  tdsl.node @b : bf16 "->3" result
  tdsl.node @i : i32 "->3" result
  tdsl.node @u : u8 "->3" result
  tdsl.node @t : bool "->3" result
  tdsl.node @d : f64 "->3" result
  tdsl.routine @fills {
    tdsl.fill @f neutral max
    tdsl.fill @b neutral min
    tdsl.fill @i neutral max
    tdsl.fill @u neutral min
    tdsl.fill @t neutral and
    tdsl.fill @d neutral sat01_gate
  }
}
