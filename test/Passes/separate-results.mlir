// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-separate-results)' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Two results start from one fill: each gets its own, just before it is needed.

// CHECK-LABEL: func.func @two_updates
// CHECK: %[[FILL1:.*]] = linalg.fill
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[FILL1]]
// CHECK: %[[EMPTY2:.*]] = tensor.empty
// CHECK: %[[FILL2:.*]] = linalg.fill {{.*}} outs(%[[EMPTY2]]
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[FILL2]]
// CHECK-NOT: alloc_tensor
// CHECK: return
func.func @two_updates(%x: tensor<3xf32>, %y: memref<3xf32>, %z: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<3xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %difference = arith.subf %out, %in : f32
    linalg.yield %difference : f32
  } -> tensor<3xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<3xf32>, memref<3xf32>) -> ()
  bufferization.materialize_in_destination %b in restrict writable %z : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}

// A result that is stored, and that another one goes on from.

// CHECK-LABEL: func.func @stored_and_updated
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: %[[AGAIN:.*]] = linalg.fill
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[AGAIN]]
// CHECK: bufferization.materialize_in_destination %[[FILL]]
func.func @stored_and_updated(%x: tensor<3xf32>, %y: memref<3xf32>, %z: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<3xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<3xf32>, memref<3xf32>) -> ()
  bufferization.materialize_in_destination %fill in restrict writable %z : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}

// One update in place, and any number of reads: nothing to copy.

// CHECK-LABEL: func.func @one_update
// CHECK-NOT: alloc_tensor
func.func @one_update(%x: tensor<3xf32>, %y: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%fill : tensor<3xf32>) outs(%fill : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<3xf32>
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}

// A computed value is copied.

// CHECK-LABEL: func.func @two_updates_of_a_result
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: linalg.generic {{.*}} outs(%[[COPY]]
// CHECK: linalg.generic {{.*}} outs(%[[A]]
func.func @two_updates_of_a_result(%x: tensor<3xf32>, %y: memref<3xf32>, %z: memref<3xf32>) {
  %empty = tensor.empty() : tensor<3xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %double = arith.addf %in, %in : f32
    linalg.yield %double : f32
  } -> tensor<3xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%a : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<3xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%a : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %difference = arith.subf %out, %in : f32
    linalg.yield %difference : f32
  } -> tensor<3xf32>
  bufferization.materialize_in_destination %b in restrict writable %y : (tensor<3xf32>, memref<3xf32>) -> ()
  bufferization.materialize_in_destination %c in restrict writable %z : (tensor<3xf32>, memref<3xf32>) -> ()
  return
}

// Both sums begin with a fill of their own. What replaces all of a tensor needs no fill.

// CHECK-LABEL: func.func @slices_of_zeros
// CHECK-COUNT-2: linalg.fill {{.*}} -> tensor<8xf32>
// CHECK-NOT: linalg.fill
// CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<8x1xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[WHOLE]]
func.func @slices_of_zeros(%x: tensor<8x64xf32>) -> (tensor<8x1xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x1xf32>) -> tensor<8x1xf32>
  %slice = tensor.extract_slice %zeros[0, 0] [8, 1] [1, 1] : tensor<8x1xf32> to tensor<8xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%slice : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %others = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%slice : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    %t = arith.addf %out, %s : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %r = tensor.insert_slice %sums into %zeros[0, 0] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x1xf32>
  return %r, %others : tensor<8x1xf32>, tensor<8xf32>
}
