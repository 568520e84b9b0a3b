//===- BackendDiagnostics.h - LLVM's diagnostics as MLIR's ------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_BACKENDDIAGNOSTICS_H
#define TDSL_LIB_TARGET_BACKENDDIAGNOSTICS_H

#include "llvm/IR/DiagnosticHandler.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tdsl {

/// Emits LLVM's errors and warnings as diagnostics of MLIR, at the function or
/// the inline assembly that they are about where LLVM says so. Without it,
/// LLVM prints them, and ends the process after an error.
class BackendDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit BackendDiagnostics(mlir::Operation *module) : module(module) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override;

  bool hasErrors() const { return foundErrors; }

private:
  mlir::Operation *module;
  bool foundErrors = false;
};

} // namespace tdsl

#endif // TDSL_LIB_TARGET_BACKENDDIAGNOSTICS_H
