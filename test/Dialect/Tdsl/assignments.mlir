// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-op-generic | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt | FileCheck %s --match-full-lines

// Routines and the assignments in them, in the printed form.

// CHECK: tdsl.program @routines {
tdsl.program @routines {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.symbol @j range 0 to 4
  tdsl.symbol @j range 0 to 4
  // CHECK-NEXT: tdsl.routine @nothing {
  tdsl.routine @nothing {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine private @hidden {
  tdsl.routine private @hidden {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine nested @inner {
  tdsl.routine nested @inner {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine public @shown attributes {note = "kept"} {
  tdsl.routine public @shown attributes {note = "kept"} {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @stepped(%i: !tdsl.index<@i>, %j: !tdsl.index<@j>) {
  tdsl.routine @stepped(%i: !tdsl.index<@i>, %j: !tdsl.index<@j>) {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @stepped_with_note(%i: !tdsl.index<@i>) attributes {note = "kept"} {
  tdsl.routine @stepped_with_note(%i: !tdsl.index<@i>) attributes {note = "kept"} {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @twice(%i: !tdsl.index<@i>, %i_0: !tdsl.index<@i>) {
  tdsl.routine @twice(%i: !tdsl.index<@i>, %i_0: !tdsl.index<@i>) {
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @commented {
  tdsl.routine @commented {
    // CHECK-NEXT: tdsl.comment "empty" {
    tdsl.comment "empty" {
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: tdsl.comment "outer \22quoted\22\0A" attributes {note = "kept"} {
    tdsl.comment "outer \22quoted\22\0A" attributes {note = "kept"} {
      // CHECK-NEXT: tdsl.comment "" {
      tdsl.comment "" {
        // CHECK-NEXT: tdsl.comment "innermost" {
        tdsl.comment "innermost" {
        // CHECK-NEXT: }
        }
      // CHECK-NEXT: }
      }
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program @assignments {
tdsl.program @assignments {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.symbol @j range 0 to 4
  tdsl.symbol @j range 0 to 4
  // CHECK-NEXT: tdsl.node @a : f32 "|->4" param
  tdsl.node @a : f32 "|->4" param
  // CHECK-NEXT: tdsl.node @b : f32 "|->4" input
  tdsl.node @b : f32 "|->4" input
  // CHECK-NEXT: tdsl.node @c : f32 "|->4" result
  tdsl.node @c : f32 "|->4" result
  // CHECK-NEXT: tdsl.node @a.grad : f32 "|->4" result grad_of @a
  tdsl.node @a.grad : f32 "|->4" result grad_of @a
  // CHECK-NEXT: tdsl.node @c.grad : f32 "|->4" result grad_of @c
  tdsl.node @c.grad : f32 "|->4" result grad_of @c
  // CHECK-NEXT: tdsl.node @batched : f32 "4|->4" input
  tdsl.node @batched : f32 "4|->4" input
  // CHECK-NEXT: tdsl.node @words : uint4x32 "|1->" leaf
  tdsl.node @words : uint4x32 "|1->" leaf
  // CHECK-NEXT: tdsl.projections @unary "." (@a) -> @c
  tdsl.projections @unary "." (@a) -> @c
  // CHECK-NEXT: tdsl.projections @binary "." (@a, @b) -> @c
  tdsl.projections @binary "." (@a, @b) -> @c
  // CHECK-NEXT: tdsl.projections @ternary "." (@a, @b, @a) -> @c
  tdsl.projections @ternary "." (@a, @b, @a) -> @c
  // CHECK-NEXT: tdsl.projections @sliced slice(@i) (@batched) -> @c
  tdsl.projections @sliced slice(@i) (@batched) -> @c
  // CHECK-NEXT: tdsl.projections @derived "." (@b) -> @c space <[k 4 parallel] symbols [j, i] lhs[k] rhs1[k + j + i] guarded>
  tdsl.projections @derived "." (@b) -> @c space <[k 4 parallel] symbols [j, i] lhs[k] rhs1[k + j + i] guarded>
  // CHECK-NEXT: tdsl.projections @random uniform (@words) -> @c
  tdsl.projections @random uniform (@words) -> @c
  // CHECK-NEXT: tdsl.routine @forms(%i: !tdsl.index<@i>, %j: !tdsl.index<@j>) {
  tdsl.routine @forms(%i: !tdsl.index<@i>, %j: !tdsl.index<@j>) {
    // CHECK-NEXT: tdsl.assign @c overwrite = id(@a) by @unary
    tdsl.assign @c overwrite = id(@a) by @unary
    // CHECK-NEXT: tdsl.assign @c reset add = mul(@a, @b) by @binary
    tdsl.assign @c reset add = mul(@a, @b) by @binary
    // CHECK-NEXT: tdsl.assign @c max = where(@a, @b, @a) by @ternary
    tdsl.assign @c max = where(@a, @b, @a) by @ternary
    // CHECK-NEXT: tdsl.assign @c overwrite = id(@batched) by @sliced[%i : !tdsl.index<@i>]
    tdsl.assign @c overwrite = id(@batched) by @sliced[%i : !tdsl.index<@i>]
    // CHECK-NEXT: tdsl.assign @c overwrite = id(@b) by @derived[%j, %i : !tdsl.index<@j>, !tdsl.index<@i>]
    tdsl.assign @c overwrite = id(@b) by @derived[%j, %i : !tdsl.index<@j>, !tdsl.index<@i>]
    // CHECK-NEXT: tdsl.assign @a.grad[rhs1] add = mul(@c.grad[lhs], @b[rhs2]) by @binary
    tdsl.assign @a.grad[rhs1] add = mul(@c.grad[lhs], @b[rhs2]) by @binary
    // CHECK-NEXT: tdsl.assign @c[lhs] add = mul(@a[rhs1], @b[pspace]) by @binary
    tdsl.assign @c[lhs] add = mul(@a[rhs1], @b[pspace]) by @binary
    // CHECK-NEXT: tdsl.assign @c add = mul(@a, @b[scalar]) by @binary
    tdsl.assign @c add = mul(@a, @b[scalar]) by @binary
    // CHECK-NEXT: tdsl.assign @c[pspace] add = id(@a[scalar]) by @unary
    tdsl.assign @c[pspace] add = id(@a[scalar]) by @unary
    // CHECK-NEXT: tdsl.assign @a.grad add = id(merge(@a.grad)) by @unary
    tdsl.assign @a.grad add = id(merge(@a.grad)) by @unary
    // CHECK-NEXT: tdsl.assign @a.grad add = id(merge(@a.grad)[lhs]) by @unary
    tdsl.assign @a.grad add = id(merge(@a.grad)[lhs]) by @unary
    // CHECK-NEXT: tdsl.assign @c overwrite = id(@a) by @unary {note = "kept"}
    tdsl.assign @c overwrite = id(@a) by @unary {note = "kept"}
    // CHECK-NEXT: tdsl.set_vec @c = uint4x32_to_prec_uniform(@words) by @random
    tdsl.set_vec @c = uint4x32_to_prec_uniform(@words) by @random
    // CHECK-NEXT: tdsl.set_vec @c[lhs] = uint4x32_to_prec_uniform(@words[rhs1]) by @random {note = "kept"}
    tdsl.set_vec @c[lhs] = uint4x32_to_prec_uniform(@words[rhs1]) by @random {note = "kept"}
    // CHECK-NEXT: tdsl.set_vec @c = uint4x32_to_prec_uniform(merge(@words)) by @random
    tdsl.set_vec @c = uint4x32_to_prec_uniform(merge(@words)) by @random
    // CHECK-NEXT: tdsl.fill @c neutral max
    tdsl.fill @c neutral max
    // CHECK-NEXT: tdsl.fill @c neutral add {note = "kept"}
    tdsl.fill @c neutral add {note = "kept"}
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program @concatenation {
tdsl.program @concatenation {
  // CHECK-NEXT: tdsl.node @n1 : f32 "|->1" input
  tdsl.node @n1 : f32 "|->1" input
  // CHECK-NEXT: tdsl.node @n2 : f32 "|->2" input
  tdsl.node @n2 : f32 "|->2" input
  // CHECK-NEXT: tdsl.node @n3 : f32 "|->3" input
  tdsl.node @n3 : f32 "|->3" input
  // CHECK-NEXT: tdsl.node @n4 : f32 "|->4" input
  tdsl.node @n4 : f32 "|->4" input
  // CHECK-NEXT: tdsl.node @n5 : f32 "|->5" input
  tdsl.node @n5 : f32 "|->5" input
  // CHECK-NEXT: tdsl.node @n6 : f32 "|->6" input
  tdsl.node @n6 : f32 "|->6" input
  // CHECK-NEXT: tdsl.node @n7 : f32 "|->7" input
  tdsl.node @n7 : f32 "|->7" input
  // CHECK-NEXT: tdsl.node @n8 : f32 "|->8" input
  tdsl.node @n8 : f32 "|->8" input
  // CHECK-NEXT: tdsl.node @n9 : f32 "|->9" input
  tdsl.node @n9 : f32 "|->9" input
  // CHECK-NEXT: tdsl.node @n10 : f32 "|->10" input
  tdsl.node @n10 : f32 "|->10" input
  // CHECK-NEXT: tdsl.node @n11 : f32 "|->11" input
  tdsl.node @n11 : f32 "|->11" input
  // CHECK-NEXT: tdsl.node @n12 : f32 "|->12" input
  tdsl.node @n12 : f32 "|->12" input
  // CHECK-NEXT: tdsl.node @n13 : f32 "|->13" input
  tdsl.node @n13 : f32 "|->13" input
  // CHECK-NEXT: tdsl.node @n14 : f32 "|->14" input
  tdsl.node @n14 : f32 "|->14" input
  // CHECK-NEXT: tdsl.node @n15 : f32 "|->15" input
  tdsl.node @n15 : f32 "|->15" input
  // CHECK-NEXT: tdsl.node @n16 : f32 "|->16" input
  tdsl.node @n16 : f32 "|->16" input
  // CHECK-NEXT: tdsl.node @n17 : f32 "|->17" input
  tdsl.node @n17 : f32 "|->17" input
  // CHECK-NEXT: tdsl.node @n18 : f32 "|->18" input
  tdsl.node @n18 : f32 "|->18" input
  // CHECK-NEXT: tdsl.node @n19 : f32 "|->19" input
  tdsl.node @n19 : f32 "|->19" input
  // CHECK-NEXT: tdsl.node @n20 : f32 "|->20" input
  tdsl.node @n20 : f32 "|->20" input
  // CHECK-NEXT: tdsl.node @all : f32 "|->210" result
  tdsl.node @all : f32 "|->210" result
  // CHECK-NEXT: tdsl.projections @p "a1; a2; a3; a4; a5; a6; a7; a8; a9; a10; a11; a12; a13; a14; a15; a16; a17; a18; a19; a20 => a1^a2^a3^a4^a5^a6^a7^a8^a9^a10^a11^a12^a13^a14^a15^a16^a17^a18^a19^a20" (@n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15, @n16, @n17, @n18, @n19, @n20) -> @all
  tdsl.projections @p "a1; a2; a3; a4; a5; a6; a7; a8; a9; a10; a11; a12; a13; a14; a15; a16; a17; a18; a19; a20 => a1^a2^a3^a4^a5^a6^a7^a8^a9^a10^a11^a12^a13^a14^a15^a16^a17^a18^a19^a20" (@n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15, @n16, @n17, @n18, @n19, @n20) -> @all
  // CHECK-NEXT: tdsl.routine @concatenate {
  tdsl.routine @concatenate {
    // CHECK-NEXT: tdsl.assign @all overwrite = block id(@n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15, @n16, @n17, @n18, @n19, @n20) by @p
    tdsl.assign @all overwrite = block id(@n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15, @n16, @n17, @n18, @n19, @n20) by @p
    // CHECK-NEXT: tdsl.assign @all add = block neg(@n20[rhs20]) by @p
    tdsl.assign @all add = block neg(@n20[rhs20]) by @p
    // CHECK-NEXT: tdsl.assign (@n1[rhs1], @n2[rhs2], @n3[rhs3], @n4[rhs4], @n5[rhs5], @n6[rhs6], @n7[rhs7], @n8[rhs8], @n9[rhs9], @n10[rhs10], @n11[rhs11], @n12[rhs12], @n13[rhs13], @n14[rhs14], @n15[rhs15], @n16[rhs16], @n17[rhs17], @n18[rhs18], @n19[rhs19], @n20[rhs20]) add = id(@all[lhs]) by @p
    tdsl.assign (@n1[rhs1], @n2[rhs2], @n3[rhs3], @n4[rhs4], @n5[rhs5], @n6[rhs6], @n7[rhs7], @n8[rhs8], @n9[rhs9], @n10[rhs10], @n11[rhs11], @n12[rhs12], @n13[rhs13], @n14[rhs14], @n15[rhs15], @n16[rhs16], @n17[rhs17], @n18[rhs18], @n19[rhs19], @n20[rhs20]) add = id(@all[lhs]) by @p
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
