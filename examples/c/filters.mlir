// Two routines on four signals of ten samples: a weighted moving average of one of them, and the mean of each.
tdsl.program @filters {
  tdsl.symbol @channel range 0 to 4
  tdsl.node @signals : f32 "4|->10" input
  tdsl.node @weights : f32 "|->3" leaf = dense<[0.25, 0.5, 0.25]> : tensor<3xf32>
  tdsl.node @signal : ? "...|...->..." result
  tdsl.node @smooth : ? "...|...->..." result
  tdsl.node @scale : ? "1:bcast_if_1" leaf
  tdsl.node @total : ? "...|...->..." result
  tdsl.node @mean : ? "...|...->..." result
  tdsl.projections @take slice(@channel) (@signals) -> @signal
  tdsl.projections @average "o<+k; k => o" (@signal, @weights) -> @smooth
  tdsl.projections @sum "c|t => c|->" (@signals) -> @total
  tdsl.projections @divide "." (@total, @scale) -> @mean
  tdsl.routine @smoothed(%channel: !tdsl.index<@channel>) {
    tdsl.assign @signal overwrite = id(@signals) by @take[%channel : !tdsl.index<@channel>]
    tdsl.assign @smooth reset add = mul(@signal, @weights) by @average
  }
  tdsl.routine @means {
    tdsl.fetch @scale = constant 0.1
    tdsl.assign @total reset add = id(@signals) by @sum
    tdsl.assign @mean overwrite = mul(@total, @scale) by @divide
  }
}
