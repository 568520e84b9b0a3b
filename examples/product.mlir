// A product of matrices, whose sizes are known, so that it becomes a tiled loop nest.
tdsl.program @product {
  tdsl.node @a : f32 "|->512,512" input
  tdsl.node @b : f32 "|->512,512" input
  tdsl.node @c : f32 "|->..." result
  tdsl.projections @p "ij; jk => ik" (@a, @b) -> @c
  tdsl.routine @run { tdsl.assign @c reset add = mul(@a, @b) by @p }
}
