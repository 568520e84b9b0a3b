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

/// The intrinsic of an operation; empty if it has none that is exact.
static StringRef getIntrinsic(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::SqrtOp) { return "llvm.sqrt"; })
      .Case([](math::AbsFOp) { return "llvm.fabs"; })
      .Case([](math::FloorOp) { return "llvm.floor"; })
      .Case([](math::CeilOp) { return "llvm.ceil"; })
      .Case([](math::TruncOp) { return "llvm.trunc"; })
      .Case([](math::CopySignOp) { return "llvm.copysign"; })
      .Default(StringRef());
}

static void convert(Operation *op) {
  StringRef intrinsic = getIntrinsic(op);
  if (intrinsic.empty() ||
      !isa<Float32Type, Float64Type>(op->getResult(0).getType()))
    return;
  OpBuilder builder(op);
  // By name, since upstream's conversion to the NVVM dialect refuses the
  // operations that stand for these intrinsics.
  auto call = LLVM::CallIntrinsicOp::create(
      builder, op->getLoc(), op->getResult(0).getType(),
      builder.getStringAttr(intrinsic), op->getOperands());
  op->replaceAllUsesWith(call);
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
