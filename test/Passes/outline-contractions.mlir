// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-outline-contractions{vector-bytes=64 vector-registers=32})' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-outline-contractions{vector-bytes=32 vector-registers=16})' --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-outline-contractions{vector-bytes=64 vector-registers=32 threads=2})' --split-input-file | FileCheck %s --check-prefix=THREADS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Two contractions of one shape share a function. The zeros are not written: the product sets what it computes.

// CHECK-LABEL: func.func @twice
// CHECK-SAME: %[[A:.*]]: memref<512x512xf32>, %[[B:.*]]: memref<512x512xf32>, %[[C:.*]]: memref<512x512xf32>, %[[D:.*]]: memref<512x512xf32>
// CHECK-NOT: linalg
// CHECK: %[[S:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1048576xi8>
// CHECK: %[[A0:.*]], %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[B0:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[B]]
// CHECK: %[[C0:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[C]]
// CHECK: call @tdsl.contraction_0(%[[A0]], %[[OFFSET]], %[[B0]], %{{.*}}, %[[C0]], %{{.*}}, %[[S]])
// CHECK: call @tdsl.contraction_0(
// CHECK: func.func private @tdsl.contraction_0(%{{.*}}: memref<f32> {llvm.noalias, llvm.readonly}, %{{.*}}: index, {{.*}} attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK: %[[SETS:.*]] = arith.constant true
// CHECK-COUNT-5: scf.for
// CHECK: call @tdsl.product_4x64_f32x16({{.*}}, %[[SETS]])
// CHECK-NOT: func.func private @tdsl.contraction_1
// CHECK: func.func private @tdsl.product_4x64_f32x16(
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NEXT: llvm.getelementptr

// Fewer registers, a smaller tile.

// AVX2: func.func private @tdsl.product_6x16_f32x8(
// AVX2-COUNT-12: llvm.intr.fmuladd
// AVX2-NEXT: llvm.getelementptr

// Threads share the packing of B, then the rows of C.

// THREADS: func.func private @tdsl.contraction_0
// THREADS-COUNT-2: scf.forall ({{.*}}) in (2)
func.func @twice(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>, %d: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {tdsl.contraction} ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>) attrs = {tdsl.contraction} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  }
  linalg.fill {tdsl.contraction} ins(%zero : f32) outs(%d : memref<512x512xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%d : memref<512x512xf32>) attrs = {tdsl.contraction} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// B is transposed. The fill is of other memory, so that it stays, and C is added to. Edges are computed apart.

// CHECK-LABEL: func.func @edges
// CHECK: linalg.fill
// CHECK: call @tdsl.contraction_0
// CHECK: func.func private @tdsl.contraction_0
// CHECK: %[[SETS:.*]] = arith.constant false
// CHECK: call @tdsl.transpose_f32x16
// CHECK: scf.if
// CHECK: else
// CHECK: call @tdsl.copy_f32x16
// CHECK: call @tdsl.product
// CHECK: call @tdsl.copy_f32x16
func.func @edges(%a: memref<37x40xf32>, %b: memref<101x40xf32>, %c: memref<37x101xf32>, %d: memref<37x101xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {tdsl.contraction} ins(%zero : f32) outs(%d : memref<37x101xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<37x40xf32>, memref<101x40xf32>) outs(%c : memref<37x101xf32>) attrs = {tdsl.contraction} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A view of something larger, which begins anywhere.

// CHECK-LABEL: func.func @view
// CHECK: call @tdsl.contraction_0(
func.func @view(%a: memref<64x64xf32, strided<[128, 1], offset: ?>>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32, strided<[128, 1], offset: ?>>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) attrs = {tdsl.contraction} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// How far apart cells lie is not known: plain loops, which LLVM shall optimize.

// CHECK-NOT: tdsl.fully_scheduled
// CHECK-LABEL: func.func @strided
// CHECK: linalg.generic
// CHECK-NOT: tdsl.contraction
module attributes {tdsl.fully_scheduled} {
func.func @strided(%a: memref<64x64xf32, strided<[?, 1], offset: ?>>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32, strided<[?, 1], offset: ?>>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) attrs = {tdsl.contraction} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y fastmath<contract> : f32
    %s = arith.addf %out, %p fastmath<contract> : f32
    linalg.yield %s : f32
  }
  return
}
}
