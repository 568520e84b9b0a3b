//===- TdslAttributes.h - attributes and types of the dialect ---*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_TDSLATTRIBUTES_H
#define TDSL_IR_TDSLATTRIBUTES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "tdsl/IR/Slot.h"
#include <optional>

#include "tdsl/IR/TdslEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tdsl/IR/TdslAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tdsl/IR/TdslTypes.h.inc"

namespace tdsl {

/// The identity of the product space as an index of a node with these sizes, in
/// memory order: axes of size 1 are at 0, every other axis takes the first
/// unused iterator of its size (spec e.5). Null when an axis finds none or an
/// iterator of a size other than 1 is left over.
mlir::AffineMap getProductSpaceMap(SpaceAttr space,
                                   llvm::ArrayRef<int64_t> sizes);

// The written forms, shared by the attributes and by the operations that print
// them without their `#tdsl.` prefix.
mlir::ParseResult parseAccess(mlir::AsmParser &parser, AccessAttr &access);
void printAccess(mlir::AsmPrinter &printer, AccessAttr access);
mlir::ParseResult parseTerm(mlir::AsmParser &parser, TermAttr &term);
void printTerm(mlir::AsmPrinter &printer, TermAttr term);
mlir::ParseResult parseLogic(mlir::AsmParser &parser, LogicAttr &logic);
void printLogic(mlir::AsmPrinter &printer, LogicAttr logic);
mlir::ParseResult parseShape(mlir::AsmParser &parser, ShapeAttr &shape);
void printShape(mlir::AsmPrinter &printer, ShapeAttr shape);
mlir::ParseResult parseRow(mlir::AsmParser &parser, RowAttr &row);
void printRow(mlir::AsmPrinter &printer, RowAttr row);

} // namespace tdsl

#endif // TDSL_IR_TDSLATTRIBUTES_H
