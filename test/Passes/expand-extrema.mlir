// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-expand-extrema))' | FileCheck %s

// Signs of zeros are bits: a maximum is positive if one of both is, a minimum negative.

// CHECK-LABEL: func.func @maximum
// CHECK-DAG: arith.cmpf ogt
// CHECK-DAG: arith.cmpf uno
// CHECK: arith.andi
// CHECK-NOT: arith.maximumf
func.func @maximum(%x: f32, %y: f32) -> f32 {
  %m = arith.maximumf %x, %y : f32
  return %m : f32
}

// CHECK-LABEL: func.func @minimum
// CHECK-DAG: arith.cmpf olt
// CHECK: arith.ori %{{.*}}, %{{.*}} : vector<4xi64>
func.func @minimum(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %m = arith.minimumf %x, %y : vector<4xf64>
  return %m : vector<4xf64>
}
