//===- TdslInterfaces.h - op interfaces of the dialect ----------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_TDSLINTERFACES_H
#define TDSL_IR_TDSLINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "tdsl/IR/TdslAttributes.h"

#include "tdsl/IR/TdslInterfaces.h.inc"

#endif // TDSL_IR_TDSLINTERFACES_H
