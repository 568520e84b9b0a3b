// RUN: tdsl-opt %s --split-input-file --verify-diagnostics
// RUN: not tdsl-opt %s --split-input-file 2>&1 | FileCheck %s

// What the parsers of shapes and terms say; one mistake per program.

//======================================================================//
// Shapes
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected 'a' in a shape}}
  tdsl.node @x : f32 "a" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected 'é' in a shape}}
  tdsl.node @x : f32 "é" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected the name of a basis after ':', but found the end}}
  tdsl.node @x : f32 "3:" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected the name of a basis after ':', but found '4'}}
  tdsl.node @x : f32 "3:4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' the size 9223372036854775808 does not fit in 64 bits}}
  tdsl.node @x : f32 "9223372036854775808" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' axes are separated by commas}}
  tdsl.node @x : f32 "3 4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found the end}}
  tdsl.node @x : f32 "3," input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found ','}}
  tdsl.node @x : f32 "3,,4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found the end}}
  tdsl.node @x : f32 "..r..," input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.node' expected another axis after ',', but found '.'}}
  tdsl.node @x : f32 "..r..,..s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row variable is written '..name..' or '...'}}
  tdsl.node @x : f32 "..r" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row variable is written '..name..' or '...'}}
  tdsl.node @x : f32 "..1.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '.' in a shape}}
  tdsl.node @x : f32 "2,...." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:30: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row has at most one row variable}}
  tdsl.node @x : f32 "..r..3,..s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.node' a row has at most one row variable}}
  tdsl.node @x : f32 "..r....s.." input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:26: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2|3|4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2->3->4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.node' a shape is written 'batch|input->output', each separator at most once and in this order}}
  tdsl.node @x : f32 "2->3|4" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:25: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '-' in a shape}}
  tdsl.node @x : f32 "2 - 3" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:23: error:
  // expected-error @+1 {{custom op 'tdsl.node' unexpected '-' in a shape}}
  tdsl.node @x : f32 "-2" input
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:19: error:
  // expected-error @+1 {{custom op 'tdsl.row' unexpected '|' in a row}}
  tdsl.row @d = "3|4"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the size of an axis or '?', but found the end}}
  tdsl.set_equal @h, axis ""
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:28: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the size of an axis or '?', but found 'x'}}
  tdsl.set_equal @h, axis "x"
}

// -----

tdsl.program @p {
  tdsl.dim @h
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' unexpected ',' in an axis}}
  tdsl.set_equal @h, axis "3,4"
}

// -----


//======================================================================//
// Terms
//======================================================================//

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:18: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a captured @h, a row @x[output], an axis @x[output, 0], axis "..." or row "..."}}
  tdsl.set_equal 3, @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:21: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a row: batch, input or output}}
  tdsl.set_equal @x[outer], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:21: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected a row: batch, input or output}}
  tdsl.set_equal @x[0], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:29: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected integer value}}
  tdsl.set_equal @x[output, last], @h
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:27: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected an axis in quotes}}
  tdsl.set_equal @h, axis 3
}

// -----

tdsl.program @p {
  // CHECK: parse-errors-shapes.mlir:[[@LINE+2]]:26: error:
  // expected-error @+1 {{custom op 'tdsl.set_equal' expected the axes of a row in quotes}}
  tdsl.set_equal @h, row 3
}
