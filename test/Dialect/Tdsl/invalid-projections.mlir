// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What verifiers say of index spaces; one mistake per program.

//======================================================================//
// Index spaces before derivation
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic pointwise relates 1 to 3 operands, but got 0 (spec d.4)}}
  tdsl.projections @q "." () -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic pointwise relates 1 to 3 operands, but got 4 (spec d.4)}}
  tdsl.projections @q "." (@x, @x, @x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic spec relates at least 1 operand, but got 0 (spec d.4)}}
  tdsl.projections @q "i=>i" () -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic compose relates 2 operands, but got 1 (spec d.4)}}
  tdsl.projections @q "@" (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic compose_accumulate relates 3 operands, but got 2 (spec d.4)}}
  tdsl.projections @q fma (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic transpose relates 1 operand, but got 2 (spec d.4)}}
  tdsl.projections @q "T" (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic slice relates 1 operand, but got 2 (spec d.4)}}
  tdsl.projections @q slice(@i) (@x, @x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op logic uniform relates 1 operand, but got 0 (spec d.4)}}
  tdsl.projections @q uniform () -> @x
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "captures" belongs to an einsum specification}}
  tdsl.projections @q "." (@x) -> @x captures {i = @h}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "coefficients" belongs to an einsum specification}}
  tdsl.projections @q "." (@x) -> @x coefficients {s = 2}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op "use_padding" belongs to an einsum specification}}
  tdsl.projections @q "@" (@x, @x) -> @x use_padding true
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names no captured dimension or row}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"i=>i">, operand_nodes = [@x], result_node = @x, captures = {i = 3 : i64}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  tdsl.projections @q "s*o=>o" (@x) -> @x coefficients {s = 0}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"s*o=>o">, operand_nodes = [@x], result_node = @x, coefficients = {s = 3 : i32}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op coefficient 's' is not a positive 64-bit integer (spec c.2)}}
  "tdsl.projections"() <{sym_name = "q", logic = #tdsl.logic<"s*o=>o">, operand_nodes = [@x], result_node = @x, coefficients = {s = "3"}}> : () -> ()
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op segment -1 is negative}}
  tdsl.projections @q "i=>i" (@x) -> @x segment -1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op result @y is not declared in this program}}
  tdsl.projections @q "." (@x) -> @y
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op result @h is not a node}}
  tdsl.projections @q "." (@x) -> @h
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op operand @y is not declared in this program}}
  tdsl.projections @q "." (@y) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op operand @h is not a node}}
  tdsl.projections @q "." (@h) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op slice position @i is not declared in this program}}
  tdsl.projections @q slice(@i) (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op slice position @h is not a static symbol}}
  tdsl.projections @q slice(@h) (@x) -> @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names @h, which is not a captured dimension or row (spec d.9)}}
  tdsl.projections @q "i=>i" (@x) -> @x captures {i = @h}
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op capture 'i' names @x, which is not a captured dimension or row (spec d.9)}}
  tdsl.projections @q "i=>i" (@x) -> @x captures {i = @x}
}

// -----


//======================================================================//
// Derived spaces
//======================================================================//

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op space has maps for 0 operands, but the operation has 1}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op space has maps for 2 operands, but the operation has 1}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "?" result
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op has a derived space, but the shape of @y is still open (spec e.1)}}
  tdsl.projections @q "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op lhs has 2 indices, but @x has 1 axis}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i, 0] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 has 0 indices, but @x has 1 axis}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "2|->3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op lhs has 1 index, but @x has 2 axes}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[0, i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from 0 to 3, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 4 parallel] lhs[i] guarded rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op lhs index 0 goes from -1 to 1, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i - 1] rhs1[i]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from -2 to 0, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[i * -1]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op rhs1 index 0 goes from 3 to 3, but that axis of @x has size 3; a map that may leave its node is marked guarded (spec e.4)}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] lhs[i] rhs1[3]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op symbol of the space @s is not declared in this program}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] symbols [s] lhs[i] rhs1[s]>
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-projections.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.projections' op symbol of the space @h is not a static symbol}}
  tdsl.projections @q "." (@x) -> @x space <[i 3 parallel] symbols [h] lhs[i] rhs1[h]>
}
