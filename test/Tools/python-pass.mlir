// RUN: %with_sample_plugin tdsl-opt %s --pass-pipeline='builtin.module(canonicalize,tdsl.program(sample-count-assignments{label=writes weight=0.5},tdsl-internalize),cse)' 2>&1 | FileCheck %s
// RUN: %with_sample_plugin tdsl-opt %s --sample-count-assignments='label=writes weight=0.5' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %with_sample_plugin tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(sample-count-assignments{quiet}))' --mlir-print-ir-after-all --mlir-timing 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %with_sample_plugin tdsl-opt --help | FileCheck %s --check-prefix=HELP

// A Python pass is an ordinary pass: it nests between passes in C++, and every report knows it.

// CHECK: python-pass.mlir:[[@LINE+2]]:1: remark: 1 writes
// REMARK: python-pass.mlir:[[@LINE+1]]:1: remark: 1 writes
tdsl.program @first {
  tdsl.node @x : f32 "4" input
  tdsl.node @y : f32 "4" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @run {
    tdsl.assign @y overwrite = exp(@x) by @p
    tdsl.assign @y overwrite = exp(@x) by @p
  }
}

// CHECK: tdsl.node private @y

// REPORT: IR Dump After {{.*}}sample-count-assignments
// REPORT: tdsl.program @first
// REPORT: Execution time report
// REPORT: sample-count-assignments

// HELP: --sample-count-assignments {{ *}}- Emit a remark on each program with its number of assignments
// HELP-NEXT: --label=<string> {{ *}}- what the remark calls them
// HELP-NEXT: --limit=<{{.*}}> {{ *}}- fail above this number; -1 for no limit
// HELP-NEXT: --quiet {{ *}}- emit no remark
// HELP-NEXT: --skip=<string> {{ *}}- names of programs to leave out
// HELP-NEXT: --weight=<number> {{ *}}- factor on the number in the remark
// HELP: --tdsl-internalize
