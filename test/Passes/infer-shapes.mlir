// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-shapes))' --split-input-file --verify-diagnostics | FileCheck %s

// Rows of a composition, and a gradient with the shape of its node.

// CHECK-LABEL: tdsl.program @affine
// CHECK:         tdsl.node @w : f32 "|3->4" param
// CHECK:         tdsl.node @w.grad : f32 "|3->4" result grad_of @w
// CHECK:         tdsl.node @h : f32 "8|->4" result
tdsl.program @affine {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : f32 "..i..->..o.." param
  tdsl.node @w.grad : f32 "...|...->..." result grad_of @w
  tdsl.node @h : f32 "8|->4" result
  tdsl.projections @p "@" (@w, @x) -> @h
}

// -----

// A capture gets its number.

// CHECK-LABEL: tdsl.program @captured
// CHECK:         tdsl.dim @d = 5
tdsl.program @captured {
  tdsl.dim @d
  tdsl.node @x : f32 "->5" input
  tdsl.node @y : f32 "...|...->..." result
  tdsl.projections @p "i => i" (@x) -> @y captures {i = @d}
}

// -----

tdsl.program @cycle {
  // expected-error @below {{@a is its own gradient: @a is grad_of @b is grad_of @a}}
  tdsl.node @a : f32 "->2" result grad_of @b
  tdsl.node @b : f32 "->2" result grad_of @a
}
