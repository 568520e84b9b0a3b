// RUN: tdsl-opt %s --tdsl-expand-math | FileCheck %s
// RUN: tdsl-opt %s --tdsl-expand-math=libm=true | FileCheck %s --check-prefix=LIBM
// RUN: tdsl-opt %s --tdsl-expand-math --convert-math-to-libm | FileCheck %s --check-prefix=CALLS

// Only what is not expanded becomes a call.

// CALLS-NOT: func.func private
// CALLS:     func.func private @sqrtf(f32)
// CALLS:     func.func private @pow(f64, f64)
// CALLS:     func.func private @cos(f64)
// CALLS:     func.func private @sin(f64)
// CALLS-NOT: func.func private

// LIBM-LABEL: func.func @exp2_of
// LIBM:         math.exp2 {{.*}} : f32
// LIBM-LABEL: func.func @exp_of(
// LIBM:         math.exp {{.*}} : f32

// Two selects keep the exponent in range, and NaN as it is.

// CHECK-LABEL: func.func @exp2_of
// CHECK-SAME:    (%[[X:.*]]: f32)
// CHECK-NOT:     math.
// CHECK:         %[[LOW:.*]] = arith.constant -1.510000e+02 : f32
// CHECK:         %[[IS_LOW:.*]] = arith.cmpf olt, %[[X]], %[[LOW]] : f32
// CHECK:         arith.select %[[IS_LOW]], %[[LOW]], %[[X]] : f32
// CHECK:         %[[HIGH:.*]] = arith.constant 1.280000e+02 : f32
// CHECK:         arith.select {{.*}} : f32
// Products that may be fused say so.
// CHECK:         arith.mulf {{.*}} fastmath<contract> : f32
// CHECK:         arith.addf {{.*}} fastmath<contract> : f32
// CHECK-NOT:     call
// CHECK-NOT:     scf.
func.func @exp2_of(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @exp_of(
// CHECK-NOT:     math.
// CHECK:         arith.constant 8.900000e+01 : f32
// CHECK:         arith.bitcast {{.*}} : f32 to i32
// CHECK:         arith.bitcast {{.*}} : i32 to f32
// CHECK-NOT:     math.
func.func @exp_of(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @exp_f64
// CHECK-NOT:     math.
// CHECK:         arith.constant 7.100000e+02 : f64
// CHECK:         arith.bitcast {{.*}} : i64 to f64
// CHECK-NOT:     math.
func.func @exp_f64(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// Constants become splats, whatever the rank.

// CHECK-LABEL: func.func @exp_vector
// CHECK-NOT:     math.
// CHECK:         arith.constant dense<-1.040000e+02> : vector<2x3x4xf32>
// CHECK:         arith.shrui {{.*}} : vector<2x3x4xi32>
// CHECK-NOT:     math.
func.func @exp_vector(%x: vector<2x3x4xf32>) -> vector<2x3x4xf32> {
  %y = math.exp %x : vector<2x3x4xf32>
  return %y : vector<2x3x4xf32>
}

// CHECK-LABEL: func.func @exp_rank_0
// CHECK-NOT:     math.
// CHECK:         arith.select {{.*}} : vector<i1>, vector<f64>
// CHECK-NOT:     math.
func.func @exp_rank_0(%x: vector<f64>) -> vector<f64> {
  %y = math.exp %x : vector<f64>
  return %y : vector<f64>
}

// CHECK-LABEL: func.func @tanh_of
// CHECK-NOT:     math.
// CHECK:         arith.divf {{.*}} : vector<4xf64>
// CHECK:         arith.ori {{.*}} : vector<4xi64>
// CHECK-NOT:     math.
func.func @tanh_of(%x: f32, %v: vector<4xf64>) -> (f32, vector<4xf64>) {
  %y = math.tanh %x : f32
  %w = math.tanh %v : vector<4xf64>
  return %y, %w : f32, vector<4xf64>
}

// Zero and negative numbers have cases of their own.

// CHECK-LABEL: func.func @log_of(
// CHECK-NOT:     math.
// CHECK:         arith.constant dense<0x7FC00000> : vector<4xf32>
// CHECK:         arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK-NOT:     math.
func.func @log_of(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>) {
  %y = math.log %x : f64
  %w = math.log %v : vector<4xf32>
  return %y, %w : f64, vector<4xf32>
}

// CHECK-LABEL: func.func @log2_of
// CHECK-NOT:     math.
// CHECK:         arith.select {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK-NOT:     math.
func.func @log2_of(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>) {
  %y = math.log2 %x : f64
  %w = math.log2 %v : vector<4xf32>
  return %y, %w : f64, vector<4xf32>
}

// Sine, cosine and powers of f32 are computed in f64, and rounded at the end.

// CHECK-LABEL: func.func @sin_of
// CHECK-NOT:     math.
// CHECK:         arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NOT:     math.
func.func @sin_of(%x: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  %y = math.sin %x : f32
  %w = math.sin %v : vector<8xf32>
  return %y, %w : f32, vector<8xf32>
}

// CHECK-LABEL: func.func @cos_of
// CHECK-NOT:     math.
// CHECK:         arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NOT:     math.
func.func @cos_of(%x: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  %y = math.cos %x : f32
  %w = math.cos %v : vector<8xf32>
  return %y, %w : f32, vector<8xf32>
}

// CHECK-LABEL: func.func @power_of
// CHECK-NOT:     math.
// CHECK:         arith.truncf {{.*}} : f64 to f32
// CHECK-NOT:     math.
func.func @power_of(%x: f32, %y: f32) -> f32 {
  %z = math.powf %x, %y : f32
  return %z : f32
}

// Narrower floats are rounded once more.

// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     math.
// CHECK:         arith.extf {{.*}} : f16 to f32
// CHECK:         arith.truncf {{.*}} : f32 to f16
// CHECK:         arith.extf {{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK:         arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK:         arith.truncf {{.*}} : vector<4xf64> to vector<4xf32>
// CHECK:         arith.truncf {{.*}} : vector<4xf32> to vector<4xbf16>
// CHECK-NOT:     math.
func.func @narrow(%x: f16, %v: vector<4xbf16>) -> (f16, vector<4xbf16>) {
  %y = math.log %x : f16
  %w = math.cos %v : vector<4xbf16>
  return %y, %w : f16, vector<4xbf16>
}

// CHECK-LABEL: func.func @left_alone
// CHECK:         math.sin {{.*}} : f64
// CHECK:         math.cos {{.*}} : f64
// CHECK:         math.powf {{.*}} : f64
// CHECK:         math.sqrt {{.*}} : f32
func.func @left_alone(%x: f64, %y: f32) -> (f64, f64, f64, f32) {
  %a = math.sin %x : f64
  %b = math.cos %x : f64
  %c = math.powf %x, %x : f64
  %d = math.sqrt %y : f32
  return %a, %b, %c, %d : f64, f64, f64, f32
}
