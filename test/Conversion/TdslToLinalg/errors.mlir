// RUN: tdsl-opt %s --convert-tdsl-to-linalg --split-input-file --verify-diagnostics

tdsl.program @p {
  // expected-error @below {{node @y has an open precision or shape: run tdsl-infer-precision and tdsl-infer-shapes first}}
  tdsl.node @y : ? "3" result
  tdsl.routine @r { tdsl.fetch @y = constant 1.0 }
}

// -----

tdsl.program @p {
  // expected-error @below {{node @y has cells of precision f8, which have no lowering in this version: use f16 or bf16}}
  tdsl.node @y : f8 "3" result
  tdsl.routine @r { tdsl.fetch @y = constant 1.0 }
}

// -----

tdsl.program @p {
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@y) -> @y
  tdsl.routine @r {
    // expected-error @below {{'tdsl.assign' op has no derived index space: run tdsl-derive-projections first}}
    tdsl.assign @y add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@y) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.routine @r {
    // expected-error @below {{'tdsl.assign' op still resets its destination: run tdsl-derive-projections first}}
    tdsl.assign @y reset add = id(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @y : f32 "3" result
  tdsl.projections @q "." (@y, @y) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.routine @r {
    // expected-error @below {{'tdsl.assign' op still has several segments: run tdsl-derive-projections first}}
    tdsl.assign @y add = block id(@y, @y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : f32 "8" input
  tdsl.node @y : f32 "4" result
  tdsl.projections @q "." (@x) -> @y space <[i 8 reduction] lhs[i floordiv 2] rhs1[i]>
  tdsl.routine @r {
    // expected-error @below {{writes through an index with division or remainder, or a guarded one with a static symbol, which has no lowering to linalg: let the destination be the one that is iterated over}}
    tdsl.assign @y add = id(@x) by @q
  }
}

// -----

tdsl.program @p {
  // expected-note @below {{the range is declared here}}
  tdsl.symbol @i range 0 to 5
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // expected-error @below {{static symbol @i takes values from 0 to 4, but the axis of @x that it indexes has size 4}}
    tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  // expected-note @below {{the range is declared here}}
  tdsl.symbol @i range 4 to 8
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q slice(@i) (@x) -> @y space <[o 3 parallel] symbols [i] lhs[o] rhs1[i, o]>
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // expected-error @below {{static symbol @i takes values from 4 to 7, but the axis of @x that it indexes has size 4}}
    tdsl.assign @y overwrite = id(@x) by @q[%i : !tdsl.index<@i>]
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @y : f32 "->2" result
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // expected-error @below {{'tdsl.fetch' op needs @y to be one element of @x along its leftmost batch axis}}
    tdsl.fetch @y = slice @x at %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  tdsl.symbol @i range 0 to 4
  tdsl.node @y : f32 "->2" result
  // expected-error @below {{routine @r takes the value of @i twice: callers give one value by name}}
  tdsl.routine @r(%i: !tdsl.index<@i>, %j: !tdsl.index<@i>) {
    tdsl.fetch @y = symbol %i : !tdsl.index<@i>
  }
}

// -----

tdsl.program @p {
  tdsl.dim @d
  tdsl.node @y : f32 "->2" result
  tdsl.routine @r {
    // expected-error @below {{'tdsl.fetch' op embeds @d, which has no number yet: run tdsl-infer-shapes first}}
    tdsl.fetch @y = dim @d
  }
}

// -----

// expected-note @below {{it is here}}
func.func private @r()
tdsl.program @p {
  // expected-error @below {{the module already has a symbol @r: routines of one module need different names}}
  tdsl.routine @r {}
}

// -----

tdsl.program @p {
  // expected-error @below {{routine @tdsl.pow.f32 has a name that begins with 'tdsl.', which is kept for the functions of the compiler}}
  tdsl.routine @tdsl.pow.f32 {}
}

// -----

tdsl.program @p {
  tdsl.node @y : uint4x32 "2" result
  tdsl.routine @r {
    // expected-error @below {{'tdsl.fetch' op gives the number 3.000000e+00 to @y, but a number other than 0 says nothing about four words: write its bits (spec b.6)}}
    tdsl.fetch @y = constant 3.0
  }
}

// -----

tdsl.program @p {
  tdsl.node @y : uint4x32 "2" result
  tdsl.routine @r {
    // expected-error @below {{'tdsl.fill' op fills @y with the neutral element of 'mul', which cells of precision uint4x32 do not have (spec b.3)}}
    tdsl.fill @y neutral mul
  }
}

// -----

tdsl.program @p {
  tdsl.node @y : uint4x32 "->2" result
  tdsl.projections @q "." (@y) -> @y space <[i 2 parallel] lhs[i] rhs1[i]>
  tdsl.routine @r {
    // expected-error @below {{'neg' is not available for cells of precision uint4x32}}
    tdsl.assign @y overwrite = neg(@y) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @bits : uint4x32 "|3->" leaf
  tdsl.node @u : f32 "->8" result
  tdsl.projections @q uniform (@bits) -> @u
  tdsl.routine @r {
    // expected-error @below {{'tdsl.set_vec' op fills the 8 cells of @u, which takes 2 words of 4 cells, but @bits has 3 (spec b.6)}}
    tdsl.set_vec @u = uint4x32_to_prec_uniform(@bits) by @q
  }
}

// -----

tdsl.program @p {
  tdsl.node @x : i32 "->3" input
  tdsl.node @y : i32 "->3" result
  tdsl.projections @q "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.routine @r {
    // expected-error @below {{'exp' is not available for cells of precision i32}}
    tdsl.assign @y overwrite = exp(@x) by @q
  }
}

// -----

tdsl.program @p {
  // expected-error @below {{node @y has more cells than memory has addresses}}
  tdsl.node @y : f32 "1099511627776,1099511627776" result
  tdsl.routine @r { tdsl.fetch @y = constant 1.0 }
}
