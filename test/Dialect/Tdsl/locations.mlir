// RUN: tdsl-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-debuginfo | tdsl-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --match-full-lines
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-internalize{keep=nothing}))' 2>&1 | FileCheck %s --check-prefix=ERROR

// Operations and arguments keep the line of the user's program, and errors show it.

// ERROR: model.py:1:2: error: 'tdsl-internalize' is asked to keep @nothing, which is not a node of @placed

#line = loc("model.py":7:3)
// CHECK: tdsl.program @placed {
tdsl.program @placed {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4 loc("model.py":2:3)
  tdsl.symbol @i range 0 to 4 loc("model.py":2:3)
  // CHECK-NEXT: tdsl.node @x : f32 "|->3" leaf {note = "kept"} loc("x"("model.py":3:3))
  tdsl.node @x : f32 "|->3" leaf {note = "kept"} loc("x"("model.py":3:3))
  // CHECK-NEXT: tdsl.routine @r(%i: !tdsl.index<@i> loc("model.py":5:9)) {
  tdsl.routine @r(%i: !tdsl.index<@i> loc("model.py":5:9)) {
    // CHECK-NEXT: tdsl.comment "c" {
    tdsl.comment "c" {
      // CHECK-NEXT: tdsl.fill @x neutral add loc("model.py":7:3)
      tdsl.fill @x neutral add loc(#line)
      // CHECK-NEXT: } loc("model.py":6:3)
    } loc("model.py":6:3)
    // CHECK-NEXT: } loc("model.py":4:3)
  } loc("model.py":4:3)
  // CHECK-NEXT: } loc("model.py":1:2)
} loc("model.py":1:2)
