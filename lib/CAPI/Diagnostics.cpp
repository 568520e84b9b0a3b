//===- Diagnostics.cpp - C API: diagnostics with notes --------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Diagnostics.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

using namespace mlir;

static DiagnosticSeverity convertSeverity(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return DiagnosticSeverity::Error;
  case MlirDiagnosticWarning:
    return DiagnosticSeverity::Warning;
  case MlirDiagnosticNote:
    return DiagnosticSeverity::Note;
  case MlirDiagnosticRemark:
    return DiagnosticSeverity::Remark;
  }
  return DiagnosticSeverity::Error;
}

void tdslEmitDiagnostic(MlirLocation location, MlirDiagnosticSeverity severity,
                        MlirStringRef message, intptr_t noteCount,
                        const TdslNote *notes) {
  Location loc = unwrap(location);
  InFlightDiagnostic diagnostic =
      loc.getContext()->getDiagEngine().emit(loc, convertSeverity(severity));
  // A Twine is copied into the diagnostic; a bare StringRef would have to
  // outlive it.
  diagnostic << Twine(unwrap(message));
  for (intptr_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(notes[i].location))
        << Twine(unwrap(notes[i].message));
}

void tdslContextPrintOperationOnError(MlirContext context, bool enable) {
  unwrap(context)->printOpOnDiagnostic(enable);
}

bool tdslLocationGetFilePosition(MlirLocation location, MlirStringRef *file,
                                 unsigned *line, unsigned *column) {
  auto position = unwrap(location)->findInstanceOf<FileLineColLoc>();
  if (!position)
    return false;
  *file = wrap(position.getFilename().getValue());
  *line = position.getLine();
  *column = position.getColumn();
  return true;
}
