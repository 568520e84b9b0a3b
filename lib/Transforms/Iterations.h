//===- Iterations.h - How often a body runs ---------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TRANSFORMS_ITERATIONS_H
#define TDSL_LIB_TRANSFORMS_ITERATIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tdsl {

/// How often the body of the operation runs; a negative number if that is not
/// known, or too large.
inline int64_t countIterations(mlir::linalg::LinalgOp op) {
  int64_t iterations = 1;
  for (int64_t size : op.getStaticLoopRanges())
    if (mlir::ShapedType::isDynamic(size) ||
        llvm::MulOverflow(iterations, size, iterations))
      return -1;
  return iterations;
}

} // namespace tdsl

#endif // TDSL_LIB_TRANSFORMS_ITERATIONS_H
