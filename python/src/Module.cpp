//===- Module.cpp - The Python module tdsl._tdsl --------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Casters.h"
#include "OptMain.h"
#include "tdsl-c/Diagnostics.h"
#include "tdsl-c/Dialect.h"
#include "tdsl-c/Passes.h"

namespace py = pybind11;

PYBIND11_MODULE(_tdsl, module) {
  module.doc() = "The native part of TDSL. Import mlir.ir first.";
  module.attr("BUILT_FOR_MLIR") = TDSL_MLIR_VERSION;

  // Before any Python pass: a name that is taken can only be refused if it is
  // already registered, and MLIR aborts when an upstream pass comes second.
  // Importing this module registers upstream's passes; to do so twice aborts.
  py::module_::import("mlir._mlir_libs._mlirRegisterEverything");
  tdslRegisterAllPasses();

  module.def(
      "register_dialects",
      [](MlirContext context) {
        MlirDialectHandle handle = mlirGetDialectHandle__tdsl__();
        mlirDialectHandleRegisterDialect(handle, context);
        mlirDialectHandleLoadDialect(handle, context);
        tdslContextPrintOperationOnError(context, false);
      },
      py::arg("context"), "Loads the tdsl dialect into an mlir.ir.Context.");

  tdsl::python::addAttributes(module);
  tdsl::python::addCalls(module);
  tdsl::python::addDiagnostics(module);
  tdsl::python::addPasses(module);
  tdsl::python::addTarget(module);
}
