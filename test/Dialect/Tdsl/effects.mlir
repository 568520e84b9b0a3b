// RUN: tdsl-opt %s --pass-pipeline='builtin.module(canonicalize,cse,symbol-dce,tdsl.program(canonicalize,cse,symbol-dce,tdsl.routine(canonicalize,cse)))' | FileCheck %s --match-full-lines

// Cleanup passes neither drop, merge nor move what writes a node: not twice the same, not dead stores, not comments.

// CHECK: tdsl.program @effects {
tdsl.program @effects {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.dim @h
  tdsl.dim @h
  // CHECK-NEXT: tdsl.node @x : f32 "4|->4" input
  tdsl.node @x : f32 "4|->4" input
  // CHECK-NEXT: tdsl.node @y : f32 "|->4" result id 1
  tdsl.node @y : f32 "|->4" result id 1
  // CHECK-NEXT: tdsl.node private @hidden : f32 "|->4" result
  tdsl.node private @hidden : f32 "|->4" result
  // CHECK-NEXT: tdsl.node @words : uint4x32 "|1->" leaf
  tdsl.node @words : uint4x32 "|1->" leaf
  // CHECK-NEXT: tdsl.projections @p "." (@y) -> @hidden
  tdsl.projections @p "." (@y) -> @hidden
  // CHECK-NEXT: tdsl.projections @u uniform (@words) -> @y
  tdsl.projections @u uniform (@words) -> @y
  // CHECK-NEXT: tdsl.close @y because "printing"
  tdsl.close @y because "printing"
  // CHECK-NEXT: tdsl.close @y because "printing"
  tdsl.close @y because "printing"
  // CHECK-NEXT: tdsl.set_dim @h = 3
  tdsl.set_dim @h = 3
  // CHECK-NEXT: tdsl.routine @step(%i: !tdsl.index<@i>) {
  tdsl.routine @step(%i: !tdsl.index<@i>) {
    // CHECK-NEXT: tdsl.fill @y neutral add
    tdsl.fill @y neutral add
    // CHECK-NEXT: tdsl.fill @y neutral add
    tdsl.fill @y neutral add
    // CHECK-NEXT: tdsl.fetch @y = constant 1.000000e+00
    tdsl.fetch @y = constant 1.000000e+00
    // CHECK-NEXT: tdsl.fetch @y = constant 1.000000e+00
    tdsl.fetch @y = constant 1.000000e+00
    // CHECK-NEXT: tdsl.fetch @y = self_id
    tdsl.fetch @y = self_id
    // CHECK-NEXT: tdsl.fetch @y = dim @h
    tdsl.fetch @y = dim @h
    // CHECK-NEXT: tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
    tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
    // CHECK-NEXT: tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
    tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
    // CHECK-NEXT: tdsl.assign @hidden overwrite = id(@y) by @p
    tdsl.assign @hidden overwrite = id(@y) by @p
    // CHECK-NEXT: tdsl.assign @hidden overwrite = id(@y) by @p
    tdsl.assign @hidden overwrite = id(@y) by @p
    // CHECK-NEXT: tdsl.assign @hidden add = id(@y) by @p
    tdsl.assign @hidden add = id(@y) by @p
    // CHECK-NEXT: tdsl.assign @hidden add = id(@y) by @p
    tdsl.assign @hidden add = id(@y) by @p
    // CHECK-NEXT: tdsl.assign @hidden reset add = id(@y) by @p
    tdsl.assign @hidden reset add = id(@y) by @p
    // CHECK-NEXT: tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u
    // CHECK-NEXT: tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u
    // CHECK-NEXT: tdsl.comment "twice" {
    tdsl.comment "twice" {
      // CHECK-NEXT: tdsl.fill @y neutral max
      tdsl.fill @y neutral max
      // CHECK-NEXT: }
    }
    // CHECK-NEXT: tdsl.comment "twice" {
    tdsl.comment "twice" {
      // CHECK-NEXT: tdsl.fill @y neutral max
      tdsl.fill @y neutral max
      // CHECK-NEXT: }
    }
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @empty {
  tdsl.routine @empty {
    tdsl.comment "around nothing, so it may go" {
    }
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: }
}
