// RUN: tdsl-opt %s --pass-pipeline='builtin.module(func.func(tdsl-vectorize-tiles))' --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>

// A marked operation becomes vectors without its axes of size 1, and loses the mark.

// CHECK-LABEL: func.func @tile
// CHECK-NOT: tdsl.tile
// CHECK: %[[X:.*]] = vector.transfer_read %{{.*}} : tensor<1x8xf32>, vector<8xf32>
// CHECK: arith.mulf %[[X]], %[[X]] : vector<8xf32>
// CHECK: vector.transfer_write
func.func @tile(%x: tensor<1x8xf32>, %y: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x8xf32>) outs(%y : tensor<1x8xf32>) attrs = {tdsl.tile} {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// -----

// What is not marked stays, and so does what is too big for registers or has a size that is not known.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: linalg.generic
func.func @others(%x: tensor<8xf32>, %big: tensor<5000xf32>, %open: tensor<?xf32>)
    -> (tensor<8xf32>, tensor<5000xf32>, tensor<?xf32>) {
  %a = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<8xf32>) {
  ^bb0(%out: f32):
    %s = arith.addf %out, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%big : tensor<5000xf32>) attrs = {tdsl.tile} {
  ^bb0(%out: f32):
    %s = arith.addf %out, %out : f32
    linalg.yield %s : f32
  } -> tensor<5000xf32>
  %c = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%open : tensor<?xf32>) attrs = {tdsl.tile} {
  ^bb0(%out: f32):
    %s = arith.addf %out, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<5000xf32>, tensor<?xf32>
}

// -----

// The sum of a loop is a vector that goes from one iteration to the next, not memory.

#row = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @accumulator
// CHECK: %[[START:.*]] = vector.transfer_read
// CHECK: %[[SUM:.*]]:2 = scf.for {{.*}} iter_args({{.*}}, %[[OLD:.*]] = %[[START]]) -> (tensor<16xf32>, vector<16xf32>)
// CHECK-NOT: transfer_write
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: scf.yield {{.*}}, %[[NEW]]
// CHECK: vector.transfer_write %[[SUM]]#1
func.func @accumulator(%x: tensor<100x16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 100 : index
  %r = scf.for %i = %zero to %end step %one iter_args(%old = %y) -> (tensor<16xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1] : tensor<100x16xf32> to tensor<1x16xf32>
    %part = tensor.extract_slice %old[0] [16] [1] : tensor<16xf32> to tensor<16xf32>
    %new = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["reduction", "parallel"]}
        ins(%row : tensor<1x16xf32>) outs(%part : tensor<16xf32>) attrs = {tdsl.tile} {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<16xf32>
    %all = tensor.insert_slice %new into %old[0] [16] [1] : tensor<16xf32> into tensor<16xf32>
    scf.yield %all : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
