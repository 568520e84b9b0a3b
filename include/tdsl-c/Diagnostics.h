//===- Diagnostics.h - C API: diagnostics with notes --------------*- C -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_C_DIAGNOSTICS_H
#define TDSL_C_DIAGNOSTICS_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "tdsl-c/Export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TdslNote {
  MlirLocation location;
  MlirStringRef message;
} TdslNote;

/// Emits one diagnostic. MLIR's own C API emits errors without notes only.
TDSL_CAPI_EXPORTED void tdslEmitDiagnostic(MlirLocation location,
                                           MlirDiagnosticSeverity severity,
                                           MlirStringRef message,
                                           intptr_t noteCount,
                                           const TdslNote *notes);

/// Says whether errors of operations print the operation below; MLIR's default
/// is that they do, and an operation of ours may be a whole program.
TDSL_CAPI_EXPORTED void tdslContextPrintOperationOnError(MlirContext context,
                                                         bool enable);

/// Finds the position in a file that `location` stands for: its own, that of
/// its child, or the first among fused ones or call sites. Returns false if
/// there is none.
TDSL_CAPI_EXPORTED bool tdslLocationGetFilePosition(MlirLocation location,
                                                    MlirStringRef *file,
                                                    unsigned *line,
                                                    unsigned *column);

#ifdef __cplusplus
}
#endif

#endif // TDSL_C_DIAGNOSTICS_H
