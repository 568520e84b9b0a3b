//===- ObjectCode.h - From the LLVM dialect to machine code -----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TARGET_OBJECTCODE_H
#define TDSL_TARGET_OBJECTCODE_H

#include "mlir/Support/LLVM.h"
#include "tdsl/Target/TargetDescription.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class Diagnostic;
class Operation;
} // namespace mlir

namespace tdsl {

enum class CodeKind {
  /// A relocatable object file.
  Object,
  /// Assembly; for NVPTX, this is PTX.
  Assembly,
  /// LLVM IR as text, after the optimizer.
  LlvmIr
};

/// How long each stage took, in seconds.
struct EmitTimes {
  /// Verifying, and translating to LLVM IR.
  double translate = 0;
  /// LLVM's optimizer.
  double optimize = 0;
  /// LLVM's code generator, or the printer of LLVM IR.
  double emit = 0;
};

/// Generates code for `module`, which must be in the LLVM dialect and the
/// dialects that translate to LLVM IR beside it, and leaves it as it is. The
/// same module and target give the same bytes.
///
/// `optimizationLevel` 0 runs only what code generation depends on, 1 to 3 are
/// `optimizationLevel` 0 runs only what code generation depends on, 1 to 3 are
/// LLVM's. Whatever is wrong, in the module or in LLVM, is a diagnostic at the
/// narrowest known location. `handleDiagnostic`, which may be null, gets those
/// of this call. After a failure, `code` holds nothing of use.
///
/// Modules of one context may be emitted on several threads, while nobody
/// changes them or loads dialects.
mlir::LogicalResult
emitCode(mlir::Operation *module, const TargetDescription &target,
         CodeKind kind, int optimizationLevel,
         llvm::function_ref<mlir::LogicalResult(mlir::Diagnostic &)>
             handleDiagnostic,
         llvm::SmallVectorImpl<char> &code, EmitTimes &times);

} // namespace tdsl

#endif // TDSL_TARGET_OBJECTCODE_H
