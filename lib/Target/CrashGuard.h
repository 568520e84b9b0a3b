//===- CrashGuard.h - Survives crashes of LLVM ------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_CRASHGUARD_H
#define TDSL_LIB_TARGET_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace tdsl {

/// Runs `work` on a thread of its own with a large stack. If it ends in an
/// assertion, a fatal error of LLVM, or a signal, the thread is abandoned where
/// it was and an error says what happened; no destructor runs, and what `work`
/// owned is leaked. So it must not hold a lock that others need.
///
/// Not survived: exhaustion of that stack, and a crash on another thread.
///
/// While it runs, this function owns the process's handlers of crash signals
/// and LLVM's handler of fatal errors. LLVM asserts that there is one such
/// handler, so a host that installs its own must remove it first. A crash
/// elsewhere in the process reaches the handlers that were there before.
llvm::Error runGuarded(llvm::function_ref<void()> work);

} // namespace tdsl

#endif // TDSL_LIB_TARGET_CRASHGUARD_H
