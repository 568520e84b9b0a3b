//===- Passes.h - The C++ passes of TDSL ------------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TRANSFORMS_PASSES_H
#define TDSL_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "tdsl/IR/TdslOps.h"

namespace tdsl {

#define GEN_PASS_DECL
#include "tdsl/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tdsl/Transforms/Passes.h.inc"

} // namespace tdsl

#endif // TDSL_TRANSFORMS_PASSES_H
