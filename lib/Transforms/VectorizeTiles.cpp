//===- VectorizeTiles.cpp - Tiles of tensors as vectors -------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BoundedRewrites.h"
#include "Iterations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLVECTORIZETILES
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

static constexpr StringLiteral tileAttribute = "tdsl.tile";

/// More cells than this would not be a tile but a program of its own size.
static constexpr int64_t largestTile = 4096;

static bool isVectorizable(linalg::LinalgOp op) {
  int64_t cells = countIterations(op);
  return cells > 0 && cells <= largestTile;
}

/// Vectors have no use for axes of size 1, which would hide that accesses are
/// contiguous.
static linalg::LinalgOp dropUnitAxes(RewriterBase &rewriter,
                                     linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return op;
  linalg::ControlDropUnitDims options;
  options.rankReductionStrategy =
      linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::DropUnitDimsResult> result =
      linalg::dropUnitDims(rewriter, generic, options);
  if (failed(result))
    return op;
  rewriter.replaceOp(generic, result->replacements);
  return cast<linalg::LinalgOp>(result->resultOp.getOperation());
}

static void vectorizeTile(RewriterBase &rewriter, linalg::LinalgOp op) {
  op->removeAttr(tileAttribute);
  if (!isVectorizable(op))
    return;
  op = dropUnitAxes(rewriter, op);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::VectorizationResult> vectorized =
      linalg::vectorize(rewriter, op);
  if (succeeded(vectorized))
    rewriter.replaceOp(op, vectorized->replacements);
}

namespace {

class VectorizeTiles
    : public tdsl::impl::TdslVectorizeTilesBase<VectorizeTiles> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<linalg::LinalgOp> tiles;
    function.walk([&](linalg::LinalgOp op) {
      if (op->hasAttr(tileAttribute))
        tiles.push_back(op);
    });
    if (tiles.empty())
      return;
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : tiles)
      vectorizeTile(rewriter, op);
    if (failed(foldSlicesIntoTransfers(function)))
      return signalPassFailure();
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    hoistAccumulators(rewriter, function);
  }

private:
  LogicalResult foldSlicesIntoTransfers(func::FuncOp function) {
    RewritePatternSet patterns(&getContext());
    vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
    tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(patterns);
    for (Dialect *dialect : getContext().getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      if (op.getDialectNamespace() == "vector" ||
          op.getDialectNamespace() == "tensor" ||
          op.getDialectNamespace() == "affine")
        op.getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsToEnd(function, std::move(patterns));
  }

  void hoistAccumulators(RewriterBase &rewriter, func::FuncOp function) {
    // Innermost loops first: what leaves one can leave the next.
    SmallVector<LoopLikeOpInterface> loops;
    function.walk([&](LoopLikeOpInterface loop) { loops.push_back(loop); });
    for (LoopLikeOpInterface loop : loops)
      hoistLoopInvariantSubsets(rewriter, loop);
  }
};

} // namespace
