//===- PrimitiveBody.h - Primitive operations on cells ----------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_PRIMITIVEBODY_H
#define TDSL_LIB_CONVERSION_PRIMITIVEBODY_H

#include "mlir/IR/Builders.h"
#include "tdsl/IR/TdslOps.h"

namespace tdsl {

/// A cell and how to read it: MLIR's integers have no sign of their own.
struct Cell {
  mlir::Value value;
  Precision precision;
};

/// The precision in which arithmetic on `precision` is done: f32 for narrower
/// floats (spec b.5), the precision itself otherwise.
Precision getComputePrecision(Precision precision);

bool isFloat(Precision precision);

/// Whether cells of a precision have the neutral element of an accumulator:
/// words of random streams have only 0, integers have no 0.5.
bool hasNeutralElement(Accumulator accumulator, Precision precision);

/// The neutral element of an accumulator (spec b.3) as a cell of a node.
mlir::TypedAttr getNeutralElement(Accumulator accumulator, Precision precision,
                                  mlir::MLIRContext *context);

/// Emits the arithmetic of cells into the body of a linalg operation.
class PrimitiveBody {
public:
  /// `contract` allows products and sums to fuse into one rounding, as tensor
  /// contractions may.
  PrimitiveBody(mlir::OpBuilder &builder, mlir::Location location,
                bool contract = false)
      : builder(builder), location(location), contract(contract) {}

  /// A cell from what memory holds, and the other way round.
  mlir::Value load(mlir::Value stored, Precision precision);
  mlir::Value store(Cell cell);

  /// Converts a cell; floats to integers saturate, NaN becomes 0.
  mlir::Value convert(Cell cell, Precision precision);

  /// The result of a primitive as a cell of `precision`. Fails, with an error,
  /// for a primitive that cells of this precision do not have.
  mlir::FailureOr<Cell> apply(Primitive primitive,
                              llvm::ArrayRef<Cell> operands,
                              Precision precision);

  /// `accumulated` joined by `contribution`, in the precision of the former.
  mlir::FailureOr<mlir::Value> accumulate(Accumulator accumulator,
                                          Cell accumulated, Cell contribution);

private:
  mlir::Value constant(Precision precision, double value);
  mlir::Value isTrue(Cell cell);
  mlir::Value fromTruth(mlir::Value truth, Precision precision);
  mlir::Value compare(Primitive primitive, mlir::Value left, mlir::Value right,
                      Precision precision);
  mlir::FailureOr<mlir::Value> convertOperand(Cell cell, Precision precision);
  mlir::FailureOr<mlir::Value> applyComparison(Primitive primitive, Cell left,
                                               Cell right);
  mlir::FailureOr<Cell> applyToWords(Primitive primitive,
                                     llvm::ArrayRef<Cell> operands,
                                     Precision precision);
  mlir::FailureOr<mlir::Value>
  applyUnary(Primitive primitive, mlir::Value operand, Precision precision);
  mlir::FailureOr<mlir::Value> applyBinary(Primitive primitive,
                                           mlir::Value left, mlir::Value right,
                                           Precision precision);
  mlir::Value emitFloatUnary(Primitive primitive, mlir::Value operand,
                             Precision precision);
  mlir::Value emitIntegerDivision(Primitive primitive, mlir::Value left,
                                  mlir::Value right, Precision precision);
  mlir::Value emitFloatExtremum(bool isMax, mlir::Value left,
                                mlir::Value right);
  mlir::Value emitFloatRemainder(mlir::Value left, mlir::Value right);
  mlir::LogicalResult refuse(Primitive primitive, Precision precision);

  mlir::OpBuilder &builder;
  mlir::Location location;
  bool contract;
};

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_PRIMITIVEBODY_H
