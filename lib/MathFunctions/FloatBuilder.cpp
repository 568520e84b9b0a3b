//===- FloatBuilder.cpp - Arithmetic on floats and their bits -------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tdsl;

/// A scalar or vector type with other elements.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(element) : element;
}

static Value splat(OpBuilder &builder, Location location, Type type,
                   TypedAttr element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return arith::ConstantOp::create(
      builder, location,
      shaped
          ? cast<TypedAttr>(DenseElementsAttr::get(shaped, Attribute(element)))
          : element);
}

FloatBuilder::FloatBuilder(OpBuilder &builder, Location location, Type type)
    : builder(builder), location(location), type(type),
      bitsType(withElement(
          type, builder.getIntegerType(
                    getElementTypeOrSelf(type).getIntOrFloatBitWidth()))),
      doublePrecision(getElementTypeOrSelf(type).isF64()) {
  assert((doublePrecision || getElementTypeOrSelf(type).isF32()) &&
         "f32 or f64 only");
}

Value FloatBuilder::constant(double value) const {
  return splat(builder, location, type,
               FloatAttr::get(getElementTypeOrSelf(type), value));
}

Value FloatBuilder::infinity() const {
  return constant(std::numeric_limits<double>::infinity());
}

Value FloatBuilder::notANumber() const {
  return constant(std::numeric_limits<double>::quiet_NaN());
}

Value FloatBuilder::add(Value left, Value right) const {
  return arith::AddFOp::create(builder, location, left, right);
}

Value FloatBuilder::subtract(Value left, Value right) const {
  return arith::SubFOp::create(builder, location, left, right);
}

Value FloatBuilder::multiply(Value left, Value right) const {
  return arith::MulFOp::create(builder, location, left, right);
}

Value FloatBuilder::divide(Value left, Value right) const {
  return arith::DivFOp::create(builder, location, left, right);
}

Value FloatBuilder::multiplyAdd(Value left, Value right, Value addend) const {
  auto contract = arith::FastMathFlags::contract;
  Value product =
      arith::MulFOp::create(builder, location, left, right, contract);
  return arith::AddFOp::create(builder, location, product, addend, contract);
}

Value FloatBuilder::multiplySubtract(Value left, Value right,
                                     Value subtrahend) const {
  auto contract = arith::FastMathFlags::contract;
  Value product =
      arith::MulFOp::create(builder, location, left, right, contract);
  return arith::SubFOp::create(builder, location, product, subtrahend,
                               contract);
}

Value FloatBuilder::polynomial(Value x, ArrayRef<double> coefficients) const {
  Value sum = constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = multiplyAdd(sum, x, constant(coefficient));
  return sum;
}

Value FloatBuilder::isLess(Value left, Value right) const {
  return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT,
                               left, right);
}

Value FloatBuilder::isEqual(Value left, Value right) const {
  return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OEQ,
                               left, right);
}

Value FloatBuilder::select(Value condition, Value yes, Value no) const {
  return arith::SelectOp::create(builder, location, condition, yes, no);
}

Value FloatBuilder::clamp(Value value, double low, double high) const {
  Value bound = constant(low);
  return clampAbove(select(isLess(value, bound), bound, value), high);
}

Value FloatBuilder::clampAbove(Value value, double high) const {
  Value bound = constant(high);
  return select(isLess(bound, value), bound, value);
}

Value FloatBuilder::bits(uint64_t value) const {
  Type element = getElementTypeOrSelf(bitsType);
  APInt integer(64, value);
  return splat(builder, location, bitsType,
               IntegerAttr::get(
                   element, integer.trunc(element.getIntOrFloatBitWidth())));
}

Value FloatBuilder::toBits(Value value) const {
  return arith::BitcastOp::create(builder, location, bitsType, value);
}

Value FloatBuilder::fromBits(Value value) const {
  return arith::BitcastOp::create(builder, location, type, value);
}

Value FloatBuilder::addBits(Value left, Value right) const {
  return arith::AddIOp::create(builder, location, left, right);
}

Value FloatBuilder::subtractBits(Value left, Value right) const {
  return arith::SubIOp::create(builder, location, left, right);
}

Value FloatBuilder::andBits(Value left, Value right) const {
  return arith::AndIOp::create(builder, location, left, right);
}

Value FloatBuilder::orBits(Value left, Value right) const {
  return arith::OrIOp::create(builder, location, left, right);
}

Value FloatBuilder::xorBits(Value left, Value right) const {
  return arith::XOrIOp::create(builder, location, left, right);
}

Value FloatBuilder::isBitSet(Value value, unsigned position) const {
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                               andBits(value, bits(uint64_t(1) << position)),
                               bits(0));
}

Value FloatBuilder::shiftLeft(Value value, unsigned amount) const {
  return arith::ShLIOp::create(builder, location, value, bits(amount));
}

Value FloatBuilder::shiftRight(Value value, unsigned amount) const {
  return arith::ShRUIOp::create(builder, location, value, bits(amount));
}

double FloatBuilder::roundingShift() const { return pick(0x1.8p23, 0x1.8p52); }

uint64_t FloatBuilder::roundingShiftBits() const {
  return pick<uint64_t>(0x4B400000, 0x4338000000000000);
}
