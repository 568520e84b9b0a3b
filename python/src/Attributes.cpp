//===- Attributes.cpp - The attributes and types of the dialect -----------===//
//
// Part of TDSL, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "Casters.h"

void tdsl::python::addAttributes(pybind11::module_ &module) {}
