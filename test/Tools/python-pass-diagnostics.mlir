// RUN: %with_sample_plugin tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(sample-count-assignments{limit=1}))' --split-input-file --verify-diagnostics

// expected-error @+1 {{2 assignments, but at most 1 are allowed}}
tdsl.program @two {
  tdsl.assign
  // expected-note @+1 {{this is the first above the limit}}
  tdsl.assign
}

// -----

// expected-remark @+1 {{1 assignments}}
tdsl.program @one {
  tdsl.assign
}
