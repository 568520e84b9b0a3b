//===- FloatBuilder.h - Arithmetic on floats and their bits -----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_MATHFUNCTIONS_FLOATBUILDER_H
#define TDSL_LIB_MATHFUNCTIONS_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tdsl {

/// Builds arithmetic on numbers of one type, f32 or f64, or on vectors of them.
/// Constants become splats.
///
/// Only `multiplyAdd` may be fused into one rounding. Everything else keeps the
/// roundings that are written, so that error terms stay what they are.
class FloatBuilder {
public:
  using Value = mlir::Value;

  FloatBuilder(mlir::OpBuilder &builder, mlir::Location location,
               mlir::Type type);

  bool isDouble() const { return doublePrecision; }
  /// Chooses between the constants of f32 and those of f64.
  template <typename T> T pick(T single, T twice) const {
    return doublePrecision ? twice : single;
  }
  /// Bits of the fraction: 23 or 52.
  unsigned mantissaBits() const { return doublePrecision ? 52 : 23; }
  /// The exponent field of 1.0: 127 or 1023.
  uint64_t bias() const { return doublePrecision ? 1023 : 127; }

  /// A number; rounded if the type is f32.
  Value constant(double value) const;
  Value infinity() const;
  Value notANumber() const;

  Value add(Value left, Value right) const;
  Value subtract(Value left, Value right) const;
  Value multiply(Value left, Value right) const;
  Value divide(Value left, Value right) const;
  /// left * right + addend, rounded once where the target has an instruction
  /// for that, else twice. Targets without one would call a library for
  /// math.fma.
  Value multiplyAdd(Value left, Value right, Value addend) const;
  /// left * right - subtrahend, likewise.
  Value multiplySubtract(Value left, Value right, Value subtrahend) const;
  /// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) const;

  Value isLess(Value left, Value right) const;
  Value isEqual(Value left, Value right) const;
  Value select(Value condition, Value yes, Value no) const;
  /// `value` limited to low .. high; NaN stays.
  Value clamp(Value value, double low, double high) const;
  /// The smaller of `value` and `high`; NaN stays.
  Value clampAbove(Value value, double high) const;

  /// Integers as wide as the numbers.
  Value bits(uint64_t value) const;
  Value toBits(Value value) const;
  Value fromBits(Value value) const;
  Value addBits(Value left, Value right) const;
  Value subtractBits(Value left, Value right) const;
  Value andBits(Value left, Value right) const;
  Value orBits(Value left, Value right) const;
  Value xorBits(Value left, Value right) const;
  /// Whether the bit of this number, counted from the lowest, is 1.
  Value isBitSet(Value value, unsigned position) const;
  Value shiftLeft(Value value, unsigned amount) const;
  Value shiftRight(Value value, unsigned amount) const;

  /// A number whose last place counts 1: x + roundingShift() is x rounded to an
  /// integer, ties to even, in the low bits. |x| must be below a quarter of it.
  double roundingShift() const;
  uint64_t roundingShiftBits() const;

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Type type, bitsType;
  bool doublePrecision;
};

} // namespace tdsl

#endif // TDSL_LIB_MATHFUNCTIONS_FLOATBUILDER_H
