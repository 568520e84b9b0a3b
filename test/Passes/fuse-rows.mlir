// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-fuse-rows))' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-fuse-rows{threads=3}),canonicalize)' --split-input-file | FileCheck %s --check-prefix=THREADS
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-fuse-rows{threads=0}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: the number of threads is at least 1, not 0

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Everything that a row needs is in one loop; of what only the group reads, there is memory for one row. What is used
// elsewhere is written row by row.

// CHECK-LABEL: func.func @normalise
// CHECK-SAME: %[[X:.*]]: tensor<1000x64xf32>, %[[Y:.*]]: tensor<1000x64xf32>) ->
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %{{.*}} to %c1000 step %{{.*}} iter_args(%[[PART:.*]] = %[[Y]]) -> (tensor<1000x64xf32>)
// CHECK: tensor.empty() : tensor<1xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<1xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[ZERO]] : tensor<1xf32>)
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[PART]][%[[I]], 0] [1, 64]
// CHECK: %[[DIVIDED:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : {{.*}}) outs(%[[OUT]] : tensor<1x64xf32>)
// CHECK: tensor.insert_slice %[[DIVIDED]] into %[[PART]][%[[I]], 0]
// CHECK: {tdsl.rows}
// CHECK: return %[[LOOP]]

// Each thread has as many rows, and the last one what is left.

// THREADS-LABEL: func.func @normalise
// THREADS: scf.forall (%[[T:.*]]) in (3) shared_outs
// THREADS: %[[FIRST:.*]] = arith.muli %[[T]], %c334
// THREADS: %[[LEFT:.*]] = arith.subi %c1000, %[[FIRST]]
// THREADS: %[[COUNT:.*]] = arith.minsi %[[LEFT]], %c334
// THREADS: scf.for %{{.*}} = %c0 to %[[COUNT]]
// THREADS: tensor.parallel_insert_slice
func.func @normalise(%x: tensor<1000x64xf32>, %y: tensor<1000x64xf32>) -> tensor<1000x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1000xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1000xf32>) -> tensor<1000xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1000x64xf32>) outs(%zeros : tensor<1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<1000x64xf32>, tensor<1000xf32>) outs(%y : tensor<1000x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %q = arith.divf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<1000x64xf32>
  return %r : tensor<1000x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The sums are used by the caller, too, through a view that moves behind the loop.

// CHECK-LABEL: func.func @sums_are_used
// CHECK: %[[LOOP:.*]]:2 = scf.for
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %[[LOOP]]#0
// CHECK: return %[[VIEW]], %[[LOOP]]#1
func.func @sums_are_used(%x: tensor<8x64xf32>, %s: tensor<8xf32>, %y: tensor<8x64xf32>) -> (tensor<8x1xf32>, tensor<8x64xf32>) {
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %out, %in : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %view = tensor.expand_shape %sums [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<8x64xf32>, tensor<8xf32>) outs(%y : tensor<8x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %q = arith.subf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<8x64xf32>
  return %view, %r : tensor<8x1xf32>, tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Rows of one are columns of the other: all sums come first.

// CHECK-LABEL: func.func @other_rows
// CHECK-NOT: scf.for
func.func @other_rows(%x: tensor<64x64xf32>, %s: tensor<64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %out, %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<64x64xf32>, tensor<64xf32>) outs(%y : tensor<64x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %q = arith.subf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Short rows are better off as one long one; a single operation needs no group.

// CHECK-LABEL: func.func @short_rows
// CHECK-NOT: scf.for
func.func @short_rows(%x: tensor<64x10xf32>, %s: tensor<64xf32>, %y: tensor<64x10xf32>, %z: tensor<64x64xf32>, %t: tensor<64xf32>) -> (tensor<64x10xf32>, tensor<64xf32>) {
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x10xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %u = arith.addf %out, %in : f32
    linalg.yield %u : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<64x10xf32>, tensor<64xf32>) outs(%y : tensor<64x10xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %q = arith.subf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<64x10xf32>
  %v = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<64x64xf32>) outs(%t : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %u = arith.addf %out, %in : f32
    linalg.yield %u : f32
  } -> tensor<64xf32>
  return %r, %v : tensor<64x10xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A contraction stays outside, though it makes the rows that are summed.

// CHECK-LABEL: func.func @after_a_contraction
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: scf.for
// CHECK-NOT: iterator_types = ["parallel", "parallel", "reduction"]
func.func @after_a_contraction(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>, %s: tensor<64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v fastmath<contract> : f32
    %q = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %out, %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<64x64xf32>, tensor<64xf32>) outs(%y : tensor<64x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %q = arith.subf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
