// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision))' --split-input-file | FileCheck %s
// RUN: tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision{default=bf16}))' --split-input-file | FileCheck %s --check-prefix=DEFAULT
// RUN: not tdsl-opt %s --pass-pipeline='builtin.module(tdsl.program(tdsl-infer-precision{default=float}))' --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: 'float' is not a precision (spec a.8); expected one of uint4x32, f64, f32, bf16, f16, f8, u64, i64, u32, i32, u16, i16, u8, i8, bool

// An operation promotes its operands; a chain carries the result on.

// CHECK-LABEL: tdsl.program @bottom_up
tdsl.program @bottom_up {
  tdsl.node @a : bf16 "4" input
  tdsl.node @b : f32 "4" input
  // CHECK: tdsl.node @sum : f32
  tdsl.node @sum : ? "4" result
  // CHECK: tdsl.node @root : f32
  tdsl.node @root : ? "4" result
  tdsl.projections @p "." (@a, @b) -> @sum
  tdsl.projections @q "." (@sum) -> @root
  tdsl.routine @r {
    tdsl.assign @root overwrite = sqrt(@sum) by @q
    tdsl.assign @sum overwrite = add(@a, @b) by @p
  }
}

// -----

// A parameter takes the precision of what it goes into, through results that it alone feeds, and so does its gradient.

// CHECK-LABEL: tdsl.program @top_down
tdsl.program @top_down {
  tdsl.node @x : f64 "4" input
  // CHECK: tdsl.node @w : f64
  tdsl.node @w : ? "4" param
  // CHECK: tdsl.node @h : f64
  tdsl.node @h : ? "4" result
  // CHECK: tdsl.node @y : f64
  tdsl.node @y : ? "4" result
  // CHECK: tdsl.node @w.grad : f64
  tdsl.node @w.grad : ? "4" result grad_of @w
  tdsl.projections @p "." (@w) -> @h
  tdsl.projections @q "." (@h, @x) -> @y
  tdsl.routine @r {
    tdsl.comment "nested code counts" {
      tdsl.assign @h overwrite = relu(@w) by @p
      tdsl.assign @y overwrite = mul(@h, @x) by @q
    }
  }
}

// -----

// The user's word wins: a fixed parameter counts bottom-up, and a fixed result does not change.

// CHECK-LABEL: tdsl.program @explicit
tdsl.program @explicit {
  tdsl.node @w : f64 "4" param
  tdsl.node @x : f32 "4" input
  // CHECK: tdsl.node @y : f64
  tdsl.node @y : ? "4" result
  // CHECK: tdsl.node @z : f16
  tdsl.node @z : f16 "4" result
  tdsl.projections @p "." (@w, @x) -> @y
  tdsl.projections @q "." (@w, @x) -> @z
  tdsl.routine @r {
    tdsl.assign @y overwrite = mul(@w, @x) by @p
    tdsl.assign @z overwrite = mul(@w, @x) by @q
  }
}

// -----

// The condition of `where` and the operands of comparisons do not take part: a mask suits its use.

// CHECK-LABEL: tdsl.program @heterogeneous
tdsl.program @heterogeneous {
  tdsl.node @x : f64 "4" input
  tdsl.node @a : bf16 "4" input
  // CHECK: tdsl.node @mask : bf16
  tdsl.node @mask : ? "4" result
  // CHECK: tdsl.node @y : bf16
  tdsl.node @y : ? "4" result
  // CHECK: tdsl.node @masked : bf16
  tdsl.node @masked : ? "4" result
  tdsl.projections @p "." (@x, @x) -> @mask
  tdsl.projections @q "." (@x, @a, @a) -> @y
  tdsl.projections @s "." (@mask, @a) -> @masked
  tdsl.routine @r {
    tdsl.assign @mask overwrite = lt(@x, @x) by @p
    tdsl.assign @y overwrite = where(@x, @a, @a) by @q
    tdsl.assign @masked overwrite = mul(@mask, @a) by @s
  }
}

// -----

// Random words are words whatever their counters are; what they are unpacked into follows its uses, or the default.

// CHECK-LABEL: tdsl.program @random
tdsl.program @random {
  tdsl.node @key : u32 "->1" leaf
  tdsl.node @counter : u64 "|2->" leaf
  // CHECK: tdsl.node @words : uint4x32
  tdsl.node @words : ? "|2->" result
  // CHECK: tdsl.node @u : f16
  tdsl.node @u : ? "->..o.." result
  tdsl.node @x : f16 "->..o.." input
  // CHECK: tdsl.node @y : f16
  tdsl.node @y : f16 "->..o.." result
  // CHECK: tdsl.node @alone : f32
  // DEFAULT: tdsl.node @alone : bf16
  tdsl.node @alone : ? "4" leaf
  tdsl.projections @p "." (@key, @counter) -> @words
  tdsl.projections @q uniform (@words) -> @u
  tdsl.projections @s "." (@u, @x) -> @y
  tdsl.routine @r {
    tdsl.assign @words overwrite = threefry4x32(@key, @counter) by @p
    tdsl.set_vec @u = uint4x32_to_prec_uniform(@words) by @q
    tdsl.assign @y overwrite = mul(@u, @x) by @s
  }
}
