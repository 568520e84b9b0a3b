// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// One mistake per program: its text, and its line and column.

//======================================================================//
// Declarations
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:18: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected '?' or a precision (spec a.8): uint4x32, f64, f32, bf16, f16, f8, u64, i64, u32, i32, u16, i16, u8, i8, bool}}
  tdsl.node @x : "2" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:18: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected '?' or a precision (spec a.8): uint4x32, f64, f32, bf16, f16, f8, u64, i64, u32, i32, u16, i16, u8, i8, bool}}
  tdsl.node @x : f31 "2" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:22: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected a shape 'batch|input->output' in quotes}}
  tdsl.node @x : f32 2 input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:17: error:
  // expected-error @+1 {{custom op 'tdsl.row' expected the axes of a row in quotes}}
  tdsl.row @x = [3]
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected string or keyword containing one of the following enum values for attribute 'role' [result, leaf, input, param, init, stretch]}}
  tdsl.node @x : f32 "2" output
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:34: error:
  // expected-error @+1 {{custom op 'tdsl.node' invalid kind of attribute specified}}
  tdsl.node @x : f32 "2" input = 3
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:13: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected valid '@'-identifier for symbol name}}
  tdsl.node hidden @x : f32 "2" input
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0
// CHECK: parse-errors.mlir:[[@LINE+2]]:1: error:
// expected-error @+1 {{custom op 'tdsl.symbol' expected 'to'}}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:17: error:
  // expected-error @+1 {{custom op 'tdsl.dim' invalid kind of attribute specified}}
  tdsl.dim @h = "3"
}

// -----


//======================================================================//
// Shapes
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected 'a' in a shape}}
  tdsl.node @x : f32 "a" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected the name of a basis after ':', but found the end}}
  tdsl.node @x : f32 "3:" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected the name of a basis after ':', but found '4'}}
  tdsl.node @x : f32 "3:4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' the size 9223372036854775808 does not fit in 64 bits}}
  tdsl.node @x : f32 "9223372036854775808" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' axes are separated by commas}}
  tdsl.node @x : f32 "3 4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found the end}}
  tdsl.node @x : f32 "3," input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found ','}}
  tdsl.node @x : f32 "3,,4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found the end}}
  tdsl.node @x : f32 "..r..," input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found '.'}}
  tdsl.node @x : f32 "..r..,..s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row variable is written '..name..' or '...'}}
  tdsl.node @x : f32 "..r" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row variable is written '..name..' or '...'}}
  tdsl.node @x : f32 "..1.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '.' in a shape}}
  tdsl.node @x : f32 "2,...." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:30: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row has at most one row variable}}
  tdsl.node @x : f32 "..r..3,..s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row has at most one row variable}}
  tdsl.node @x : f32 "..r....s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2|3|4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2->3->4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2->3|4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '-' in a shape}}
  tdsl.node @x : f32 "2 - 3" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '-' in a shape}}
  tdsl.node @x : f32 "-2" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:19: error:
  // expected-error @+1 {{custom op 'tdsl.row' unexpected '|' in a row}}
  tdsl.row @d = "3|4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the size of an axis or '?', but found the end}}
  tdsl.set_equal @h, axis ""
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the size of an axis or '?', but found 'x'}}
  tdsl.set_equal @h, axis "x"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' unexpected ',' in an axis}}
  tdsl.set_equal @h, axis "3,4"
}

// -----


//======================================================================//
// Terms
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:18: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a captured @h, a row @x[output], an axis @x[output, 0], axis "..." or row "..."}}
  tdsl.set_equal 3, @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:21: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a row: batch, input or output}}
  tdsl.set_equal @x[outer], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:21: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a row: batch, input or output}}
  tdsl.set_equal @x[0], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected integer value}}
  tdsl.set_equal @x[output, last], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected an axis in quotes}}
  tdsl.set_equal @h, axis 3
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the axes of a row in quotes}}
  tdsl.set_equal @h, row 3
}

// -----


//======================================================================//
// Shape logics and what belongs to them
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected a shape logic: ".", "@", "T", an einsum specification in quotes, fma, slice(@symbol) or uniform (spec d.4)}}
  tdsl.projections @q (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected a shape logic: ".", "@", "T", an einsum specification in quotes, fma, slice(@symbol) or uniform (spec d.4)}}
  tdsl.projections @q compose (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.projections' invalid kind of attribute specified}}
  tdsl.projections @q slice(3) (@a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{expected attribute value}}
  tdsl.projections @q "." (a) -> @c
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:59: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is given twice}}
  tdsl.projections @q "i=>i" (@a) -> @c captures {i = @h, i = @g}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:62: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 's' is given twice}}
  tdsl.projections @q "i=>i" (@a) -> @c coefficients {s = 2, s = 3}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:55: error:
  // expected-error @+1 {{custom op 'tdsl.projections' invalid kind of attribute specified}}
  tdsl.projections @q "i=>i" (@a) -> @c captures {i = 3}
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:59: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected integer value}}
  tdsl.projections @q "i=>i" (@a) -> @c coefficients {s = @h}
}

// -----


//======================================================================//
// Spaces
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:53: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected parallel or reduction}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 sequential] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:52: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected parallel or reduction}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'mod' is reserved in index expressions}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[mod 3 parallel] lhs[0] rhs1[0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an iterator is named by letters, digits and underscores}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[a.b 3 parallel] lhs[0] rhs1[0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:49: error:
  // expected-error @+1 {{custom op 'tdsl.projections' iterator 'i' has the negative size -1}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i -1 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is declared twice in one space}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, i 4 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'i' is declared twice in one space}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [i] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an iterator is named by letters, digits and underscores}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [a.b] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' 'floordiv' is reserved in index expressions}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [floordiv] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:63: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices lhs[...]}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] rhs1[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' a space has at least the map of its result, lhs[...]}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:70: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices rhs1[...] or '>'}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs2[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:78: error:
  // expected-error @+1 {{custom op 'tdsl.projections' expected the indices rhs2[...] or '>'}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i] rhs3[i]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' iterator 'k' does not occur in lhs, so it is a reduction (spec e.5)}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, k 2 parallel] lhs[i] rhs1[k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [s] lhs[i] rhs1[i * s]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i mod 0]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i floordiv -2]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' an index is affine: factors and positive divisors are numbers}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] symbols [s] lhs[i] rhs1[i ceildiv s]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:47: error:
  // expected-error @+1 {{custom op 'tdsl.projections' a number in an index is above -2^63}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[i - 9223372036854775807 - 1]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:75: error:
  // expected-error @+1 {{use of undeclared identifier}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:92: error:
  // expected-error @+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel, k 2 reduction] lhs[i] rhs1[i * k]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:75: error:
  // expected-error @+1 {{constant too large for index}}
  tdsl.projections @q "i=>i" (@a) -> @c space <[i 3 parallel] lhs[i] rhs1[9223372036854775808]>
}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+2]]:46: error:
  // expected-error @+1 {{expected '<'}}
  tdsl.projections @q "i=>i" (@a) -> @c space [i 3 parallel]
}

// -----


//======================================================================//
// Assignments
//======================================================================//

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:17: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a node, such as @x or merge(@x)}}
    tdsl.assign x add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a node, such as @x}}
    tdsl.assign merge(3) add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:18: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a node, such as @x or merge(@x)}}
    tdsl.assign () add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:17: error:
    // expected-error @+1 {{custom op 'tdsl.assign' a single destination takes no parentheses}}
    tdsl.assign (@x) add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)}}
    tdsl.assign @x[left] add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)}}
    tdsl.assign @x[rhs0] add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)}}
    tdsl.assign @x[rhs01] add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)}}
    tdsl.assign @x[rhs1000001] add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)}}
    tdsl.assign @x[1] add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected an accumulator (spec b.4): overwrite, add, sub, mul, div, pow, relu_gate, sat01_gate, or, and, max, min, threefry4x32}}
    tdsl.assign @x = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:20: error:
    // expected-error @+1 {{custom op 'tdsl.assign' 'mod' does not accumulate (spec b.4): expected one of overwrite, add, sub, mul, div, pow, relu_gate, sat01_gate, or, and, max, min, threefry4x32}}
    tdsl.assign @x mod = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
    // expected-error @+1 {{custom op 'tdsl.assign' 'lt' does not accumulate (spec b.4): expected one of overwrite, add, sub, mul, div, pow, relu_gate, sat01_gate, or, and, max, min, threefry4x32}}
    tdsl.assign @x reset lt = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
    // expected-error @+1 {{custom op 'tdsl.fill' expected an accumulator (spec b.4): overwrite, add, sub, mul, div, pow, relu_gate, sat01_gate, or, and, max, min, threefry4x32}}
    tdsl.fill @x neutral "max"
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected a primitive operation (spec b.5)}}
    tdsl.assign @x add = (@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
    // expected-error @+1 {{custom op 'tdsl.assign' 'gelu' is not a primitive operation (spec b.5): expected one of id, relu, sat01, exp, log, exp2, log2, sin, cos, sqrt, recip, recip_sqrt, neg, tanh, not, trunc, uint4x32_to_prec_uniform1, fst, snd, add, sub, mul, div, pow, relu_gate, sat01_gate, lt, le, eq, ne, or, and, mod, max, min, threefry4x32, threefry4x32_crypto, where, fma, mul3}}
    tdsl.assign @x add = gelu(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:28: error:
    // expected-error @+1 {{expected '('}}
    tdsl.assign @x add = id @y by @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:33: error:
    // expected-error @+1 {{custom op 'tdsl.assign' expected 'by'}}
    tdsl.assign @x add = id(@y) @q
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:23: error:
    // expected-error @+1 {{custom op 'tdsl.set_vec' expected 'uint4x32_to_prec_uniform'}}
    tdsl.set_vec @u = id(@w) by @q
  }
}

// -----


//======================================================================//
// Fetches
//======================================================================//

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:21: error:
    // expected-error @+1 {{custom op 'tdsl.fetch' expected constant, bits, fill, range, slice, symbol, self_id or dim (spec b.1)}}
    tdsl.fetch @x = 3
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:21: error:
    // expected-error @+1 {{custom op 'tdsl.fetch' expected constant, bits, fill, range, slice, symbol, self_id or dim (spec b.1)}}
    tdsl.fetch @x = zeros
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:30: error:
    // expected-error @+1 {{unexpected decimal integer literal for a floating point value}}
    tdsl.fetch @x = constant 1
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:26: error:
    // expected-error @+1 {{custom op 'tdsl.fetch' expected integer value}}
    tdsl.fetch @x = bits 1.5
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
    // expected-error @+1 {{expected '['}}
    tdsl.fetch @x = fill 1.5
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:30: error:
    // expected-error @+1 {{custom op 'tdsl.fetch' expected 'at'}}
    tdsl.fetch @x = slice @y %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: parse-errors.mlir:[[@LINE+2]]:25: error:
    // expected-error @+1 {{custom op 'tdsl.fetch' invalid kind of attribute specified}}
    tdsl.fetch @x = dim 8
  }
}

// -----


//======================================================================//
// Attributes and types in brackets
//======================================================================//

// CHECK: parse-errors.mlir:[[@LINE+2]]:30: error:
// expected-error @+1 {{unknown attribute `nothing` in dialect `tdsl`}}
module attributes {a = #tdsl.nothing<"3">} {}

// -----

// CHECK: parse-errors.mlir:[[@LINE+2]]:38: error:
// expected-error @+1 {{expected '>'}}
module attributes {a = #tdsl.axis<"3",>} {}

// -----

// CHECK: parse-errors.mlir:[[@LINE+2]]:43: error:
// expected-error @+1 {{expected parallel or reduction}}
module attributes {a = #tdsl.iterator<i 3 outer>} {}

// -----

// CHECK: parse-errors.mlir:[[@LINE+2]]:36: error:
// expected-error @+1 {{expected a shape logic: ".", "@", "T", an einsum specification in quotes, fma, slice(@symbol) or uniform (spec d.4)}}
module attributes {a = #tdsl.logic<T>} {}

// -----

tdsl.program @p {
  // CHECK: parse-errors.mlir:[[@LINE+4]]:35: error:
  // expected-error @+3 {{expected attribute value}}
  // CHECK: parse-errors.mlir:[[@LINE+2]]:35: error:
  // expected-error @+1 {{failed to parse Tdsl_SymbolIndexType parameter 'symbol' which is to be a `::mlir::FlatSymbolRefAttr`}}
  tdsl.routine @r(%i: !tdsl.index<i>) {
  }
}
