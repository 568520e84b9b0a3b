// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(symbol-dce))' | FileCheck %s --match-full-lines

// A private symbol stays while something that stays uses it, through whichever attribute.

// CHECK: tdsl.program @uses {
tdsl.program @uses {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.dim @h
  tdsl.dim @h
  // CHECK-NEXT: tdsl.node @x : f32 "4|->3" input
  tdsl.node @x : f32 "4|->3" input
  // CHECK-NEXT: tdsl.node private @destination : f32 "|->3" result
  tdsl.node private @destination : f32 "|->3" result
  // CHECK-NEXT: tdsl.node private @source : f32 "|->3" leaf
  tdsl.node private @source : f32 "|->3" leaf
  // CHECK-NEXT: tdsl.node private @merged : f32 "|->3" leaf
  tdsl.node private @merged : f32 "|->3" leaf
  // CHECK-NEXT: tdsl.node private @differentiated : f32 "|->3" result
  tdsl.node private @differentiated : f32 "|->3" result
  // CHECK-NEXT: tdsl.node @gradient : f32 "|->3" result grad_of @differentiated
  tdsl.node @gradient : f32 "|->3" result grad_of @differentiated
  // CHECK-NEXT: tdsl.node private @constrained : f32 "|->..o.." result
  tdsl.node private @constrained : f32 "|->..o.." result
  // CHECK-NEXT: tdsl.node private @filled : f32 "|->3" result
  tdsl.node private @filled : f32 "|->3" result
  // CHECK-NEXT: tdsl.node private @sliced : f32 "4|->3" leaf
  tdsl.node private @sliced : f32 "4|->3" leaf
  tdsl.node private @unused : f32 "|->3" result
  tdsl.node private @unused_gradient : f32 "|->3" result grad_of @unused
  // CHECK-NEXT: tdsl.projections private @used_space "." (@source, @merged) -> @destination
  tdsl.projections private @used_space "." (@source, @merged) -> @destination
  tdsl.projections private @unused_space "." (@x) -> @unused
  // CHECK-NEXT: tdsl.set_equal @constrained[output, 0], @h
  tdsl.set_equal @constrained[output, 0], @h
  // CHECK-NEXT: tdsl.routine @public(%i: !tdsl.index<@i>) {
  tdsl.routine @public(%i: !tdsl.index<@i>) {
    // CHECK-NEXT: tdsl.comment "nested" {
    tdsl.comment "nested" {
      // CHECK-NEXT: tdsl.assign @destination add = mul(@source, merge(@merged)) by @used_space
      tdsl.assign @destination add = mul(@source, merge(@merged)) by @used_space
      // CHECK-NEXT: }
    }
    // CHECK-NEXT: tdsl.fill @filled neutral max
    tdsl.fill @filled neutral max
    // CHECK-NEXT: tdsl.fetch @filled = slice @sliced at %i : !tdsl.index<@i>
    tdsl.fetch @filled = slice @sliced at %i : !tdsl.index<@i>
    // CHECK-NEXT: }
  }
  tdsl.routine private @unused_routine {
    tdsl.fill @unused neutral add
  }
  // CHECK-NEXT: }
}
