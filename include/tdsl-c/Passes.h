//===- Passes.h - C API: passes and pipelines ---------------------*- C -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR's own C API has external passes, but no options for them and no way to
// register one under a name. Both are here, so that a pass written in another
// language is an ordinary pass: it appears in textual pipelines, --help,
// printed IR, timing reports and crash reproducers.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_C_PASSES_H
#define TDSL_C_PASSES_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"
#include "tdsl-c/Export.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers the passes of TDSL that are written in C++. May be called often.
TDSL_CAPI_EXPORTED void tdslRegisterAllPasses(void);

//===----------------------------------------------------------------------===//
// External passes
//===----------------------------------------------------------------------===//

typedef enum TdslPassOptionKind {
  TdslPassOptionKindInt,
  TdslPassOptionKindDouble,
  TdslPassOptionKindBool,
  TdslPassOptionKindString,
  TdslPassOptionKindStringList
} TdslPassOptionKind;

/// Declares one option of a pass. A list's default is its elements, joined by
/// commas; the empty text is the empty list.
typedef struct TdslPassOption {
  MlirStringRef name;
  MlirStringRef description;
  TdslPassOptionKind kind;
  MlirStringRef defaultText;
} TdslPassOption;

/// The value of one option in one run. The member that `kind` names is set; a
/// string is a list of length one.
typedef struct TdslPassOptionValue {
  MlirStringRef name;
  TdslPassOptionKind kind;
  int64_t intValue;
  double doubleValue;
  bool boolValue;
  intptr_t stringCount;
  const MlirStringRef *strings;
} TdslPassOptionValue;

/// Describes an external pass. Texts and arrays are copied by the registration.
typedef struct TdslExternalPass {
  MlirStringRef name;
  MlirStringRef description;
  /// The operation the pass runs on, such as "tdsl.program"; empty for any.
  MlirStringRef anchor;
  /// Dialects that `run` may create operations of; loaded before it runs.
  intptr_t dependentDialectCount;
  const MlirStringRef *dependentDialects;
  /// One value arrives in `run` for each option, in this order.
  intptr_t optionCount;
  const TdslPassOption *options;
  void *userData;
  /// Called for each anchor, possibly from several threads at once. A failure
  /// for which `run` emitted no error gets one.
  MlirLogicalResult (*run)(MlirOperation op, intptr_t valueCount,
                           const TdslPassOptionValue *values, void *userData);
  /// True if the calling thread holds a lock that `run` needs. Asked before the
  /// first anchor; the pipeline then runs without threads, since a worker would
  /// wait for that lock for ever. May be null.
  bool (*callerHoldsLock)(void *userData);
  /// Called once, when the registration ends or has failed. May be null.
  void (*destroy)(void *userData);
} TdslExternalPass;

/// Adds `pass` to MLIR's registry, from which nothing is ever removed. Fails,
/// after giving the reason to `reportError`, for a name that a pass or pipeline
/// already has and for options that cannot be declared.
TDSL_CAPI_EXPORTED MlirLogicalResult
tdslRegisterExternalPass(const TdslExternalPass *pass,
                         MlirStringCallback reportError, void *userData);

/// Tells whether a pass or a pipeline is registered under `name`.
TDSL_CAPI_EXPORTED bool tdslIsPassRegistered(MlirStringRef name);

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// Registers `pipeline`, the text of passes such as "canonicalize,cse", under a
/// name of its own, as mlir-opt's flags and other pipelines may use it. The
/// text is parsed when the name is used. Fails, after giving the reason to
/// `reportError`, for a name that a pass or pipeline already has.
TDSL_CAPI_EXPORTED MlirLogicalResult tdslRegisterPipeline(
    MlirStringRef name, MlirStringRef description, MlirStringRef pipeline,
    MlirStringCallback reportError, void *userData);

/// Parses `pipeline`, such as "builtin.module(cse)", and prints it with every
/// option in canonical form. Fails after reporting what is wrong.
TDSL_CAPI_EXPORTED MlirLogicalResult
tdslNormalizePipeline(MlirStringRef pipeline, MlirStringCallback print,
                      MlirStringCallback reportError, void *userData);

/// Is told of every pass before and after it runs on an operation, from several
/// threads at once. Passes that fail have no after.
typedef struct TdslPassObserver {
  void (*beforePass)(MlirOperation op, MlirStringRef pass, void *userData);
  void (*afterPass)(MlirOperation op, MlirStringRef pass, void *userData);
  void *userData;
} TdslPassObserver;

/// Makes `manager` tell `observer`, which is copied, of its passes.
TDSL_CAPI_EXPORTED void
tdslPassManagerAddObserver(MlirPassManager manager,
                           const TdslPassObserver *observer);

typedef struct TdslPipelineOptions {
  /// Run the verifier after each pass.
  bool verifyEach;
  /// Print the IR after each pass.
  bool printAfterAll;
  /// Print how long each pass took, after the last one.
  bool timing;
  /// Where to write a reproducer if a pass fails or crashes; empty for none.
  MlirStringRef crashReproducerPath;
  /// Receives what `printAfterAll` and `timing` print. Calls do not overlap,
  /// but may come from several threads.
  MlirStringCallback output;
  void *outputUserData;
  /// Receives every diagnostic of the run, and may be null.
  MlirDiagnosticHandler diagnosticHandler;
  void *diagnosticUserData;
  /// If not null, a pass that crashes fails the run, and this receives what
  /// happened. Neither `op` nor its context may be touched afterwards, not even
  /// to destroy them. Passes then run on a thread of their own, without
  /// `timing`.
  MlirStringCallback reportCrash;
  void *crashUserData;
} TdslPipelineOptions;

/// Runs `pipeline` on `op`. The caller must hold no lock that an external pass
/// needs. An unparsable pipeline is reported like any other error.
TDSL_CAPI_EXPORTED MlirLogicalResult
tdslRunPipeline(MlirOperation op, MlirStringRef pipeline,
                const TdslPipelineOptions *options);

#ifdef __cplusplus
}
#endif

#endif // TDSL_C_PASSES_H
