//===- Trigonometry.cpp - sin, cos of numbers of single precision ---------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Computed in f64. x is divided by pi/2, modulo 4, without error: 2/pi is cut
// into parts of 28 bits, so that products with the 24 bits of x are exact, and
// so is what remains of them when multiples of 4 are taken away. Parts whose
// product is such a multiple are left out.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

using namespace mlir;
using namespace tdsl;

/// Parts of 2/pi, of 28 bits each.
static const double twoOverPi[] = {0x1.45f306cp-1,   0x1.c9c882ap-29,
                                   0x1.4fe13a8p-59,  0x1.f47d4d0p-86,
                                   0x1.bb81b6cp-113, 0x1.4acc9e0p-143};
/// What three parts from the first, second, third and fourth on leave of 2/pi.
/// No x of single precision is closer than 2^-31 to a multiple of pi/2.
static const double rests[] = {0x1.f47d4d377036ep-86, 0x1.bb81b6c52b328p-113,
                               0x1.4acc9e21c8210p-143, 0x1.0e4107f9458ebp-170};
/// From here on, the first, the first two and the first three products are
/// multiples of 4: x has at most 24 bits.
static const double thresholds[] = {0x1p53, 0x1p81, 0x1p109};

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
  Value magnitude =
      b.fromBits(b.andBits(b.toBits(x), b.bits((uint64_t(1) << 63) - 1)));
  SmallVector<Value> isSmaller;
  for (double threshold : thresholds)
    isSmaller.push_back(b.isLess(magnitude, b.constant(threshold)));
  // The constant that x selects of four neighbours.
  auto choose = [&](ArrayRef<double> constants) {
    Value small = b.select(isSmaller[0], b.constant(constants[0]),
                           b.constant(constants[1]));
    Value large = b.select(isSmaller[2], b.constant(constants[2]),
                           b.constant(constants[3]));
    return b.select(isSmaller[1], small, large);
  };
  ArrayRef<double> parts(twoOverPi);
  Value shiftOfFours = b.constant(4 * b.roundingShift());
  auto withoutFours = [&](Value product) {
    return b.subtract(product,
                      b.subtract(b.add(product, shiftOfFours), shiftOfFours));
  };
  // The third product is below a quarter.
  Value first = withoutFours(b.multiply(x, choose(parts.slice(0, 4))));
  Value second = withoutFours(b.multiply(x, choose(parts.slice(1, 4))));
  Value third = b.multiply(x, choose(parts.slice(2, 4)));

  // The nearest integer is the quadrant. Taken away first, it leaves the later
  // parts their precision where x is close to a multiple of pi/2.
  Value shift = b.constant(b.roundingShift());
  Value shifted = b.add(b.add(b.add(first, second), third), shift);
  Value t = b.subtract(first, b.subtract(shifted, shift));
  t = b.add(b.add(t, second), third);
  t = b.multiplyAdd(x, choose(rests), t);

  Value squared = b.multiply(t, t);
  Value sin = b.multiply(t, b.polynomial(squared, sine));
  Value cos = b.polynomial(squared, cosine);
  Value quadrant = b.toBits(shifted);
  if (quarters)
    quadrant = b.addBits(quadrant, b.bits(quarters));
  Value result = b.select(b.isBitSet(quadrant, 0), cos, sin);
  Value sign = b.shiftLeft(b.andBits(quadrant, b.bits(2)), 62);
  return b.fromBits(b.xorBits(b.toBits(result), sign));
}

Value tdsl::emitSinOfSingle(const FloatBuilder &b, Value x) {
  return emitSine(b, x, 0);
}

Value tdsl::emitCosOfSingle(const FloatBuilder &b, Value x) {
  return emitSine(b, x, 1);
}
