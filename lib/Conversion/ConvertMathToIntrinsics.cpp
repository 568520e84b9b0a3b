//===- ConvertMathToIntrinsics.cpp - Functions that instructions compute --===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tdsl/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLCONVERTMATHTOINTRINSICS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

template <typename Intrinsic>
static Value emit(OpBuilder &builder, Operation *op) {
  return Intrinsic::create(builder, op->getLoc(), op->getResult(0).getType(),
                           op->getOperand(0));
}

static void convert(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<Float32Type, Float64Type>(op->getResult(0).getType()))
    return;
  OpBuilder builder(op);
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](math::SqrtOp) { return emit<LLVM::SqrtOp>(builder, op); })
          .Case([&](math::AbsFOp) { return emit<LLVM::FAbsOp>(builder, op); })
          .Case(
              [&](math::FloorOp) { return emit<LLVM::FFloorOp>(builder, op); })
          .Case([&](math::CeilOp) { return emit<LLVM::FCeilOp>(builder, op); })
          .Case(
              [&](math::TruncOp) { return emit<LLVM::FTruncOp>(builder, op); })
          .Case([&](math::CopySignOp copySign) {
            return LLVM::CopySignOp::create(
                builder, op->getLoc(), copySign.getType(), copySign.getLhs(),
                copySign.getRhs());
          })
          .Default(Value());
  if (!result)
    return;
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {

class ConvertMathToIntrinsics
    : public tdsl::impl::TdslConvertMathToIntrinsicsBase<
          ConvertMathToIntrinsics> {
public:
  void runOnOperation() override { getOperation()->walk(convert); }
};

} // namespace
