//===- BackendDiagnostics.cpp - LLVM's diagnostics as MLIR's --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BackendDiagnostics.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tdsl;

/// The only inline assembly in `module`. LLVM keeps no link from an instruction
/// of several to its operation.
static Operation *findInlineAssembly(Operation *module) {
  Operation *found = nullptr;
  bool several = false;
  module->walk([&](LLVM::InlineAsmOp op) {
    several = found != nullptr;
    found = op;
    return several ? WalkResult::interrupt() : WalkResult::advance();
  });
  return several ? nullptr : found;
}

/// The function that `info` is about, or null.
static const llvm::Function *findFunction(const llvm::DiagnosticInfo &info) {
  switch (info.getKind()) {
  case llvm::DK_GenericWithLoc:
  case llvm::DK_LegalizationFailure:
  case llvm::DK_RegAllocFailure:
  case llvm::DK_ResourceLimit:
  case llvm::DK_StackSize:
  case llvm::DK_Unsupported:
    return &static_cast<const llvm::DiagnosticInfoWithLocationBase &>(info)
                .getFunction();
  default:
    return nullptr;
  }
}

/// The place of the narrowest operation that `info` is known to be about.
static Location findCulprit(Operation *module,
                            const llvm::DiagnosticInfo &info) {
  Operation *culprit = nullptr;
  if (isa<llvm::DiagnosticInfoSrcMgr, llvm::DiagnosticInfoInlineAsm>(info))
    culprit = findInlineAssembly(module);
  else if (const llvm::Function *function = findFunction(info))
    culprit = SymbolTable::lookupSymbolIn(module, function->getName());
  return (culprit ? culprit : module)->getLoc();
}

static std::string describe(const llvm::DiagnosticInfo &info) {
  // The position that LLVM prints is one in the assembly.
  if (auto *source = dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
    const llvm::SMDiagnostic &diagnostic = source->getSMDiag();
    return (Twine("inline assembly: ") + diagnostic.getMessage() + " in '" +
            diagnostic.getLineContents().trim() + "'")
        .str();
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  return StringRef(text).trim().str();
}

bool BackendDiagnostics::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  switch (info.getSeverity()) {
  case llvm::DS_Error:
    foundErrors = true;
    emitError(findCulprit(module, info), describe(info));
    break;
  case llvm::DS_Warning:
    emitWarning(findCulprit(module, info), describe(info));
    break;
  case llvm::DS_Remark:
  case llvm::DS_Note:
    // The optimizer's commentary, which nobody asked for.
    break;
  }
  return true;
}
