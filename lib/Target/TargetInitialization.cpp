//===- TargetInitialization.cpp - LLVM's back ends ------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TargetInitialization.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

void tdsl::initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    // Inline assembly is parsed.
    llvm::InitializeAllAsmParsers();
  });
}
