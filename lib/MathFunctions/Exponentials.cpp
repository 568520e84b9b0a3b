//===- Exponentials.cpp - exp, exp2, tanh ---------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// e^x = 2^n e^r with an integer n and |r| <= ln(2) / 2, and
// e^r = 1 + (r + r^2 q(r)), where q is a minimax polynomial. The coefficients
// are those of Remez' algorithm for the relative error of the result.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

using namespace mlir;
using namespace tdsl;

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2; relative errors of e^r 2^-28.0 and
/// 2^-56.3.
static const double expSingle[] = {0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558f2p-5,
                                   0x1.1239d8p-7, 0x1.6a2294p-10};
static const double expDouble[] = {
    0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.5555555550869p-5,
    0x1.1111111127abdp-7,  0x1.6c16c1842d4e6p-10, 0x1.a01a012ab3cb0p-13,
    0x1.a0199a0557ed2p-16, 0x1.71df248f86abfp-19, 0x1.28ad784a95c33p-22,
    0x1.ad8099f08c265p-26};

/// (2^r - 1 - r ln(2)) / r^2 for |r| <= 1/2; relative errors of 2^r 2^-27.9 and
/// 2^-57.7.
static const double exp2Single[] = {0x1.ebfbdcp-3, 0x1.c6af88p-5, 0x1.3b2e0ep-7,
                                    0x1.5f03d2p-10, 0x1.414d5cp-13};
static const double exp2Double[] = {
    0x1.ebfbdff82c5a1p-3,  0x1.c6b08d704a046p-5,  0x1.3b2ab6fba077cp-7,
    0x1.5d87fe78c35d8p-10, 0x1.4309130dc90f0p-13, 0x1.ffcbfbc8368c1p-17,
    0x1.62bfc9ed74d45p-20, 0x1.b52651f7fc004p-24, 0x1.e617c1434b021p-28,
    0x1.e7c82dd99e2f6p-32};

/// (tanh(x) - x) / x^3 in powers of x^2 for |x| <= 1; errors of tanh(x)
/// relative to it 2^-30.1 and 2^-57.1.
static const double tanhSingle[] = {
    -0x1.555552p-2, 0x1.11103ap-3, -0x1.b9f65cp-5,  0x1.64bac2p-6,
    -0x1.18bfe4p-7, 0x1.8f0312p-9, -0x1.ad7320p-11, 0x1.e5d9a0p-14};
static const double tanhDouble[] = {
    -0x1.555555555554fp-2,  0x1.1111111110b21p-3,   -0x1.ba1ba1b9dd856p-5,
    0x1.664f487873e3bp-6,   -0x1.226e3458c9822p-7,  0x1.d6d3aed460358p-9,
    -0x1.7da1da3d35e65p-10, 0x1.354b49d9eeccep-11,  -0x1.f4dea124ddb12p-13,
    0x1.939bdcb1763f2p-14,  -0x1.3f4e376b6cc1fp-15, 0x1.df3040eab376cp-17,
    -0x1.3f6907c80d4e9p-18, 0x1.559affd0b0adfp-20,  -0x1.f5864a9505259p-23,
    0x1.6f9adde471033p-26};

namespace {

/// fraction * 2^n; the fraction is between 0.7 and 1.5, and n stands in the low
/// bits of `shifted`, as FloatBuilder::roundingShift leaves it.
struct Scaled {
  Value fraction, shifted;
};

} // namespace

/// The result, where 2^n is a normal number.
static Value scaleOnce(const FloatBuilder &b, Scaled scaled) {
  Value exponent = b.subtractBits(b.toBits(scaled.shifted),
                                  b.bits(b.roundingShiftBits() - b.bias()));
  return b.multiply(scaled.fraction,
                    b.fromBits(b.shiftLeft(exponent, b.mantissaBits())));
}

/// The result for every n between twice the exponents of normal numbers. In two
/// steps, of which the first is exact, so that results overflow to infinity and
/// round once to subnormal numbers.
static Value scaleTwice(const FloatBuilder &b, Scaled scaled) {
  // The sum of both exponent fields, which is positive: AVX2 has no arithmetic
  // shift of 64 bits.
  Value sum = b.subtractBits(b.toBits(scaled.shifted),
                             b.bits(b.roundingShiftBits() - 2 * b.bias()));
  Value first = b.shiftRight(sum, 1);
  Value second = b.subtractBits(sum, first);
  auto scale = [&](Value value, Value exponent) {
    return b.multiply(value,
                      b.fromBits(b.shiftLeft(exponent, b.mantissaBits())));
  };
  return scale(scale(scaled.fraction, first), second);
}

/// e^x for |x| up to 1200.
static Scaled emitScaledExp(const FloatBuilder &b, Value x) {
  Value shift = b.constant(b.roundingShift());
  Value shifted = b.multiplyAdd(x, b.constant(0x1.71547652b82fep0), shift);
  Value n = b.subtract(shifted, shift);
  // ln(2) in two parts; n times the first is exact.
  Value high = b.constant(b.pick(-0x1.63p-1, -0x1.62e42feep-1));
  Value low = b.constant(b.pick(0x1.bd0106p-13, -0x1.a39ef35793c76p-33));
  // Exact, and below 0.4.
  Value rough = b.multiplyAdd(n, high, x);
  Value r = b.multiplyAdd(n, low, rough);
  Value q = b.polynomial(
      r, b.pick<ArrayRef<double>>(ArrayRef(expSingle), ArrayRef(expDouble)));
  // 1 + r, rounded; what it lost is added to what is small anyway.
  Value one = b.constant(1);
  Value sum = b.add(one, rough);
  Value lost = b.subtract(rough, b.subtract(sum, one));
  Value tail = b.multiplyAdd(b.multiply(r, r), q, b.multiplyAdd(n, low, lost));
  return {b.add(sum, tail), shifted};
}

Value tdsl::emitExp(const FloatBuilder &b, Value x) {
  // Beyond these bounds, results are 0 and infinity.
  Value clamped = b.clamp(x, b.pick(-104.0, -746.0), b.pick(89.0, 710.0));
  return scaleTwice(b, emitScaledExp(b, clamped));
}

Value tdsl::emitExp2(const FloatBuilder &b, Value x) {
  Value clamped = b.clamp(x, b.pick(-151.0, -1076.0), b.pick(128.0, 1024.0));
  Value shift = b.constant(b.roundingShift());
  Value shifted = b.add(clamped, shift);
  Value r = b.subtract(clamped, b.subtract(shifted, shift));
  Value q = b.polynomial(
      r, b.pick<ArrayRef<double>>(ArrayRef(exp2Single), ArrayRef(exp2Double)));
  // 1 + r ln(2), rounded, and by how much that is too large. The signs keep the
  // two products apart: one that is used twice would not be fused.
  Value one = b.constant(1);
  Value sum = b.multiplyAdd(r, b.constant(0x1.62e42fefa39efp-1), one);
  Value excess =
      b.multiplyAdd(r, b.constant(-0x1.62e42fefa39efp-1), b.subtract(sum, one));
  Value tail = b.multiplySubtract(b.multiply(r, r), q, excess);
  return scaleTwice(b, {b.add(sum, tail), shifted});
}

Value tdsl::emitTanh(const FloatBuilder &b, Value x) {
  uint64_t signBit = uint64_t(1) << b.pick(31, 63);
  Value bits = b.toBits(x);
  Value sign = b.andBits(bits, b.bits(signBit));
  Value magnitude = b.fromBits(b.andBits(bits, b.bits(signBit - 1)));
  // From here on, the result is 1.
  Value clamped = b.clampAbove(magnitude, b.pick(10.0, 20.0));

  Value one = b.constant(1);
  Value squared = b.multiply(clamped, clamped);
  Value series =
      b.polynomial(squared, b.pick<ArrayRef<double>>(ArrayRef(tanhSingle),
                                                     ArrayRef(tanhDouble)));
  Value small = b.multiplyAdd(b.multiply(clamped, squared), series, clamped);

  // 1 - 2 / (e^2x + 1): what is subtracted is below a quarter, and so are the
  // errors that it adds.
  Value power = scaleOnce(b, emitScaledExp(b, b.add(clamped, clamped)));
  Value large = b.subtract(one, b.divide(b.constant(2), b.add(power, one)));
  Value result = b.select(b.isLess(clamped, one), small, large);
  return b.fromBits(b.orBits(b.toBits(result), sign));
}
