// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl-share-loops{threads=4})' | FileCheck %s
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl-share-loops{threads=0})' 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: the number of threads is at least 1, not 0

// Each thread begins with its own number, and takes every n-th iteration, however many threads there are.

// CHECK-DAG: llvm.func @omp_get_thread_num() -> i32
// CHECK-DAG: llvm.func @omp_get_num_threads() -> i32

// CHECK-LABEL: func.func @copy
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>
// CHECK: %[[THREADS:.*]] = arith.constant 4 : i32
// CHECK: omp.parallel num_threads(%[[THREADS]] : i32)
// CHECK: %[[FIRST:.*]] = arith.addi %c0
// CHECK: %[[STRIDE:.*]] = arith.muli %{{.*}}, %c1
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %c8 step %[[STRIDE]] {
// CHECK-NEXT: %[[CELL:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT: memref.store %[[CELL]], %[[Y]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: omp.terminator
// CHECK-NOT: scf.parallel
func.func @copy(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  scf.parallel (%i) = (%zero) to (%eight) step (%one) {
    %cell = memref.load %x[%i] : memref<8xf32>
    memref.store %cell, %y[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// A loop with a result, or of several dimensions, is none of ours.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: scf.parallel
func.func @others(%x: memref<8x8xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %start = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%zero, %zero) to (%eight, %eight) step (%one, %one) {
    memref.store %start, %x[%i, %j] : memref<8x8xf32>
    scf.reduce
  }
  %sum = scf.parallel (%i) = (%zero) to (%eight) step (%one) init (%start) -> f32 {
    %cell = memref.load %x[%i, %i] : memref<8x8xf32>
    scf.reduce(%cell : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %sum : f32
}
