// One affine layer: eight points of three features, mapped to four.
tdsl.program @affine {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : ? "|3->4" param
  tdsl.node @h : ? "8|->4" result
  tdsl.projections @p "@" (@w, @x) -> @h
  tdsl.routine @forward {
    tdsl.assign @h reset add = mul(@w, @x) by @p
  }
}
