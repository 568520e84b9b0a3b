// RUN: tdsl-opt %s --tdsl-validate-each --pass-pipeline='builtin.module(tdsl-to-cpu)' -o /dev/null 2>&1 | FileCheck %s
// RUN: %with_test_passes not tdsl-opt %s --tdsl-validate-each --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision,tdsl-infer-shapes,test-change-result))' 2>&1 | FileCheck %s --check-prefix=WRONG

// A routine that the interpreter does not run is named, once; the other ones are validated.

// CHECK: {{.*}}validate-each-refused.mlir:[[@LINE+12]]:3: remark: routine @halves is not validated, '{{.*}}' and later: `d^d` names a component twice.
// CHECK-NOT: remark
// CHECK-NOT: error

// WRONG: changes what routine @copy computes

tdsl.program @p {
  tdsl.node @x : f64 "|->6" input
  tdsl.node @y : f64 "|->3" result
  tdsl.node @z : f64 "|->6" result
  tdsl.projections @p1 "d^d => d" (@x) -> @y
  tdsl.projections @p2 "." (@x) -> @z
  tdsl.routine @halves { tdsl.assign @y reset add = id(@x) by @p1 }
  tdsl.routine @copy { tdsl.assign @z add = tanh(@x) by @p2 }
}
