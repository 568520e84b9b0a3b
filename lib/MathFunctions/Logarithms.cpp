//===- Logarithms.cpp - log, log2 -----------------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// x = 2^e (1 + f) with an integer e and 1 + f between sqrt(1/2) and sqrt(2).
// With s = f / (2 + f), log(1 + f) = log((1 + s) / (1 - s)) = 2 s + s R, where
// R is a polynomial in s^2. Since 2 s = f - s f, that is f - (f^2/2 - s (f^2/2
// + R)), whose first term is exact.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

using namespace mlir;
using namespace tdsl;

/// (log((1 + s) / (1 - s)) - 2 s) / s^3 in powers of s^2 for
/// |s| <= (sqrt(2) - 1) / (sqrt(2) + 1); relative errors of the logarithm
/// 2^-30.2 and 2^-59.4.
static const double logSingle[] = {0x1.55557ap-1, 0x1.995ed4p-2, 0x1.31e0e2p-2};
static const double logDouble[] = {0x1.5555555555592p-1, 0x1.999999997fef2p-2,
                                   0x1.24924941e4e45p-2, 0x1.c71c521084598p-3,
                                   0x1.74663dddb155dp-3, 0x1.39a1ccf54e4fep-3,
                                   0x1.2f04f3332881cp-3};

namespace {

/// x = 2^e (1 + f), log(1 + f) = f - (halfSquare - series).
struct Reduced {
  Value e, f, halfSquare, series;
};

} // namespace

/// For positive finite x; whatever it is for other x.
static Reduced reduce(const FloatBuilder &b, Value x) {
  // Subnormal numbers become normal first.
  double scale = b.pick(0x1p25, 0x1p54);
  Value isSubnormal = b.isLess(x, b.constant(b.pick(0x1p-126, 0x1p-1022)));
  Value normal = b.select(isSubnormal, b.multiply(x, b.constant(scale)), x);
  unsigned mantissa = b.mantissaBits();
  uint64_t one = b.bias() << mantissa;
  Value bits = b.toBits(normal);
  // Moved so that the exponent field changes at sqrt(1/2).
  uint64_t half = b.pick<uint64_t>(0x3F3504F3, 0x3FE6A09E667F3BCD);
  Value moved = b.addBits(bits, b.bits(one - half));
  Value field = b.shiftRight(moved, mantissa);
  Value f = b.subtract(
      b.fromBits(b.addBits(b.subtractBits(bits, b.shiftLeft(field, mantissa)),
                           b.bits(one))),
      b.constant(1));
  // The field as a number: in the low bits of 2^mantissa. Conversions of 64 bit
  // integers have no vector instruction before AVX-512.
  double base = b.pick(0x1p23, 0x1p52);
  uint64_t baseBits = (b.bias() + mantissa) << mantissa;
  Value number = b.fromBits(b.orBits(field, b.bits(baseBits)));
  Value offset =
      b.select(isSubnormal, b.constant(base + b.bias() + b.pick(25, 54)),
               b.constant(base + b.bias()));
  Value e = b.subtract(number, offset);

  Value s = b.divide(f, b.add(f, b.constant(2)));
  Value squared = b.multiply(s, s);
  Value halfSquare = b.multiply(b.multiply(f, b.constant(0.5)), f);
  Value r =
      b.polynomial(squared, b.pick<ArrayRef<double>>(ArrayRef(logSingle),
                                                     ArrayRef(logDouble)));
  return {e, f, halfSquare,
          b.multiply(s, b.multiplyAdd(squared, r, halfSquare))};
}

/// The logarithm of any x, given that of positive finite ones.
static Value withSpecialCases(const FloatBuilder &b, Value x, Value result) {
  Value zero = b.constant(0), infinity = b.infinity();
  // Infinity and NaN stay as they are.
  result = b.select(b.isLess(x, infinity), result, x);
  result = b.select(b.isLess(x, zero), b.notANumber(), result);
  return b.select(b.isEqual(x, zero),
                  b.constant(-std::numeric_limits<double>::infinity()), result);
}

Value tdsl::emitLog(const FloatBuilder &b, Value x) {
  Reduced reduced = reduce(b, x);
  // ln(2) in two parts; e times the first is exact.
  Value high =
      b.multiply(reduced.e, b.constant(b.pick(0x1.63p-1, 0x1.62e42feep-1)));
  Value low = b.constant(b.pick(-0x1.bd0106p-13, 0x1.a39ef35793c76p-33));
  // The larger summand is `high` unless it is 0, so that the error of the sum
  // is known exactly.
  Value sum = b.add(high, reduced.f);
  Value error = b.subtract(reduced.f, b.subtract(sum, high));
  Value tail = b.add(b.subtract(reduced.series, reduced.halfSquare),
                     b.multiplyAdd(reduced.e, low, error));
  return withSpecialCases(b, x, b.add(sum, tail));
}

Value tdsl::emitLog2(const FloatBuilder &b, Value x) {
  Reduced reduced = reduce(b, x);
  // log(1 + f) and 1 / ln(2) in two parts each; the product of the first parts
  // is exact.
  uint64_t mask = b.pick<uint64_t>(0xFFFFF000, 0xFFFFFFFF00000000);
  Value high = b.fromBits(b.andBits(
      b.toBits(b.subtract(reduced.f, reduced.halfSquare)), b.bits(mask)));
  Value low = b.add(b.subtract(b.subtract(reduced.f, high), reduced.halfSquare),
                    reduced.series);
  Value inverseHigh = b.constant(b.pick(0x1.716p0, 0x1.715476p0));
  Value inverseLow =
      b.constant(b.pick(-0x1.7135a80p-13, 0x1.4ae0bf85ddf44p-26));
  Value product = b.multiply(high, inverseHigh);
  Value tail =
      b.multiplyAdd(b.add(low, high), inverseLow, b.multiply(low, inverseHigh));
  // The larger summand is e unless it is 0.
  Value sum = b.add(reduced.e, product);
  Value error = b.add(b.subtract(reduced.e, sum), product);
  return withSpecialCases(b, x, b.add(sum, b.add(tail, error)));
}
