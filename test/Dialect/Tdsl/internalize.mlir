// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize))' | FileCheck %s --check-prefixes=CHECK,ALL --match-full-lines
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize{keep=h,seed}))' | FileCheck %s --check-prefixes=CHECK,KEEP --match-full-lines
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize{keep=h},symbol-dce))' | FileCheck %s --check-prefix=DCE --match-full-lines
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize{keep=nothing}))' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize{keep=size}))' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl-internalize)' 2>&1 | FileCheck %s --check-prefix=ANCHOR

// MISSING: internalize.mlir:[[@LINE+6]]:1: error: 'tdsl-internalize' is asked to keep @nothing, which is not a node of @training
// OTHER: internalize.mlir:[[@LINE+5]]:1: error: 'tdsl-internalize' is asked to keep @size, which is not a node of @training
// ANCHOR: Can't add pass 'TdslInternalize' restricted to 'tdsl.program' on a PassManager intended to run on 'builtin.module'

// CHECK: tdsl.program @training {
// DCE: tdsl.program @training {
tdsl.program @training {
  // CHECK-NEXT: tdsl.dim @size
  // DCE-NEXT: tdsl.dim @size
  tdsl.dim @size
  // CHECK-NEXT: tdsl.node @x : f32 "|->3" input
  // DCE-NEXT: tdsl.node @x : f32 "|->3" input
  tdsl.node @x : f32 "|->3" input
  // CHECK-NEXT: tdsl.node @w : f32 "|->3" param
  // DCE-NEXT: tdsl.node @w : f32 "|->3" param
  tdsl.node @w : f32 "|->3" param
  // CHECK-NEXT: tdsl.node @w.grad : f32 "|->3" result grad_of @w
  // DCE-NEXT: tdsl.node @w.grad : f32 "|->3" result grad_of @w
  tdsl.node @w.grad : f32 "|->3" result grad_of @w
  // ALL-NEXT: tdsl.node private @h : f32 "|->3" result
  // KEEP-NEXT: tdsl.node @h : f32 "|->3" result
  // DCE-NEXT: tdsl.node @h : f32 "|->3" result
  tdsl.node @h : f32 "|->3" result
  // CHECK-NEXT: tdsl.node private @h.grad : f32 "|->3" result grad_of @h
  tdsl.node @h.grad : f32 "|->3" result grad_of @h
  // ALL-NEXT: tdsl.node private @seed : f32 "|->3" leaf
  // KEEP-NEXT: tdsl.node @seed : f32 "|->3" leaf
  tdsl.node @seed : f32 "|->3" leaf
  // CHECK-NEXT: tdsl.node private @start : f32 "|->3" init
  tdsl.node @start : f32 "|->3" init
  // CHECK-NEXT: tdsl.node private @stretched : f32 "|->3" stretch
  tdsl.node @stretched : f32 "|->3" stretch
  // CHECK-NEXT: tdsl.node private @already : f32 "|->3" result
  tdsl.node private @already : f32 "|->3" result
  // CHECK-NEXT: tdsl.node private @explicitly_public : f32 "|->3" result
  tdsl.node public @explicitly_public : f32 "|->3" result
  // CHECK-NEXT: tdsl.routine @forward {
  // DCE-NEXT: tdsl.routine @forward {
  tdsl.routine @forward {
  }
}
