// RUN: tdsl-opt %s --tdsl-expand-strided-copies | FileCheck %s

// CHECK-LABEL: func.func @contiguous
// CHECK:         memref.copy
// CHECK-NOT:     linalg.copy
func.func @contiguous(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  return
}

// CHECK-LABEL: func.func @strided_source
// CHECK-NOT:     memref.copy
// CHECK:         linalg.copy
func.func @strided_source(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// CHECK-LABEL: func.func @strided_target
// CHECK-NOT:     memref.copy
// CHECK:         linalg.copy
func.func @strided_target(%a: memref<4x4xf32>, %b: memref<4x4xf32, strided<[1, 4]>>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  return
}
