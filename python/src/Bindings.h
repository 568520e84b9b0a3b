//===- Bindings.h - The parts of the module _tdsl ---------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_BINDINGS_H
#define TDSL_PYTHON_BINDINGS_H

#include <pybind11/pybind11.h>

namespace tdsl::python {

void addAttributes(pybind11::module_ &module);
void addCalls(pybind11::module_ &module);
void addDiagnostics(pybind11::module_ &module);
void addPasses(pybind11::module_ &module);
void addTarget(pybind11::module_ &module);

} // namespace tdsl::python

#endif // TDSL_PYTHON_BINDINGS_H
