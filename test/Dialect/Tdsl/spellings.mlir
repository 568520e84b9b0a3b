// RUN: tdsl-opt %s | FileCheck %s --match-full-lines
// RUN: tdsl-opt %s | tdsl-opt | FileCheck %s --match-full-lines

// What may be written in more than one way, and the one way in which it is printed.

#axis = #tdsl.axis<" 3 : rgb ">
#shape = #tdsl.shape<" 2 : time , ? | 3 -> 4 , ..o.. , 5 ">
#access = #tdsl.access<@y[lhs]>

// CHECK: module attributes {t.axis = #tdsl.axis<"3:rgb">, t.iterator = #tdsl.iterator<k 0 reduction>, t.logic = #tdsl.logic<fma>, t.row = #tdsl.row<"...">, t.shape = #tdsl.shape<"2:time,?|3->4,..o..,5">, t.space = #tdsl.space<[i 2 parallel] lhs[i] rhs1[i * 2 + 1]>, t.term = #tdsl.term<@x[output, -1]>, t.type = !tdsl.index<@i>} {
module attributes {t.axis = #axis, t.shape = #shape, t.row = #tdsl.row<" ... ">, t.type = !tdsl.index<@i>, t.logic = #tdsl.logic<fma>,
    t.iterator = #tdsl.iterator<k 0 reduction>, t.term = #tdsl.term<@x[output,-1]>, t.space = #tdsl.space<[i 2 parallel]lhs[i]rhs1[1+2*i]>} {

// CHECK-NEXT: tdsl.program @shapes {
tdsl.program@shapes{// Blanks are free.
// CHECK-NEXT: tdsl.node @output : f32 "|->4" input
tdsl.node@output:f32"4"input
// CHECK-NEXT: tdsl.node @batch_output : f32 "2|->4" input
  tdsl.node @batch_output : f32 "2|4" input
  // CHECK-NEXT: tdsl.node @input_output : f32 "|3->4" input
  tdsl.node @input_output : f32 "3->4" input
  // CHECK-NEXT: tdsl.node @all : f32 "2|3->4" input
  tdsl.node @all : f32 " 2 | 3 -> 4 " input
  // CHECK-NEXT: tdsl.node @none : f32 "|->" input
  tdsl.node @none : f32 "" input
  // CHECK-NEXT: tdsl.node @default : f32 "|->3,?:default" input
  tdsl.node @default : f32 "3:default , ? : default" input
  // CHECK-NEXT: tdsl.node @no_commas : f32 "|->2,..o..,3" input
  tdsl.node @no_commas : f32 "2..o..3" input
  // CHECK-NEXT: tdsl.node @zeros : f32 "|->7,0" input
  tdsl.node @zeros : f32 "007,00" input
  // CHECK-NEXT: tdsl.node @order : f32 "|->3" leaf id 4 label ["a"] {note = "last"}
  tdsl.node @order : f32 "3" leaf
      id 4
      label["a"]
      {note = "last"}
  // CHECK-NEXT: tdsl.node @quoted : f32 "|->3" leaf
  tdsl.node @"quoted" : f32 "3" leaf
  // CHECK-NEXT: tdsl.row @d = "1,2"
  tdsl.row @d="1 ,2"
  // CHECK-NEXT: tdsl.set_equal @d, row "1,2"
  tdsl.set_equal@d,row"1, 2"
  // CHECK-NEXT: }
}

// CHECK-NEXT: tdsl.program @spaces {
tdsl.program @spaces attributes {} {
  // CHECK-NEXT: tdsl.symbol @s range 0 to 2
  tdsl.symbol @s range 0 to 2
  // CHECK-NEXT: tdsl.node @x : f32 "|->9" input
  tdsl.node @x : f32 "9" input
  // CHECK-NEXT: tdsl.projections @sum "." (@x) -> @x space <[i 3 parallel, j 3 reduction] lhs[i] rhs1[j * 2 + i + 1]>
  tdsl.projections @sum"."(@x)->@x space<[i 3 parallel,j 3 reduction]lhs[i]rhs1[1+2*j+i]>
  // CHECK-NEXT: tdsl.projections @negative "." (@x) -> @x space <[i 9 parallel] lhs[i] rhs1[i * -1 + 8]>
  tdsl.projections @negative "." (@x) -> @x space <[i 9 parallel] lhs[i] rhs1[8 - i]>
  // CHECK-NEXT: tdsl.projections @folded "." (@x) -> @x space <[i 9 parallel] lhs[i] rhs1[i]>
  tdsl.projections @folded "." (@x) -> @x space <[i 9 parallel] lhs[(((i)))] rhs1[i + 3 - 3]>
  // CHECK-NEXT: tdsl.projections @no_symbols "." (@x) -> @x space <[i 9 parallel] lhs[i] rhs1[i]>
  tdsl.projections @no_symbols "." (@x) -> @x space <[i 9 parallel] symbols [] lhs[i] rhs1[i]>
  // CHECK-NEXT: tdsl.projections @named "a=>a" (@x) -> @x coefficients {a = 1, b = 2}
  tdsl.projections @named "a=>a" (@x) -> @x coefficients {"b" = 2, a = 1} {}
  // CHECK-NEXT: tdsl.routine @no_arguments {
  tdsl.routine @no_arguments() {
    // CHECK-NEXT: tdsl.assign @x add = id(@x[lhs]) by @sum
    tdsl.assign@x add=id(@x[lhs])by@sum
    // CHECK-NEXT: tdsl.fetch @x = constant 1.000000e+00
    tdsl.fetch @x = constant 0x3FF0000000000000
    // CHECK-NEXT: tdsl.fetch @x = bits 255
    tdsl.fetch @x = bits 0xFF
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: tdsl.routine @named_by_symbol(%s: !tdsl.index<@s>) {
  tdsl.routine @named_by_symbol(%anything: !tdsl.index<@s>) {
    // CHECK-NEXT: tdsl.fetch @x = symbol %s : !tdsl.index<@s>
    tdsl.fetch @x = symbol %anything : !tdsl.index<@s>
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: }
}

}
