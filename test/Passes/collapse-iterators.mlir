// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-collapse-iterators)' | FileCheck %s

#id = affine_map<(i, j, k) -> (i, j, k)>
#rows = affine_map<(i, j, k) -> (i, j)>
#outer = affine_map<(i, j, k) -> (i)>
#turned = affine_map<(i, j, k) -> (j, i, k)>

// One loop over all cells.

// CHECK-LABEL: func.func @whole
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%{{.*}} : tensor<192xf32>)
func.func @whole(%x: tensor<4x6x8xf32>, %y: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x6x8xf32>) outs(%y : tensor<4x6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}

// Rows stay rows; the fill that they start from becomes one of as many cells.

// CHECK-LABEL: func.func @row_sums
// CHECK: linalg.fill {{.*}} -> tensor<24xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<24x8xf32>) outs(%{{.*}} : tensor<24xf32>)
func.func @row_sums(%x: tensor<4x6x8xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%y : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x6x8xf32>) outs(%zeros : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// An operand that has the outer axis only keeps it apart from the others.

// CHECK-LABEL: func.func @scaled
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<4x48xf32>, tensor<4xf32>)
func.func @scaled(%x: tensor<4x6x8xf32>, %s: tensor<4xf32>, %y: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #outer, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<4x6x8xf32>, tensor<4xf32>) outs(%y : tensor<4x6x8xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %p = arith.mulf %in, %scale : f32
    linalg.yield %p : f32
  } -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}

// Axes that change places cannot become one.

// CHECK-LABEL: func.func @turned
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]}
func.func @turned(%x: tensor<6x4x8xf32>, %y: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %r = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<6x4x8xf32>) outs(%y : tensor<4x6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}

// A fill of its own is one loop; an operation that reads its indices keeps its loops.

// CHECK-LABEL: func.func @filled
// CHECK: linalg.fill {{.*}} -> tensor<24xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
func.func @filled(%y: tensor<4x6xf32>, %z: tensor<4x6xindex>) -> (tensor<4x6xf32>, tensor<4x6xindex>) {
  %one = arith.constant 1.0 : f32
  %ones = linalg.fill ins(%one : f32) outs(%y : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%z : tensor<4x6xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4x6xindex>
  return %ones, %r : tensor<4x6xf32>, tensor<4x6xindex>
}
