//===- ShapeText.h - the written form of shapes -----------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_SHAPETEXT_H
#define TDSL_IR_SHAPETEXT_H

#include "tdsl/IR/TdslAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tdsl {

/// Reports a mistake at a character of the text.
using TextErrorFn = llvm::function_ref<mlir::InFlightDiagnostic(size_t offset)>;

/// `3`, `3:rgb`, `?` or `?:rgb`.
mlir::FailureOr<AxisAttr> parseAxisText(llvm::StringRef text,
                                        TextErrorFn emitError,
                                        mlir::MLIRContext *context);

/// Axes separated by commas, with at most one row variable `..name..` or `...`.
mlir::FailureOr<RowAttr> parseRowText(llvm::StringRef text,
                                      TextErrorFn emitError,
                                      mlir::MLIRContext *context);

/// `batch|input->output`; a row that is not written is closed and empty.
mlir::FailureOr<ShapeAttr> parseShapeText(llvm::StringRef text,
                                          TextErrorFn emitError,
                                          mlir::MLIRContext *context);

/// The canonical text: no blanks, both separators of a shape always written.
std::string axisToText(AxisAttr axis);
std::string rowToText(RowAttr row);
std::string shapeToText(ShapeAttr shape);

} // namespace tdsl

#endif // TDSL_IR_SHAPETEXT_H
