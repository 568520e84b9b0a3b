// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-derive-projections,tdsl-derive-projections))' --split-input-file --verify-diagnostics | FileCheck %s

// A contraction resets by a fill; the shared space stays.

// CHECK-LABEL: tdsl.program @contraction
// CHECK:         tdsl.projections @p "ij; jk => ik" (@a, @b) -> @c space <[i 2 parallel, k 4 parallel, j 3 reduction] lhs[i, k] rhs1[i, j] rhs2[j, k]>
// CHECK:         tdsl.fill @c neutral add
// CHECK-NEXT:    tdsl.assign @c add = mul(@a, @b) by @p
tdsl.program @contraction {
  tdsl.node @a : f32 "->2,3" input
  tdsl.node @b : f32 "->3,4" input
  tdsl.node @c : f32 "->2,4" result
  tdsl.projections @p "ij; jk => ik" (@a, @b) -> @c
  tdsl.routine @r { tdsl.assign @c reset add = mul(@a, @b) by @p }
}

// -----

// Where every cell is reached once, a reset is a store.

// CHECK-LABEL: tdsl.program @store
// CHECK-NOT:     tdsl.fill
// CHECK:         tdsl.assign @y overwrite = id(@x) by @p
tdsl.program @store {
  tdsl.node @x : f32 "->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @r { tdsl.assign @y reset add = id(@x) by @p }
}

// -----

// A concatenation becomes one assignment for each segment. A second derivation leaves the pieces as they are.

// CHECK-LABEL: tdsl.program @pieces
// CHECK:         tdsl.projections @p.0 "a; b => a^b" (@a) -> @c segment 0 space <[{{.*}} 2 parallel] lhs[{{[a-z0-9]+}}] rhs1[
// CHECK:         tdsl.projections @p.1 "a; b => a^b" (@b) -> @c segment 1 space <[{{.*}} 3 parallel] lhs[{{[a-z0-9]+}} + 2] rhs1[
// CHECK:         tdsl.assign @c overwrite = id(@a) by @p.0
// CHECK-NEXT:    tdsl.assign @c overwrite = id(@b) by @p.1
tdsl.program @pieces {
  tdsl.node @a : f32 "->2" input
  tdsl.node @b : f32 "->3" input
  tdsl.node @c : f32 "->5" result
  tdsl.projections @p "a; b => a^b" (@a, @b) -> @c
  tdsl.routine @r { tdsl.assign @c reset add = block id(@a, @b) by @p }
}

// -----

tdsl.program @open {
  tdsl.node @x : f32 "->..o.." input
  tdsl.node @y : f32 "->3" result
  // expected-error @below {{the shape "|->..o.." of @x is still open: run tdsl-infer-shapes first}}
  tdsl.projections @p "." (@x) -> @y
}
