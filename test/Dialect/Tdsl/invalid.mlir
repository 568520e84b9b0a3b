// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// One mistake per program that parses: what the verifiers say.

//======================================================================//
// Where operations stand
//======================================================================//

// CHECK: invalid.mlir:[[@LINE+2]]:1: error:
// expected-error @+1 {{'tdsl.dim' op expects parent op 'tdsl.program'}}
tdsl.dim @h

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.fill' op expects parent op to be one of 'tdsl.routine, tdsl.comment'}}
  tdsl.fill @x neutral add
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.routine' op expects parent op 'tdsl.program'}}
    tdsl.routine @s {
    }
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.dim' op expects parent op 'tdsl.program'}}
    tdsl.dim @h
  }
}

// -----

tdsl.program @p {
  // expected-note @+1 {{see existing symbol definition here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{redefinition of symbol named 'h'}}
  tdsl.row @h
}

// -----


//======================================================================//
// Symbols, dimensions, nodes
//======================================================================//

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.symbol' op has no values: its range goes from 4 to 4, the upper bound excluded}}
  tdsl.symbol @i range 4 to 4
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.symbol' op has no values: its range goes from 4 to -4, the upper bound excluded}}
  tdsl.symbol @i range 4 to -4
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.dim' op has the negative size -1}}
  tdsl.dim @h = -1
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is an input, which the host provides, so it cannot be private}}
  tdsl.node private @x : f32 "3" input
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, which the host provides, so it cannot be private}}
  tdsl.node private @x : f32 "3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, so its batch row is closed and empty (spec a.5)}}
  tdsl.node @w : f32 "2|->3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, so its batch row is closed and empty (spec a.5)}}
  tdsl.node @w : f32 "...|->3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op cannot be the gradient of itself}}
  tdsl.node @x : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op differentiated node @x is not declared in this program}}
  tdsl.node @x.grad : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @x
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op differentiated node @x is not a node}}
  tdsl.node @x.grad : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells, so its precision and shape must be closed}}
  tdsl.node @x : ? "3" leaf = dense<1.0> : tensor<3xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells, so its precision and shape must be closed}}
  tdsl.node @x : f32 "?" leaf = dense<1.0> : tensor<3xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of type 'f64', but its precision f32 needs 'f32'}}
  tdsl.node @x : f32 "3" leaf = dense<1.0> : tensor<3xf64>
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of type 'i16', but its precision u8 needs 'i8'}}
  tdsl.node @x : u8 "3" leaf = dense<1> : tensor<3xi16>
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of shape [2, 3, 4], but its axes in memory order (batch, output, input) are [2, 4, 3] (spec a.4)}}
  tdsl.node @x : f32 "2|3->4" leaf = dense<1.0> : tensor<2x3x4xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{invalid properties {role = 9 : i32, shape = #tdsl.shape<"|->3">, sym_name = "x"} for op tdsl.node: Invalid attribute `role` in property conversion: 9 : i32}}
  "tdsl.node"() <{sym_name = "x", shape = #tdsl.shape<"3">, role = 9 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op requires attribute 'shape'}}
  "tdsl.node"() <{sym_name = "x", role = 0 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{invalid properties {precision = 99 : i32, role = 0 : i32, shape = #tdsl.shape<"|->3">, sym_name = "x"} for op tdsl.node: Invalid attribute `precision` in property conversion: 99 : i32}}
  "tdsl.node"() <{sym_name = "x", shape = #tdsl.shape<"3">, role = 0 : i32, precision = 99 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.dim' op attribute 'size' failed to satisfy constraint: 64-bit integer}}
  "tdsl.dim"() <{sym_name = "h", size = 3 : i32}> : () -> ()
}

// -----


//======================================================================//
// Index spaces before derivation
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic pointwise relates 1 to 3 operands, but got 0 (spec d.4)}}
  tdsl.projections @q "." () -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic pointwise relates 1 to 3 operands, but got 4 (spec d.4)}}
  tdsl.projections @q "." (@x, @x, @x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic spec relates at least 1 operand, but got 0 (spec d.4)}}
  tdsl.projections @q "i=>i" () -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic compose relates 2 operands, but got 1 (spec d.4)}}
  tdsl.projections @q "@" (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic compose_accumulate relates 3 operands, but got 2 (spec d.4)}}
  tdsl.projections @q fma (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic transpose relates 1 operand, but got 2 (spec d.4)}}
  tdsl.projections @q "T" (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic slice relates 1 operand, but got 2 (spec d.4)}}
  tdsl.projections @q slice(@i) (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic uniform relates 1 operand, but got 0 (spec d.4)}}
  tdsl.projections @q uniform () -> @x
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "captures" belongs to an einsum specification}}
  tdsl.projections @q "." (@x) -> @x captures {i = @h}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "coefficients" belongs to an einsum specification}}
  tdsl.projections @q "." (@x) -> @x coefficients {s = 2}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "use_padding" belongs to an einsum specification}}
  tdsl.projections @q "@" (@x, @x) -> @x use_padding true
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "segment" belongs to an einsum specification}}
  tdsl.projections @q "T" (@x) -> @x segment 0
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names no captured dimension or row}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"i=>i">, sources = [@x], result = @x, captures = {i = 3 : i64}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  tdsl.projections @q "s*o=>o" (@x) -> @x coefficients {s = 0}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"s*o=>o">, sources = [@x], result = @x, coefficients = {s = 3 : i32}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"s*o=>o">, sources = [@x], result = @x, coefficients = {s = "3"}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op segment -1 is negative}}
  tdsl.projections @q "i=>i" (@x) -> @x segment -1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op result @y is not declared in this program}}
  tdsl.projections @q "." (@x) -> @y
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op result @h is not a node}}
  tdsl.projections @q "." (@x) -> @h
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op operand @y is not declared in this program}}
  tdsl.projections @q "." (@y) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op operand @h is not a node}}
  tdsl.projections @q "." (@h) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op slice position @i is not declared in this program}}
  tdsl.projections @q slice(@i) (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op slice position @h is not a static symbol}}
  tdsl.projections @q slice(@h) (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names @h, which is not a captured dimension or row (spec d.9)}}
  tdsl.projections @q "i=>i" (@x) -> @x captures {i = @h}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names @x, which is not a captured dimension or row (spec d.9)}}
  tdsl.projections @q "i=>i" (@x) -> @x captures {i = @x}
}

// -----


//======================================================================//
// Derived spaces
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op space has maps for 0 operands, but the operation has 1}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op space has maps for 2 operands, but the operation has 1}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "?" result
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op has a derived space, but the shape of @y is still open (spec e.1)}}
  tdsl.projections @q "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op lhs has 2 indices, but @x has 1 axis}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i, 0] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 has 0 indices, but @x has 1 axis}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from 0 to 3, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 4 parallel] lhs[i] guarded rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op lhs index 0 goes from -1 to 1, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i - 1] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from -2 to 0, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[i * -1]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from 3 to 3, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[3]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op symbol of the space @s is not declared in this program}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] symbols [s] lhs[i] rhs1[s]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op symbol of the space @h is not a static symbol}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] symbols [h] lhs[i] rhs1[h]>
}

// -----


//======================================================================//
// Routines
//======================================================================//

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument 0 has type 'index': a routine takes values of static symbols, !tdsl.index<@symbol>}}
  tdsl.routine @r(%i: index) {
  }
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument's symbol @i is not declared in this program}}
  tdsl.routine @r(%i: !tdsl.index<@i>) {
  }
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op argument's symbol @h is not a static symbol}}
  tdsl.routine @r(%i: !tdsl.index<@h>) {
  }
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.routine' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "tdsl.routine"() <{sym_name = "r"}> ({}) : () -> ()
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op operation 'id' takes 1 operand, but got 2 (spec b.5)}}
    tdsl.assign @y add = id(@x, @x) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "3" result
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.assign' op attribute 'destinations' failed to satisfy constraint: accesses}}
    "tdsl.assign"() <{destinations = [@y], accumulator = 1 : i32, primitive = 0 : i32, sources = [#tdsl.access<@x>], projections = @q}> : () -> ()
  }
}

// -----


//======================================================================//
// Packed uniform and fill
//======================================================================//

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op assigns to the merge buffer of @y, which can only be read (spec b.1)}}
    tdsl.set_vec merge(@y) = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op index space @q is not declared in this program}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op needs an index space with the logic uniform, but @q has pointwise (spec b.6)}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op destination @z is not declared in this program}}
    tdsl.set_vec @z = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op source @z is not declared in this program}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@z) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op source @w uses slot rhs2, but @q has 1 operand (spec e.5)}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@w[rhs2]) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : u32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op source @w holds u32, but packed random words are uint4x32 (spec b.6)}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fill' op needs an accumulator with a neutral element; overwriting has none that a cell could keep (spec b.2)}}
    tdsl.fill @x neutral overwrite
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fill' op node @x is not declared in this program}}
    tdsl.fill @x neutral add
  }
}

// -----


//======================================================================//
// Fetches
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'constant' needs a value (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'constant' does not take the value 1 : i64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32, value = 1 : i64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'bits' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 1 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'fill' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 2 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'range' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 3 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'dim' reads another symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 7 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'self_id' reads no other symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 6 : i32, source = @x}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'symbol' takes the value of a static symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 5 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'range' takes no value of a static symbol (spec b.1)}}
    "tdsl.fetch"(%i) <{node = @x, kind = 3 : i32}> : (!tdsl.index<@i>) -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op node @x is not declared in this program}}
    tdsl.fetch @x = range
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op sliced node @y is not declared in this program}}
    tdsl.fetch @x = slice @y at %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds @h, which is not a captured dimension or row (spec d.9)}}
    tdsl.fetch @x = dim @h
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds @x, which is not a captured dimension or row (spec d.9)}}
    tdsl.fetch @x = dim @x
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds the id of @x, which has none: write 'id <number>' on the node (spec a.4)}}
    tdsl.fetch @x = self_id
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op gives 2 cells, but @x has 3 (spec b.1)}}
    tdsl.fetch @x = fill [1.0, 2.0]
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "4294967296,4294967296" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op node @x has more than 2^63 cells}}
    tdsl.fetch @x = fill [1.0]
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{invalid properties {kind = 8 : i32, node = @x} for op tdsl.fetch: Invalid attribute `kind` in property conversion: 8 : i32}}
    "tdsl.fetch"() <{node = @x, kind = 8 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op attribute 'value' failed to satisfy constraint: 64-bit float attribute or 64-bit signless integer attribute or f64 dense array attribute}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32, value = 1.0 : f32}> : () -> ()
  }
}

// -----


//======================================================================//
// Constraints
//======================================================================//

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op gives @h the negative size -1}}
  tdsl.set_dim @h = -1
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op @h is not a captured dimension or row (spec d.9)}}
  tdsl.set_dim @h = 1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op @x is not a captured dimension or row (spec d.9)}}
  tdsl.set_dim @x = 1
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op relates two literals: one side names what it constrains}}
  tdsl.set_equal axis "3", axis "4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @g is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.set_equal @h, @g
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.symbol @i range 0 to 4
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @i is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.set_equal @h, @i
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @h is a capture: it has no output row}}
  tdsl.set_equal @h[output], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis 1 does not exist: the output row of @x has 1 axis}}
  tdsl.set_equal @x[output, 1], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis -2 does not exist: the output row of @x has 1 axis}}
  tdsl.set_equal @x[output, -2], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis 0 does not exist: the batch row of @x has 0 axes}}
  tdsl.set_equal @x[batch, 0], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op needs dimensions or rows; whole nodes are related by tdsl.same_shape, but got @x}}
  tdsl.set_equal @h, @x
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op relates two literals: one side names what it constrains}}
  tdsl.broadcast row "3" into row "4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op broadcasts a dimension into a dimension or a row into a row (spec d.3), but got @h and @x[output]}}
  tdsl.broadcast @h into @x[output]
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op broadcasts a dimension into a dimension or a row into a row (spec d.3), but got @x and @x}}
  tdsl.broadcast @x into @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op @y is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.broadcast @y[output] into @x[output]
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op scales by 0, but the factor is at least 1 (spec d.9)}}
  tdsl.set_scale @h = 0 * @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op operand @g is not declared in this program}}
  tdsl.set_scale @g = 2 * @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // expected-note @+1 {{it is declared here}}
  tdsl.row @d
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op operand @d is not a captured dimension}}
  tdsl.set_scale @h = 2 * @d
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op asks for the size 0, but a fixed index i asks for i + 1 >= 1 (spec d.3)}}
  tdsl.at_least @x[output, 0] = 0
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op needs an axis or a captured dimension, but got @x[output]}}
  tdsl.at_least @x[output] = 1
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op constrains a literal: name an axis or a captured dimension}}
  tdsl.at_least axis "3" = 1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op counts the negative number -1}}
  tdsl.total_elements @x = -1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op divides a number: write the quotient}}
  tdsl.total_elements @x = 6 divided_by 2
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op divides by 0, which is not positive}}
  tdsl.total_elements @x = 6 * @h divided_by 0
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op operand @h is not declared in this program}}
  tdsl.total_elements @x = 6 * @h
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.row @d
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op operand @d is not a captured dimension}}
  tdsl.total_elements @x = 6 * @d
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op needs a node or a row, but got @x[output, 0]}}
  tdsl.total_elements @x[output, 0] = 6
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op constrains a literal: name a node or a row}}
  tdsl.total_elements row "3" = 3
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op node @y is not declared in this program}}
  tdsl.same_shape @y, @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op other node @y is not declared in this program}}
  tdsl.same_shape @x, @y
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op other node @h is not a node}}
  tdsl.same_shape @x, @h
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.node @x : f32 "3" input
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op operation @x is not a tdsl.projections (spec d.10)}}
  tdsl.same_shape @x, product_space @x
}

// -----

tdsl.program @p {
  // CHECK: invalid.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.close' op node @x is not declared in this program}}
  tdsl.close @x because "printing"
}
