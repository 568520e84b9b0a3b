//===- Power.cpp - Powers of numbers of single precision ------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

using namespace mlir;
using namespace tdsl;

Value tdsl::emitPowOfSingle(const FloatBuilder &b, Value base, Value exponent) {
  assert(b.isDouble() && "computed in f64");
  Value zero = b.constant(0), one = b.constant(1);
  Value signBit = b.bits(uint64_t(1) << 63);
  Value sign = b.andBits(b.toBits(base), signBit);
  Value magnitude = b.fromBits(b.xorBits(b.toBits(base), sign));
  // At most 2^-50 relative to a logarithm of at most 150: far below the last
  // place of f32.
  Value power = emitExp2(b, b.multiply(exponent, emitLog2(b, magnitude)));

  // Numbers of single precision from 2^24 on are even integers.
  Value limited = b.clamp(exponent, -0x1p25, 0x1p25);
  Value shift = b.constant(b.roundingShift());
  auto isWhole = [&](Value value) {
    return b.isEqual(b.subtract(b.add(value, shift), shift), value);
  };
  Value isEven = isWhole(b.multiply(limited, b.constant(0.5)));
  Value isInteger = isWhole(limited);
  // An odd exponent keeps the sign of the base, also of -0.0.
  Value odd = b.fromBits(b.orBits(b.toBits(power), sign));
  Value ofInteger = b.select(isEven, power, odd);
  Value ofFraction = b.select(b.isLess(base, zero), b.notANumber(), power);
  // -0.0 and negative infinity to a fraction are as 0.0 and infinity.
  ofFraction = b.select(b.isEqual(magnitude, b.infinity()), power, ofFraction);
  Value result = b.select(isInteger, ofInteger, ofFraction);

  // 1 to any power is 1, and so is anything to the power 0, even NaN; -1 to an
  // infinite power is 1.
  Value isInfinite = b.isEqual(b.multiply(exponent, exponent), b.infinity());
  Value ofOne = b.select(isInfinite, one, result);
  result = b.select(b.isEqual(magnitude, one), ofOne, result);
  result = b.select(b.isEqual(base, one), one, result);
  return b.select(b.isEqual(exponent, zero), one, result);
}
