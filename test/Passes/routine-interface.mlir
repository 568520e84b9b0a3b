// RUN: tdsl-opt %s --tdsl-annotate-arguments --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-annotate-arguments,finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-conv=true},reconcile-unrealized-casts,tdsl-add-packed-entries)' --split-input-file | FileCheck %s --check-prefix=LLVM
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts,tdsl-add-packed-entries)' --split-input-file 2>&1 | FileCheck %s --check-prefix=WRONG

// What a routine writes overlaps nothing, inputs are only read, and empty arrays may be null.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<4x3xf32> {llvm.align = 4 : i64, llvm.dereferenceable = 48 : i64, llvm.noalias, llvm.readonly, tdsl.access = "in", tdsl.node = "x"}
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<vector<4xi32>> {llvm.align = 16 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias, tdsl.access = "inout", tdsl.node = "k"}
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<0xi8> {llvm.align = 8 : i64, llvm.noalias, tdsl.access = "out", tdsl.node = "y"}
// CHECK-SAME:    %{{[a-z0-9]+}}: index {tdsl.symbol = "i"}
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<64xi8> {llvm.align = 64 : i64, llvm.dereferenceable = 64 : i64, llvm.noalias, tdsl.workspace})

// CHECK:         memref.view %{{.*}} : memref<0xi8> to memref<2x0xf64>
// CHECK:         memref.dim

// LLVM-LABEL: llvm.func @f(
// LLVM-SAME:    %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 4 : i64, llvm.dereferenceable = 48 : i64, llvm.noalias, llvm.readonly
// LLVM-SAME:    %{{[a-z0-9]+}}: i64
// LLVM-SAME:    %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64
// LLVM-LABEL: llvm.func @f.packed(
// LLVM-SAME:    %[[P:[a-z0-9]+]]: !llvm.ptr, %[[S:[a-z0-9]+]]: !llvm.ptr, %[[W:[a-z0-9]+]]: !llvm.ptr)
// LLVM:         %[[XP:.*]] = llvm.getelementptr %[[P]][0]
// LLVM:         %[[X:.*]] = llvm.load %[[XP]]
// LLVM:         %[[KP:.*]] = llvm.getelementptr %[[P]][1]
// LLVM:         %[[K:.*]] = llvm.load %[[KP]]
// LLVM:         %[[YP:.*]] = llvm.getelementptr %[[P]][2]
// LLVM:         %[[Y:.*]] = llvm.load %[[YP]]
// LLVM:         %[[IP:.*]] = llvm.getelementptr %[[S]][0]
// LLVM:         %[[I:.*]] = llvm.load %[[IP]] : !llvm.ptr -> i64
// LLVM:         llvm.call @f(%[[X]], %[[K]], %[[Y]], %[[I]], %[[W]]) {no_inline}

// WRONG: error: the function of routine "f" does not have the interface of routines: run tdsl-plan-workspace, and convert-func-to-llvm with use-bare-ptr-memref-call-conv
func.func @f(
    %x: memref<4x3xf32> {tdsl.node = "x", tdsl.access = "in"},
    %k: memref<vector<4xi32>> {tdsl.node = "k", tdsl.access = "inout"},
    %y: memref<2x0xf64> {tdsl.node = "y", tdsl.access = "out"},
    %i: index {tdsl.symbol = "i"},
    %w: memref<64xi8> {tdsl.workspace}) attributes {tdsl.routine = "f"} {
  %zero = arith.constant 0 : index
  %size = memref.dim %y, %zero : memref<2x0xf64>
  return
}

// -----

// Functions that are no routines stay as they are.

// CHECK-LABEL: func.func private @g(%{{[a-z0-9]+}}: memref<4xf32>) {
// LLVM-LABEL: llvm.func @g(
// LLVM-NOT:   packed
func.func private @g(%x: memref<4xf32>) {
  return
}
