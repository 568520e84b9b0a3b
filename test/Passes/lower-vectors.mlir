// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-lower-vectors))' | FileCheck %s

// Transfers of several rows become loads and stores of one row each, without loops.

// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: vector.load {{.*}} : memref<4x16xf32>, vector<16xf32>
// CHECK-COUNT-2: vector.store {{.*}} : memref<4x16xf32>, vector<16xf32>
// CHECK-NOT: scf.for
func.func @rows(%x: memref<4x16xf32>, %y: memref<4x16xf32>) {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%zero, %zero], %pad {in_bounds = [true, true]} : memref<4x16xf32>, vector<2x16xf32>
  vector.transfer_write %v, %y[%zero, %zero] {in_bounds = [true, true]} : vector<2x16xf32>, memref<4x16xf32>
  return
}

// A square is transposed in registers.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-16: vector.load
// CHECK: vector.shuffle
// CHECK-COUNT-16: vector.store
// CHECK-NOT: vector.transpose
func.func @transposed(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %zero = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%zero, %zero], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  vector.transfer_write %t, %y[%zero, %zero] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// One cell of a strided view.

// CHECK-LABEL: func.func @cell
// CHECK: %[[CELL:.*]] = memref.load
// CHECK: memref.store %[[CELL]]
func.func @cell(%x: memref<4xf32, strided<[2]>>, %i: index) {
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%i], %pad : memref<4xf32, strided<[2]>>, vector<f32>
  %zero = arith.constant 0 : index
  vector.transfer_write %v, %x[%zero] : vector<f32>, memref<4xf32, strided<[2]>>
  return
}

// A function without vectors is left alone.

// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: return
func.func @scalar(%x: memref<4xf32>) {
  return
}
