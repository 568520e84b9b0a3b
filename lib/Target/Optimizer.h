//===- Optimizer.h - LLVM's optimizer ---------------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_OPTIMIZER_H
#define TDSL_LIB_TARGET_OPTIMIZER_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tdsl {

/// Runs LLVM's optimizer at `level`, 0 to 3, with the unrolling of loops
/// restricted to short innermost ones.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, int level);

} // namespace tdsl

#endif // TDSL_LIB_TARGET_OPTIMIZER_H
