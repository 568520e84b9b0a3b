//===- AddPackedEntries.cpp - Entries of one type for all routines --------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tdsl/Transforms/Passes.h"
#include "tdsl/Transforms/RoutineInterface.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLADDPACKEDENTRIES
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// The element of an array of pointers or 64-bit numbers.
static Value loadElement(OpBuilder &builder, Location location, Value array,
                         int32_t index, Type type) {
  Value address = LLVM::GEPOp::create(builder, location, array.getType(), type,
                                      array, ArrayRef<LLVM::GEPArg>{index});
  return LLVM::LoadOp::create(builder, location, type, address);
}

static LogicalResult addPackedEntry(LLVM::LLVMFuncOp routine) {
  OpBuilder builder(routine);
  builder.setInsertionPointAfter(routine);
  Location location = routine.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, pointer});
  auto entry = LLVM::LLVMFuncOp::create(
      builder, location, (routine.getSymName() + ".packed").str(), type);
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> operands;
  int32_t pointers = 0, symbols = 0;
  for (auto [i, argument] : llvm::enumerate(routine.getArgumentTypes())) {
    if (routine.getArgAttr(i, workspaceAttrName))
      operands.push_back(entry.getArgument(2));
    else if (routine.getArgAttr(i, accessAttrName) && argument == pointer)
      operands.push_back(loadElement(builder, location, entry.getArgument(0),
                                     pointers++, argument));
    else if (routine.getArgAttr(i, symbolAttrName) && argument.isInteger(64))
      operands.push_back(loadElement(builder, location, entry.getArgument(1),
                                     symbols++, argument));
    else
      return routine.emitError()
             << "the function of routine " << routine->getAttr(routineAttrName)
             << " does not have the interface of routines: run "
                "tdsl-plan-workspace, and convert-func-to-llvm with "
                "use-bare-ptr-memref-call-conv";
  }
  auto call = LLVM::CallOp::create(builder, location, routine, operands);
  // The routine once is enough code.
  call.setNoInline(true);
  LLVM::ReturnOp::create(builder, location, ValueRange());
  return success();
}

namespace {

class AddPackedEntries
    : public tdsl::impl::TdslAddPackedEntriesBase<AddPackedEntries> {
public:
  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (function->hasAttr(routineAttrName) && !function.isExternal() &&
          failed(addPackedEntry(function)))
        return signalPassFailure();
  }
};

} // namespace
