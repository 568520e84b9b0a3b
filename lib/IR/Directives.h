//===- Directives.h - custom assembly shared by operations ------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// The functions that `custom<...>` directives of TdslOps.td call.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_IR_DIRECTIVES_H
#define TDSL_LIB_IR_DIRECTIVES_H

#include "tdsl/IR/TdslOps.h"

namespace tdsl {

/// `@name`, with the visibility before it when one is written.
mlir::ParseResult parseDeclaredName(mlir::OpAsmParser &parser,
                                    mlir::StringAttr &visibility,
                                    mlir::StringAttr &name);
void printDeclaredName(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::StringAttr visibility, mlir::StringAttr name);

/// `{ ... }` with a block even when nothing is written in it.
mlir::ParseResult parseBody(mlir::OpAsmParser &parser, mlir::Region &body);
void printBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::Region &body);

/// A keyword of spec a.8, or `?`.
mlir::ParseResult parseOpenPrecision(mlir::OpAsmParser &parser,
                                     PrecisionAttr &precision);
void printOpenPrecision(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        PrecisionAttr precision);

mlir::ParseResult parseAccumulator(mlir::OpAsmParser &parser,
                                   AccumulatorAttr &accumulator);
void printAccumulator(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      AccumulatorAttr accumulator);
/// `mul(@x, @y)`
mlir::ParseResult parseApplication(mlir::OpAsmParser &parser,
                                   PrimitiveAttr &primitive,
                                   mlir::ArrayAttr &sources);
void printApplication(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      PrimitiveAttr primitive, mlir::ArrayAttr sources);

/// `@x` or, for several, `(@x, @y)`.
mlir::ParseResult parseDestinations(mlir::OpAsmParser &parser,
                                    mlir::ArrayAttr &accesses);
void printDestinations(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::ArrayAttr accesses);

/// `(@x, @y)`, plain symbols.
mlir::ParseResult parseSymbolList(mlir::OpAsmParser &parser,
                                  mlir::ArrayAttr &symbols);
void printSymbolList(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::ArrayAttr symbols);
/// `{h = @h, d = @d}`
mlir::ParseResult parseNamedSymbols(mlir::OpAsmParser &parser,
                                    mlir::DictionaryAttr &symbols);
void printNamedSymbols(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::DictionaryAttr symbols);
/// `{stride = 2}`
mlir::ParseResult parseNamedIntegers(mlir::OpAsmParser &parser,
                                     mlir::DictionaryAttr &integers);
void printNamedIntegers(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::DictionaryAttr integers);

mlir::ParseResult parseSpace(mlir::OpAsmParser &parser, SpaceAttr &space);
void printSpace(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                SpaceAttr space);

// Attributes whose written form needs no operation around it.
inline void printAccess(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        AccessAttr access) {
  printAccess(static_cast<mlir::AsmPrinter &>(printer), access);
}
inline void printTerm(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      TermAttr term) {
  printTerm(static_cast<mlir::AsmPrinter &>(printer), term);
}
inline void printLogic(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       LogicAttr logic) {
  printLogic(static_cast<mlir::AsmPrinter &>(printer), logic);
}
inline void printShape(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       ShapeAttr shape) {
  printShape(static_cast<mlir::AsmPrinter &>(printer), shape);
}
inline void printRow(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     RowAttr row) {
  printRow(static_cast<mlir::AsmPrinter &>(printer), row);
}

} // namespace tdsl

#endif // TDSL_LIB_IR_DIRECTIVES_H
