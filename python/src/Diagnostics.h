//===- Diagnostics.h - Diagnostics as Python objects ------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_DIAGNOSTICS_H
#define TDSL_PYTHON_DIAGNOSTICS_H

#include "mlir-c/Diagnostics.h"

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace tdsl::python {

/// A copy of an MLIR diagnostic, which itself lives only while it is handled.
struct CollectedDiagnostic {
  explicit CollectedDiagnostic(MlirDiagnostic diagnostic);

  /// (severity, message, (file, line, column) or None, [note, ...])
  pybind11::tuple toPython() const;

  MlirDiagnosticSeverity severity;
  std::string message;
  bool hasPosition;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<CollectedDiagnostic> notes;
};

/// A diagnostic handler that appends to a std::vector<CollectedDiagnostic>.
/// Needs no Python and no lock: MLIR calls one handler at a time.
MlirLogicalResult collectDiagnostic(MlirDiagnostic diagnostic, void *collected);

} // namespace tdsl::python

#endif // TDSL_PYTHON_DIAGNOSTICS_H
