//===- ModuleChecks.h - What emission cannot take ---------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_MODULECHECKS_H
#define TDSL_LIB_TARGET_MODULECHECKS_H

#include "mlir/Support/LLVM.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class Operation;
} // namespace mlir

namespace tdsl {

/// Emits an error at the first operation of each dialect in `module` that does
/// not translate to LLVM IR.
mlir::LogicalResult checkTranslates(mlir::Operation *module);

/// Emits an error if `translated`, which was made from `module`, has code that
/// must run before any function: nobody runs it when an object is loaded.
mlir::LogicalResult checkNoConstructors(mlir::Operation *module,
                                        const llvm::Module &translated);

/// Emits an error at each function in `module` that asks for a CPU or a feature
/// which the target does not have. LLVM only warns, once for each use.
mlir::LogicalResult checkFunctionTargets(mlir::Operation *module,
                                         const llvm::Module &translated,
                                         const llvm::TargetMachine &machine);

} // namespace tdsl

#endif // TDSL_LIB_TARGET_MODULECHECKS_H
