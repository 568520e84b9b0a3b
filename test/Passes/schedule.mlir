// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-schedule{vector-bytes=64 vector-registers=32})' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-schedule{vector-bytes=32 vector-registers=16})' --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-schedule{vector-bytes=64 vector-registers=32 threads=2})' --split-input-file | FileCheck %s --check-prefix=THREADS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A contraction: B is packed into panels of 64 columns, A block by block into panels of 4 rows, and one product of a
// row of B with a column of A is left, 4 by 64. Fewer registers, smaller panels.

// CHECK: module attributes {tdsl.fully_scheduled}
// CHECK-LABEL: func.func @matmul
// CHECK: tensor.empty() : tensor<8x512x64xf32>
// CHECK: tdsl.pack_b = 0 : i64, tdsl.tile
// CHECK: tdsl.pack_a = 0 : i64, tdsl.tile
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x4x1x64xf32>) attrs = {tdsl.product = 0 : i64, tdsl.tile}

// AVX2-LABEL: func.func @matmul
// AVX2: linalg.generic {{.*}} outs({{.*}} : tensor<1x{{[46]}}x1x16xf32>) attrs = {tdsl.product = 0 : i64, tdsl.tile}

// Whole rows of panels to each thread.

// THREADS-LABEL: func.func @matmul
// THREADS: scf.forall ({{.*}}) in (2) {{.*}} -> (tensor<8x512x64xf32>)
// THREADS: scf.forall ({{.*}}) in (2) {{.*}} -> (tensor<128x4x8x64xf32>)
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
