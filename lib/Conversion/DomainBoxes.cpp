//===- DomainBoxes.cpp - Splitting guarded iteration domains --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "DomainBoxes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tdsl;

bool DomainBox::isEmpty() const {
  return llvm::any_of(llvm::zip(lower, upper), [](auto bounds) {
    return std::get<0>(bounds) >= std::get<1>(bounds);
  });
}

bool DomainBox::overlaps(const DomainBox &other) const {
  for (size_t i = 0; i < lower.size(); ++i)
    if (std::max(lower[i], other.lower[i]) >=
        std::min(upper[i], other.upper[i]))
      return false;
  return true;
}

int64_t DomainBox::getNumPoints() const {
  int64_t points = 1;
  for (auto [from, to] : llvm::zip(lower, upper))
    points *= to - from;
  return points;
}

bool LinearIndex::usesSymbols() const {
  return llvm::any_of(symbolFactors,
                      [](int64_t factor) { return factor != 0; });
}

std::pair<int64_t, int64_t> LinearIndex::getRange(const DomainBox &box) const {
  int64_t low = offset, high = offset;
  for (auto [iterator, factor] : llvm::enumerate(iteratorFactors)) {
    int64_t first = factor * box.lower[iterator];
    int64_t last = factor * (box.upper[iterator] - 1);
    low += std::min(first, last);
    high += std::max(first, last);
  }
  return {low, high};
}

/// Adds `factor` times the expression to `result`; false for a division.
static bool accumulate(AffineExpr expression, int64_t factor,
                       LinearIndex &result) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    result.offset += factor * constant.getValue();
    return true;
  }
  if (auto dimension = dyn_cast<AffineDimExpr>(expression)) {
    result.iteratorFactors[dimension.getPosition()] += factor;
    return true;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    result.symbolFactors[symbol.getPosition()] += factor;
    return true;
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  if (expression.getKind() == AffineExprKind::Add)
    return accumulate(binary.getLHS(), factor, result) &&
           accumulate(binary.getRHS(), factor, result);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expression.getKind() == AffineExprKind::Mul && constant &&
         accumulate(binary.getLHS(), factor * constant.getValue(), result);
}

std::optional<LinearIndex>
tdsl::getLinearIndex(AffineExpr index, unsigned iterators, unsigned symbols) {
  LinearIndex result;
  result.iteratorFactors.assign(iterators, 0);
  result.symbolFactors.assign(symbols, 0);
  if (!accumulate(index, 1, result))
    return std::nullopt;
  return result;
}

/// The iterator with the most values among those that the index depends on.
static std::optional<unsigned> findLongestIterator(const LinearIndex &index,
                                                   const DomainBox &box) {
  std::optional<unsigned> longest;
  for (auto [iterator, factor] : llvm::enumerate(index.iteratorFactors))
    if (factor != 0 && box.getExtent(iterator) > 1 &&
        (!longest || box.getExtent(iterator) > box.getExtent(*longest)))
      longest = iterator;
  return longest;
}

static void restrictBox(DomainBox box, const LinearIndex &index, int64_t size,
                        SmallVectorImpl<DomainBox> &result) {
  if (box.isEmpty())
    return;
  auto [low, high] = index.getRange(box);
  if (high < 0 || low >= size)
    return;
  std::optional<unsigned> split = findLongestIterator(index, box);
  if ((low >= 0 && high < size) || !split) {
    result.push_back(std::move(box));
    return;
  }
  // The values of the longest iterator at which no other one leaves the range.
  int64_t factor = index.iteratorFactors[*split];
  DomainBox single = box;
  single.upper[*split] = single.lower[*split] + 1;
  auto [lowAtStart, highAtStart] = index.getRange(single);
  int64_t start = factor * box.lower[*split];
  int64_t below = start - lowAtStart, above = size - 1 - highAtStart + start;
  int64_t first = factor > 0 ? llvm::divideCeilSigned(below, factor)
                             : llvm::divideCeilSigned(above, factor);
  int64_t last = factor > 0 ? llvm::divideFloorSigned(above, factor)
                            : llvm::divideFloorSigned(below, factor);
  first = std::clamp(first, box.lower[*split], box.upper[*split]);
  last = std::clamp(last + 1, first, box.upper[*split]);

  auto addBorder = [&](int64_t from, int64_t to) {
    for (int64_t value = from; value < to; ++value) {
      DomainBox border = box;
      border.lower[*split] = value;
      border.upper[*split] = value + 1;
      restrictBox(std::move(border), index, size, result);
    }
  };
  addBorder(box.lower[*split], first);
  DomainBox interior = box;
  interior.lower[*split] = first;
  interior.upper[*split] = last;
  if (!interior.isEmpty())
    result.push_back(std::move(interior));
  addBorder(last, box.upper[*split]);
}

void tdsl::restrictToRange(SmallVectorImpl<DomainBox> &boxes,
                           const LinearIndex &index, int64_t size) {
  SmallVector<DomainBox> result;
  for (DomainBox &box : boxes)
    restrictBox(std::move(box), index, size, result);
  boxes = std::move(result);
}
