//===- LowerVectors.cpp - Vectors of one axis -----------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLLOWERVECTORS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

/// Names a transposed broadcast for what it is, so that it stays one operation
/// until `tdsl-split-rows`: as a transposition, the whole tile would be
/// shuffled once for each of its columns.
struct TransposedBroadcastToOuterProduct
    : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getVector().getDefiningOp<vector::BroadcastOp>();
    VectorType type = op.getResultVectorType();
    if (!broadcast || type.getRank() != 2 || type.isScalable() ||
        !isa<FloatType>(type.getElementType()) ||
        !llvm::equal(op.getPermutation(), ArrayRef<int64_t>{1, 0}))
      return failure();
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    if (!source || source.getRank() != 1 ||
        source.getDimSize(0) != type.getDimSize(0))
      return failure();
    auto row = VectorType::get(type.getDimSize(1), type.getElementType());
    Value ones = arith::ConstantOp::create(rewriter, op.getLoc(), row,
                                           rewriter.getOneAttr(row));
    rewriter.replaceOpWithNewOp<vector::OuterProductOp>(
        op, type, broadcast.getSource(), ones, /*acc=*/Value());
    return success();
  }
};

class LowerVectors : public tdsl::impl::TdslLowerVectorsBase<LowerVectors> {
public:
  void runOnOperation() override {
    bool hasVectors =
        getOperation()
            ->walk([](Operation *op) {
              return isa_and_nonnull<vector::VectorDialect>(op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasVectors)
      return;
    // Three sets, since the patterns of one undo those of another.
    if (failed(lowerReductions()) || failed(lowerPermutations()) ||
        failed(lowerTransfers()))
      signalPassFailure();
  }

private:
  LogicalResult lowerReductions() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult lowerPermutations() {
    RewritePatternSet patterns(&getContext());
    patterns.add<TransposedBroadcastToOuterProduct>(&getContext(),
                                                    /*benefit=*/10);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
    addCanonicalizations(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult lowerTransfers() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::Shuffle16x16);
    vector::populateScalarVectorTransferLoweringPatterns(
        patterns, /*benefit=*/1, /*allowMultipleUses=*/true);
    vector::populateVectorTransferLoweringPatterns(patterns, 1);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    VectorTransferToSCFOptions options;
    options.enableFullUnroll();
    populateVectorToSCFConversionPatterns(patterns, options);
    addCanonicalizations(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void addCanonicalizations(RewritePatternSet &patterns) {
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      if (op.getDialectNamespace() == "vector" ||
          op.getDialectNamespace() == "memref")
        op.getCanonicalizationPatterns(patterns, &getContext());
  }
};

} // namespace
