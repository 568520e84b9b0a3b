//===- CellConversion.cpp - Precisions, constants, conversions ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrimitiveBody.h"
#include "RandomWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tdsl;

bool tdsl::isFloat(Precision precision) {
  return precision >= Precision::F64 && precision <= Precision::F8;
}

bool tdsl::isUnsigned(Precision precision) {
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
