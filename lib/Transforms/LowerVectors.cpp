//===- LowerVectors.cpp - Vectors of one axis -----------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BoundedRewrites.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLLOWERVECTORS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

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
    return applyPatternsToEnd(getOperation(), std::move(patterns));
  }

  LogicalResult lowerPermutations() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
    addCanonicalizations(patterns);
    return applyPatternsToEnd(getOperation(), std::move(patterns));
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
    return applyPatternsToEnd(getOperation(), std::move(patterns));
  }

  void addCanonicalizations(RewritePatternSet &patterns) {
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      if (op.getDialectNamespace() == "vector" ||
          op.getDialectNamespace() == "memref")
        op.getCanonicalizationPatterns(patterns, &getContext());
  }
};

} // namespace
