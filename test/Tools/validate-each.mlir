// RUN: tdsl-opt %s --tdsl-validate-each --pass-pipeline='builtin.module(tdsl-to-cpu)' -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=RIGHT
// RUN: %with_test_passes not tdsl-opt %s --tdsl-validate-each --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision,tdsl-infer-shapes,test-change-result,tdsl-derive-projections))' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: tdsl-opt --help | FileCheck %s --check-prefix=HELP

// RIGHT-NOT: error
// RIGHT-NOT: not validated

// The result of the first pass that is wrong is reported, once: later passes are compared with what they were given.

// WRONG: validate-each.mlir:[[@LINE+5]]:1: error: pass 'test-change-result' changes what routine @forward computes: @y[{{.*}}] is {{.*}} before, but {{.*}} after
// WRONG-NOT: error

// HELP: --tdsl-validate-each

tdsl.program @layer {
  tdsl.symbol @i range 0 to 3
  tdsl.node @batches : f32 "3,4|->5" input
  tdsl.node @x : f32 "...|...->..." result
  tdsl.node @w : ? "..i..->..o.." param
  tdsl.node @y : ? "...|...->7" result
  tdsl.node private @h : ? "...|...->..." result
  tdsl.projections @take slice(@i) (@batches) -> @x
  tdsl.projections @p "@" (@w, @x) -> @h
  tdsl.projections @q "." (@h) -> @y
  tdsl.routine @forward(%i: !tdsl.index<@i>) {
    tdsl.assign @x overwrite = id(@batches) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @h reset add = mul(@w, @x) by @p
    tdsl.assign @y overwrite = tanh(@h) by @q
  }
}
