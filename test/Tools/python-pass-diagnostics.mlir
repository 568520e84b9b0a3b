// RUN: %with_sample_plugin tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(sample-count-assignments{limit=1}))' --split-input-file --verify-diagnostics

// expected-error @+1 {{2 assignments, but at most 1 are allowed}}
tdsl.program @two {
  tdsl.node @x : f32 "4" input
  tdsl.node @y : f32 "4" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @run {
    tdsl.assign @y overwrite = exp(@x) by @p
    // expected-note @+1 {{this is the first above the limit}}
    tdsl.assign @y overwrite = exp(@x) by @p
  }
}

// -----

// expected-remark @+1 {{1 assignments}}
tdsl.program @one {
  tdsl.node @x : f32 "4" input
  tdsl.node @y : f32 "4" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @run {
    tdsl.assign @y overwrite = exp(@x) by @p
  }
}
