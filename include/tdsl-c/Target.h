//===- Target.h - C API: machine code -----------------------------*- C -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One road leads to machine code: a module becomes an object file in memory.
// To load that file is just-in-time compilation, to write it is ahead-of-time
// compilation, and to keep it is a cache.
//
// While code is generated or loaded, the process's handlers of crash signals
// and LLVM's handler of fatal errors are ours; see lib/Target/CrashGuard.h.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_C_TARGET_H
#define TDSL_C_TARGET_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "tdsl-c/Export.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// What code is generated for, in LLVM's words.
typedef struct TdslTargetDescription {
  /// Such as "x86_64-unknown-linux-gnu".
  MlirStringRef triple;
  /// Such as "znver4"; the oldest CPU of the architecture if empty.
  MlirStringRef cpu;
  /// What differs from the CPU, such as "+avx512f,-sse4a".
  MlirStringRef features;
} TdslTargetDescription;

/// Calls `receive` once with the machine that this process runs on. The texts
/// live until it returns.
TDSL_CAPI_EXPORTED void tdslGetHostTarget(
    void (*receive)(const TdslTargetDescription *host, void *userData),
    void *userData);

/// Whether the CPU of a target has a feature, such as "avx512f".
TDSL_CAPI_EXPORTED bool
tdslTargetHasFeature(const TdslTargetDescription *target, MlirStringRef name);

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

typedef enum TdslCodeKind {
  /// A relocatable object file.
  TdslCodeKindObject,
  /// Assembly; for NVPTX, this is PTX.
  TdslCodeKindAssembly,
  /// LLVM IR as text, after the optimizer.
  TdslCodeKindLlvmIr
} TdslCodeKind;

typedef struct TdslEmitOptions {
  TdslTargetDescription target;
  TdslCodeKind kind;
  /// 0 runs only what code generation depends on; 1 to 3 are LLVM's levels.
  int optimizationLevel;
  /// Receives every diagnostic, and may be null.
  MlirDiagnosticHandler diagnosticHandler;
  void *diagnosticUserData;
} TdslEmitOptions;

/// How long each stage took, in seconds.
typedef struct TdslEmitTimes {
  double translate;
  double optimize;
  double emit;
} TdslEmitTimes;

/// Generates position-independent code for a module in the LLVM dialect, which
/// stays as it is, and passes all of it to `output` in one call. The same
/// module and options give the same bytes. `times` may be null. Fails after
/// emitting an error, also where LLVM itself would end the process.
///
/// The caller must not run a pass of the module's context at the same time,
/// unless that context has MLIR's translations to LLVM IR registered.
TDSL_CAPI_EXPORTED MlirLogicalResult tdslEmitCode(
    MlirOperation module, const TdslEmitOptions *options,
    MlirStringCallback output, void *outputUserData, TdslEmitTimes *times);

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The code of one object file, linked into this process.
typedef struct TdslLoadedObject {
  void *ptr;
} TdslLoadedObject;

/// Links a relocatable object file for this machine. Symbols that it uses are
/// searched for in `libraries`, which are paths or names of dynamic libraries,
/// then in the C library, libm and libgcc. Returns null after giving the reason
/// to `reportError`; a symbol that is nowhere is such a reason.
TDSL_CAPI_EXPORTED TdslLoadedObject tdslLoadObject(
    MlirStringRef object, intptr_t libraryCount, const MlirStringRef *libraries,
    MlirStringCallback reportError, void *userData);

/// Unloads the code. Nothing of it may be running or called afterwards.
TDSL_CAPI_EXPORTED void tdslLoadedObjectDestroy(TdslLoadedObject object);

/// Returns the address of a symbol that the object defines, or null after
/// giving the reason to `reportError`. May be called from any thread.
TDSL_CAPI_EXPORTED void *tdslLoadedObjectLookup(TdslLoadedObject object,
                                                MlirStringRef name,
                                                MlirStringCallback reportError,
                                                void *userData);

/// Calls `receive` with the name of each symbol that others may use, in order.
TDSL_CAPI_EXPORTED void tdslLoadedObjectForEachDefinedSymbol(
    TdslLoadedObject object, MlirStringCallback receive, void *userData);

/// Calls `receive` with the name of each symbol that the object takes from a
/// library, in order.
TDSL_CAPI_EXPORTED void tdslLoadedObjectForEachRequiredSymbol(
    TdslLoadedObject object, MlirStringCallback receive, void *userData);

#ifdef __cplusplus
}
#endif

#endif // TDSL_C_TARGET_H
