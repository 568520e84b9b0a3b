// RUN: tdsl-opt %s --mlir-print-op-generic | FileCheck %s --match-full-lines

// The generic form: names and values of attributes are what other tools and old bytecode rely on.

// CHECK: "tdsl.program"() <{sym_name = "generic"}> ({
tdsl.program @generic {
  // CHECK-NEXT: "tdsl.symbol"() <{lower = 0 : i64, sym_name = "i", upper = 4 : i64}> : () -> ()
  tdsl.symbol @i range 0 to 4
  // CHECK-NEXT: "tdsl.dim"() <{size = 3 : i64, sym_name = "h"}> : () -> ()
  tdsl.dim @h = 3
  // CHECK-NEXT: "tdsl.row"() <{axes = #tdsl.row<"3,..r..">, sym_name = "d"}> : () -> ()
  tdsl.row @d = "3,..r.."
  // CHECK-NEXT: "tdsl.node"() <{grad_of = @x, id = 2 : i64, label = ["a"], precision = 2 : i32, role = 1 : i32, shape = #tdsl.shape<"4|->3">, sym_name = "x.grad", sym_visibility = "private"}> : () -> ()
  tdsl.node private @x.grad : f32 "4|->3" leaf grad_of @x id 2 label ["a"]
  // CHECK-NEXT: "tdsl.node"() <{role = 2 : i32, shape = #tdsl.shape<"4|->3">, sym_name = "x"}> : () -> ()
  tdsl.node @x : ? "4|->3" input
  // CHECK-NEXT: "tdsl.projections"() <{captures = {a = @h}, coefficients = {s = 2 : i64}, logic = #tdsl.logic<"s*a=>a">, operand_nodes = [@x], result_node = @x, segment = 0 : i64, sym_name = "q", use_padding = true}> : () -> ()
  tdsl.projections @q "s*a=>a" (@x) -> @x captures {a = @h} coefficients {s = 2} use_padding true segment 0
  // CHECK-NEXT: "tdsl.set_scale"() <{base = @h, factor = 1 : i64, scaled = @h}> : () -> ()
  tdsl.set_scale @h = 1 * @h
  // CHECK-NEXT: "tdsl.total_elements"() <{capture = @h, divisor = 2 : i64, factor = 6 : i64, term = #tdsl.term<@x[batch]>}> : () -> ()
  tdsl.total_elements @x[batch] = 6 * @h divided_by 2
  // CHECK-NEXT: "tdsl.same_shape"() <{node = @x, other = @q, product_space}> : () -> ()
  tdsl.same_shape @x, product_space @q
  // CHECK-NEXT: "tdsl.routine"() <{sym_name = "r"}> ({
  // CHECK-NEXT: ^bb0(%arg0: !tdsl.index<@i>):
  tdsl.routine @r(%i: !tdsl.index<@i>) {
    // CHECK-NEXT: "tdsl.comment"() <{text = "c"}> ({
    tdsl.comment "c" {
      // CHECK-NEXT: "tdsl.assign"() <{accumulator = 10 : i32, block, destinations = [#tdsl.access<@x>], primitive = 12 : i32, projections = @q, reset, sources = [#tdsl.access<merge(@x)[lhs]>]}> : () -> ()
      tdsl.assign @x reset max = block neg(merge(@x)[lhs]) by @q
      // CHECK-NEXT: }) : () -> ()
    }
    // CHECK-NEXT: "tdsl.fill"() <{accumulator = 1 : i32, node = @x}> : () -> ()
    tdsl.fill @x neutral add
    // CHECK-NEXT: "tdsl.fetch"(%arg0) <{kind = 4 : i32, node = @x, source = @x}> : (!tdsl.index<@i>) -> ()
    tdsl.fetch @x = slice @x at %i : !tdsl.index<@i>
    // CHECK-NEXT: "tdsl.fetch"() <{kind = 2 : i32, node = @x.grad, value = array<f64: 1.000000e+00{{(, 1.000000e\+00)+}}>}> : () -> ()
    tdsl.fetch @x.grad = fill [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
  }
}
