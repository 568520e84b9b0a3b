// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-lower-vectors))' | FileCheck %s --check-prefix=PRODUCT
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-lower-vectors,tdsl-split-rows))' | FileCheck %s

// Every row of a repeated column is one number, many times; nothing shuffles the whole tile.

// PRODUCT-LABEL: func.func @column
// PRODUCT: vector.outerproduct
// PRODUCT-NOT: vector.shuffle

// CHECK-LABEL: func.func @column
// CHECK-COUNT-4: vector.broadcast %{{.*}} : f32 to vector<64xf32>
// CHECK-NOT: vector.outerproduct
// CHECK-NOT: vector.shuffle
func.func @column(%x: vector<4xf32>, %y: vector<4x64xf32>) -> vector<4x64xf32> {
  %b = vector.broadcast %x : vector<4xf32> to vector<64x4xf32>
  %t = vector.transpose %b, [1, 0] : vector<64x4xf32> to vector<4x64xf32>
  %p = arith.mulf %t, %y : vector<4x64xf32>
  return %p : vector<4x64xf32>
}

// Other outer products stay.

// CHECK-LABEL: func.func @product
// CHECK: vector.outerproduct
func.func @product(%x: vector<4xf32>, %y: vector<8xf32>) -> vector<4x8xf32> {
  %p = vector.outerproduct %x, %y : vector<4xf32>, vector<8xf32>
  return %p : vector<4x8xf32>
}
