// RUN: tdsl-opt %s --tdsl-plan-workspace --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --tdsl-plan-workspace=max-slots=3 --split-input-file | FileCheck %s --check-prefix=FEW

// A function without scratch takes an empty workspace; one that is no routine takes none.

// CHECK-LABEL: func.func @nothing(%{{.*}}: memref<4xf32>, %{{.*}}: index, %{{.*}}: memref<0xi8> {tdsl.workspace})
// CHECK-SAME:    attributes {tdsl.routine = "nothing", tdsl.workspace = 0 : i64}
func.func @nothing(%x: memref<4xf32>, %i: index) attributes {tdsl.routine = "nothing"} {
  return
}

// CHECK-LABEL: func.func @helper(%{{.*}}: memref<4xf32>) {
// CHECK:         memref.alloc()
func.func @helper(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// The first buffer is dead when the third begins, which takes its place. All are aligned to 64 bytes.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<192xi8> {tdsl.workspace})
// CHECK-SAME:    tdsl.workspace = 192 : i64
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         %[[A:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[W]][%[[A]]][] : memref<192xi8> to memref<20xf32>
// CHECK:         %[[B:.*]] = arith.constant 128 : index
// CHECK:         memref.view %[[W]][%[[B]]][] : memref<192xi8> to memref<5xf32>
// CHECK:         %[[C:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[W]][%[[C]]][] : memref<192xi8> to memref<20xf32>
func.func @chain(%x: memref<20xf32>, %y: memref<5xf32>) attributes {tdsl.routine = "chain"} {
  %a = memref.alloc() {alignment = 64 : i64} : memref<20xf32>
  memref.copy %x, %a : memref<20xf32> to memref<20xf32>
  %b = memref.alloc() : memref<5xf32>
  %part = memref.subview %a[0] [5] [1] : memref<20xf32> to memref<5xf32, strided<[1]>>
  memref.copy %part, %b : memref<5xf32, strided<[1]>> to memref<5xf32>
  memref.dealloc %a : memref<20xf32>
  %c = memref.alloc() : memref<20xf32>
  memref.copy %x, %c : memref<20xf32> to memref<20xf32>
  memref.copy %b, %y : memref<5xf32> to memref<5xf32>
  memref.copy %c, %x : memref<20xf32> to memref<20xf32>
  memref.dealloc %b : memref<5xf32>
  memref.dealloc %c : memref<20xf32>
  return
}

// -----

// In a sequential loop all iterations use one buffer. What lives around the loop shares no memory with it.

// CHECK-LABEL: func.func @sequential(
// CHECK-SAME:    memref<128xi8> {tdsl.workspace}
// CHECK-NOT:     memref.alloc
// CHECK:         return
// FEW-LABEL:   func.func @sequential(
// FEW-SAME:      memref<128xi8> {tdsl.workspace}
func.func @sequential(%x: memref<4xf32>, %n: index) attributes {tdsl.routine = "sequential"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = memref.alloc() : memref<4xf32>
  memref.copy %x, %sum : memref<4xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %sum, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// Iterations of parallel loops have a slot each, and none of them is reused inside of the loop.

// CHECK-LABEL: func.func @parallel(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<448xi8> {tdsl.workspace}
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:           %[[AT:.*]] = affine.apply {{.*}}(%[[J]], %[[I]])
// CHECK:           memref.view %[[W]][%[[AT]]][] : memref<448xi8> to memref<16xf32>
// CHECK:         scf.forall (%[[K:.*]]) in (2) {
// CHECK:           memref.view %[[W]]{{.*}} : memref<448xi8> to memref<4xf32>
// CHECK:           memref.view %[[W]]{{.*}} : memref<448xi8> to memref<4xf32>
// CHECK:         return
// FEW-LABEL:   func.func @parallel(
// FEW-SAME:      memref<320xi8> {tdsl.workspace}
// FEW:           scf.parallel
// FEW:             memref.alloc() : memref<16xf32>
// FEW:           scf.forall
// FEW-NOT:         memref.alloc
// FEW:           return
func.func @parallel(%x: memref<16xf32>, %y: memref<4xf32>) attributes {tdsl.routine = "parallel"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i, %j) = (%c0, %c1) to (%c7, %c2) step (%c1, %c1) {
    scf.for %k = %c0 to %c2 step %c1 {
      %a = memref.alloc() : memref<16xf32>
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    }
    scf.reduce
  }
  %before = memref.alloc() : memref<4xf32>
  memref.copy %y, %before : memref<4xf32> to memref<4xf32>
  scf.forall (%k) in (2) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %y, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %y : memref<4xf32> to memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  }
  memref.copy %before, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Buffers that leave a branch live on after it; those that go into the next iteration stay allocations.

// CHECK-LABEL: func.func @branches(
// CHECK-SAME:    memref<192xi8> {tdsl.workspace}
// CHECK:         scf.if
// CHECK:           memref.view
// CHECK:           memref.view
// CHECK:         scf.for
// CHECK:           memref.alloc()
func.func @branches(%x: memref<4xf32>, %n: index, %p: i1) attributes {tdsl.routine = "branches"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %chosen = scf.if %p -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %first = memref.alloc() : memref<4xf32>
  memref.copy %chosen, %first : memref<4xf32> to memref<4xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%current = %first) -> memref<4xf32> {
    %next = memref.alloc() : memref<4xf32>
    memref.copy %current, %next : memref<4xf32> to memref<4xf32>
    scf.yield %next : memref<4xf32>
  }
  memref.copy %last, %x : memref<4xf32> to memref<4xf32>
  memref.copy %chosen, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What is not plain memory of a constant size stays.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    memref<0xi8> {tdsl.workspace}
// CHECK-COUNT-4: memref.alloc
func.func @kept(%x: memref<4xf32>, %n: index) attributes {tdsl.routine = "kept"} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %a[%c0] : memref<?xf32>
  %b = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
  memref.store %f, %b[%c0] : memref<4xf32>
  %c = memref.alloc() : memref<4xf32, 1>
  memref.store %f, %c[%c0] : memref<4xf32, 1>
  %d = memref.alloc() : memref<4xf32>
  %address = memref.extract_aligned_pointer_as_index %d : memref<4xf32> -> index
  %at = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %at : i64 to !llvm.ptr
  llvm.store %f, %pointer : f32, !llvm.ptr
  return
}

// -----

// Cells of words and truth values have their size in memory.

// CHECK-LABEL: func.func @cells(
// CHECK-SAME:    memref<256xi8> {tdsl.workspace}
func.func @cells(%x: memref<65xi1>, %y: memref<5xvector<4xi32>>) attributes {tdsl.routine = "cells"} {
  %a = memref.alloc() : memref<65xi1>
  %b = memref.alloc() : memref<5xvector<4xi32>>
  memref.copy %x, %a : memref<65xi1> to memref<65xi1>
  memref.copy %y, %b : memref<5xvector<4xi32>> to memref<5xvector<4xi32>>
  memref.copy %a, %x : memref<65xi1> to memref<65xi1>
  memref.copy %b, %y : memref<5xvector<4xi32>> to memref<5xvector<4xi32>>
  return
}
