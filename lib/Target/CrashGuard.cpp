//===- CrashGuard.cpp - Survives crashes of LLVM --------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <mutex>
#include <string>

using namespace llvm;

/// Deep expression trees are compiled recursively.
static constexpr unsigned stackSize = 256u << 20;

/// Where the fatal error of the guarded thread goes; null on other threads.
static thread_local std::string *fatalMessage = nullptr;

static void handleFatalError(void *, const char *reason, bool) {
  if (!fatalMessage) {
    // Not ours: what LLVM does without a handler, which then ends the process.
    errs() << "LLVM ERROR: " << reason << "\n";
    return;
  }
  *fatalMessage = StringRef(reason).trim().str();
  CrashRecoveryContext::GetCurrent()->HandleExit(1);
}

namespace {

/// Owns the process-wide handlers while any guard is active: LLVM's switches
/// are not counted.
class HandlerScope {
public:
  HandlerScope() {
    std::lock_guard<std::mutex> guard(getLock());
    if (getActiveCount()++ != 0)
      return;
    CrashRecoveryContext::Enable();
    install_fatal_error_handler(handleFatalError);
  }
  ~HandlerScope() {
    std::lock_guard<std::mutex> guard(getLock());
    if (--getActiveCount() != 0)
      return;
    remove_fatal_error_handler();
    CrashRecoveryContext::Disable();
  }

private:
  static std::mutex &getLock() {
    static std::mutex lock;
    return lock;
  }
  static int &getActiveCount() {
    static int count = 0;
    return count;
  }
};

} // namespace

static std::string describeSignal(int signal) {
  switch (signal) {
  case SIGABRT:
    return "an assertion in LLVM failed";
  case SIGSEGV:
  case SIGBUS:
    return "LLVM accessed invalid memory";
  case SIGILL:
  case SIGTRAP:
    return "LLVM reached code that it takes for unreachable";
  default:
    return "LLVM ended with signal " + std::to_string(signal);
  }
}

Error tdsl::runGuarded(function_ref<void()> work) {
  HandlerScope scope;
  CrashRecoveryContext recovery;
  std::string message;
  bool completed = recovery.RunSafelyOnThread(
      [&] {
        fatalMessage = &message;
        work();
      },
      stackSize);
  if (completed)
    return Error::success();
  if (message.empty())
    // The code is 128 plus the signal, as in a shell.
    message = describeSignal(recovery.RetCode - 128);
  return createStringError(inconvertibleErrorCode(), message);
}
