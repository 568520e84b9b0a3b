// RUN: tdsl-opt %s --convert-tdsl-to-linalg --split-input-file | FileCheck %s

// Words are vectors: in arguments, in fills, and in the bodies of loops.

// CHECK-LABEL: func.func @draw(
// CHECK-SAME:      memref<2xvector<4xi32>> {tdsl.access = "out", tdsl.node = "words"}
// CHECK:         vector.from_elements
// CHECK:         linalg.fill ins(%{{.*}} : vector<4xi32>)
// CHECK:         linalg.generic
// CHECK:           linalg.index 0
// CHECK:           vector.from_elements
// CHECK:         linalg.generic
// CHECK:           vector.extract %{{.*}}[0] : i32 from vector<4xi32>
// CHECK:           vector.from_elements
// CHECK:           linalg.yield %{{.*}} : vector<4xi32>
tdsl.program @p {
  tdsl.node private @key : uint4x32 "|1:bcast_if_1->" result id 7
  tdsl.node private @counter : uint4x32 "|2->" result
  tdsl.node @words : uint4x32 "|2->" result
  tdsl.projections @q "." (@key, @counter) -> @words space <[i 2 parallel] lhs[i] rhs1[0] rhs2[i]>
  tdsl.routine @draw {
    tdsl.fetch @key = self_id
    tdsl.fetch @counter = range
    tdsl.assign @words overwrite = threefry4x32(@key, @counter) by @q
  }
}

// -----

// Each cell finds its word and its lane; the last word has more lanes than cells (spec k.14).

// CHECK-LABEL: func.func @unpack(
// CHECK:         linalg.generic
// CHECK:           %[[WORD:.*]] = arith.divui
// CHECK:           %[[LANE:.*]] = arith.remui
// CHECK:           %[[WORDS:.*]] = tensor.extract %{{.*}}[%[[WORD]]] : tensor<2xvector<4xi32>>
// CHECK:           vector.extract %[[WORDS]][%[[LANE]]] : i32 from vector<4xi32>
// CHECK:           arith.uitofp
// CHECK:           linalg.yield %{{.*}} : f32
tdsl.program @p {
  tdsl.node @words : uint4x32 "|2->" input
  tdsl.node @y : f32 "->5" result
  tdsl.projections @q uniform (@words) -> @y
  tdsl.routine @unpack {
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @q
  }
}
