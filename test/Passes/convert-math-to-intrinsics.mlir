// RUN: tdsl-opt %s --tdsl-convert-math-to-intrinsics | FileCheck %s

// CHECK-LABEL: func.func @converted
// CHECK:         llvm.call_intrinsic "llvm.sqrt"({{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.fabs"({{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.floor"({{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.ceil"({{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.trunc"({{.*}}) : (f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.copysign"({{.*}}) : (f64, f64) -> f64
func.func @converted(%x: f32, %y: f64, %z: f64) -> (f32, f64) {
  %0 = math.sqrt %x : f32
  %1 = math.absf %0 : f32
  %2 = math.floor %1 : f32
  %3 = math.ceil %2 : f32
  %4 = math.trunc %3 : f32
  %5 = math.copysign %y, %z : f64
  return %4, %5 : f32, f64
}

// What no target computes in one instruction, and types that LLVM would have to convert, stay.

// CHECK-LABEL: func.func @left_alone
// CHECK:         math.sin
// CHECK:         math.sqrt {{.*}} : f16
// CHECK:         math.sqrt {{.*}} : vector<4xf32>
func.func @left_alone(%x: f64, %y: f16, %z: vector<4xf32>) -> (f64, f16, vector<4xf32>) {
  %0 = math.sin %x : f64
  %1 = math.sqrt %y : f16
  %2 = math.sqrt %z : vector<4xf32>
  return %0, %1, %2 : f64, f16, vector<4xf32>
}
