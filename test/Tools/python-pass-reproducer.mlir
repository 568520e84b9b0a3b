// RUN: %with_test_passes not tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(test-raise{own text={no such axis}}))' --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE < %t
// RUN: %with_test_passes not tdsl-opt %t --run-reproducer 2>&1 | FileCheck %s

// The options of a Python pass survive the way through a reproducer.

// CHECK: error: no such axis
// FILE: pipeline: "builtin.module(tdsl.program(test-raise{own=true text={no such axis}}))"
tdsl.program @program {
}
