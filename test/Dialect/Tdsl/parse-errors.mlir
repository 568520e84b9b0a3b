// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What the parsers of operations say; one mistake per program.

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
    // CHECK: parse-errors.mlir:[[@LINE+3]]:30: error:
    // expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
    // expected-note @+1 {{add a trailing dot to make the literal a float}}
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
