//===- DomainBoxes.h - Splitting guarded iteration domains ------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_DOMAINBOXES_H
#define TDSL_LIB_CONVERSION_DOMAINBOXES_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tdsl {

/// A box of an iteration domain: for each iterator, the values from `lower` to
/// `upper`, the latter excluded.
struct DomainBox {
  llvm::SmallVector<int64_t> lower, upper;

  bool isEmpty() const;
  bool overlaps(const DomainBox &other) const;
  int64_t getNumPoints() const;
  int64_t getExtent(unsigned iterator) const {
    return upper[iterator] - lower[iterator];
  }
};

/// An affine sum without division: one coefficient per iterator and per symbol.
struct LinearIndex {
  llvm::SmallVector<int64_t> iteratorFactors, symbolFactors;
  int64_t offset = 0;

  bool usesSymbols() const;
  /// The smallest and the largest value in a box that is not empty, symbols
  /// taken as 0.
  std::pair<int64_t, int64_t> getRange(const DomainBox &box) const;
};

/// The linear form of an index, or nothing for one with division or remainder.
std::optional<LinearIndex> getLinearIndex(mlir::AffineExpr index,
                                          unsigned iterators, unsigned symbols);

/// Keeps the points of `boxes` at which the index lies in [0, size). A window
/// splits into an interior, in which it is whole, and one box for each position
/// at the border, in which it is clipped: loops without a guard, that leave
/// out what a padded window would read outside (spec e.4).
void restrictToRange(llvm::SmallVectorImpl<DomainBox> &boxes,
                     const LinearIndex &index, int64_t size);

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_DOMAINBOXES_H
