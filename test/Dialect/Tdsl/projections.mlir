// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-op-generic | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt | FileCheck %s --match-full-lines

// Index spaces before derivation (logics, spec d.4) and after it (spec e.2).

// CHECK: tdsl.program @logics {
tdsl.program @logics {
  // CHECK-NEXT: tdsl.symbol @i range 0 to 4
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: tdsl.dim @h
  tdsl.dim @h
  // CHECK-NEXT: tdsl.row @d
  tdsl.row @d
  // CHECK-NEXT: tdsl.node @a : f32 "...|...->..." input
  tdsl.node @a : f32 "...|...->..." input
  // CHECK-NEXT: tdsl.node @b : f32 "...|...->..." input
  tdsl.node @b : f32 "...|...->..." input
  // CHECK-NEXT: tdsl.node @c : f32 "...|...->..." result
  tdsl.node @c : f32 "...|...->..." result
  // CHECK-NEXT: tdsl.node @words : uint4x32 "|2->" leaf
  tdsl.node @words : uint4x32 "|2->" leaf
  // CHECK-NEXT: tdsl.projections @pointwise1 "." (@a) -> @c
  tdsl.projections @pointwise1 "." (@a) -> @c
  // CHECK-NEXT: tdsl.projections @pointwise3 "." (@a, @b, @a) -> @c
  tdsl.projections @pointwise3 "." (@a, @b, @a) -> @c
  // CHECK-NEXT: tdsl.projections @compose "@" (@a, @b) -> @c
  tdsl.projections @compose "@" (@a, @b) -> @c
  // CHECK-NEXT: tdsl.projections @transpose "T" (@a) -> @c
  tdsl.projections @transpose "T" (@a) -> @c
  // CHECK-NEXT: tdsl.projections @compose_accumulate fma (@a, @b, @c) -> @c
  tdsl.projections @compose_accumulate fma (@a, @b, @c) -> @c
  // CHECK-NEXT: tdsl.projections @slice slice(@i) (@a) -> @c
  tdsl.projections @slice slice(@i) (@a) -> @c
  // CHECK-NEXT: tdsl.projections @uniform uniform (@words) -> @c
  tdsl.projections @uniform uniform (@words) -> @c
  // CHECK-NEXT: tdsl.projections @einsum "ij;jk=>ik" (@a, @b) -> @c
  tdsl.projections @einsum "ij;jk=>ik" (@a, @b) -> @c
  // CHECK-NEXT: tdsl.projections @fixed "... => |->0" (@a) -> @c
  tdsl.projections @fixed "... => |->0" (@a) -> @c
  // CHECK-NEXT: tdsl.projections @empty_specification "" (@a) -> @c
  tdsl.projections @empty_specification "" (@a) -> @c
  // CHECK-NEXT: tdsl.projections @escapes "a\22b\\c\0A" (@a) -> @c
  tdsl.projections @escapes "a\22b\\c\0A" (@a) -> @c
  // CHECK-NEXT: tdsl.projections private @hidden "." (@a) -> @c
  tdsl.projections private @hidden "." (@a) -> @c
  // CHECK-NEXT: tdsl.projections nested @inner "." (@a) -> @c
  tdsl.projections nested @inner "." (@a) -> @c
  // CHECK-NEXT: tdsl.projections public @shown "." (@a) -> @c
  tdsl.projections public @shown "." (@a) -> @c
  // CHECK-NEXT: tdsl.projections @captures "..d..|h => h" (@a) -> @c captures {d = @d, h = @h}
  tdsl.projections @captures "..d..|h => h" (@a) -> @c captures {d = @d, h = @h}
  // CHECK-NEXT: tdsl.projections @odd_names "a => a" (@a) -> @c captures {"0" = @d, "a b" = @h, "\C3\A9" = @d}
  tdsl.projections @odd_names "a => a" (@a) -> @c captures {"0" = @d, "a b" = @h, "\C3\A9" = @d}
  // CHECK-NEXT: tdsl.projections @coefficients "s*o+t*k => o" (@a) -> @c coefficients {s = 2, t = 9223372036854775807}
  tdsl.projections @coefficients "s*o+t*k => o" (@a) -> @c coefficients {s = 2, t = 9223372036854775807}
  // CHECK-NEXT: tdsl.projections @nothing_named "a => a" (@a) -> @c captures {} coefficients {}
  tdsl.projections @nothing_named "a => a" (@a) -> @c captures {} coefficients {}
  // CHECK-NEXT: tdsl.projections @padded "o+k => o" (@a) -> @c use_padding true
  tdsl.projections @padded "o+k => o" (@a) -> @c use_padding true
  // CHECK-NEXT: tdsl.projections @unpadded "o+k => o" (@a) -> @c use_padding false
  tdsl.projections @unpadded "o+k => o" (@a) -> @c use_padding false
  // CHECK-NEXT: tdsl.projections @piece "a; b => a^b" (@a, @b) -> @c segment 1
  tdsl.projections @piece "a; b => a^b" (@a, @b) -> @c segment 1
  // CHECK-NEXT: tdsl.projections @everything "s*o+k => o" (@a) -> @c captures {o = @h} coefficients {s = 2} use_padding true segment 0 {note = "kept"}
  tdsl.projections @everything "s*o+k => o" (@a) -> @c captures {o = @h} coefficients {s = 2} use_padding true segment 0 {note = "kept"}
// CHECK-NEXT: }
}
// CHECK-NEXT: tdsl.program @derived {
tdsl.program @derived {
  // CHECK-NEXT: tdsl.symbol @s range 0 to 4
  tdsl.symbol @s range 0 to 4
  // CHECK-NEXT: tdsl.symbol @t range 0 to 4
  tdsl.symbol @t range 0 to 4
  // CHECK-NEXT: tdsl.node @scalar : f32 "|->" leaf
  tdsl.node @scalar : f32 "|->" leaf
  // CHECK-NEXT: tdsl.node @x : f32 "|->9" input
  tdsl.node @x : f32 "|->9" input
  // CHECK-NEXT: tdsl.node @w : f32 "|->3" param
  tdsl.node @w : f32 "|->3" param
  // CHECK-NEXT: tdsl.node @y : f32 "|->4" result
  tdsl.node @y : f32 "|->4" result
  // CHECK-NEXT: tdsl.node @batched : f32 "4|->9" input
  tdsl.node @batched : f32 "4|->9" input
  // CHECK-NEXT: tdsl.node @one : f32 "|->1" input
  tdsl.node @one : f32 "|->1" input
  // CHECK-NEXT: tdsl.node @nine : f32 "|->9" result
  tdsl.node @nine : f32 "|->9" result
  // CHECK-NEXT: tdsl.node @none : f32 "|->0" result
  tdsl.node @none : f32 "|->0" result
  // CHECK-NEXT: tdsl.projections @empty_domain "." (@scalar) -> @scalar space <[] lhs[] rhs1[]>
  tdsl.projections @empty_domain "." (@scalar) -> @scalar space <[] lhs[] rhs1[]>
  // CHECK-NEXT: tdsl.projections @window "2*o<+k; k => o" (@x, @w) -> @y space <[o 4 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k] rhs2[k]>
  tdsl.projections @window "2*o<+k; k => o" (@x, @w) -> @y space <[o 4 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k] rhs2[k]>
  // CHECK-NEXT: tdsl.projections @padded "o+k; k => o" (@x, @w) -> @y space <[o 4 parallel, k 3 reduction] lhs[o] rhs1[o + k - 1] guarded rhs2[k]>
  tdsl.projections @padded "o+k; k => o" (@x, @w) -> @y space <[o 4 parallel, k 3 reduction] lhs[o] rhs1[o + k - 1] guarded rhs2[k]>
  // CHECK-NEXT: tdsl.projections @scatter "." (@x) -> @y space <[i 9 parallel] lhs[i - 2] guarded rhs1[i]>
  tdsl.projections @scatter "." (@x) -> @y space <[i 9 parallel] lhs[i - 2] guarded rhs1[i]>
  // CHECK-NEXT: tdsl.projections @sliced slice(@s) (@batched) -> @nine space <[i 9 parallel] symbols [s] lhs[i] rhs1[s, i]>
  tdsl.projections @sliced slice(@s) (@batched) -> @nine space <[i 9 parallel] symbols [s] lhs[i] rhs1[s, i]>
  // CHECK-NEXT: tdsl.projections @two_symbols "." (@x) -> @y space <[i 4 parallel] symbols [s, t] lhs[i] rhs1[i + s + t * 2] guarded>
  tdsl.projections @two_symbols "." (@x) -> @y space <[i 4 parallel] symbols [s, t] lhs[i] rhs1[i + s + t * 2] guarded>
  // CHECK-NEXT: tdsl.projections @pinned "i => 0" (@x) -> @one space <[i 9 reduction] lhs[0] rhs1[i]>
  tdsl.projections @pinned "i => 0" (@x) -> @one space <[i 9 reduction] lhs[0] rhs1[i]>
  // CHECK-NEXT: tdsl.projections @negative "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i * -1 + 8]>
  tdsl.projections @negative "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i * -1 + 8]>
  // CHECK-NEXT: tdsl.projections @divisions "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[(i floordiv 3) * 3 + i mod 3]>
  tdsl.projections @divisions "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[(i floordiv 3) * 3 + i mod 3]>
  // CHECK-NEXT: tdsl.projections @ceiling "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i ceildiv 2]>
  tdsl.projections @ceiling "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i ceildiv 2]>
  // CHECK-NEXT: tdsl.projections @nested "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[((i + 1) mod 4) floordiv 2]>
  tdsl.projections @nested "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[((i + 1) mod 4) floordiv 2]>
  // CHECK-NEXT: tdsl.projections @of_sum "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[(i - 9) * 2] guarded>
  tdsl.projections @of_sum "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[(i - 9) * 2] guarded>
  // CHECK-NEXT: tdsl.projections @no_points "i => i" (@none) -> @none space <[i 0 parallel] lhs[i] rhs1[i]>
  tdsl.projections @no_points "i => i" (@none) -> @none space <[i 0 parallel] lhs[i] rhs1[i]>
  // CHECK-NEXT: tdsl.projections @far "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i - 9223372036854775807] guarded>
  tdsl.projections @far "i => i" (@x) -> @nine space <[i 9 parallel] lhs[i] rhs1[i - 9223372036854775807] guarded>
  // CHECK-NEXT: tdsl.projections @names "i => i" (@x) -> @nine space <[_ 9 parallel, x1 1 reduction, i_2 1 reduction] lhs[_] rhs1[_ + x1 + i_2]>
  tdsl.projections @names "i => i" (@x) -> @nine space <[_ 9 parallel, x1 1 reduction, i_2 1 reduction] lhs[_] rhs1[_ + x1 + i_2]>
// CHECK-NEXT: }
}
