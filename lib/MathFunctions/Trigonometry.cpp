//===- Trigonometry.cpp - sin, cos of numbers of single precision ---------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Computed in f64. x is divided by pi/2, modulo 4, without error: 2/pi is cut
// into parts of 28 bits, so that the products with the 24 bits of x are exact,
// and so is what remains of each after multiples of 4 are taken away.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

using namespace mlir;
using namespace tdsl;

/// 2/pi, down to 2^-196: no x of single precision is closer to a multiple of
/// pi/2 than 2^-31 quarters of a turn, and the largest is below 2^128.
static const double twoOverPi[] = {
    0x1.45f306cp-1,   0x1.c9c882ap-29,  0x1.4fe13a8p-59, 0x1.f47d4d0p-86,
    0x1.bb81b6cp-113, 0x1.4acc9e0p-143, 0x1.0e4107cp-170};

/// sin(pi/2 t) / t and cos(pi/2 t) in powers of t^2 for |t| <= 1/2; relative
/// errors 2^-37.6 and 2^-43.7.
static const double sine[] = {0x1.921fb5443af33p+0, -0x1.4abbce5646fa0p-1,
                              0x1.466bba87831fep-4, -0x1.32ca8340f26c3p-8,
                              0x1.4bc1c343fd777p-13};
static const double cosine[] = {0x1.ffffffffffdb0p-1,  -0x1.3bd3cc9bd0900p+0,
                                0x1.03c1f073c81eap-2,  -0x1.55d3b96e4cb65p-6,
                                0x1.e1e75e9455a00p-11, -0x1.a0d8180e20e1dp-16};

/// sin(x + quarters pi/2).
static Value emitSine(const FloatBuilder &b, Value x, unsigned quarters) {
  assert(b.isDouble() && "computed in f64");
  Value shift = b.constant(b.roundingShift());
  Value shiftOfFours = b.constant(4 * b.roundingShift());
  SmallVector<Value> parts;
  for (auto [position, factor] : llvm::enumerate(twoOverPi)) {
    Value product = b.multiply(x, b.constant(factor));
    Value fours = b.subtract(b.add(product, shiftOfFours), shiftOfFours);
    Value rest = b.subtract(product, fours);
    // Products have 52 bits: from 2^53 on, they are multiples of 4.
    if (28 * position + 53 < 128)
      rest =
          b.select(b.isLess(b.multiply(product, product), b.constant(0x1p106)),
                   rest, b.constant(0));
    parts.push_back(rest);
  }
  Value sum = parts[0];
  for (Value part : ArrayRef(parts).drop_front())
    sum = b.add(sum, part);
  // The nearest integer is the quadrant. Taken away first, it leaves the later
  // parts their precision where x is close to a multiple of pi/2.
  Value shifted = b.add(sum, shift);
  Value t = b.subtract(parts[0], b.subtract(shifted, shift));
  for (Value part : ArrayRef(parts).drop_front())
    t = b.add(t, part);

  Value squared = b.multiply(t, t);
  Value sin = b.multiply(t, b.polynomial(squared, sine));
  Value cos = b.polynomial(squared, cosine);
  Value quadrant = b.toBits(shifted);
  if (quarters)
    quadrant = b.addBits(quadrant, b.bits(quarters));
  Value result = b.select(b.isBitSet(quadrant, 0), cos, sin);
  Value sign = b.shiftLeft(b.andBits(quadrant, b.bits(2)), 62);
  result = b.fromBits(b.xorBits(b.toBits(result), sign));
  // Infinity and NaN have no sine.
  return b.select(b.isLess(b.multiply(x, x), b.infinity()), result,
                  b.notANumber());
}

Value tdsl::emitSinOfSingle(const FloatBuilder &b, Value x) {
  return emitSine(b, x, 0);
}

Value tdsl::emitCosOfSingle(const FloatBuilder &b, Value x) {
  return emitSine(b, x, 1);
}
