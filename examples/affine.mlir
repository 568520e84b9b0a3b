// One affine layer: eight points of three features, mapped to five.
tdsl.program @affine {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : ? "|..i..->..o.." param
  tdsl.node @b : ? "|->5" param
  tdsl.node @h : ? "...|...->..." result
  tdsl.node @y : ? "...|...->..." result
  tdsl.projections @product "@" (@w, @x) -> @h
  tdsl.projections @bias "." (@h, @b) -> @y
  tdsl.routine @forward {
    tdsl.assign @h reset add = mul(@w, @x) by @product
    tdsl.assign @y overwrite = add(@h, @b) by @bias
  }
}
