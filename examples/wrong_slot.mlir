// The gradient of @w reads a third operand that the operation does not have.
tdsl.program @wrong {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : f32 "|3->4" param
  tdsl.node @h : f32 "8|->4" result
  tdsl.node @w.grad : f32 "|3->4" result grad_of @w
  tdsl.projections @p "@" (@w, @x) -> @h
  tdsl.routine @backprop {
    tdsl.assign @w.grad[rhs1] add = mul(@h[lhs], @x[rhs3]) by @p
  }
}
