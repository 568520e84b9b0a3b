//===- ObjectFileChecks.h - What can be loaded ------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_OBJECTFILECHECKS_H
#define TDSL_LIB_TARGET_OBJECTFILECHECKS_H

#include "tdsl/Target/LoadedObject.h"

namespace tdsl {

/// Lists the symbols of `object`; an error unless it is a whole relocatable
/// object file of this machine's format and architecture.
llvm::Expected<ObjectSymbols> readObjectSymbols(llvm::StringRef object);

} // namespace tdsl

#endif // TDSL_LIB_TARGET_OBJECTFILECHECKS_H
