// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What verifiers say of shape constraints; one mistake per program.

//======================================================================//
// Constraints
//======================================================================//

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op gives @h the negative size -1}}
  tdsl.set_dim @h = -1
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op @h is not a captured dimension or row (spec d.9)}}
  tdsl.set_dim @h = 1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_dim' op @x is not a captured dimension or row (spec d.9)}}
  tdsl.set_dim @x = 1
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op relates two literals: one side names what it constrains}}
  tdsl.set_equal axis "3", axis "4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @g is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.set_equal @h, @g
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.symbol @i range 0 to 4
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @i is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.set_equal @h, @i
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op @h is a capture: it has no output row}}
  tdsl.set_equal @h[output], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis 1 does not exist: the output row of @x has 1 axis}}
  tdsl.set_equal @x[output, 1], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis -2 does not exist: the output row of @x has 1 axis}}
  tdsl.set_equal @x[output, -2], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op axis 0 does not exist: the batch row of @x has 0 axes}}
  tdsl.set_equal @x[batch, 0], @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_equal' op needs dimensions or rows; whole nodes are related by tdsl.same_shape, but got @x}}
  tdsl.set_equal @h, @x
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op relates two literals: one side names what it constrains}}
  tdsl.broadcast row "3" into row "4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op broadcasts a dimension into a dimension or a row into a row (spec d.3), but got @h and @x[output]}}
  tdsl.broadcast @h into @x[output]
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op broadcasts a dimension into a dimension or a row into a row (spec d.3), but got @x and @x}}
  tdsl.broadcast @x into @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.broadcast' op @y is neither a captured dimension or row nor a node (spec d.9)}}
  tdsl.broadcast @y[output] into @x[output]
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op scales by 0, but the factor is at least 1 (spec d.9)}}
  tdsl.set_scale @h = 0 * @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op operand @g is not declared in this program}}
  tdsl.set_scale @g = 2 * @h
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // expected-note @+1 {{it is declared here}}
  tdsl.row @d
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.set_scale' op operand @d is not a captured dimension}}
  tdsl.set_scale @h = 2 * @d
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op asks for the size 0, but a fixed index i asks for i + 1 >= 1 (spec d.3)}}
  tdsl.at_least @x[output, 0] = 0
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op needs an axis or a captured dimension, but got @x[output]}}
  tdsl.at_least @x[output] = 1
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.at_least' op constrains a literal: name an axis or a captured dimension}}
  tdsl.at_least axis "3" = 1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op counts the negative number -1}}
  tdsl.total_elements @x = -1
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op divides a number: write the quotient}}
  tdsl.total_elements @x = 6 divided_by 2
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op divides by 0, which is not positive}}
  tdsl.total_elements @x = 6 * @h divided_by 0
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op operand @h is not declared in this program}}
  tdsl.total_elements @x = 6 * @h
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.row @d
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op operand @d is not a captured dimension}}
  tdsl.total_elements @x = 6 * @d
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op needs a node or a row, but got @x[output, 0]}}
  tdsl.total_elements @x[output, 0] = 6
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.total_elements' op constrains a literal: name a node or a row}}
  tdsl.total_elements row "3" = 3
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op node @y is not declared in this program}}
  tdsl.same_shape @y, @x
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op other node @y is not declared in this program}}
  tdsl.same_shape @x, @y
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  // expected-note @+1 {{it is declared here}}
  tdsl.dim @h
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op other node @h is not a node}}
  tdsl.same_shape @x, @h
}

// -----

tdsl.program @p {
  // expected-note @+1 {{it is declared here}}
  tdsl.node @x : f32 "3" input
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.same_shape' op operation @x is not a tdsl.projections (spec d.10)}}
  tdsl.same_shape @x, product_space @x
}

// -----

tdsl.program @p {
  // CHECK: invalid-constraints.mlir:[[@LINE+2]]:3: error:
  // expected-error @+1 {{'tdsl.close' op node @x is not declared in this program}}
  tdsl.close @x because "printing"
}
