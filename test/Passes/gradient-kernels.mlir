// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-to-nvvm)' | FileCheck %s

// The gradient of a window runs in kernels as a whole: nothing is left for a loop on the host.

// CHECK-LABEL: func.func @run(
// CHECK-NOT:     memref.store
// CHECK:         gpu.launch_func
// CHECK-NOT:     memref.store
// CHECK:         gpu.launch_func
// CHECK-NOT:     memref.store
// CHECK:         return
tdsl.program @gradient {
  tdsl.node @x : f32 "9" input
  tdsl.node @k : f32 "3" input
  tdsl.node @y : f32 "4" result
  tdsl.node @x.grad : f32 "9" result grad_of @x
  tdsl.node @y.grad : f32 "4" input grad_of @y
  tdsl.projections @p "2*o<+k; k => o" (@x, @k) -> @y
  tdsl.routine @run { tdsl.assign @x.grad[rhs1] reset add = mul(@y.grad[lhs], @k[rhs2]) by @p }
}
