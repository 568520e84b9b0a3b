//===- TdslDialect.cpp - registration -------------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/IR/TdslDialect.h"

#include "tdsl/IR/TdslDialect.cpp.inc"

void tdsl::TdslDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  registerBytecodeInterface();
}
