//===- ModuleChecks.cpp - What emission cannot take -----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModuleChecks.h"

#include "tdsl/Target/TargetDescription.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace tdsl;

/// The pass that lowers a dialect, where there is one obvious pass.
static StringRef getLoweringPass(StringRef dialect) {
  return llvm::StringSwitch<StringRef>(dialect)
      .Case("affine", "lower-affine")
      .Case("arith", "convert-arith-to-llvm")
      .Case("cf", "convert-cf-to-llvm")
      .Case("complex", "convert-complex-to-llvm")
      .Case("func", "convert-func-to-llvm")
      .Case("index", "convert-index-to-llvm")
      .Case("linalg", "convert-linalg-to-loops")
      .Case("math", "convert-math-to-llvm")
      .Case("memref", "finalize-memref-to-llvm")
      .Case("scf", "convert-scf-to-cf")
      .Case("ub", "convert-ub-to-llvm")
      .Case("vector", "convert-vector-to-llvm")
      .Default("");
}

static bool hasTranslation(Operation *op) {
  // Dialects have the interface, and their operations need not: this one is
  // what a conversion leaves when it is incomplete.
  if (isa<UnrealizedConversionCastOp>(op))
    return false;
  Dialect *dialect = op->getDialect();
  return dialect &&
         dialect->getRegisteredInterface<LLVMTranslationDialectInterface>();
}

LogicalResult tdsl::checkTranslates(Operation *module) {
  if (!module->hasTrait<OpTrait::SymbolTable>() ||
      !module->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return emitError(module->getLoc())
           << "'" << module->getName()
           << "' is not a module: code is generated for whole modules";
  llvm::StringSet<> reported;
  module->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (hasTranslation(op) || !reported.insert(dialect).second)
      return;
    InFlightDiagnostic error = emitError(op->getLoc());
    error << "'" << op->getName() << "' is not in the LLVM dialect";
    if (isa<UnrealizedConversionCastOp>(op))
      error << ": some pass did not finish a conversion of "
            << op->getOperandTypes() << " to " << op->getResultTypes()
            << "\nrun the pass 'reconcile-unrealized-casts' last";
    else if (StringRef pass = getLoweringPass(dialect); !pass.empty())
      error << ": lower it first\nthe pass '" << pass << "' does that";
    else
      error << ": lower it first";
  });
  return success(reported.empty());
}

static bool hasEntries(const llvm::Module &translated, StringRef name) {
  const llvm::GlobalVariable *list = translated.getGlobalVariable(name);
  if (!list || !list->hasInitializer())
    return false;
  auto *entries = dyn_cast<llvm::ConstantArray>(list->getInitializer());
  return entries && entries->getNumOperands() != 0;
}

LogicalResult tdsl::checkNoConstructors(Operation *module,
                                        const llvm::Module &translated) {
  if (!hasEntries(translated, "llvm.global_ctors") &&
      !hasEntries(translated, "llvm.global_dtors"))
    return success();
  // Other operations make constructors, too, such as a gpu.binary.
  Operation *culprit = module;
  module->walk([&](Operation *op) {
    if (!isa<LLVM::GlobalCtorsOp, LLVM::GlobalDtorsOp>(op))
      return WalkResult::advance();
    culprit = op;
    return WalkResult::interrupt();
  });
  return emitError(
      culprit->getLoc(),
      "the module has global constructors or destructors, which nobody runs "
      "when its code is loaded\ncall such a function explicitly");
}

LogicalResult tdsl::checkFunctionTargets(Operation *module,
                                         const llvm::Module &translated,
                                         const llvm::TargetMachine &machine) {
  bool valid = true;
  for (const llvm::Function &function : translated) {
    StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
    StringRef features =
        function.getFnAttribute("target-features").getValueAsString();
    if (cpu.empty() && features.empty())
      continue;
    llvm::Error error = checkCpuAndFeatures(machine, cpu, features);
    if (!error)
      continue;
    Operation *op = SymbolTable::lookupSymbolIn(module, function.getName());
    emitError((op ? op : module)->getLoc())
        << "function '" << function.getName()
        << "': " << llvm::toString(std::move(error));
    valid = false;
  }
  return success(valid);
}
