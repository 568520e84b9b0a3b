//===- AnnotateArguments.cpp - What LLVM may assume of arguments ----------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "tdsl/Transforms/Passes.h"
#include "tdsl/Transforms/RoutineInterface.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLANNOTATEARGUMENTS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// How many bytes a pointer to this memory gives access to.
static int64_t getBytes(MemRefType type, const DataLayout &layout) {
  return type.getNumElements() *
         int64_t(layout.getTypeSize(type.getElementType()));
}

static void annotate(func::FuncOp function, unsigned position) {
  auto type = dyn_cast<MemRefType>(function.getArgument(position).getType());
  if (!type || !type.hasStaticShape())
    return;
  DataLayout layout = DataLayout::closest(function);
  Builder builder(function.getContext());
  bool isWorkspace =
      function.getArgAttr(position, workspaceAttrName) != nullptr;
  uint64_t alignment = isWorkspace
                           ? workspaceAlignment
                           : layout.getTypeABIAlignment(type.getElementType());
  // Memory that nobody writes may overlap: LLVM's promise is about memory that
  // is modified.
  function.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  function.setArgAttr(position, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(alignment));
  // What has no bytes may be null. Otherwise, loads may be executed early.
  if (int64_t bytes = getBytes(type, layout))
    function.setArgAttr(position,
                        LLVM::LLVMDialect::getDereferenceableAttrName(),
                        builder.getI64IntegerAttr(bytes));
  auto access = function.getArgAttrOfType<StringAttr>(position, accessAttrName);
  if (access && access.getValue() == "in")
    function.setArgAttr(position, LLVM::LLVMDialect::getReadonlyAttrName(),
                        builder.getUnitAttr());
}

/// Memory without cells becomes an array of no bytes: the conversion to bare
/// pointers refuses some empty shapes, whose strides it takes for dynamic.
static void simplifyEmpty(func::FuncOp function, BlockArgument argument) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != 0)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location location = argument.getLoc();
  argument.setType(MemRefType::get({0}, builder.getI8Type()));
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  auto view = memref::ViewOp::create(builder, location, type, argument, zero,
                                     ValueRange());
  argument.replaceAllUsesExcept(view, view);
  function.setType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), function.getResultTypes()));
}

namespace {

class AnnotateArguments
    : public tdsl::impl::TdslAnnotateArgumentsBase<AnnotateArguments> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(routineAttrName) && !function.isDeclaration())
        for (unsigned i = 0; i < function.getNumArguments(); ++i) {
          annotate(function, i);
          simplifyEmpty(function, function.getArgument(i));
        }
  }
};

} // namespace
