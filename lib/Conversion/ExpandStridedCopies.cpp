//===- ExpandStridedCopies.cpp - Copies that memcpy cannot do -------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLEXPANDSTRIDEDCOPIES
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

class ExpandStridedCopies
    : public tdsl::impl::TdslExpandStridedCopiesBase<ExpandStridedCopies> {
public:
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      auto isContiguous = [](Value memory) {
        auto type = dyn_cast<MemRefType>(memory.getType());
        return type && memref::isStaticShapeAndContiguousRowMajor(type);
      };
      if (isContiguous(copy.getSource()) && isContiguous(copy.getTarget()))
        return;
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace
