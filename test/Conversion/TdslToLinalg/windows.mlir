// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg)' --split-input-file | FileCheck %s

// A window that no operand has as an axis gets its size from an empty tensor, as in linalg.pooling.

// CHECK-DAG:   #[[READ:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-DAG:   #[[SHAPE:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG:   #[[WRITE:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @pool
// CHECK:         %[[WINDOW:.*]] = tensor.empty() : tensor<2xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[READ]], #[[SHAPE]], #[[WRITE]]], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME:      ins(%{{.*}}, %[[WINDOW]] : tensor<6xf32>, tensor<2xf32>)
tdsl.program @p {
  tdsl.dim @w = 2
  tdsl.node @x : f32 "->6" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q "2*o<+w => o" (@x) -> @y captures {w = @w}
  tdsl.routine @pool { tdsl.assign @y reset max = id(@x) by @q }
}

// -----

// A valid window: one loop nest, nothing is clipped.

// CHECK-LABEL: func.func @valid
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->9" input
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->4" result
  tdsl.projections @q "2*o<+k; k => o" (@x, @k) -> @y
  tdsl.routine @valid { tdsl.assign @y add = mul(@x, @k) by @q }
}

// -----

// A padded window: the left border, where tap 0 would read outside, the interior, the right border.

// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     arith.select
// Left: o = 0, k from 1 to 2.
// CHECK:         tensor.extract_slice %[[X:.*]][0] [2] [1] : tensor<5xf32> to tensor<2xf32>
// CHECK:         tensor.extract_slice %[[K:.*]][1] [2] [1] : tensor<3xf32> to tensor<2xf32>
// CHECK:         tensor.insert_slice %{{.*}}[0] [1] [1] : tensor<f32> into tensor<5xf32>
// Interior: o from 1 to 3 over the whole input.
// CHECK:         tensor.extract_slice %{{.*}}[1] [3] [1] : tensor<5xf32> to tensor<3xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]], %[[K]] : tensor<5xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<3xf32>)
// CHECK:         tensor.insert_slice %{{.*}}[1] [3] [1] : tensor<3xf32> into tensor<5xf32>
// Right: o = 4, k from 0 to 1.
// CHECK:         tensor.extract_slice %[[X]][3] [2] [1] : tensor<5xf32> to tensor<2xf32>
// CHECK:         tensor.extract_slice %[[K]][0] [2] [1] : tensor<3xf32> to tensor<2xf32>
// CHECK:         tensor.insert_slice %{{.*}}[4] [1] [1] : tensor<f32> into tensor<5xf32>
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->5" input
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->5" result
  tdsl.projections @q "o=+k; k => o" (@x, @k) -> @y
  tdsl.routine @padded { tdsl.assign @y add = mul(@x, @k) by @q }
}

// -----

// In two dimensions: three parts along each axis.

// CHECK-LABEL: func.func @padded_2d(
// CHECK-COUNT-9: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->5,6" input
  tdsl.node @k : f32 "->3,3" input
  tdsl.node @y : f32 "->5,6" result
  tdsl.projections @q "o=+k, p=+l; k, l => o, p" (@x, @k) -> @y
  tdsl.routine @padded_2d { tdsl.assign @y add = mul(@x, @k) by @q }
}

// -----

// Dilation 2: two borders of two positions each. Tap 1 of the first reads x[0], and tap 2 x[2].

// CHECK-LABEL: func.func @dilated(
// CHECK:         tensor.extract_slice %{{.*}}[0] [2] [2] : tensor<7xf32> to tensor<2xf32>
// CHECK:         tensor.extract_slice %{{.*}}[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->7" input
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->7" result
  tdsl.projections @q "o=+2*k; k => o" (@x, @k) -> @y
  tdsl.routine @dilated { tdsl.assign @y add = mul(@x, @k) by @q }
}

// -----

// Stride 2 with kernel 3: only the first position is clipped, since the last window ends with the input.

// CHECK-LABEL: func.func @strided(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->8" input
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->4" result
  tdsl.projections @q "2*o=+k; k => o" (@x, @k) -> @y
  tdsl.routine @strided { tdsl.assign @y add = mul(@x, @k) by @q }
}

// -----

// Where the neutral element changes a cell (or: 2 becomes 1), every point contributes it first.

// CHECK-LABEL: func.func @normalised(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<5xf32>)
// CHECK:           arith.cmpf une, %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->5" input
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->5" result
  tdsl.projections @q "o=+k; k => o" (@x, @k) -> @y
  tdsl.routine @normalised { tdsl.assign @y or = mul(@x, @k) by @q }
}

// -----

// The gradient of a padded read skips what it would write outside: guarded writes are the same boxes.

// CHECK-LABEL: func.func @gradient(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->5" param
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->5" input
  tdsl.projections @q "o=+k; k => o" (@x, @k) -> @y
  tdsl.routine @gradient { tdsl.assign @x[rhs1] add = mul(@y[lhs], @k[rhs2]) by @q }
}
