//===- TdslOps.h - operations of the dialect --------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_TDSLOPS_H
#define TDSL_IR_TDSLOPS_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tdsl/IR/TdslAttributes.h"
#include "tdsl/IR/TdslDialect.h"
#include "tdsl/IR/TdslInterfaces.h"

namespace tdsl {

/// The number of operands of a primitive operation: 1, 2 or 3 (spec b.5).
unsigned getArity(Primitive primitive);

/// The type of one cell, `vector<4xi32>` for `uint4x32`. Signed and unsigned
/// integers share MLIR's signless types: operations carry the signedness.
mlir::Type getCellType(Precision precision, mlir::MLIRContext *context);

/// The type of a cell in memory: that of the cell, but a byte of 0 or 1 for
/// truth values, which memory cannot hold as single bits.
mlir::Type getStorageType(Precision precision, mlir::MLIRContext *context);

} // namespace tdsl

#define GET_OP_CLASSES
#include "tdsl/IR/TdslOps.h.inc"

#endif // TDSL_IR_TDSLOPS_H
