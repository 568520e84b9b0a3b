// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg)' --split-input-file | FileCheck %s

// A pinned index is no loop: a slice without that axis.

// CHECK-LABEL: func.func @pinned
// CHECK:         %[[X:.*]] = bufferization.to_tensor %arg0 restrict : memref<3x4xf32>
// CHECK:         %[[COLUMN:.*]] = tensor.extract_slice %[[X]][0, 2] [3, 1] [1, 1] : tensor<3x4xf32> to tensor<3xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]} ins(%[[COLUMN]] : tensor<3xf32>)
tdsl.program @p {
  tdsl.node @x : f32 "->3,4" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q "i2 => i" (@x) -> @y
  tdsl.routine @pinned { tdsl.assign @y overwrite = id(@x) by @q }
}

// -----

// A pinned destination is inserted into what the node holds.

// CHECK-LABEL: func.func @into_column(
// CHECK-SAME:    memref<3x4xf32> {tdsl.access = "inout", tdsl.node = "y"}
// CHECK:         %[[Y:.*]] = bufferization.to_tensor %arg1 restrict writable
// CHECK:         %[[NEW:.*]] = linalg.generic
// CHECK:         %[[INTO:.*]] = tensor.insert_slice %[[NEW]] into %[[Y]][0, 1] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x4xf32>
// CHECK:         bufferization.materialize_in_destination %[[INTO]] in restrict writable %arg1
tdsl.program @p {
  tdsl.node @x : f32 "->3" input
  tdsl.node @y : f32 "->3,4" result
  tdsl.projections @q "i => i1" (@x) -> @y
  tdsl.routine @into_column { tdsl.assign @y overwrite = id(@x) by @q }
}

// -----

// A static symbol is the offset of a slice.

// CHECK-LABEL: func.func @symbolic(
// CHECK-SAME:    %[[I:[a-z0-9]+]]: index {tdsl.symbol = "i"})
// CHECK:         tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q slice(@i) (@x) -> @y
  tdsl.routine @symbolic(%i: !tdsl.index<@i>) {
    tdsl.assign @y overwrite = id(@x) by @q[%i : !tdsl.index<@i>]
  }
}

// -----

// The segments of a concatenation are slices of the destination, which is written completely: an "out".

// CHECK-LABEL: func.func @segments(
// CHECK-SAME:    memref<5xf32> {tdsl.access = "out", tdsl.node = "c"})
// CHECK:         %[[C:.*]] = tensor.empty() : tensor<5xf32>
// CHECK:         %[[HEAD:.*]] = tensor.insert_slice %{{.*}} into %[[C]][0] [2] [1]
// CHECK:         tensor.insert_slice %{{.*}} into %[[HEAD]][2] [3] [1]
tdsl.program @p {
  tdsl.node @a : f32 "->2" input
  tdsl.node @b : f32 "->3" input
  tdsl.node @c : f32 "->5" result
  tdsl.projections @q "a; b => a^b" (@a, @b) -> @c
  tdsl.routine @segments { tdsl.assign @c overwrite = block id(@a, @b) by @q }
}

// -----

// The reverse reads slices of the source.

// CHECK-LABEL: func.func @offsets
// CHECK:         tensor.extract_slice %{{.*}}[0] [2] [1] : tensor<5xf32> to tensor<2xf32>
// CHECK:         tensor.extract_slice %{{.*}}[2] [3] [1] : tensor<5xf32> to tensor<3xf32>
tdsl.program @p {
  tdsl.node @a : f32 "->2" input
  tdsl.node @b : f32 "->3" input
  tdsl.node @c : f32 "->5" result
  tdsl.projections @q "a; b => a^b" (@a, @b) -> @c
  tdsl.routine @offsets { tdsl.assign (@a[rhs1], @b[rhs2]) overwrite = id(@c[lhs]) by @q }
}

// -----

// A stride is one of a slice, with and without an offset.

// CHECK-LABEL: func.func @strides
// CHECK:         tensor.extract_slice %{{.*}}[0] [3] [2] : tensor<6xf32> to tensor<3xf32>
// CHECK:         tensor.insert_slice %{{.*}}[1] [3] [2] : tensor<3xf32> into tensor<6xf32>
tdsl.program @p {
  tdsl.node @x : f32 "->6" input
  tdsl.node @y : f32 "->3" result
  tdsl.node @z : f32 "->6" result
  tdsl.projections @q "2*o => o" (@x) -> @y
  tdsl.projections @r "o => 2*o+1" (@y) -> @z
  tdsl.routine @strides {
    tdsl.assign @y overwrite = id(@x) by @q
    tdsl.assign @z overwrite = id(@y) by @r
  }
}

// -----

// An axis of size 1 has no iterator.

// CHECK-DAG:   #[[SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @scalar
// CHECK:         tensor.extract_slice %{{.*}}[0] [1] [1] : tensor<1xf32> to tensor<f32>
// CHECK:         linalg.generic {indexing_maps = [#[[SCALAR]], #{{.*}}], iterator_types = ["parallel"]}
tdsl.program @p {
  tdsl.node @x : f32 "1:bcast_if_1" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @scalar { tdsl.assign @y overwrite = id(@x) by @q }
}
