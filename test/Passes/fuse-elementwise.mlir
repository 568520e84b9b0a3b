// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-fuse-elementwise)' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A sum over rows reads each cell once: what it sums up is computed there.

// CHECK-LABEL: func.func @sum_of_squares
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
func.func @sum_of_squares(%x: tensor<8x16xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["parallel", "reduction"]}
      ins(%squares : tensor<8x16xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// A contraction would compute each quotient once for every column of B.

// CHECK-LABEL: func.func @scaled_product
// CHECK: arith.divf
// CHECK-NEXT: linalg.yield
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
func.func @scaled_product(%x: tensor<8x16xf32>, %s: tensor<8xf32>, %w: tensor<16x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %q = arith.divf %in, %scale : f32
    linalg.yield %q : f32
  } -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scaled, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%y : tensor<8x32xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// A transposition computes nothing, so that it may be done each time.

// CHECK-LABEL: func.func @transposed_product
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<16x8xf32>, tensor<16x32xf32>)
// CHECK-NOT: linalg.generic
func.func @transposed_product(%x: tensor<16x8xf32>, %w: tensor<16x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x8xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%turned, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%y : tensor<8x32xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
