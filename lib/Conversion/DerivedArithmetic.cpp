//===- DerivedArithmetic.cpp - What MLIR has no operation for -------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrimitiveBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tdsl;

/// Floor remainder, NumPy's rule: the sign of the divisor (spec k.8).
Value PrimitiveBody::emitFloatRemainder(Value left, Value right) {
  Value remainder = arith::RemFOp::create(builder, location, left, right);
  Value zero = arith::ConstantOp::create(builder, location,
                                         FloatAttr::get(left.getType(), 0.0));
  auto isNegative = [&](Value value) -> Value {
    return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT,
                                 value, zero);
  };
  Value signsDiffer = arith::XOrIOp::create(
      builder, location, isNegative(remainder), isNegative(right));
  Value isZero = arith::CmpFOp::create(
      builder, location, arith::CmpFPredicate::OEQ, remainder, zero);
  Value moved = arith::AddFOp::create(builder, location, remainder, right);
  Value result =
      arith::SelectOp::create(builder, location, signsDiffer, moved, remainder);
  Value signedZero = math::CopySignOp::create(builder, location, zero, right);
  return arith::SelectOp::create(builder, location, isZero, signedZero, result);
}

/// The larger or the smaller number. NaN propagates (spec k.8), and 0.0 is
/// larger than -0.0.
Value PrimitiveBody::emitFloatExtremum(bool isMax, Value left, Value right) {
  if (isMax)
    return arith::MaximumFOp::create(builder, location, left, right);
  return arith::MinimumFOp::create(builder, location, left, right);
}

/// Quotients towards zero and floor remainders of integers. A zero divisor
/// gives 0, as NumPy's arrays do, and never a trap.
Value PrimitiveBody::emitIntegerDivision(Primitive primitive, Value left,
                                         Value right, Precision precision) {
  Value zero = constant(precision, 0), one = constant(precision, 1);
  auto equals = [&](Value value, Value other) -> Value {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                                 value, other);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, location, condition, yes, no);
  };
  Value byZero = equals(right, zero);
  if (isUnsigned(precision)) {
    Value safe = select(byZero, one, right);
    Value result =
        primitive == Primitive::Div
            ? arith::DivUIOp::create(builder, location, left, safe).getResult()
            : arith::RemUIOp::create(builder, location, left, safe).getResult();
    return select(byZero, zero, result);
  }
  // The most negative number divided by -1 overflows: divide by 1, then negate.
  Value minusOne = constant(precision, -1);
  Value byMinusOne = equals(right, minusOne);
  Value unsafe = arith::OrIOp::create(builder, location, byZero, byMinusOne);
  Value safe = select(unsafe, one, right);
  if (primitive == Primitive::Div) {
    Value quotient = arith::DivSIOp::create(builder, location, left, safe);
    Value negated = arith::SubIOp::create(builder, location, zero, left);
    return select(byZero, zero, select(byMinusOne, negated, quotient));
  }
  Value remainder = arith::RemSIOp::create(builder, location, left, safe);
  auto isNegative = [&](Value value) -> Value {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt,
                                 value, zero);
  };
  Value signsDiffer = arith::XOrIOp::create(
      builder, location, isNegative(remainder), isNegative(safe));
  Value moved = arith::AddIOp::create(builder, location, remainder, safe);
  Value result = select(equals(remainder, zero), zero,
                        select(signsDiffer, moved, remainder));
  return select(unsafe, zero, result);
}
