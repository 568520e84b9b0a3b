//===- PassRegistryLock.h - Guards MLIR's global pass registry --*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CAPI_PASSREGISTRYLOCK_H
#define TDSL_LIB_CAPI_PASSREGISTRYLOCK_H

#include <mutex>

namespace tdsl {

/// MLIR's registry has no lock of its own. Held while a pass is registered and
/// while a pipeline is parsed, since both may happen on threads of the host.
std::mutex &getPassRegistryLock();

} // namespace tdsl

#endif // TDSL_LIB_CAPI_PASSREGISTRYLOCK_H
