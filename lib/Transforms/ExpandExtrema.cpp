//===- ExpandExtrema.cpp - Maxima and minima of floats --------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLEXPANDEXTREMA
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// Integers as wide as the floats of `type`, which may be a vector.
static Type getBitsType(OpBuilder &builder, Type type) {
  Type bits = builder.getIntegerType(
      getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(bits);
  return bits;
}

static Value emitExtremum(OpBuilder &builder, Location location, bool isMax,
                          Value left, Value right) {
  auto compare = [&](arith::CmpFPredicate predicate, Value other) -> Value {
    return arith::CmpFOp::create(builder, location, predicate, left, other);
  };
  Value wins = compare(
      isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, right);
  Value isNaN = compare(arith::CmpFPredicate::UNO, left);
  Value chosen = arith::SelectOp::create(
      builder, location, arith::OrIOp::create(builder, location, wins, isNaN),
      left, right);
  // Equal numbers have the same bits, except for the signs of zeros.
  Type bitsType = getBitsType(builder, left.getType());
  auto getBits = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, location, bitsType, value);
  };
  Value leftBits = getBits(left), rightBits = getBits(right);
  Value bits =
      isMax ? arith::AndIOp::create(builder, location, leftBits, rightBits)
                  .getResult()
            : arith::OrIOp::create(builder, location, leftBits, rightBits)
                  .getResult();
  Value equal = compare(arith::CmpFPredicate::OEQ, right);
  return arith::SelectOp::create(
      builder, location, equal,
      arith::BitcastOp::create(builder, location, left.getType(), bits),
      chosen);
}

namespace {

class ExpandExtrema : public tdsl::impl::TdslExpandExtremaBase<ExpandExtrema> {
public:
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<arith::MaximumFOp, arith::MinimumFOp>(op))
        return;
      OpBuilder builder(op);
      op->getResult(0).replaceAllUsesWith(
          emitExtremum(builder, op->getLoc(), isa<arith::MaximumFOp>(op),
                       op->getOperand(0), op->getOperand(1)));
      op->erase();
    });
  }
};

} // namespace
