//===- BytecodeVersion.h - version of the dialect's bytecode ----*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_BYTECODEVERSION_H
#define TDSL_IR_BYTECODEVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace tdsl {

/// A build reads every version up to its own. Raise the minor number for an
/// addition that older builds can skip, the major one for anything else.
struct BytecodeVersion : public mlir::DialectVersion {
  uint64_t majorNumber = 1;
  uint64_t minorNumber = 0;
};

} // namespace tdsl

#endif // TDSL_IR_BYTECODEVERSION_H
