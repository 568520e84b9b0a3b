//===- Diagnostics.cpp - Diagnostics as Python objects --------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Bindings.h"
#include "Casters.h"
#include "tdsl-c/Diagnostics.h"

#include <pybind11/stl.h>

#include <map>
#include <utility>

namespace py = pybind11;
using namespace tdsl::python;

static const char *severityName(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return "error";
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  }
  return "error";
}

static MlirDiagnosticSeverity severityOf(const std::string &name) {
  for (MlirDiagnosticSeverity severity :
       {MlirDiagnosticError, MlirDiagnosticWarning, MlirDiagnosticRemark})
    if (name == severityName(severity))
      return severity;
  throw py::value_error(
      "severity must be 'error', 'warning' or 'remark', not '" + name + "'");
}

CollectedDiagnostic::CollectedDiagnostic(MlirDiagnostic diagnostic)
    : severity(mlirDiagnosticGetSeverity(diagnostic)) {
  mlirDiagnosticPrint(
      diagnostic,
      [](MlirStringRef text, void *message) {
        static_cast<std::string *>(message)->append(text.data, text.length);
      },
      &message);
  MlirStringRef name;
  hasPosition = tdslLocationGetFilePosition(
      mlirDiagnosticGetLocation(diagnostic), &name, &line, &column);
  if (hasPosition)
    file.assign(name.data, name.length);
  for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i < e; ++i)
    notes.emplace_back(mlirDiagnosticGetNote(diagnostic, i));
}

py::tuple CollectedDiagnostic::toPython() const {
  py::object position = py::none();
  if (hasPosition)
    position = py::make_tuple(file, line, column);
  py::list pythonNotes;
  for (const CollectedDiagnostic &note : notes)
    pythonNotes.append(note.toPython());
  return py::make_tuple(severityName(severity), message, position, pythonNotes);
}

MlirLogicalResult tdsl::python::collectDiagnostic(MlirDiagnostic diagnostic,
                                                  void *collected) {
  static_cast<std::vector<CollectedDiagnostic> *>(collected)->emplace_back(
      diagnostic);
  return mlirLogicalResultSuccess();
}

static void
emitDiagnostic(MlirLocation location, const std::string &severity,
               const std::string &message,
               const std::vector<std::pair<MlirLocation, std::string>> &notes) {
  MlirDiagnosticSeverity converted = severityOf(severity);
  std::vector<TdslNote> convertedNotes;
  for (const auto &[noteLocation, text] : notes)
    convertedNotes.push_back(
        {noteLocation, mlirStringRefCreate(text.data(), text.size())});
  // MLIR calls handlers under a lock, and a handler written in Python waits for
  // the GIL: keeping it here would be a deadlock between two threads.
  py::gil_scoped_release release;
  tdslEmitDiagnostic(location, converted,
                     mlirStringRefCreate(message.data(), message.size()),
                     convertedNotes.size(), convertedNotes.data());
}

void tdsl::python::addDiagnostics(py::module_ &module) {
  module.def("emit_diagnostic", emitDiagnostic, py::arg("location"),
             py::arg("severity"), py::arg("message"), py::arg("notes"));
}
