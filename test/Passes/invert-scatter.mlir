// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision,tdsl-infer-shapes,tdsl-derive-projections,tdsl-invert-scatter))' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision,tdsl-infer-shapes,tdsl-derive-projections,tdsl-invert-scatter),convert-tdsl-to-linalg)' --split-input-file | FileCheck %s --check-prefix=LINALG

// The gradient of a window with stride 1: the iterator of the output is computed from the cell and the tap.

// CHECK-LABEL: tdsl.program @valid
tdsl.program @valid {
  tdsl.node @x : f32 "9" input
  tdsl.node @k : f32 "3" param
  tdsl.node @y : f32 "7" result
  tdsl.node @x.grad : f32 "9" result grad_of @x
  tdsl.node @k.grad : f32 "3" result grad_of @k
  tdsl.node @y.grad : f32 "7" input grad_of @y
  // CHECK: tdsl.projections @p.0 "o<+k; k => o" (@y.grad, @k) -> @x.grad
  // CHECK-SAME: space <[cell0 9 parallel, k 3 reduction] lhs[cell0] rhs1[cell0 + k * -1] guarded rhs2[k]>
  tdsl.projections @p "o<+k; k => o" (@x, @k) -> @y
  tdsl.routine @backward {
    // CHECK: tdsl.fill @x.grad neutral add
    // CHECK-NEXT: tdsl.assign @x.grad add = mul(@y.grad, @k) by @p.0
    tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p
    // Every cell of this destination is an iterator already.
    // CHECK: tdsl.assign @k.grad[rhs2] add = mul(@y.grad[lhs], @x[rhs1]) by @p
    tdsl.assign @k.grad[rhs2] reset add = mul(@y.grad[lhs], @x[rhs1]) by @p
  }
}

// -----

// With a stride, only some cells meet a tap: the index is outside where the division leaves a remainder.

// CHECK-LABEL: tdsl.program @strided
// LINALG-LABEL: func.func @backward
tdsl.program @strided {
  tdsl.node @x : f32 "9" input
  tdsl.node @k : f32 "3" param
  tdsl.node @y : f32 "4" result
  tdsl.node @x.grad : f32 "9" result grad_of @x
  tdsl.node @y.grad : f32 "4" input grad_of @y
  // CHECK: tdsl.projections @p.0
  // CHECK-SAME: lhs[cell0] rhs1[(cell0 + k * -1) floordiv 2 + ((cell0 + k * -1) mod 2) * 5] guarded rhs2[k]>
  tdsl.projections @p "2*o<+k; k => o" (@x, @k) -> @y
  // The cells are independent, the taps are added up; nothing outside is read, and what would be is neutral.
  // LINALG: %[[NEUTRAL:.*]] = arith.constant 0.000000e+00 : f32
  // LINALG: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // LINALG: %[[INDEX:.*]] = affine.apply
  // LINALG: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX]]
  // LINALG: %[[CLAMPED:.*]] = arith.select %[[INSIDE]], %[[INDEX]]
  // LINALG: tensor.extract %{{.*}}[%[[CLAMPED]]]
  // LINALG: arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : f32
  tdsl.routine @backward {
    tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p
  }
}

// -----

// What stays: a destination that is read, an accumulator that does not ignore its neutral element, a window whose
// output no operand indexes.

// CHECK-LABEL: tdsl.program @stays
tdsl.program @stays {
  tdsl.node @x : f32 "4" input
  tdsl.node @k : f32 "2" input
  tdsl.node @y : f32 "3" result
  tdsl.node @g : f32 "4" leaf
  tdsl.node @one : f32 "1:bcast_if_1" input
  // CHECK-NOT: @p.0
  tdsl.projections @p "o<+k; k => o" (@x, @k) -> @y
  tdsl.routine @r {
    // CHECK: tdsl.assign @g[rhs1] add = mul(@g[rhs1], @k[rhs2]) by @p
    tdsl.assign @g[rhs1] add = mul(@g[rhs1], @k[rhs2]) by @p
    // CHECK: tdsl.assign @g[rhs1] or = id(@y[lhs]) by @p
    tdsl.assign @g[rhs1] or = id(@y[lhs]) by @p
    // CHECK: tdsl.assign @g[rhs1] add = id(@one[scalar]) by @p
    tdsl.assign @g[rhs1] add = id(@one[scalar]) by @p
  }
}
