// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg)' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections),convert-tdsl-to-linalg,canonicalize,cse,tdsl-fuse-elementwise,canonicalize,cse,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,one-shot-bufferize,canonicalize,cse)' --split-input-file | FileCheck %s --check-prefix=BUFFER

// In, out, inout and temporary, in the order of the declarations; results are stored last.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<3xf32> {tdsl.access = "in", tdsl.node = "x"}
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<3xf32> {tdsl.access = "inout", tdsl.node = "w"}
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<3xf32> {tdsl.access = "out", tdsl.node = "y"})
// CHECK-SAME:    attributes {tdsl.routine = "forward"}
// CHECK-DAG:     bufferization.to_tensor %[[X]] restrict : memref<3xf32>
// CHECK-DAG:     bufferization.to_tensor %[[W]] restrict writable : memref<3xf32>
// CHECK-COUNT-3: linalg.generic
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[W]]
// CHECK-NEXT:    bufferization.materialize_in_destination %{{.*}} in restrict writable %[[Y]]
// CHECK-NEXT:    return
// The only memory made is that of the temporary.
// BUFFER-LABEL: func.func @forward(
// BUFFER-COUNT-1: memref.alloc
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         return
tdsl.program @p {
  tdsl.node @x : f32 "->3" input
  tdsl.node private @t : f32 "->3" result
  tdsl.node @w : f32 "->3" param
  tdsl.node @y : f32 "->3" result
  tdsl.projections @a "." (@x) -> @t
  tdsl.projections @b "." (@t) -> @y
  tdsl.projections @c "." (@t) -> @w
  tdsl.routine @forward {
    tdsl.assign @t overwrite = exp(@x) by @a
    tdsl.assign @y overwrite = neg(@t) by @b
    tdsl.assign @w sub = id(@t) by @c
  }
}

// -----

// An update in place has no copy, whether it accumulates or overwrites.

// BUFFER-LABEL: func.func @update(
// BUFFER-NOT:     memref.copy
// BUFFER-NOT:     memref.alloc
// BUFFER:         return
// BUFFER-LABEL: func.func @decay(
// BUFFER-NOT:     memref.copy
// BUFFER-NOT:     memref.alloc
// BUFFER:         return
tdsl.program @p {
  tdsl.node @w : f32 "->3" param
  tdsl.node @g : f32 "->3" input
  tdsl.projections @u "." (@g) -> @w
  tdsl.projections @v "." (@w, @g) -> @w
  tdsl.routine @update { tdsl.assign @w sub = id(@g) by @u }
  tdsl.routine @decay { tdsl.assign @w overwrite = mul(@w, @g) by @v }
}

// -----

// Two nodes swapped: one copy of the cells that are overwritten before they are read.

// BUFFER-LABEL: func.func @swap(%arg0: memref<3xf32> {{.*}}, %arg1: memref<3xf32>
// BUFFER:         %[[COPY:.*]] = memref.alloc() {{.*}} : memref<3xf32>
// BUFFER:         memref.copy %arg0, %[[COPY]]
// BUFFER:         return
tdsl.program @p {
  tdsl.node @a : f32 "->3" param
  tdsl.node @b : f32 "->3" param
  tdsl.node private @t : f32 "->3" result
  tdsl.projections @p "." (@a) -> @t
  tdsl.projections @q "." (@b) -> @a
  tdsl.projections @r "." (@t) -> @b
  tdsl.routine @swap {
    tdsl.assign @t overwrite = id(@a) by @p
    tdsl.assign @a overwrite = id(@b) by @q
    tdsl.assign @b overwrite = id(@t) by @r
  }
}

// -----

// A private node of two routines is an argument of both; merge buffers and symbols follow the nodes.

// CHECK-LABEL: func.func @first(
// CHECK-SAME:    memref<3xf32> {tdsl.access = "in", tdsl.node = "x"}
// CHECK-SAME:    memref<3xf32> {tdsl.access = "out", tdsl.node = "h"})
// CHECK-LABEL: func.func @second(
// CHECK-SAME:    memref<3xf32> {tdsl.access = "in", tdsl.node = "h"}
// CHECK-SAME:    memref<3xf32> {tdsl.access = "inout", tdsl.node = "g"}
// CHECK-SAME:    memref<3xf32> {tdsl.access = "in", tdsl.merge = "g"}
// CHECK-SAME:    index {tdsl.symbol = "i"})
tdsl.program @p {
  tdsl.symbol @i range 0 to 2
  tdsl.node @x : f32 "->3" input
  tdsl.node private @h : f32 "->3" result
  tdsl.node @g : f32 "->3" result
  tdsl.projections @a "." (@x) -> @h
  tdsl.projections @b "." (@h, @g) -> @g
  tdsl.routine @first { tdsl.assign @h overwrite = exp(@x) by @a }
  tdsl.routine @second(%i: !tdsl.index<@i>) { tdsl.assign @g add = mul(@h, merge(@g)) by @b }
}

// -----

// A routine may have the name of its program.

// CHECK-LABEL: func.func @same()
tdsl.program @same {
  tdsl.routine @same {}
}
