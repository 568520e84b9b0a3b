//===- PowerFunction.h - Powers with exact integer exponents ----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_POWERFUNCTION_H
#define TDSL_LIB_CONVERSION_POWERFUNCTION_H

#include "mlir/IR/Builders.h"

namespace tdsl {

/// Calls the power function of the operands' float type, and adds it to the
/// enclosing module the first time. A finite integral exponent is powered by
/// squaring, with the exponent kept as a float (spec b.5); any other goes to
/// the target's pow.
mlir::Value callPowerFunction(mlir::OpBuilder &builder, mlir::Location location,
                              mlir::Value base, mlir::Value exponent);

/// The same for integers, which wrap; a negative exponent divides 1 by the
/// power, towards zero.
mlir::Value callIntegerPowerFunction(mlir::OpBuilder &builder,
                                     mlir::Location location, mlir::Value base,
                                     mlir::Value exponent, bool isUnsigned);

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_POWERFUNCTION_H
