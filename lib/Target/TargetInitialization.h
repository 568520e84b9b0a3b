//===- TargetInitialization.h - LLVM's back ends ----------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_TARGETINITIALIZATION_H
#define TDSL_LIB_TARGET_TARGETINITIALIZATION_H

namespace tdsl {

/// Registers all of LLVM's back ends. May be called often, from any thread.
void initializeTargets();

} // namespace tdsl

#endif // TDSL_LIB_TARGET_TARGETINITIALIZATION_H
