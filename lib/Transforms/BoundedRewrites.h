//===- BoundedRewrites.h - Patterns that must come to an end ----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TRANSFORMS_BOUNDEDREWRITES_H
#define TDSL_LIB_TRANSFORMS_BOUNDEDREWRITES_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tdsl {

/// Applies patterns until none applies. Sets of patterns of several origins may
/// undo the work of one another; an error is better than never to end.
inline mlir::LogicalResult
applyPatternsToEnd(mlir::Operation *op, mlir::RewritePatternSet &&patterns) {
  constexpr int64_t maxRewrites = 1 << 20;
  if (succeeded(mlir::applyPatternsGreedily(
          op, std::move(patterns),
          mlir::GreedyRewriteConfig().setMaxNumRewrites(maxRewrites))))
    return mlir::success();
  return op->emitError("the patterns of this pass come to no end");
}

} // namespace tdsl

#endif // TDSL_LIB_TRANSFORMS_BOUNDEDREWRITES_H
