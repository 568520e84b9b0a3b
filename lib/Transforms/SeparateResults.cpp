//===- SeparateResults.cpp - Values that need two memories get them -------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLSEPARATERESULTS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

class SeparateResults
    : public tdsl::impl::TdslSeparateResultsBase<SeparateResults> {
public:
  void runOnOperation() override {
    fillSlices();
    SmallVector<Value> values;
    getOperation()->walk([&](Operation *op) {
      // What an empty tensor holds does not matter, so its users share nothing.
      if (!isa<tensor::EmptyOp>(op))
        for (Value result : op->getResults())
          if (isa<TensorType>(result.getType()))
            values.push_back(result);
    });
    for (Value value : values)
      separate(value);
  }

private:
  /// Slices of a filled tensor are filled themselves, so that they need not be
  /// copied; and what is replaced as a whole need not be filled.
  void fillSlices();

  /// Copies a value for all but one of the operations that would take over its
  /// memory, and for all of them where it is stored itself.
  void separate(Value value);
};

} // namespace

/// Whether an operation would take over the memory of the value.
static bool isUpdated(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return op && op.isDpsInit(&use);
  });
}

/// The tensor that a value is filled with one number in, if it is empty before.
static linalg::FillOp getFillOfEmpty(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>()
             ? fill
             : linalg::FillOp();
}

static Value createEmpty(OpBuilder &builder, Location location,
                         RankedTensorType type) {
  return tensor::EmptyOp::create(builder, location, type.getShape(),
                                 type.getElementType());
}

void SeparateResults::fillSlices() {
  IRRewriter rewriter(&getContext());
  getOperation()->walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      linalg::FillOp fill = getFillOfEmpty(slice.getSource());
      if (fill && slice.getType().hasStaticShape() &&
          isUpdated(slice.getResult())) {
        Value memory = createEmpty(rewriter, op->getLoc(), slice.getType());
        rewriter.replaceOpWithNewOp<linalg::FillOp>(slice, fill.getInputs(),
                                                    memory);
      }
    } else if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
      RankedTensorType whole = insertion.getDestType(),
                       part = insertion.getSourceType();
      if (getFillOfEmpty(insertion.getDest()) && whole.hasStaticShape() &&
          part.hasStaticShape() &&
          whole.getNumElements() == part.getNumElements())
        insertion.getDestMutable().assign(
            createEmpty(rewriter, op->getLoc(), whole));
    }
  });
}

void SeparateResults::separate(Value value) {
  SmallVector<OpOperand *> updates;
  bool isStored = false;
  for (OpOperand &use : value.getUses()) {
    if (isa<bufferization::MaterializeInDestinationOp>(use.getOwner()))
      isStored = true;
    else if (auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner()))
      if (op.isDpsInit(&use))
        updates.push_back(&use);
  }
  OpBuilder builder(&getContext());
  auto fill = value.getDefiningOp<linalg::FillOp>();
  auto empty = fill ? fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>()
                    : tensor::EmptyOp();
  bool keepsFirst = !updates.empty() && !isStored;
  // Of several fills, each belongs to its use.
  if (empty && updates.size() > 1)
    keepsFirst = false;
  for (OpOperand *use : ArrayRef<OpOperand *>(updates).drop_front(keepsFirst)) {
    // Filling again takes no longer than a copy, and the memory is in use only
    // from then on.
    if (empty) {
      builder.setInsertionPoint(use->getOwner());
      Value memory = builder.clone(*empty)->getResult(0);
      IRMapping mapping;
      mapping.map(empty.getResult(), memory);
      use->set(builder.clone(*fill, mapping)->getResult(0));
      continue;
    }
    builder.setInsertionPointAfterValue(value);
    Value copy = bufferization::AllocTensorOp::create(
        builder, value.getLoc(), cast<RankedTensorType>(value.getType()),
        ValueRange(), value);
    use->set(copy);
  }
  if (empty && fill->use_empty())
    fill->erase();
}
