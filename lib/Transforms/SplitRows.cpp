//===- SplitRows.cpp - Products with ones, row by row ---------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLSPLITROWS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

static bool isOnes(Value value) {
  DenseFPElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<APFloat>().isExactlyValue(1.0);
}

/// Every row of the product is one number, many times.
static void splitRows(vector::OuterProductOp op) {
  VectorType type = op.getResultVectorType();
  OpBuilder builder(op);
  Location location = op.getLoc();
  auto rowType = VectorType::get(type.getDimSize(1), type.getElementType());
  Value result = arith::ConstantOp::create(builder, location, type,
                                           builder.getZeroAttr(type));
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value cell = vector::ExtractOp::create(builder, location, op.getLhs(), i);
    Value row = vector::BroadcastOp::create(builder, location, rowType, cell);
    result = vector::InsertOp::create(builder, location, row, result, i);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {

class SplitRows : public tdsl::impl::TdslSplitRowsBase<SplitRows> {
public:
  void runOnOperation() override {
    getOperation()->walk([](vector::OuterProductOp op) {
      if (!op.getAcc() && op.getResultVectorType().getRank() == 2 &&
          isOnes(op.getRhs()))
        splitRows(op);
    });
  }
};

} // namespace
