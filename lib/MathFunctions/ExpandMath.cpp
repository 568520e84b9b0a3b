//===- ExpandMath.cpp - Functions of the math dialect become arithmetic ---===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "tdsl/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLEXPANDMATH
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

/// How a function is computed.
struct Expansion {
  using Emit = Value (*)(const FloatBuilder &, ArrayRef<Value>);

  Emit emit = nullptr;
  /// For f32 and narrower operands only, and computed in f64.
  bool needsDouble = false;
};

} // namespace

template <Value (*function)(const FloatBuilder &, Value)>
static Value emitUnary(const FloatBuilder &b, ArrayRef<Value> operands) {
  return function(b, operands[0]);
}

static Value emitPower(const FloatBuilder &b, ArrayRef<Value> operands) {
  return emitPowOfSingle(b, operands[0], operands[1]);
}

static Expansion getExpansion(Operation *op) {
  return llvm::TypeSwitch<Operation *, Expansion>(op)
      .Case([](math::ExpOp) { return Expansion{emitUnary<emitExp>}; })
      .Case([](math::Exp2Op) { return Expansion{emitUnary<emitExp2>}; })
      .Case([](math::TanhOp) { return Expansion{emitUnary<emitTanh>}; })
      .Case([](math::LogOp) { return Expansion{emitUnary<emitLog>}; })
      .Case([](math::Log2Op) { return Expansion{emitUnary<emitLog2>}; })
      .Case([](math::SinOp) {
        return Expansion{emitUnary<emitSinOfSingle>, true};
      })
      .Case([](math::CosOp) {
        return Expansion{emitUnary<emitCosOfSingle>, true};
      })
      .Case([](math::PowFOp) { return Expansion{emitPower, true}; })
      .Default(Expansion());
}

/// f32, f64, or vectors of them; null for types whose functions stay as they
/// are. Functions of narrower floats are those of f32.
static Type getComputeType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (isa<ShapedType>(type) && (!vector || vector.isScalable()))
    return {};
  Type element = getElementTypeOrSelf(type);
  if (element.isF64() || element.isF32())
    return type;
  if (!element.isF16() && !element.isBF16())
    return {};
  Type single = Float32Type::get(type.getContext());
  return vector ? Type(vector.clone(single)) : single;
}

/// The result of a function of `type`, computed in `computeType`.
static Value emitIn(OpBuilder &builder, Location location, Type type,
                    Type computeType, ArrayRef<Value> operands,
                    llvm::function_ref<Value(ArrayRef<Value>)> emit) {
  if (type == computeType)
    return emit(operands);
  SmallVector<Value> extended;
  for (Value operand : operands)
    extended.push_back(
        arith::ExtFOp::create(builder, location, computeType, operand));
  return arith::TruncFOp::create(builder, location, type, emit(extended));
}

static void expand(Operation *op) {
  Expansion expansion = getExpansion(op);
  if (!expansion.emit)
    return;
  Type type = op->getResult(0).getType();
  Type computeType = getComputeType(type);
  if (!computeType)
    return;
  Type innerType = computeType;
  if (expansion.needsDouble) {
    if (getElementTypeOrSelf(computeType).isF64())
      return;
    Type wide = Float64Type::get(op->getContext());
    auto vector = dyn_cast<VectorType>(computeType);
    innerType = vector ? Type(vector.clone(wide)) : wide;
  }
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value result = emitIn(
      builder, location, type, computeType,
      SmallVector<Value>(op->getOperands()), [&](ArrayRef<Value> operands) {
        return emitIn(builder, location, computeType, innerType, operands,
                      [&](ArrayRef<Value> inner) {
                        FloatBuilder floats(builder, location, innerType);
                        return expansion.emit(floats, inner);
                      });
      });
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {

class ExpandMath : public tdsl::impl::TdslExpandMathBase<ExpandMath> {
public:
  using TdslExpandMathBase::TdslExpandMathBase;

  void runOnOperation() override {
    if (!libm)
      getOperation()->walk(expand);
  }
};

} // namespace
