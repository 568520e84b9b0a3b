//===- PassObserver.cpp - C API: watching passes --------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "tdsl-c/Passes.h"

using namespace mlir;

namespace {

class PassObserver : public PassInstrumentation {
public:
  explicit PassObserver(const TdslPassObserver &observer)
      : observer(observer) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    // A pass without an argument is a step of the manager itself.
    if (observer.beforePass && !pass->getArgument().empty())
      observer.beforePass(wrap(op), wrap(pass->getArgument()),
                          observer.userData);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (observer.afterPass && !pass->getArgument().empty())
      observer.afterPass(wrap(op), wrap(pass->getArgument()),
                         observer.userData);
  }

private:
  TdslPassObserver observer;
};

} // namespace

void tdslPassManagerAddObserver(MlirPassManager manager,
                                const TdslPassObserver *observer) {
  unwrap(manager)->addInstrumentation(
      std::make_unique<PassObserver>(*observer));
}
