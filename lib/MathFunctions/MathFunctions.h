//===- MathFunctions.h - Functions in elementary arithmetic -----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each function takes a value of the builder's type and returns its result.
// None has branches, tables or calls, so that loops around them vectorise.
// NaN gives NaN. docs/numbers.md states the errors.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_MATHFUNCTIONS_MATHFUNCTIONS_H
#define TDSL_LIB_MATHFUNCTIONS_MATHFUNCTIONS_H

#include "FloatBuilder.h"

namespace tdsl {

mlir::Value emitExp(const FloatBuilder &b, mlir::Value x);
mlir::Value emitExp2(const FloatBuilder &b, mlir::Value x);
mlir::Value emitTanh(const FloatBuilder &b, mlir::Value x);
mlir::Value emitLog(const FloatBuilder &b, mlir::Value x);
mlir::Value emitLog2(const FloatBuilder &b, mlir::Value x);

// Computed in f64 for operands that f32 holds; to be rounded to f32.
mlir::Value emitSinOfSingle(const FloatBuilder &b, mlir::Value x);
mlir::Value emitCosOfSingle(const FloatBuilder &b, mlir::Value x);
mlir::Value emitPowOfSingle(const FloatBuilder &b, mlir::Value base,
                            mlir::Value exponent);

} // namespace tdsl

#endif // TDSL_LIB_MATHFUNCTIONS_MATHFUNCTIONS_H
