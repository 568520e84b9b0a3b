// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-schedule{vector-bytes=64 vector-registers=32})' --split-input-file | FileCheck %s
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl-schedule{vector-bytes=3})' --split-input-file 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: a vector register has 8 bytes or more, not 3

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A contraction is marked for tdsl-outline-contractions, whatever the target.

// CHECK: module attributes {tdsl.fully_scheduled}
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: {{.*}}, %[[C:[a-z0-9]*]]: tensor<512x512xf32>) ->
// CHECK: linalg.generic {{.*}} outs(%[[C]] : tensor<512x512xf32>) attrs = {tdsl.contraction}
func.func @matmul(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

#w = affine_map<(b, s, h, d, m) -> (h, d, m)>
#x = affine_map<(b, s, h, d, m) -> (b, s, m)>
#q = affine_map<(b, s, h, d, m) -> (b, s, h, d)>

// Axes that play the same part become one, which is a view. The sum starts from zero in memory of its own.

// CHECK-LABEL: func.func @project
// CHECK-SAME: %[[X:.*]]: tensor<2x8x32xf32>, %[[W:.*]]: tensor<4x16x32xf32>
// CHECK-DAG: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK-DAG: %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2]]
// CHECK: %[[MEMORY:.*]] = bufferization.alloc_tensor() : tensor<16x64xf32>
// CHECK: %[[ZEROS:.*]] = linalg.fill {tdsl.contraction} {{.*}} outs(%[[MEMORY]]
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZEROS]] : tensor<16x64xf32>) attrs = {tdsl.contraction}
// CHECK: tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2, 3]]
// CHECK-NOT: linalg.fill
func.func @project(%x: tensor<2x8x32xf32>, %w: tensor<4x16x32xf32>) -> tensor<2x8x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x8x4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
  %r = linalg.generic {indexing_maps = [#w, #x, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<4x16x32xf32>, tensor<2x8x32xf32>) outs(%zeros : tensor<2x8x4x16xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<2x8x4x16xf32>
  return %r : tensor<2x8x4x16xf32>
}

// -----

#q = affine_map<(b, h, s, t, d) -> (b, s, h, d)>
#k = affine_map<(b, h, s, t, d) -> (b, t, h, d)>
#r = affine_map<(b, h, s, t, d) -> (b, h, s, t)>

// Axes of batches stay where they are: no copies.

// CHECK-LABEL: func.func @scores
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2x4x16x16xf32>) attrs = {tdsl.contraction}
// CHECK-NOT: linalg.generic
func.func @scores(%q: tensor<2x16x4x32xf32>, %k: tensor<2x16x4x32xf32>, %r: tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32> {
  %x = linalg.generic {indexing_maps = [#q, #k, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x16x4x32xf32>, tensor<2x16x4x32xf32>) outs(%r : tensor<2x4x16x16xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  } -> tensor<2x4x16x16xf32>
  return %x : tensor<2x4x16x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Sums that must be rounded twice are no contraction: plain loops.

// CHECK-NOT: tdsl.fully_scheduled
// CHECK-LABEL: func.func @written_order
// CHECK-NOT: tdsl.tile
func.func @written_order(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.generic {indexing_maps = [#c, #a, #b], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %q = arith.divf %x, %y : f32
    %w = math.atan %q : f32
    %s = arith.addf %out, %w : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// Elementwise: four registers at a time, then single ones, then what is left.

// CHECK-LABEL: func.func @bias
// CHECK: tensor<1x64xf32>
// CHECK: tensor<1x16xf32>
// CHECK: tensor<1x3xf32>
func.func @bias(%x: tensor<5x83xf32>, %b: tensor<83xf32>, %y: tensor<5x83xf32>) -> tensor<5x83xf32> {
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<5x83xf32>, tensor<83xf32>) outs(%y : tensor<5x83xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<5x83xf32>
  return %r : tensor<5x83xf32>
}
