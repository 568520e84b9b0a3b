// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg)' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg,canonicalize,cse,tdsl-fuse-elementwise,canonicalize,cse)' --split-input-file | FileCheck %s --check-prefix=FUSED

// A diagonal is read through one map.

// CHECK:       #[[DIAGONAL:.*]] = affine_map<(d0) -> (d0, d0)>
// CHECK-LABEL: func.func @read_diagonal
// CHECK:         linalg.generic {indexing_maps = [#[[DIAGONAL]], #{{.*}}], iterator_types = ["parallel"]}
tdsl.program @p {
  tdsl.node @x : f32 "->4,4" input
  tdsl.node @y : f32 "->4" result
  tdsl.projections @q "ii => i" (@x) -> @y
  tdsl.routine @read_diagonal { tdsl.assign @y overwrite = id(@x) by @q }
}

// -----

// A diagonal written leaves out cells: the body keeps them, since upstream drops values that no body reads.

// CHECK-LABEL: func.func @write_diagonal
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%{{.*}} : tensor<4xf32>) outs(%[[FILL]] : tensor<4x4xf32>)
// CHECK:         ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK:           %[[INDEX:.*]] = linalg.index 0
// CHECK:           %[[ALWAYS:.*]] = arith.cmpi sge, %[[INDEX]], %{{.*}} : index
// CHECK:           %[[CELL:.*]] = arith.select %[[ALWAYS]], %[[IN]], %[[OUT]] : f32
// CHECK:           linalg.yield %[[CELL]]
// FUSED-LABEL: func.func @write_diagonal
// FUSED:         %[[FILL:.*]] = linalg.fill
// FUSED:         linalg.generic {{.*}} outs(%[[FILL]] : tensor<4x4xf32>)
tdsl.program @p {
  tdsl.node @x : f32 "->4" input
  tdsl.node @y : f32 "->4,4" result
  tdsl.projections @q "i => ii" (@x) -> @y
  tdsl.routine @write_diagonal { tdsl.assign @y reset add = id(@x) by @q }
}

// -----

// Points that share a cell run in order: every iterator of an overlapping destination is a reduction.

// CHECK-DAG:   #[[SUM:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: func.func @overlap
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[SUM]]], iterator_types = ["reduction", "reduction"]}
tdsl.program @p {
  tdsl.node @x : f32 "->6" param
  tdsl.node @k : f32 "->3" input
  tdsl.node @y : f32 "->4" input
  tdsl.projections @q "o<+k; k => o" (@x, @k) -> @y
  tdsl.routine @overlap { tdsl.assign @x[rhs1] add = mul(@y[lhs], @k[rhs2]) by @q }
}

// -----

// Two iterators may fill an axis together: the node is written completely.

// CHECK-LABEL: func.func @depth_to_space(
// CHECK-SAME:    memref<6xf32> {tdsl.access = "out", tdsl.node = "y"}
tdsl.program @p {
  tdsl.node @x : f32 "->3,2" input
  tdsl.node @y : f32 "->6" result
  tdsl.projections @q "o,k => 2*o<+k" (@x) -> @y
  tdsl.routine @depth_to_space { tdsl.assign @y overwrite = id(@x) by @q }
}

// -----

// Over no points nothing is written, so that the cells from before count.

// CHECK-LABEL: func.func @no_points(
// CHECK-SAME:    memref<3xf32> {tdsl.access = "inout", tdsl.node = "y"}
// CHECK-NOT:     linalg.generic
tdsl.program @p {
  tdsl.node @x : f32 "->3,0" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q "ij => i" (@x) -> @y
  tdsl.routine @no_points { tdsl.assign @y overwrite = id(@x) by @q }
}
