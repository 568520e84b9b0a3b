// A matrix product whose contracted axis has two sizes.
tdsl.program @wrong {
  tdsl.node @a : f32 "->2,3" input
  tdsl.node @b : f32 "->4,5" input
  tdsl.node @c : f32 "...|...->..." result
  tdsl.projections @product "ij; jk => ik" (@a, @b) -> @c
  tdsl.routine @multiply {
    tdsl.assign @c reset add = mul(@a, @b) by @product
  }
}
