// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What the parsers of index spaces say; one mistake per program.

//======================================================================//
// Shape logics and what belongs to them
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected a shape logic: ".", "@", "T", an einsum specification in quotes, fma, slice(@symbol) or uniform (spec d.4)}}
  tdsl.projections @q (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected a shape logic: ".", "@", "T", an einsum specification in quotes, fma, slice(@symbol) or uniform (spec d.4)}}
  tdsl.projections @q compose (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.projections' invalid kind of attribute specified}}
  tdsl.projections @q slice(3) (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{expected attribute value}}
  tdsl.projections @q "." (a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:59: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is given twice}}
  tdsl.projections @q "i=>i" (@a) -> @c captures {i = @h, i = @g}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:62: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 's' is given twice}}
  tdsl.projections @q "i=>i" (@a) -> @c coefficients {s = 2, s = 3}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:51: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected a name that is not empty}}
  tdsl.projections @q "i=>i" (@a) -> @c captures {"" = @h}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:55: error:
  // expected-error @+1 {{custom op 'tdsl.projections' invalid kind of attribute specified}}
  tdsl.projections @q "i=>i" (@a) -> @c captures {i = 3}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:59: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected integer value}}
  tdsl.projections @q "i=>i" (@a) -> @c coefficients {s = @h}
}

// -----


//======================================================================//
// Spaces
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:53: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected parallel or reduction}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 sequential] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:52: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected parallel or reduction}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'mod' is reserved in index expressions}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[mod 3 parallel] lhs[0] rhs1[0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an iterator is named by letters, digits and underscores}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[a.b 3 parallel] lhs[0] rhs1[0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' iterator 'i' has the negative size -1}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i -1 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is declared twice in one space}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, i 4 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is declared twice in one space}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [i] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an iterator is named by letters, digits and underscores}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [a.b] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'floordiv' is reserved in index expressions}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [floordiv] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:63: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices lhs[...]}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' a space has at least the map of its result, lhs[...]}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:70: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices rhs1[...] or '>'}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs2[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:78: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices rhs2[...] or '>'}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i] rhs3[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' iterator 'k' does not occur in lhs, so it is a reduction (spec e.5)}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, k 2 parallel] lhs[i] rhs1[k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [s] lhs[i] rhs1[i * s]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i mod 0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i floordiv -2]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [s] lhs[i] rhs1[i ceildiv s]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' a number in an index is above -2^63}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i - 9223372036854775807 - 1]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:75: error:
  // expected-error @+1 {{use of undeclared identifier}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:92: error:
  // expected-error @+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, k 2 reduction] lhs[i] rhs1[i * k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:75: error:
  // expected-error @+1 {{constant too large for index}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[9223372036854775808]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:68: error:
  // expected-error @+1 {{expected ']' in the indices of lhs}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i k] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-spaces.mlir:[[@LINE+2]]:46: error:
  // expected-error @+1 {{expected '<'}}
  tdsl.projections @q "i=>i" (@a) -> @c space [i 3 parallel]
}
