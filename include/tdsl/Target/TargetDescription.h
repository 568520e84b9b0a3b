//===- TargetDescription.h - What code is generated for ---------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TARGET_TARGETDESCRIPTION_H
#define TDSL_TARGET_TARGETDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tdsl {

/// What code is generated for, in LLVM's words.
struct TargetDescription {
  /// Such as "x86_64-unknown-linux-gnu".
  std::string triple;
  /// Such as "znver4"; the oldest CPU of the architecture if empty.
  std::string cpu;
  /// What differs from the CPU, such as "+avx512f,-sse4a".
  std::string features;

  /// The machine that this process runs on.
  static TargetDescription host();
  /// Whether the CPU has a feature, such as "avx512f", by itself or by
  /// `features`. False for what LLVM does not know.
  bool hasFeature(llvm::StringRef name) const;
};

/// Makes LLVM's code generator for `target`, of position-independent code. An
/// architecture, CPU or feature that it does not know is an error with the
/// nearest name; LLVM itself only warns, and generates slower code.
/// `optimizationLevel` is 0 to 3, and generates good code for 0, too: that
/// level is for IR that has been optimized already.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetDescription &target, int optimizationLevel);

/// The same check for what a single function asks for.
llvm::Error checkCpuAndFeatures(const llvm::TargetMachine &machine,
                                llvm::StringRef cpu, llvm::StringRef features);

} // namespace tdsl

#endif // TDSL_TARGET_TARGETDESCRIPTION_H
