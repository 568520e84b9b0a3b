// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-op-generic | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt | FileCheck %s --match-full-lines

// Programs and what they declare, in the printed form.

// CHECK: tdsl.program @declarations {
tdsl.program @declarations {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 16
  tdsl.symbol @i range 0 to 16
  // CHECK-NEXT: tdsl.symbol @below_zero range -8 to -1
  tdsl.symbol @below_zero range -8 to -1
  // CHECK-NEXT: tdsl.symbol @widest range -9223372036854775808 to 9223372036854775807
  tdsl.symbol @widest range -9223372036854775808 to 9223372036854775807
  // CHECK-NEXT: tdsl.dim @open
  tdsl.dim @open
  // CHECK-NEXT: tdsl.dim @none = 0
  tdsl.dim @none = 0
  // CHECK-NEXT: tdsl.dim @hid = 8
  tdsl.dim @hid = 8
  // CHECK-NEXT: tdsl.row @channels
  tdsl.row @channels
  // CHECK-NEXT: tdsl.row @window = "3,3"
  tdsl.row @window = "3,3"
  // CHECK-NEXT: tdsl.row @empty = ""
  tdsl.row @empty = ""
  // CHECK-NEXT: tdsl.row @partial = "?,..r..,3:rgb"
  tdsl.row @partial = "?,..r..,3:rgb"
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program @nodes {
tdsl.program @nodes {
  // CHECK-NEXT: tdsl.node @x : f32 "8|3->4" input
  tdsl.node @x : f32 "8|3->4" input
  // CHECK-NEXT: tdsl.node @open : ? "..b..|..i..->..o.." result
  tdsl.node @open : ? "..b..|..i..->..o.." result
  // CHECK-NEXT: tdsl.node @between : ? "2,..b..,3|4,...,5->?,..o..,?" result
  tdsl.node @between : ? "2,..b..,3|4,...,5->?,..o..,?" result
  // CHECK-NEXT: tdsl.node @bases : f64 "2:time|3:rgb->4:default_claim,?:rgb" leaf
  tdsl.node @bases : f64 "2:time|3:rgb->4:default_claim,?:rgb" leaf
  // CHECK-NEXT: tdsl.node @scalar : bf16 "|->1:bcast_if_1" leaf
  tdsl.node @scalar : bf16 "|->1:bcast_if_1" leaf
  // CHECK-NEXT: tdsl.node @rank_zero : f16 "|->" leaf
  tdsl.node @rank_zero : f16 "|->" leaf
  // CHECK-NEXT: tdsl.node @empty : f32 "0|0->0" leaf
  tdsl.node @empty : f32 "0|0->0" leaf
  // CHECK-NEXT: tdsl.node @large : f32 "|->9223372036854775807" leaf
  tdsl.node @large : f32 "|->9223372036854775807" leaf
  // CHECK-NEXT: tdsl.node @w : ? "|..i..->..o.." param id 2 label ["w", "layer1"]
  tdsl.node @w : ? "|..i..->..o.." param id 2 label ["w", "layer1"]
  // CHECK-NEXT: tdsl.node @w.grad : ? "...|...->..." result grad_of @w
  tdsl.node @w.grad : ? "...|...->..." result grad_of @w
  // CHECK-NEXT: tdsl.node private @two : f32 "|->1:bcast_if_1" leaf = dense<2.000000e+00> : tensor<1xf32>
  tdsl.node private @two : f32 "|->1:bcast_if_1" leaf = dense<2.000000e+00> : tensor<1xf32>
  // CHECK-NEXT: tdsl.node nested @start : i32 "|->2" init = dense<[1, 2]> : tensor<2xi32>
  tdsl.node nested @start : i32 "|->2" init = dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: tdsl.node public @seen : f32 "|->2" stretch
  tdsl.node public @seen : f32 "|->2" stretch
  // CHECK-NEXT: tdsl.node @matrix : f64 "1|3->2" leaf = dense<[{{\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]]> : tensor<1x2x3xf64>
  tdsl.node @matrix : f64 "1|3->2" leaf = dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]]> : tensor<1x2x3xf64>
  // CHECK-NEXT: tdsl.node @truth : bool "|->2" leaf = dense<[true, false]> : tensor<2xi1>
  tdsl.node @truth : bool "|->2" leaf = dense<[true, false]> : tensor<2xi1>
  // CHECK-NEXT: tdsl.node @eighth : f8 "|->1" leaf = dense<5.000000e-01> : tensor<1xf8E5M2>
  tdsl.node @eighth : f8 "|->1" leaf = dense<5.000000e-01> : tensor<1xf8E5M2>
  // CHECK-NEXT: tdsl.node @no_cells : f32 "|->0" leaf = dense<> : tensor<0xf32>
  tdsl.node @no_cells : f32 "|->0" leaf = dense<> : tensor<0xf32>
  // CHECK-NEXT: tdsl.node @no_axes : f32 "|->" leaf = dense<1.500000e+00> : tensor<f32>
  tdsl.node @no_axes : f32 "|->" leaf = dense<1.500000e+00> : tensor<f32>
  // CHECK-NEXT: tdsl.node @sparse : f32 "|->3" leaf = sparse<0, 1.000000e+00> : tensor<3xf32>
  tdsl.node @sparse : f32 "|->3" leaf = sparse<0, 1.000000e+00> : tensor<3xf32>
  // CHECK-NEXT: tdsl.node @everything : u8 "|->2" result grad_of @x id -1 label [] = dense<7> : tensor<2xi8> {note = "kept"}
  tdsl.node @everything : u8 "|->2" result grad_of @x id -1 label [] = dense<7> : tensor<2xi8> {note = "kept"}
  // CHECK-NEXT: tdsl.node @"a name, quoted" : f32 "|->2" input
  tdsl.node @"a name, quoted" : f32 "|->2" input
  // CHECK-NEXT: tdsl.node @"1" : f32 "|->2" result grad_of @"a name, quoted"
  tdsl.node @"1" : f32 "|->2" result grad_of @"a name, quoted"
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program private @hidden {
tdsl.program private @hidden {
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program nested @inner {
tdsl.program nested @inner {
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program public @shown attributes {owner = "host"} {
tdsl.program public @shown attributes {owner = "host"} {
// CHECK-NEXT: }
}
