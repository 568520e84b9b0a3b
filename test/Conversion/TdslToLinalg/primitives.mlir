// RUN: tdsl-opt %s --convert-tdsl-to-linalg --split-input-file | FileCheck %s

// Every primitive in floats, signed and unsigned integers (spec b.5).

// CHECK-LABEL: func.func @floats(
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           math.log 
// CHECK:         linalg.generic
// CHECK:           math.exp2
// CHECK:         linalg.generic
// CHECK:           math.log2
// CHECK:         linalg.generic
// CHECK:           math.sin
// CHECK:         linalg.generic
// CHECK:           math.cos
// CHECK:         linalg.generic
// CHECK:           math.sqrt
// CHECK:         linalg.generic
// CHECK:           arith.divf
// CHECK:         linalg.generic
// CHECK:           math.sqrt
// CHECK:           arith.divf
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:         linalg.generic
// CHECK:           math.tanh
// CHECK:         linalg.generic
// CHECK:           arith.cmpf une
// CHECK:           arith.xori
// CHECK:           arith.uitofp
// CHECK:         linalg.generic
// CHECK:           math.trunc
// CHECK:         linalg.generic
// CHECK:           arith.cmpf ole
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.select
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK:         linalg.generic
// CHECK:           arith.divf
// CHECK:         linalg.generic
// CHECK:           call @tdsl.pow.f32
// CHECK:         linalg.generic
// CHECK:           arith.cmpf olt
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.andi
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.cmpf olt
// CHECK:         linalg.generic
// CHECK:           arith.cmpf ole
// CHECK:         linalg.generic
// CHECK:           arith.cmpf oeq
// CHECK:         linalg.generic
// CHECK:           arith.cmpf une
// CHECK:         linalg.generic
// CHECK:           arith.ori
// CHECK:         linalg.generic
// CHECK:           arith.andi
// CHECK:         linalg.generic
// CHECK:           arith.remf
// CHECK:           math.copysign
// CHECK:         linalg.generic
// CHECK:           arith.maximumf
// CHECK:         linalg.generic
// CHECK:           arith.minimumf
// CHECK:         linalg.generic
// CHECK:           arith.cmpf une
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK:           arith.mulf
tdsl.program @p {
  tdsl.node @x : f32 "->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q1 "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.projections @q2 "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.projections @q3 "." (@x, @x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i] rhs3[i]>
  tdsl.routine @floats {
    tdsl.assign @y overwrite = exp(@x) by @q1
    tdsl.assign @y overwrite = log(@x) by @q1
    tdsl.assign @y overwrite = exp2(@x) by @q1
    tdsl.assign @y overwrite = log2(@x) by @q1
    tdsl.assign @y overwrite = sin(@x) by @q1
    tdsl.assign @y overwrite = cos(@x) by @q1
    tdsl.assign @y overwrite = sqrt(@x) by @q1
    tdsl.assign @y overwrite = recip(@x) by @q1
    tdsl.assign @y overwrite = recip_sqrt(@x) by @q1
    tdsl.assign @y overwrite = neg(@x) by @q1
    tdsl.assign @y overwrite = tanh(@x) by @q1
    tdsl.assign @y overwrite = not(@x) by @q1
    tdsl.assign @y overwrite = trunc(@x) by @q1
    tdsl.assign @y overwrite = relu(@x) by @q1
    tdsl.assign @y overwrite = sat01(@x) by @q1
    tdsl.assign @y overwrite = add(@x, @x) by @q2
    tdsl.assign @y overwrite = sub(@x, @x) by @q2
    tdsl.assign @y overwrite = mul(@x, @x) by @q2
    tdsl.assign @y overwrite = div(@x, @x) by @q2
    tdsl.assign @y overwrite = pow(@x, @x) by @q2
    tdsl.assign @y overwrite = relu_gate(@x, @x) by @q2
    tdsl.assign @y overwrite = sat01_gate(@x, @x) by @q2
    tdsl.assign @y overwrite = lt(@x, @x) by @q2
    tdsl.assign @y overwrite = le(@x, @x) by @q2
    tdsl.assign @y overwrite = eq(@x, @x) by @q2
    tdsl.assign @y overwrite = ne(@x, @x) by @q2
    tdsl.assign @y overwrite = or(@x, @x) by @q2
    tdsl.assign @y overwrite = and(@x, @x) by @q2
    tdsl.assign @y overwrite = mod(@x, @x) by @q2
    tdsl.assign @y overwrite = max(@x, @x) by @q2
    tdsl.assign @y overwrite = min(@x, @x) by @q2
    tdsl.assign @y overwrite = where(@x, @x, @x) by @q3
    tdsl.assign @y overwrite = fma(@x, @x, @x) by @q3
    tdsl.assign @y overwrite = mul3(@x, @x, @x) by @q3
  }
}

// -----

// CHECK-LABEL: func.func @signed(
// CHECK:         linalg.generic
// CHECK:           arith.subi
// CHECK:         linalg.generic
// CHECK:           linalg.yield %in
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ne
// CHECK:           arith.xori
// CHECK:         linalg.generic
// CHECK:           arith.cmpi sle
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.select
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.addi
// CHECK:         linalg.generic
// CHECK:           arith.subi
// CHECK:         linalg.generic
// CHECK:           arith.muli
// CHECK:         linalg.generic
// CHECK:           arith.divsi
// CHECK:         linalg.generic
// CHECK:           arith.remsi
// CHECK:         linalg.generic
// CHECK:           arith.cmpi slt
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.cmpi slt
// CHECK:         linalg.generic
// CHECK:           arith.cmpi sle
// CHECK:         linalg.generic
// CHECK:           arith.cmpi eq
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ne
// CHECK:         linalg.generic
// CHECK:           arith.ori
// CHECK:         linalg.generic
// CHECK:           arith.andi
// CHECK:         linalg.generic
// CHECK:           arith.cmpi slt
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.cmpi slt
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ne
// CHECK:           arith.select
// CHECK:         linalg.generic
// CHECK:           arith.muli
// CHECK:           arith.addi
// CHECK:         linalg.generic
// CHECK:           arith.muli
// CHECK:           arith.muli
tdsl.program @p {
  tdsl.node @x : i32 "->3" input
  tdsl.node @y : i32 "->3" result
  tdsl.projections @q1 "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.projections @q2 "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.projections @q3 "." (@x, @x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i] rhs3[i]>
  tdsl.routine @signed {
    tdsl.assign @y overwrite = neg(@x) by @q1
    tdsl.assign @y overwrite = trunc(@x) by @q1
    tdsl.assign @y overwrite = not(@x) by @q1
    tdsl.assign @y overwrite = relu(@x) by @q1
    tdsl.assign @y overwrite = sat01(@x) by @q1
    tdsl.assign @y overwrite = add(@x, @x) by @q2
    tdsl.assign @y overwrite = sub(@x, @x) by @q2
    tdsl.assign @y overwrite = mul(@x, @x) by @q2
    tdsl.assign @y overwrite = div(@x, @x) by @q2
    tdsl.assign @y overwrite = mod(@x, @x) by @q2
    tdsl.assign @y overwrite = relu_gate(@x, @x) by @q2
    tdsl.assign @y overwrite = lt(@x, @x) by @q2
    tdsl.assign @y overwrite = le(@x, @x) by @q2
    tdsl.assign @y overwrite = eq(@x, @x) by @q2
    tdsl.assign @y overwrite = ne(@x, @x) by @q2
    tdsl.assign @y overwrite = or(@x, @x) by @q2
    tdsl.assign @y overwrite = and(@x, @x) by @q2
    tdsl.assign @y overwrite = max(@x, @x) by @q2
    tdsl.assign @y overwrite = min(@x, @x) by @q2
    tdsl.assign @y overwrite = where(@x, @x, @x) by @q3
    tdsl.assign @y overwrite = fma(@x, @x, @x) by @q3
    tdsl.assign @y overwrite = mul3(@x, @x, @x) by @q3
  }
}

// -----

// CHECK-LABEL: func.func @unsigned(
// CHECK:         linalg.generic
// CHECK:           arith.divui
// CHECK:         linalg.generic
// CHECK:           arith.remui
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ult
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ule
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ult
tdsl.program @p {
  tdsl.node @x : u8 "->3" input
  tdsl.node @y : u8 "->3" result
  tdsl.projections @q1 "." (@x) -> @y space <[i 3 parallel] lhs[i] rhs1[i]>
  tdsl.projections @q2 "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.projections @q3 "." (@x, @x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i] rhs3[i]>
  tdsl.routine @unsigned {
    tdsl.assign @y overwrite = div(@x, @x) by @q2
    tdsl.assign @y overwrite = mod(@x, @x) by @q2
    tdsl.assign @y overwrite = lt(@x, @x) by @q2
    tdsl.assign @y overwrite = le(@x, @x) by @q2
    tdsl.assign @y overwrite = max(@x, @x) by @q2
  }
}

// -----

// Narrow floats compute in f32 and round once; a contraction, and nothing else, may fuse its product and sum.

// CHECK-LABEL: func.func @narrow(
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[B:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[PRODUCT:.*]] = arith.mulf %[[A]], %[[B]] fastmath<contract> : f32
// CHECK:         %[[OLD:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[SUM:.*]] = arith.addf %[[OLD]], %[[PRODUCT]] fastmath<contract> : f32
// CHECK:         arith.truncf %[[SUM]] : f32 to bf16
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
tdsl.program @p {
  tdsl.node @x : bf16 "->3" input
  tdsl.node @y : bf16 "->3" result
  tdsl.projections @q "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.routine @narrow {
    tdsl.assign @y add = mul(@x, @x) by @q
    tdsl.assign @y max = mul(@x, @x) by @q
  }
}

// -----

// Truth values are bytes in memory.

// CHECK-LABEL: func.func @truth(
// CHECK-SAME:    memref<3xi8> {tdsl.access = "in", tdsl.node = "x"}
// CHECK:         arith.cmpi ne, %{{.*}}, %{{.*}} : i8
// CHECK:         arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:         arith.extui %{{.*}} : i1 to i8
tdsl.program @p {
  tdsl.node @x : bool "->3" input
  tdsl.node @y : bool "->3" result
  tdsl.projections @q "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.routine @truth { tdsl.assign @y overwrite = or(@x, @x) by @q }
}

// -----

// The power function is made once for each float type, private, with a loop for whole exponents.

// CHECK-LABEL: func.func @powers(
// CHECK-COUNT-3: call @tdsl.pow.f32(
// CHECK-LABEL: func.func private @tdsl.pow.f32(%{{.*}}: f32, %{{.*}}: f32) -> f32
// CHECK:         scf.if
// CHECK:           scf.while
// CHECK:           math.powf
// CHECK-NOT:     func.func
tdsl.program @p {
  tdsl.node @x : f32 "->3" input
  tdsl.node @y : f32 "->3" result
  tdsl.projections @q "." (@x, @x) -> @y space <[i 3 parallel] lhs[i] rhs1[i] rhs2[i]>
  tdsl.routine @powers {
    tdsl.assign @y overwrite = pow(@x, @x) by @q
    tdsl.assign @y pow = pow(@x, @x) by @q
  }
}
