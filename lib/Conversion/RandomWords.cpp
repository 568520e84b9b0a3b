//===- RandomWords.cpp - 128-bit words of random streams ------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RandomWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tdsl;

Value RandomWords::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, location,
                                   builder.getIntegerAttr(type, value));
}

SmallVector<Value> RandomWords::split(Value words) {
  SmallVector<Value> result;
  for (int64_t position = 0; position < 4; ++position)
    result.push_back(
        vector::ExtractOp::create(builder, location, words, position));
  return result;
}

Value RandomWords::join(ArrayRef<Value> words) {
  return vector::FromElementsOp::create(
      builder, location, getCellType(Precision::UInt4x32, builder.getContext()),
      words);
}

//===----------------------------------------------------------------------===//
// Threefry
//===----------------------------------------------------------------------===//

Value RandomWords::rotateLeft(Value word, unsigned count) {
  Type type = word.getType();
  Value left =
      arith::ShLIOp::create(builder, location, word, constant(type, count));
  Value right = arith::ShRUIOp::create(builder, location, word,
                                       constant(type, 32 - count));
  return arith::OrIOp::create(builder, location, left, right);
}

void RandomWords::emitMix(Value &first, Value &second, unsigned rotation) {
  first = arith::AddIOp::create(builder, location, first, second);
  second = arith::XOrIOp::create(builder, location,
                                 rotateLeft(second, rotation), first);
}

void RandomWords::emitRound(MutableArrayRef<Value> x,
                            ArrayRef<unsigned> rotations) {
  for (unsigned pair = 0; pair < 4; pair += 2) {
    emitMix(x[0], x[1], rotations[pair]);
    emitMix(x[2], x[3], rotations[pair + 1]);
    std::swap(x[1], x[3]);
  }
}

Value RandomWords::emitThreefry(Value key, Value counter, bool crypto) {
  static constexpr unsigned firstRotations[] = {13, 15, 26, 6};
  static constexpr unsigned secondRotations[] = {17, 29, 16, 24};
  auto add = [&](Value left, Value right) -> Value {
    return arith::AddIOp::create(builder, location, left, right);
  };
  SmallVector<Value> keys = split(key), x = split(counter);
  Value parity = constant(builder.getI32Type(), 0x1BD11BDA);
  for (Value word : ArrayRef<Value>(keys))
    parity = arith::XOrIOp::create(builder, location, parity, word);
  keys.push_back(parity);
  for (unsigned word = 0; word < 4; ++word)
    x[word] = add(x[word], keys[word]);
  unsigned injections = crypto ? 5 : 1;
  for (unsigned injection = 1; injection <= injections; ++injection) {
    for (unsigned repeat = 0; repeat < (crypto ? 2 : 1); ++repeat) {
      emitRound(x, firstRotations);
      emitRound(x, secondRotations);
    }
    for (unsigned word = 0; word < 4; ++word)
      x[word] = add(x[word], keys[(injection + word) % 5]);
    x[3] = add(x[3], constant(builder.getI32Type(), injection));
  }
  return join(x);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

Value RandomWords::emitSpread(Value number) {
  auto differ = [&](Value pattern) -> Value {
    return arith::XOrIOp::create(builder, location, number, pattern);
  };
  Type type = number.getType();
  return join({number, differ(constant(type, 0x9E3779B9)),
               differ(constant(type, 0x6C078965)),
               differ(rotateLeft(number, 16))});
}

Value RandomWords::emitSplit(Value number) {
  Type word = builder.getI32Type();
  Value low = arith::TruncIOp::create(builder, location, word, number);
  Value high = arith::TruncIOp::create(
      builder, location, word,
      arith::ShRUIOp::create(builder, location, number,
                             constant(number.getType(), 32)));
  Value zero = constant(word, 0);
  return join({low, high, zero, zero});
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value RandomWords::emitAnyBit(Value words) {
  SmallVector<Value> parts = split(words);
  Value bits = parts[0];
  for (Value part : ArrayRef<Value>(parts).drop_front())
    bits = arith::OrIOp::create(builder, location, bits, part);
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                               bits, constant(bits.getType(), 0));
}

Value RandomWords::emitEqual(Value left, Value right) {
  Value differs =
      emitAnyBit(arith::XOrIOp::create(builder, location, left, right));
  return arith::XOrIOp::create(builder, location, differs,
                               constant(builder.getI1Type(), 1));
}

//===----------------------------------------------------------------------===//
// Uniform cells
//===----------------------------------------------------------------------===//

/// The bits of one lane: lanes of 64 bits are two words, low before high;
/// narrower ones are parts of a word, low before high.
Value RandomWords::emitLane(Value words, Value lane, unsigned width) {
  Type wordType = builder.getI32Type();
  auto extract = [&](Value position) -> Value {
    return vector::ExtractOp::create(builder, location, words,
                                     OpFoldResult(position));
  };
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  if (width == 32)
    return extract(lane);
  Type type = builder.getIntegerType(width);
  if (width == 64) {
    Value first = arith::MulIOp::create(builder, location, lane, index(2));
    Value low = extract(first);
    Value high =
        extract(arith::AddIOp::create(builder, location, first, index(1)));
    Value shifted = arith::ShLIOp::create(
        builder, location,
        arith::ExtUIOp::create(builder, location, type, high),
        constant(type, 32));
    return arith::OrIOp::create(
        builder, location, shifted,
        arith::ExtUIOp::create(builder, location, type, low));
  }
  Value lanes = index(32 / width);
  Value word = extract(arith::DivUIOp::create(builder, location, lane, lanes));
  Value shift = arith::MulIOp::create(
      builder, location, arith::RemUIOp::create(builder, location, lane, lanes),
      index(width));
  Value shifted = arith::ShRUIOp::create(
      builder, location, word,
      arith::IndexCastOp::create(builder, location, wordType, shift));
  return arith::TruncIOp::create(builder, location, type, shifted);
}

/// Clears all but the leading bits that a float holds: the conversion that
/// follows is exact, and so never rounds up to 1.
Value RandomWords::truncateToPrecision(Value bits, unsigned significant) {
  Type type = bits.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  // A shift by the whole width would be undefined.
  Value notZero =
      arith::OrIOp::create(builder, location, bits, constant(type, 1));
  Value leadingZeros =
      math::CountLeadingZerosOp::create(builder, location, notZero);
  Value excess = arith::ShRUIOp::create(
      builder, location,
      constant(type, (int64_t(1) << (width - significant)) - 1), leadingZeros);
  Value kept =
      arith::XOrIOp::create(builder, location, excess, constant(type, -1));
  return arith::AndIOp::create(builder, location, bits, kept);
}

Value RandomWords::emitUniform(Value words, Value lane, Precision precision) {
  auto target =
      dyn_cast<FloatType>(getCellType(precision, builder.getContext()));
  unsigned width =
      getCellType(precision, builder.getContext()).getIntOrFloatBitWidth();
  Value bits = emitLane(words, lane, width);
  if (!target)
    return bits;
  unsigned significant = target.getFPMantissaWidth();
  unsigned unit = width;
  if (precision == Precision::F32) {
    // Single precision has an even grid: the low 8 bits are dropped.
    unit = 24;
    bits = arith::ShRUIOp::create(builder, location, bits,
                                  constant(bits.getType(), 8));
  } else {
    bits = truncateToPrecision(bits, significant);
  }
  // Narrow floats do not hold the integers of their width.
  FloatType wide = width < 32 ? builder.getF32Type() : target;
  Value whole = arith::UIToFPOp::create(builder, location, wide, bits);
  Value scale = arith::ConstantOp::create(
      builder, location,
      FloatAttr::get(wide, std::ldexp(1.0, -static_cast<int>(unit))));
  Value result = arith::MulFOp::create(builder, location, whole, scale);
  if (wide != target)
    result = arith::TruncFOp::create(builder, location, target, result);
  return result;
}
