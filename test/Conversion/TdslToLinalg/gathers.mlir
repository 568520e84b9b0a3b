// RUN: tdsl-opt %s --convert-tdsl-to-linalg --split-input-file | FileCheck %s

// What no slice can read is extracted point by point. Without a guard, every index is in range.

// CHECK-DAG: #[[QUOTIENT:.*]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-LABEL: func.func @unguarded(
// CHECK:         %[[X:.*]] = bufferization.to_tensor
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel"]} outs(
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[AT:.*]] = affine.apply #[[QUOTIENT]]()[%[[I]]]
// CHECK:           %[[CELL:.*]] = tensor.extract %[[X]][%[[AT]]] : tensor<4xf32>
// CHECK-NOT:       arith.select
// CHECK:           linalg.yield %[[CELL]]
tdsl.program @p {
  tdsl.node @x : f32 "4" input
  tdsl.node @y : f32 "8" result
  tdsl.projections @q "." (@x) -> @y space <[i 8 parallel] lhs[i] rhs1[i floordiv 2]>
  tdsl.routine @unguarded {
    tdsl.assign @y overwrite = id(@x) by @q
  }
}

// -----

// A guard clamps the index, and makes the whole contribution neutral, not the cell that is read (spec e.4).

// CHECK-LABEL: func.func @guarded(
// CHECK:         linalg.generic
// CHECK:           %[[AT:.*]] = affine.apply
// CHECK:           %[[FITS:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : index
// CHECK:           %[[CLAMPED:.*]] = arith.select %[[FITS]], %[[AT]], %{{.*}} : index
// CHECK:           tensor.extract %{{.*}}[%[[CLAMPED]]]
// CHECK:           %[[EXP:.*]] = math.exp
// CHECK:           %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:           arith.select %[[FITS]], %[[EXP]], %[[LOWEST]] : f32
tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "8" leaf
  tdsl.projections @q "." (@x) -> @y space <[i 8 parallel] lhs[i] rhs1[i mod 5] guarded>
  tdsl.routine @guarded {
    tdsl.assign @y max = exp(@x) by @q
  }
}

// -----

// Whether a symbol leaves the node is known when the routine runs.

// CHECK-LABEL: func.func @symbolic(
// CHECK:         arith.cmpi ult
// CHECK:         tensor.extract
tdsl.program @p {
  tdsl.symbol @s range 0 to 9
  tdsl.node @x : f32 "4" input
  tdsl.node @y : f32 "4" leaf
  tdsl.projections @q "." (@x) -> @y space <[i 4 parallel] symbols [s] lhs[i] rhs1[i + s] guarded>
  tdsl.routine @symbolic(%i: !tdsl.index<@s>) {
    tdsl.assign @y add = id(@x) by @q[%i : !tdsl.index<@s>]
  }
}

// -----

// Nothing can be read of a node without cells.

// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     tensor.extract
tdsl.program @p {
  tdsl.node @x : f32 "0" input
  tdsl.node @y : f32 "4" leaf
  tdsl.projections @q "." (@x) -> @y space <[i 4 parallel] lhs[i] rhs1[i mod 3] guarded>
  tdsl.routine @nothing {
    tdsl.assign @y add = id(@x) by @q
  }
}
