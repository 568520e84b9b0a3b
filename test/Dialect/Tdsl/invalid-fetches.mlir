// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What verifiers say of what fills nodes by other means; one mistake per program.

//======================================================================//
// Packed uniform and fill
//======================================================================//

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.projections @q uniform (@w) -> @y
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op assigns to the merge buffer of @y, which can only be read (spec b.1)}}
    tdsl.set_vec merge(@y) = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @w : uint4x32 "|1->" leaf
  tdsl.node @y : f32 "3" result
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.set_vec' op source @w holds u32, but packed random words are uint4x32 (spec b.6)}}
    tdsl.set_vec @y = uint4x32_to_prec_uniform(@w) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" input
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fill' op needs an accumulator with a neutral element; overwriting has none that a cell could keep (spec b.2)}}
    tdsl.fill @x neutral overwrite
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
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
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'constant' needs a value (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'constant' does not take the value 1 : i64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32, value = 1 : i64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'bits' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 1 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'fill' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 2 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'range' does not take the value 1.000000e+00 : f64 (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 3 : i32, value = 1.0 : f64}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'dim' reads another symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 7 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'self_id' reads no other symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 6 : i32, source = @x}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'symbol' takes the value of a static symbol (spec b.1)}}
    "tdsl.fetch"() <{node = @x, kind = 5 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op of kind 'range' takes no value of a static symbol (spec b.1)}}
    "tdsl.fetch"(%i) <{node = @x, kind = 3 : i32}> : (!tdsl.index<@i>) -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op node @x is not declared in this program}}
    tdsl.fetch @x = range
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op sliced node @y is not declared in this program}}
    tdsl.fetch @x = slice @y at %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds @h, which is not a captured dimension or row (spec d.9)}}
    tdsl.fetch @x = dim @h
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds @x, which is not a captured dimension or row (spec d.9)}}
    tdsl.fetch @x = dim @x
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op embeds the id of @x, which has none: write 'id <number>' on the node (spec a.4)}}
    tdsl.fetch @x = self_id
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op gives 2 cells, but @x has 3 (spec b.1)}}
    tdsl.fetch @x = fill [1.0, 2.0]
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "4294967296,4294967296" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op node @x has more than 2^63 cells}}
    tdsl.fetch @x = fill [1.0]
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{invalid properties {kind = 8 : i32, node = @x} for op tdsl.fetch: Invalid attribute `kind` in property conversion: 8 : i32}}
    "tdsl.fetch"() <{node = @x, kind = 8 : i32}> : () -> ()
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "3" leaf
  tdsl.routine @r {
    // CHECK: invalid-fetches.mlir:[[@LINE+2]]:5: error:
    // expected-error @+1 {{'tdsl.fetch' op attribute 'value' failed to satisfy constraint: 64-bit float attribute or 64-bit signless integer attribute or f64 dense array attribute}}
    "tdsl.fetch"() <{node = @x, kind = 0 : i32, value = 1.0 : f32}> : () -> ()
  }
}
