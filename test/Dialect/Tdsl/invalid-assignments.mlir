// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What verifiers say of routines and assignments; one mistake per program.

//======================================================================//
// Routines
//======================================================================//

tdsl.program @p {
  // CHECK: invalid-assignments.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument 0 has type 'index': a routine takes values of static symbols, !tdsl.index<@symbol>}}
  tdsl.routine @r(%i: index) {
  }
}

// -----

tdsl.program @p {
  // CHECK: invalid-assignments.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument's symbol @i is not declared in this program}}
  tdsl.routine @r(%i: !tdsl.index<@i>) {
  }
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-assignments.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument's symbol @h is not a static symbol}}
  tdsl.routine @r(%i: !tdsl.index<@h>) {
  }
}

// -----

tdsl.program @p {
  // CHECK: invalid-assignments.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "tdsl.routine"() <{sym_name = "r"}> ({}) : () -> ()
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.comment' op region should have no arguments}}
    "tdsl.comment"() <{text = "c"}> ({
    ^bb0(%i: index):
    }) : () -> ()
  }
}

// -----


//======================================================================//
// Assignments
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op cannot reset before overwriting: plain '=:' changes only the cells it reaches, it has no initializing twin (spec b.2)}}
    tdsl.assign @y reset overwrite = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op has no destination}}
    "tdsl.assign"() <{destinations = [], accumulator = 1 : i32, primitive = 0 : i32, sources = [#tdsl.access<@x>], projections = @q}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op assigns to the merge buffer of @y, which can only be read (spec b.1)}}
    tdsl.assign merge(@y) add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op with several destinations spreads one source by a unary operation, the reverse of a concatenation (spec b.1)}}
    tdsl.assign (@y, @y) add = mul(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op with several destinations spreads one source by a unary operation, the reverse of a concatenation (spec b.1)}}
    tdsl.assign (@y, @y) add = block id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op with several destinations spreads one source by a unary operation, the reverse of a concatenation (spec b.1)}}
    tdsl.assign (@y, @y) add = id(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op in block form takes a unary operation for each source, but 'mul' has 2 operands (spec b.1)}}
    tdsl.assign @y add = block mul(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op in block form needs at least one source}}
    tdsl.assign @y add = block id() by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op operation 'mul' takes 2 operands, but got 1 (spec b.5)}}
    tdsl.assign @y add = mul(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op operation 'id' takes 1 operand, but got 2 (spec b.5)}}
    tdsl.assign @y add = id(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @q is not declared in this program}}
    tdsl.assign @y add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @x is not a tdsl.projections}}
    tdsl.assign @y add = id(@x) by @x
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "@" (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op with the logic "@" and the operation 'div' reads like a matrix inverse or power and is neither; use "." or an einsum specification (spec b.5)}}
    tdsl.assign @y add = div(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "@" (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op with the logic "@" and the operation 'pow' reads like a matrix inverse or power and is neither; use "." or an einsum specification (spec b.5)}}
    tdsl.assign @y add = pow(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "i;j;k=>k" (@x, @x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op would add the addend of 'fma' once per point of an einsum specification; use the logic fma (spec b.5)}}
    tdsl.assign @y add = fma(@x, @x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op cannot use the space of a packed uniform; that is tdsl.set_vec}}
    tdsl.assign @y add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op destination @z is not declared in this program}}
    tdsl.assign @z add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op source @z is not declared in this program}}
    tdsl.assign @y add = id(@z) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  // expected-note @+1 {{it is declared here}}
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op source @q is not a node}}
    tdsl.assign @y add = id(@q) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op source @x uses slot rhs2, but @q has 1 operand (spec e.5)}}
    tdsl.assign @y add = id(@x[rhs2]) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x, @x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op destination @y uses slot rhs3, but @q has 2 operands (spec e.5)}}
    tdsl.assign @y[rhs3] add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @q uses no static symbol}}
    tdsl.assign @y add = id(@x) by @q[%i : !tdsl.index<@i>]
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q slice(@i) (@x) -> @y
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @q needs the values of @i, written @q[%i : !tdsl.index<@i>]}}
    tdsl.assign @y overwrite = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.symbol @j range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q slice(@i) (@x) -> @y
  tdsl.routine @r(%j: !tdsl.index<@j>) {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @q needs the values of @i, written @q[%i : !tdsl.index<@i>]}}
    tdsl.assign @y overwrite = id(@x) by @q[%j : !tdsl.index<@j>]
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.symbol @j range 0 to 4
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y space <[k 3 parallel] symbols [i, j] lhs[k] rhs1[i + j]>
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op index space @q needs the values of @i, @j, written @q[%i, %j : !tdsl.index<@i>, !tdsl.index<@j>]}}
    tdsl.assign @y overwrite = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{invalid properties {accumulator = 77 : i32, destinations = [#tdsl.access<@y>], primitive = 0 : i32, projections = @q, sources = [#tdsl.access<@x>]} for op tdsl.assign: Invalid attribute `accumulator` in property conversion: 77 : i32}}
    "tdsl.assign"() <{destinations = [#tdsl.access<@y>], accumulator = 77 : i32, primitive = 0 : i32, sources = [#tdsl.access<@x>], projections = @q}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @r {
    // CHECK: invalid-assignments.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op attribute 'destinations' failed to satisfy constraint: accesses}}
    "tdsl.assign"() <{destinations = [@y], accumulator = 1 : i32, primitive = 0 : i32, sources = [#tdsl.access<@x>], projections = @q}> : () -> ()
  }
}
