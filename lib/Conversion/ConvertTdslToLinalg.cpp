//===- ConvertTdslToLinalg.cpp - Programs become functions ----------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineLowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_CONVERTTDSLTOLINALG
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

class ConvertTdslToLinalg
    : public tdsl::impl::ConvertTdslToLinalgBase<ConvertTdslToLinalg> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder(&getContext());
    for (auto program : llvm::to_vector(module.getOps<ProgramOp>())) {
      SymbolTable symbols(program);
      for (auto routine : program.getBody().getOps<RoutineOp>())
        if (failed(RoutineLowering(routine, symbols, builder).run(module)))
          return signalPassFailure();
      program.erase();
    }
  }
};

} // namespace
