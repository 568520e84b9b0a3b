//===- Strings.h - Strings of the C interface -------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_STRINGS_H
#define TDSL_PYTHON_STRINGS_H

#include "mlir-c/Support.h"
#include <string>

namespace tdsl::python {

/// As an argument, for as long as the string lives.
inline MlirStringRef ref(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

/// The callback that appends to the `std::string` at `target`.
inline void appendText(MlirStringRef text, void *target) {
  static_cast<std::string *>(target)->append(text.data, text.length);
}

} // namespace tdsl::python

#endif // TDSL_PYTHON_STRINGS_H
