// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What verifiers say of declarations and of where operations stand; one mistake per program.

//======================================================================//
// Where operations stand
//======================================================================//

// CHECK: invalid-declarations.mlir:[[@LINE+2]]:1: error:
// expected-error @+1 {{'tdsl.dim' op expects parent op 'tdsl.program'}}
tdsl.dim @h

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.fill' op expects parent op to be one of 'tdsl.routine, tdsl.comment'}}
  tdsl.fill @x neutral add
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid-declarations.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.routine' op expects parent op 'tdsl.program'}}
    tdsl.routine @s {
    }
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid-declarations.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.dim' op expects parent op 'tdsl.program'}}
    tdsl.dim @h
  }
}

// -----

tdsl.program @p {
  // expected-note @+1 {{see existing symbol definition here}}
  tdsl.dim @h
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{redefinition of symbol named 'h'}}
  tdsl.row @h
}

// -----


//======================================================================//
// Symbols, dimensions, nodes
//======================================================================//

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.symbol' op has no values: its range goes from 4 to 4, the upper bound excluded}}
  tdsl.symbol @i range 4 to 4
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.symbol' op has no values: its range goes from 4 to -4, the upper bound excluded}}
  tdsl.symbol @i range 4 to -4
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.dim' op has the negative size -1}}
  tdsl.dim @h = -1
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is an input, which the host provides, so it cannot be private}}
  tdsl.node private @x : f32 "3" input
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, which the host provides, so it cannot be private}}
  tdsl.node private @x : f32 "3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, so its batch row is closed and empty (spec a.5)}}
  tdsl.node @w : f32 "2|->3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op is a parameter, so its batch row is closed and empty (spec a.5)}}
  tdsl.node @w : f32 "...|->3" param
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op cannot be the gradient of itself}}
  tdsl.node @x : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op differentiated node @x is not declared in this program}}
  tdsl.node @x.grad : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @x
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op differentiated node @x is not a node}}
  tdsl.node @x.grad : f32 "3" result grad_of @x
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells, so its precision and shape must be closed}}
  tdsl.node @x : ? "3" leaf = dense<1.0> : tensor<3xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells, so its precision and shape must be closed}}
  tdsl.node @x : f32 "?" leaf = dense<1.0> : tensor<3xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of type 'f64', but its precision f32 needs 'f32'}}
  tdsl.node @x : f32 "3" leaf = dense<1.0> : tensor<3xf64>
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of type 'i16', but its precision u8 needs 'i8'}}
  tdsl.node @x : u8 "3" leaf = dense<1> : tensor<3xi16>
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op has initial cells of shape [2, 3, 4], but its axes in memory order (batch, output, input) are [2, 4, 3] (spec a.4)}}
  tdsl.node @x : f32 "2|3->4" leaf = dense<1.0> : tensor<2x3x4xf32>
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{invalid properties {role = 9 : i32, shape = #tdsl.shape<"|->3">, sym_name = "x"} for op tdsl.node: Invalid attribute `role` in property conversion: 9 : i32}}
  "tdsl.node"() <{sym_name = "x", shape = #tdsl.shape<"3">, role = 9 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.node' op requires attribute 'shape'}}
  "tdsl.node"() <{sym_name = "x", role = 0 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{invalid properties {precision = 99 : i32, role = 0 : i32, shape = #tdsl.shape<"|->3">, sym_name = "x"} for op tdsl.node: Invalid attribute `precision` in property conversion: 99 : i32}}
  "tdsl.node"() <{sym_name = "x", shape = #tdsl.shape<"3">, role = 0 : i32, precision = 99 : i32}> : () -> ()
}

// -----

tdsl.program @p {
  // CHECK: invalid-declarations.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.dim' op attribute 'size' failed to satisfy constraint: 64-bit integer}}
  "tdsl.dim"() <{sym_name = "h", size = 3 : i32}> : () -> ()
}
