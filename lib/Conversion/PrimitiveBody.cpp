//===- PrimitiveBody.cpp - Primitive operations on cells ------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrimitiveBody.h"
#include "PowerFunction.h"
#include "RandomWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tdsl;

bool tdsl::isFloat(Precision precision) {
  return precision >= Precision::F64 && precision <= Precision::F8;
}

static bool isUnsigned(Precision precision) {
  switch (precision) {
  case Precision::U64:
  case Precision::U32:
  case Precision::U16:
  case Precision::U8:
  case Precision::Bool:
    return true;
  default:
    return false;
  }
}

Precision tdsl::getComputePrecision(Precision precision) {
  switch (precision) {
  case Precision::BF16:
  case Precision::F16:
  case Precision::F8:
    return Precision::F32;
  default:
    return precision;
  }
}

bool tdsl::hasNeutralElement(Accumulator accumulator, Precision precision) {
  if (accumulator == Accumulator::Sat01Gate)
    return isFloat(precision);
  if (precision != Precision::UInt4x32)
    return true;
  return accumulator == Accumulator::Overwrite ||
         accumulator == Accumulator::Add || accumulator == Accumulator::Sub ||
         accumulator == Accumulator::Or ||
         accumulator == Accumulator::Threefry4x32;
}

TypedAttr tdsl::getNeutralElement(Accumulator accumulator, Precision precision,
                                  MLIRContext *context) {
  Type type = getCellType(precision, context);
  if (precision == Precision::UInt4x32)
    return cast<TypedAttr>(Builder(context).getZeroAttr(type));
  auto floating = dyn_cast<FloatType>(type);
  bool isMax = accumulator == Accumulator::Max;
  if (isMax || accumulator == Accumulator::Min) {
    if (floating)
      return FloatAttr::get(type, APFloat::getInf(floating.getFloatSemantics(),
                                                  /*Negative=*/isMax));
    unsigned width = type.getIntOrFloatBitWidth();
    if (isUnsigned(precision))
      return IntegerAttr::get(type, isMax ? APInt::getMinValue(width)
                                          : APInt::getMaxValue(width));
    return IntegerAttr::get(type, isMax ? APInt::getSignedMinValue(width)
                                        : APInt::getSignedMaxValue(width));
  }
  double value = 0;
  switch (accumulator) {
  case Accumulator::Mul:
  case Accumulator::Div:
  case Accumulator::Pow:
  case Accumulator::And:
  case Accumulator::ReluGate:
    value = 1;
    break;
  case Accumulator::Sat01Gate:
    value = 0.5;
    break;
  default:
    break;
  }
  if (floating)
    return FloatAttr::get(type, value);
  return IntegerAttr::get(type, static_cast<int64_t>(value));
}

//===----------------------------------------------------------------------===//
// Constants, conversions, truth
//===----------------------------------------------------------------------===//

Value PrimitiveBody::constant(Precision precision, double value) {
  assert(precision != Precision::UInt4x32 && "words are no numbers");
  Type type = getCellType(precision, builder.getContext());
  TypedAttr attribute =
      isFloat(precision)
          ? TypedAttr(FloatAttr::get(type, value))
          : TypedAttr(IntegerAttr::get(type, static_cast<int64_t>(value)));
  return arith::ConstantOp::create(builder, location, attribute);
}

Value PrimitiveBody::load(Value stored, Precision precision) {
  if (precision != Precision::Bool)
    return stored;
  return isTrue({stored, Precision::U8});
}

Value PrimitiveBody::store(Cell cell) {
  Type type = getStorageType(cell.precision, builder.getContext());
  if (type == cell.value.getType())
    return cell.value;
  return arith::ExtUIOp::create(builder, location, type, cell.value);
}

/// A float as the nearest integer towards zero that the precision holds.
static Value convertToInteger(OpBuilder &builder, Location location,
                              Value value, IntegerType type, bool isUnsigned) {
  unsigned width = type.getWidth();
  APInt smallest =
      isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt largest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto floating = cast<FloatType>(value.getType());
  auto floatConstant = [&](const APInt &integer, APFloat::roundingMode mode) {
    APFloat bound(floating.getFloatSemantics());
    bound.convertFromAPInt(integer, !isUnsigned, mode);
    return arith::ConstantOp::create(builder, location,
                                     FloatAttr::get(floating, bound));
  };
  auto integerConstant = [&](const APInt &integer) {
    return arith::ConstantOp::create(builder, location,
                                     IntegerAttr::get(type, integer));
  };
  // The conversion is defined only for values that fit: bring the others to 0
  // before it, and choose their results after it.
  Value low = floatConstant(smallest, APFloat::rmTowardZero);
  Value high = floatConstant(largest, APFloat::rmTowardZero);
  auto compare = [&](arith::CmpFPredicate predicate, Value bound) {
    return arith::CmpFOp::create(builder, location, predicate, value, bound);
  };
  Value below = compare(arith::CmpFPredicate::OLT, low);
  Value above = compare(arith::CmpFPredicate::OGT, high);
  Value outside = arith::OrIOp::create(
      builder, location, arith::OrIOp::create(builder, location, below, above),
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNO, value,
                            value));
  Value zero = arith::ConstantOp::create(builder, location,
                                         FloatAttr::get(floating, 0.0));
  Value safe = arith::SelectOp::create(builder, location, outside, zero, value);
  Value converted =
      isUnsigned
          ? arith::FPToUIOp::create(builder, location, type, safe).getResult()
          : arith::FPToSIOp::create(builder, location, type, safe).getResult();
  converted = arith::SelectOp::create(builder, location, below,
                                      integerConstant(smallest), converted);
  return arith::SelectOp::create(builder, location, above,
                                 integerConstant(largest), converted);
}

Value PrimitiveBody::convert(Cell cell, Precision precision) {
  if (cell.precision == precision)
    return cell.value;
  Type type = getCellType(precision, builder.getContext());
  if (precision == Precision::Bool)
    return isTrue(cell);
  if (precision == Precision::UInt4x32) {
    RandomWords words(builder, location);
    if (cell.precision == Precision::I64 || cell.precision == Precision::U64)
      return words.emitSplit(cell.value);
    return words.emitSpread(convert(cell, Precision::U32));
  }
  if (auto floating = dyn_cast<FloatType>(cell.value.getType())) {
    auto target = dyn_cast<FloatType>(type);
    if (!target)
      return convertToInteger(builder, location, cell.value,
                              cast<IntegerType>(type), isUnsigned(precision));
    // Between formats of one width a detour keeps both conversions defined.
    if (target.getWidth() == floating.getWidth())
      return convert({convert(cell, Precision::F32), Precision::F32},
                     precision);
    if (target.getWidth() > floating.getWidth())
      return arith::ExtFOp::create(builder, location, type, cell.value);
    return arith::TruncFOp::create(builder, location, type, cell.value);
  }
  bool fromUnsigned = isUnsigned(cell.precision);
  if (isa<FloatType>(type))
    return fromUnsigned
               ? arith::UIToFPOp::create(builder, location, type, cell.value)
                     .getResult()
               : arith::SIToFPOp::create(builder, location, type, cell.value)
                     .getResult();
  unsigned from = cell.value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (to == from)
    return cell.value;
  if (to < from)
    return arith::TruncIOp::create(builder, location, type, cell.value);
  return fromUnsigned
             ? arith::ExtUIOp::create(builder, location, type, cell.value)
                   .getResult()
             : arith::ExtSIOp::create(builder, location, type, cell.value)
                   .getResult();
}

/// Not equal to zero; NaN is true (spec b.5).
Value PrimitiveBody::isTrue(Cell cell) {
  if (cell.precision == Precision::UInt4x32)
    return RandomWords(builder, location).emitAnyBit(cell.value);
  Value zero = constant(cell.precision, 0);
  if (isFloat(cell.precision))
    return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE,
                                 cell.value, zero);
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                               cell.value, zero);
}

Value PrimitiveBody::fromTruth(Value truth, Precision precision) {
  return convert({truth, Precision::Bool}, precision);
}

Value PrimitiveBody::compare(Primitive primitive, Value left, Value right,
                             Precision precision) {
  if (isFloat(precision)) {
    arith::CmpFPredicate predicate =
        primitive == Primitive::Lt   ? arith::CmpFPredicate::OLT
        : primitive == Primitive::Le ? arith::CmpFPredicate::OLE
        : primitive == Primitive::Eq ? arith::CmpFPredicate::OEQ
                                     : arith::CmpFPredicate::UNE;
    return arith::CmpFOp::create(builder, location, predicate, left, right);
  }
  bool noSign = isUnsigned(precision);
  arith::CmpIPredicate predicate =
      primitive == Primitive::Eq   ? arith::CmpIPredicate::eq
      : primitive == Primitive::Ne ? arith::CmpIPredicate::ne
      : primitive == Primitive::Lt
          ? (noSign ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt)
          : (noSign ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle);
  return arith::CmpIOp::create(builder, location, predicate, left, right);
}

LogicalResult PrimitiveBody::refuse(Primitive primitive, Precision precision) {
  return emitError(location) << "'" << stringifyPrimitive(primitive)
                             << "' is not available for cells of precision "
                             << stringifyPrecision(precision);
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

Value PrimitiveBody::emitFloatUnary(Primitive primitive, Value operand,
                                    Precision precision) {
  auto invert = [&](Value value) -> Value {
    return arith::DivFOp::create(builder, location, constant(precision, 1),
                                 value);
  };
  switch (primitive) {
  case Primitive::Exp:
    return math::ExpOp::create(builder, location, operand);
  case Primitive::Log:
    return math::LogOp::create(builder, location, operand);
  case Primitive::Exp2:
    return math::Exp2Op::create(builder, location, operand);
  case Primitive::Log2:
    return math::Log2Op::create(builder, location, operand);
  case Primitive::Sin:
    return math::SinOp::create(builder, location, operand);
  case Primitive::Cos:
    return math::CosOp::create(builder, location, operand);
  case Primitive::Sqrt:
    return math::SqrtOp::create(builder, location, operand);
  case Primitive::Recip:
    return invert(operand);
  case Primitive::RecipSqrt:
    return invert(math::SqrtOp::create(builder, location, operand));
  case Primitive::Tanh:
    return math::TanhOp::create(builder, location, operand);
  case Primitive::Trunc:
    return math::TruncOp::create(builder, location, operand);
  case Primitive::Neg:
    return arith::NegFOp::create(builder, location, operand);
  default:
    return {};
  }
}

FailureOr<Value> PrimitiveBody::applyUnary(Primitive primitive, Value operand,
                                           Precision precision) {
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, location, condition, yes, no);
  };
  switch (primitive) {
  case Primitive::Relu: {
    // NaN fails the guard; -0.0 passes it.
    Value zero = constant(precision, 0);
    return select(compare(Primitive::Le, zero, operand, precision), operand,
                  zero);
  }
  case Primitive::Sat01: {
    Value zero = constant(precision, 0), one = constant(precision, 1);
    Value capped =
        select(compare(Primitive::Le, one, operand, precision), one, operand);
    return select(compare(Primitive::Le, operand, zero, precision), zero,
                  capped);
  }
  case Primitive::Neg:
    if (!isFloat(precision) && precision != Precision::Bool)
      return Value(arith::SubIOp::create(builder, location,
                                         constant(precision, 0), operand));
    break;
  case Primitive::Trunc:
    if (!isFloat(precision))
      return operand;
    break;
  default:
    break;
  }
  if (isFloat(precision))
    if (Value result = emitFloatUnary(primitive, operand, precision))
      return result;
  return failure(failed(refuse(primitive, precision)));
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

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
/// larger than -0.0; upstream's expansion of arith.maximumf forgets the latter.
Value PrimitiveBody::emitFloatExtremum(bool isMax, Value left, Value right) {
  auto compare = [&](arith::CmpFPredicate predicate, Value other) -> Value {
    return arith::CmpFOp::create(builder, location, predicate, left, other);
  };
  Value wins = compare(
      isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, right);
  Value isNaN = compare(arith::CmpFPredicate::UNO, left);
  Value chosen = arith::SelectOp::create(
      builder, location, arith::OrIOp::create(builder, location, wins, isNaN),
      left, right);
  // Equal numbers have the same bits, except for the signs of zeros.
  Type bitsType =
      builder.getIntegerType(left.getType().getIntOrFloatBitWidth());
  auto getBits = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, location, bitsType, value);
  };
  Value leftBits = getBits(left), rightBits = getBits(right);
  Value bits =
      isMax ? arith::AndIOp::create(builder, location, leftBits, rightBits)
                  .getResult()
            : arith::OrIOp::create(builder, location, leftBits, rightBits)
                  .getResult();
  Value equal = compare(arith::CmpFPredicate::OEQ, right);
  return arith::SelectOp::create(
      builder, location, equal,
      arith::BitcastOp::create(builder, location, left.getType(), bits),
      chosen);
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

FailureOr<Value> PrimitiveBody::applyBinary(Primitive primitive, Value left,
                                            Value right, Precision precision) {
  bool floating = isFloat(precision);
  auto fastMath =
      contract ? arith::FastMathFlags::contract : arith::FastMathFlags::none;
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, location, condition, yes, no);
  };
  // Sums and products of truth values have no agreed meaning.
  bool isArithmetic =
      primitive == Primitive::Add || primitive == Primitive::Sub ||
      primitive == Primitive::Mul || primitive == Primitive::Div ||
      primitive == Primitive::Mod || primitive == Primitive::Pow;
  if (precision == Precision::Bool && isArithmetic)
    return failure(failed(refuse(primitive, precision)));
  switch (primitive) {
  case Primitive::Add:
    if (floating)
      return Value(
          arith::AddFOp::create(builder, location, left, right, fastMath));
    return Value(arith::AddIOp::create(builder, location, left, right));
  case Primitive::Sub:
    if (floating)
      return Value(
          arith::SubFOp::create(builder, location, left, right, fastMath));
    return Value(arith::SubIOp::create(builder, location, left, right));
  case Primitive::Mul:
    if (floating)
      return Value(
          arith::MulFOp::create(builder, location, left, right, fastMath));
    return Value(arith::MulIOp::create(builder, location, left, right));
  case Primitive::Div:
    if (floating)
      return Value(arith::DivFOp::create(builder, location, left, right));
    return emitIntegerDivision(primitive, left, right, precision);
  case Primitive::Mod:
    if (floating)
      return emitFloatRemainder(left, right);
    return emitIntegerDivision(primitive, left, right, precision);
  case Primitive::Pow:
    if (floating)
      return callPowerFunction(builder, location, left, right);
    return callIntegerPowerFunction(builder, location, left, right,
                                    isUnsigned(precision));
  case Primitive::Max:
  case Primitive::Min: {
    bool isMax = primitive == Primitive::Max;
    if (!floating)
      return select(compare(Primitive::Lt, isMax ? right : left,
                            isMax ? left : right, precision),
                    left, right);
    return emitFloatExtremum(isMax, left, right);
  }
  case Primitive::ReluGate: {
    Value zero = constant(precision, 0);
    return select(compare(Primitive::Lt, zero, left, precision), right, zero);
  }
  case Primitive::Sat01Gate: {
    Value zero = constant(precision, 0);
    Value above = compare(Primitive::Lt, zero, left, precision);
    Value below =
        compare(Primitive::Lt, left, constant(precision, 1), precision);
    return select(arith::AndIOp::create(builder, location, above, below), right,
                  zero);
  }
  default:
    return failure(failed(refuse(primitive, precision)));
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// An operand in the precision that an operation computes in.
FailureOr<Value> PrimitiveBody::convertOperand(Cell cell, Precision precision) {
  bool fromWords = cell.precision == Precision::UInt4x32;
  bool toWords = precision == Precision::UInt4x32;
  if (fromWords && !toWords) {
    emitError(location)
        << "words of precision uint4x32 are not numbers: "
           "uint4x32_to_prec_uniform1 makes numbers of them (spec b.6)";
    return failure();
  }
  if (toWords && isFloat(cell.precision)) {
    emitError(location) << "cells of precision "
                        << stringifyPrecision(cell.precision)
                        << " do not become uint4x32 words: a counter is an "
                           "integer (spec b.6)";
    return failure();
  }
  return convert(cell, precision);
}

FailureOr<Value> PrimitiveBody::applyComparison(Primitive primitive, Cell left,
                                                Cell right) {
  // Comparisons happen in the stronger precision of their operands, whatever
  // the result is stored in (spec a.8). The enumeration is in that order.
  Precision common =
      getComputePrecision(std::min(left.precision, right.precision));
  FailureOr<Value> first = convertOperand(left, common);
  FailureOr<Value> second = convertOperand(right, common);
  if (failed(first) || failed(second))
    return failure();
  if (common != Precision::UInt4x32)
    return compare(primitive, *first, *second, common);
  if (primitive != Primitive::Eq && primitive != Primitive::Ne)
    return failure(failed(refuse(primitive, common)));
  RandomWords words(builder, location);
  if (primitive == Primitive::Eq)
    return words.emitEqual(*first, *second);
  return words.emitAnyBit(
      arith::XOrIOp::create(builder, location, *first, *second));
}

/// What the words of a random stream become (spec b.6).
FailureOr<Cell> PrimitiveBody::applyToWords(Primitive primitive,
                                            ArrayRef<Cell> operands,
                                            Precision precision) {
  RandomWords words(builder, location);
  if (primitive == Primitive::UInt4x32ToPrecUniform1) {
    if (operands[0].precision != Precision::UInt4x32)
      return failure(failed(refuse(primitive, operands[0].precision)));
    if (!RandomWords::hasUniform(precision))
      return emitError(location)
             << "there are no uniform numbers of precision "
             << stringifyPrecision(precision) << " (spec b.6)";
    Value first = arith::ConstantIndexOp::create(builder, location, 0);
    return Cell{words.emitUniform(operands[0].value, first, precision),
                precision};
  }
  if (precision != Precision::UInt4x32)
    return emitError(location)
           << "'" << stringifyPrimitive(primitive)
           << "' makes uint4x32 words, but its destination has cells of "
              "precision "
           << stringifyPrecision(precision) << " (spec b.6)";
  FailureOr<Value> key = convertOperand(operands[0], precision);
  FailureOr<Value> counter = convertOperand(operands[1], precision);
  if (failed(key) || failed(counter))
    return failure();
  return Cell{words.emitThreefry(*key, *counter,
                                 primitive == Primitive::Threefry4x32Crypto),
              precision};
}

FailureOr<Cell> PrimitiveBody::apply(Primitive primitive,
                                     ArrayRef<Cell> operands,
                                     Precision precision) {
  Precision compute = getComputePrecision(precision);
  auto asResult = [&](FailureOr<Value> value) -> FailureOr<Cell> {
    if (failed(value))
      return failure();
    return Cell{*value, compute};
  };
  auto asTruth = [&](Value truth) {
    return Cell{fromTruth(truth, compute), compute};
  };
  // What moves cells, or asks for their truth, takes those of any precision;
  // truth is decided in the operand's own.
  switch (primitive) {
  case Primitive::Id:
  case Primitive::Fst:
    return asResult(convertOperand(operands[0], compute));
  case Primitive::Snd:
    return asResult(convertOperand(operands[1], compute));
  case Primitive::Not:
    return asTruth(arith::XOrIOp::create(builder, location, isTrue(operands[0]),
                                         constant(Precision::Bool, 1)));
  case Primitive::Or:
    return asTruth(arith::OrIOp::create(builder, location, isTrue(operands[0]),
                                        isTrue(operands[1])));
  case Primitive::And:
    return asTruth(arith::AndIOp::create(builder, location, isTrue(operands[0]),
                                         isTrue(operands[1])));
  case Primitive::Lt:
  case Primitive::Le:
  case Primitive::Eq:
  case Primitive::Ne: {
    FailureOr<Value> truth =
        applyComparison(primitive, operands[0], operands[1]);
    if (failed(truth))
      return failure();
    return asTruth(*truth);
  }
  case Primitive::Where: {
    FailureOr<Value> chosen = convertOperand(operands[1], compute);
    FailureOr<Value> other = convertOperand(operands[2], compute);
    if (failed(chosen) || failed(other))
      return failure();
    return Cell{arith::SelectOp::create(builder, location, isTrue(operands[0]),
                                        *chosen, *other),
                compute};
  }
  case Primitive::Threefry4x32:
  case Primitive::Threefry4x32Crypto:
  case Primitive::UInt4x32ToPrecUniform1:
    return applyToWords(primitive, operands, precision);
  default:
    break;
  }

  if (compute == Precision::UInt4x32)
    return failure(failed(refuse(primitive, compute)));
  SmallVector<Value> values;
  for (Cell operand : operands) {
    FailureOr<Value> value = convertOperand(operand, compute);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  if (primitive == Primitive::Fma || primitive == Primitive::Mul3) {
    // Two roundings: the fused operation is a licence of contractions only.
    FailureOr<Value> product =
        applyBinary(Primitive::Mul, values[0], values[1], compute);
    if (failed(product))
      return failure();
    return asResult(applyBinary(primitive == Primitive::Fma ? Primitive::Add
                                                            : Primitive::Mul,
                                *product, values[2], compute));
  }
  if (values.size() == 1)
    return asResult(applyUnary(primitive, values[0], compute));
  return asResult(applyBinary(primitive, values[0], values[1], compute));
}

FailureOr<Value> PrimitiveBody::accumulate(Accumulator accumulator,
                                           Cell accumulated,
                                           Cell contribution) {
  if (accumulator == Accumulator::Overwrite)
    return convert(contribution, accumulated.precision);
  // Accumulators and primitives of one name are one operation (spec b.4).
  std::optional<Primitive> primitive =
      symbolizePrimitive(stringifyAccumulator(accumulator));
  FailureOr<Cell> result =
      apply(*primitive, {accumulated, contribution}, accumulated.precision);
  if (failed(result))
    return failure();
  return convert(*result, accumulated.precision);
}
