//===- CollapseIterators.cpp - Fewer loops over the same cells ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BoundedRewrites.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLCOLLAPSEITERATORS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// Whether the iterators `i` and `i + 1` go through the cells of every operand
/// as one would.
static bool areOne(linalg::GenericOp op, unsigned i) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  if (kinds[i] != kinds[i + 1])
    return false;
  Builder builder(op.getContext());
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    auto outer = map.getResultPosition(builder.getAffineDimExpr(i));
    auto inner = map.getResultPosition(builder.getAffineDimExpr(i + 1));
    return outer ? inner && *inner == *outer + 1 : !inner;
  });
}

static SmallVector<ReassociationIndices> findRuns(linalg::LinalgOp linalgOp,
                                                  bool keepRows) {
  auto op = dyn_cast<linalg::GenericOp>(linalgOp.getOperation());
  SmallVector<ReassociationIndices> runs;
  if (!op || op.getNumLoops() < 2 || op.hasIndexSemantics() ||
      !op.hasPureTensorSemantics() ||
      llvm::any_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return !map.isProjectedPermutation(); }))
    return runs;
  for (unsigned i = 0, e = op.getNumLoops() - keepRows; i < e;) {
    ReassociationIndices run = {int64_t(i)};
    for (++i; i < e && areOne(op, i - 1); ++i)
      run.push_back(i);
    if (run.size() > 1)
      runs.push_back(run);
  }
  return runs;
}

namespace {

/// Fills that something is added to keep to the axes of that operation, which
/// may then start from zero instead.
static bool isStartOfReduction(linalg::FillOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    return generic && generic.getNumReductionLoops() > 0;
  });
}

struct CollapseFill : OpRewritePattern<linalg::FillOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::FillOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || isStartOfReduction(op))
      return failure();
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    if (type.getRank() < 2 || !type.hasStaticShape())
      return failure();
    SmallVector<ReassociationIndices> all(1);
    llvm::append_range(all[0], llvm::seq<int64_t>(0, type.getRank()));
    Value flat = tensor::CollapseShapeOp::create(rewriter, op.getLoc(),
                                                 op.getOutputs()[0], all);
    Value filled =
        linalg::FillOp::create(rewriter, op.getLoc(), op.getInputs(), flat)
            .getResult(0);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, filled, all);
    return success();
  }
};

/// Fills the collapsed tensor, so that nothing stands between the fill and its
/// user.
struct CollapseBeforeFill : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto fill = op.getSrc().getDefiningOp<linalg::FillOp>();
    if (!fill || !fill->hasOneUse())
      return failure();
    Value memory = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), op.getResultType(), fill.getOutputs()[0],
        op.getReassociationIndices());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, fill.getInputs(), memory);
    return success();
  }
};

class CollapseIterators
    : public tdsl::impl::TdslCollapseIteratorsBase<CollapseIterators> {
public:
  using TdslCollapseIteratorsBase::TdslCollapseIteratorsBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateCollapseDimensions(
        patterns, [&](linalg::LinalgOp op) { return findRuns(op, keepRows); });
    patterns.add<CollapseBeforeFill>(context);
    if (!keepRows)
      patterns.add<CollapseFill>(context);
    // Between two such operations, nothing is left of the reshapes.
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsToEnd(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
