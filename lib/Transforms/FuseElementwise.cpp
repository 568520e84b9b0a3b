//===- FuseElementwise.cpp - Chains of elementwise operations -------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLFUSEELEMENTWISE
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// Whether the operation only moves cells, so that it may as well be done each
/// time that one is read.
static bool computesNothing(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return !generic || llvm::hasSingleElement(*generic.getBody());
}

/// Whether the consumer runs as often as its operand has cells. A contraction,
/// for example, reads each cell many times, and would compute it each time.
static bool readsCellsOnce(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  if (!consumer || !type || !type.hasStaticShape())
    return true;
  return countIterations(consumer) == type.getNumElements();
}

static bool paysToFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse() &&
         (computesNothing(producer) || readsCellsOnce(operand));
}

namespace {

class FuseElementwise
    : public tdsl::impl::TdslFuseElementwiseBase<FuseElementwise> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, paysToFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, paysToFuse);
    linalg::populateConstantFoldLinalgOperations(patterns, paysToFuse);
    tensor::populateBubbleUpExpandShapePatterns(patterns);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getOrLoadDialect<linalg::LinalgDialect>()
        ->getCanonicalizationPatterns(patterns);
    // What is not fused in the end is right, too.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
