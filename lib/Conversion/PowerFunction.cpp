//===- PowerFunction.cpp - Powers with exact integer exponents ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PowerFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tdsl;

namespace {

/// Builds the body of the power function for one float type.
class PowerBuilder {
public:
  PowerBuilder(OpBuilder &builder, Location location, FloatType type)
      : builder(builder), location(location), type(type), zero(constant(0)),
        half(constant(0.5)), one(constant(1)) {}

  Value emit(Value base, Value exponent);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(builder, location,
                                     FloatAttr::get(type, value));
  }
  Value compare(arith::CmpFPredicate predicate, Value left, Value right) {
    return arith::CmpFOp::create(builder, location, predicate, left, right);
  }
  Value multiply(Value left, Value right) {
    return arith::MulFOp::create(builder, location, left, right);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, location, condition, yes, no);
  }
  Value emitIntegerPower(Value base, Value exponent);
  void emitStep(ValueRange state);

  OpBuilder &builder;
  Location location;
  FloatType type;
  Value zero, half, one;
};

} // namespace

/// One halving of the magnitude: state is base, magnitude, result.
void PowerBuilder::emitStep(ValueRange state) {
  Value halved =
      math::FloorOp::create(builder, location, multiply(state[1], half));
  Value doubled = arith::AddFOp::create(builder, location, halved, halved);
  Value isOdd = compare(arith::CmpFPredicate::ONE, state[1], doubled);
  Value result = select(isOdd, multiply(state[2], state[0]), state[2]);
  // The last square is not needed and could overflow.
  Value isLast = compare(arith::CmpFPredicate::OEQ, halved, zero);
  Value squared = select(isLast, state[0], multiply(state[0], state[0]));
  scf::YieldOp::create(builder, location, ValueRange{squared, halved, result});
}

Value PowerBuilder::emitIntegerPower(Value base, Value exponent) {
  Value magnitude = math::AbsFOp::create(builder, location, exponent);
  auto loop = scf::WhileOp::create(
      builder, location, TypeRange{type, type, type},
      ValueRange{base, magnitude, one},
      [&](OpBuilder &, Location, ValueRange state) {
        Value goOn = compare(arith::CmpFPredicate::ONE, state[1], zero);
        scf::ConditionOp::create(builder, location, goOn, state);
      },
      [&](OpBuilder &, Location, ValueRange state) { emitStep(state); });
  Value power = loop.getResult(2);
  Value reciprocal = arith::DivFOp::create(builder, location, one, power);
  return select(compare(arith::CmpFPredicate::OLT, exponent, zero), reciprocal,
                power);
}

Value PowerBuilder::emit(Value base, Value exponent) {
  Value magnitude = math::AbsFOp::create(builder, location, exponent);
  Value infinity = arith::ConstantOp::create(
      builder, location,
      FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics())));
  Value isFinite = compare(arith::CmpFPredicate::OLT, magnitude, infinity);
  Value floor = math::FloorOp::create(builder, location, exponent);
  Value isWhole = compare(arith::CmpFPredicate::OEQ, floor, exponent);
  Value isInteger = arith::AndIOp::create(builder, location, isFinite, isWhole);
  auto branch = scf::IfOp::create(
      builder, location, isInteger,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(builder, location,
                             emitIntegerPower(base, exponent));
      },
      [&](OpBuilder &, Location) {
        Value power = math::PowFOp::create(builder, location, base, exponent);
        scf::YieldOp::create(builder, location, power);
      });
  return branch.getResult(0);
}

/// Calls a function of the module with two arguments of one type, and makes it
/// with this body if it is not there.
static Value callFunction(OpBuilder &builder, Location location, StringRef name,
                          Value left, Value right,
                          llvm::function_ref<Value(Value, Value)> emitBody) {
  Type type = left.getType();
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    auto function = func::FuncOp::create(
        builder, location, name, builder.getFunctionType({type, type}, {type}));
    function.setPrivate();
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    Value result = emitBody(body->getArgument(0), body->getArgument(1));
    func::ReturnOp::create(builder, location, result);
  }
  return func::CallOp::create(builder, location, name, TypeRange{type},
                              ValueRange{left, right})
      .getResult(0);
}

Value tdsl::callPowerFunction(OpBuilder &builder, Location location, Value base,
                              Value exponent) {
  auto type = cast<FloatType>(base.getType());
  return callFunction(
      builder, location, "tdsl.pow.f" + std::to_string(type.getWidth()), base,
      exponent, [&](Value base, Value exponent) {
        return PowerBuilder(builder, location, type).emit(base, exponent);
      });
}

/// The base to a power without a sign, multiplied out bit by bit; it wraps.
static Value emitUnsignedPower(OpBuilder &builder, Location location,
                               Value base, Value exponent) {
  Type type = base.getType();
  Value zero = arith::ConstantOp::create(builder, location,
                                         builder.getIntegerAttr(type, 0));
  Value one = arith::ConstantOp::create(builder, location,
                                        builder.getIntegerAttr(type, 1));
  auto compare = [&](Value left, Value right) -> Value {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                                 left, right);
  };
  auto multiply = [&](Value left, Value right) -> Value {
    return arith::MulIOp::create(builder, location, left, right);
  };
  // The state is the square so far, the rest of the exponent, and the power.
  auto loop = scf::WhileOp::create(
      builder, location, TypeRange{type, type, type},
      ValueRange{base, exponent, one},
      [&](OpBuilder &, Location, ValueRange state) {
        scf::ConditionOp::create(builder, location, compare(state[1], zero),
                                 state);
      },
      [&](OpBuilder &, Location, ValueRange state) {
        Value bit = arith::AndIOp::create(builder, location, state[1], one);
        Value power =
            arith::SelectOp::create(builder, location, compare(bit, zero),
                                    multiply(state[2], state[0]), state[2]);
        Value rest = arith::ShRUIOp::create(builder, location, state[1], one);
        scf::YieldOp::create(
            builder, location,
            ValueRange{multiply(state[0], state[0]), rest, power});
      });
  return loop.getResult(2);
}

/// With a negative exponent, 1 divided by the power, towards zero: only the
/// reciprocals of 1 and -1 are not 0.
static Value emitSignedPower(OpBuilder &builder, Location location, Value base,
                             Value exponent) {
  Type type = base.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, location,
                                     builder.getIntegerAttr(type, value));
  };
  auto equals = [&](Value value, Value other) -> Value {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                                 value, other);
  };
  Value isNegative = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::slt, exponent, constant(0));
  // The magnitude of the most negative number fits without a sign.
  Value magnitude = arith::SelectOp::create(
      builder, location, isNegative,
      arith::SubIOp::create(builder, location, constant(0), exponent),
      exponent);
  Value power = emitUnsignedPower(builder, location, base, magnitude);
  Value isUnit = arith::OrIOp::create(
      builder, location, equals(base, constant(1)), equals(base, constant(-1)));
  Value reciprocal =
      arith::SelectOp::create(builder, location, isUnit, power, constant(0));
  return arith::SelectOp::create(builder, location, isNegative, reciprocal,
                                 power);
}

Value tdsl::callIntegerPowerFunction(OpBuilder &builder, Location location,
                                     Value base, Value exponent,
                                     bool isUnsigned) {
  unsigned width = base.getType().getIntOrFloatBitWidth();
  return callFunction(
      builder, location,
      (isUnsigned ? "tdsl.pow.u" : "tdsl.pow.i") + std::to_string(width), base,
      exponent, [&](Value base, Value exponent) {
        return isUnsigned ? emitUnsignedPower(builder, location, base, exponent)
                          : emitSignedPower(builder, location, base, exponent);
      });
}
