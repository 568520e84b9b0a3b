//===- TdslDialect.h - the dialect ------------------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_TDSLDIALECT_H
#define TDSL_IR_TDSLDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"

#include "tdsl/IR/TdslDialect.h.inc"

#endif // TDSL_IR_TDSLDIALECT_H
