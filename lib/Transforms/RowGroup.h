//===- RowGroup.h - Operations that compute the same rows -------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TRANSFORMS_ROWGROUP_H
#define TDSL_LIB_TRANSFORMS_ROWGROUP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"

namespace tdsl {

/// An operation with one result, row `i` of which is computed from the rows `i`
/// of some operands, and from others as a whole.
struct RowMember {
  mlir::linalg::LinalgOp op;
  /// The iterator of rows, which is the leading axis of the result.
  unsigned iterator;
};

/// Operations that need nothing of each other but the same row.
struct RowGroup {
  int64_t rows = 0;
  llvm::SmallVector<RowMember> members;
  llvm::DenseSet<mlir::Operation *> operations;
  /// Reshapes and slices of results that stand between members, and that no
  /// member needs.
  llvm::SmallVector<mlir::Operation *> deferred;

  bool contains(mlir::Operation *op) const { return operations.contains(op); }
  bool contains(mlir::Value value) const {
    return contains(value.getDefiningOp());
  }
  /// Whether an operation outside of the group uses the value.
  bool escapes(mlir::Value result) const;
  /// How many cells all members go through.
  int64_t getCells() const;
};

/// The groups of a block that are worth a loop of their own: an operation
/// reduces a row, and another one computes or reads that row.
llvm::SmallVector<RowGroup> findRowGroups(mlir::Block &block);

} // namespace tdsl

#endif // TDSL_LIB_TRANSFORMS_ROWGROUP_H
