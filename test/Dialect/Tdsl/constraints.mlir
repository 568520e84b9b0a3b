// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --mlir-print-op-generic | tdsl-opt | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s --emit-bytecode | tdsl-opt | FileCheck %s --match-full-lines

// Each constraint of spec d.3, in the printed form.

// CHECK: tdsl.program @constraints {
tdsl.program @constraints {
  // CHECK-NEXT: tdsl.dim @h
  tdsl.dim @h
  // CHECK-NEXT: tdsl.dim @v
  tdsl.dim @v
  // CHECK-NEXT: tdsl.row @d
  tdsl.row @d
  // CHECK-NEXT: tdsl.node @x : f32 "..b..|..i..->..o.." input
  tdsl.node @x : f32 "..b..|..i..->..o.." input
  // CHECK-NEXT: tdsl.node @y : f32 "2,3|->4" input
  tdsl.node @y : f32 "2,3|->4" input
  // CHECK-NEXT: tdsl.node @z : f32 "...|...->..." result
  tdsl.node @z : f32 "...|...->..." result
  // CHECK-NEXT: tdsl.projections @p "." (@x, @y) -> @z
  tdsl.projections @p "." (@x, @y) -> @z
  // CHECK-NEXT: tdsl.set_dim @h = 2
  tdsl.set_dim @h = 2
  // CHECK-NEXT: tdsl.set_dim @d = 0
  tdsl.set_dim @d = 0
  // CHECK-NEXT: tdsl.set_equal @h, @v
  tdsl.set_equal @h, @v
  // CHECK-NEXT: tdsl.set_equal @h, @d
  tdsl.set_equal @h, @d
  // CHECK-NEXT: tdsl.set_equal @x[batch], @x[input]
  tdsl.set_equal @x[batch], @x[input]
  // CHECK-NEXT: tdsl.set_equal @x[output], row "3,4"
  tdsl.set_equal @x[output], row "3,4"
  // CHECK-NEXT: tdsl.set_equal @x[output], row ""
  tdsl.set_equal @x[output], row ""
  // CHECK-NEXT: tdsl.set_equal row "?,..r..,3:rgb", @d
  tdsl.set_equal row "?,..r..,3:rgb", @d
  // CHECK-NEXT: tdsl.set_equal @x[batch, 0], axis "2"
  tdsl.set_equal @x[batch, 0], axis "2"
  // CHECK-NEXT: tdsl.set_equal axis "?:rgb", @x[batch, -1]
  tdsl.set_equal axis "?:rgb", @x[batch, -1]
  // CHECK-NEXT: tdsl.set_equal @y[batch, -2], @y[output, 0]
  tdsl.set_equal @y[batch, -2], @y[output, 0]
  // CHECK-NEXT: tdsl.broadcast @x[output] into @z[output]
  tdsl.broadcast @x[output] into @z[output]
  // CHECK-NEXT: tdsl.broadcast @x[output, 0] into axis "3:rgb"
  tdsl.broadcast @x[output, 0] into axis "3:rgb"
  // CHECK-NEXT: tdsl.broadcast row "1:bcast_if_1" into @d
  tdsl.broadcast row "1:bcast_if_1" into @d
  // CHECK-NEXT: tdsl.broadcast @h into @v
  tdsl.broadcast @h into @v
  // CHECK-NEXT: tdsl.set_scale @h = 2 * @v
  tdsl.set_scale @h = 2 * @v
  // CHECK-NEXT: tdsl.set_scale @h = 1 * @h
  tdsl.set_scale @h = 1 * @h
  // CHECK-NEXT: tdsl.at_least @x[output, 0] = 3
  tdsl.at_least @x[output, 0] = 3
  // CHECK-NEXT: tdsl.at_least @x[output, -1] = 1
  tdsl.at_least @x[output, -1] = 1
  // CHECK-NEXT: tdsl.at_least @h = 3
  tdsl.at_least @h = 3
  // CHECK-NEXT: tdsl.total_elements @x = 12
  tdsl.total_elements @x = 12
  // CHECK-NEXT: tdsl.total_elements @x = 0
  tdsl.total_elements @x = 0
  // CHECK-NEXT: tdsl.total_elements @x[output] = 4 * @v
  tdsl.total_elements @x[output] = 4 * @v
  // CHECK-NEXT: tdsl.total_elements @x[batch] = 6 * @v divided_by 2
  tdsl.total_elements @x[batch] = 6 * @v divided_by 2
  // CHECK-NEXT: tdsl.total_elements @d = 12
  tdsl.total_elements @d = 12
  // CHECK-NEXT: tdsl.same_shape @x, @y
  tdsl.same_shape @x, @y
  // CHECK-NEXT: tdsl.same_shape @z, product_space @p
  tdsl.same_shape @z, product_space @p
  // CHECK-NEXT: tdsl.close @x because "its shape was printed"
  tdsl.close @x because "its shape was printed"
  // CHECK-NEXT: tdsl.close @x because ""
  tdsl.close @x because ""
  // CHECK-NEXT: tdsl.set_dim @h = 2 {note = "kept"}
  tdsl.set_dim @h = 2 {note = "kept"}
  // CHECK-NEXT: tdsl.set_equal @h, @v {note = "kept"}
  tdsl.set_equal @h, @v {note = "kept"}
  // CHECK-NEXT: tdsl.broadcast @h into @v {note = "kept"}
  tdsl.broadcast @h into @v {note = "kept"}
  // CHECK-NEXT: tdsl.set_scale @h = 2 * @v {note = "kept"}
  tdsl.set_scale @h = 2 * @v {note = "kept"}
  // CHECK-NEXT: tdsl.at_least @h = 3 {note = "kept"}
  tdsl.at_least @h = 3 {note = "kept"}
  // CHECK-NEXT: tdsl.total_elements @x[batch] = 6 * @v divided_by 2 {note = "kept"}
  tdsl.total_elements @x[batch] = 6 * @v divided_by 2 {note = "kept"}
  // CHECK-NEXT: tdsl.same_shape @z, product_space @p {note = "kept"}
  tdsl.same_shape @z, product_space @p {note = "kept"}
  // CHECK-NEXT: tdsl.close @x because "printing" {note = "kept"}
  tdsl.close @x because "printing" {note = "kept"}
// CHECK-NEXT: }
}
