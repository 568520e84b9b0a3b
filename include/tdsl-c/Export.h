//===- Export.h - Symbols that libTdsl.so exports -----------------*- C -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_C_EXPORT_H
#define TDSL_C_EXPORT_H

// Everything else in libTdsl.so is hidden, so that a process may load two
// versions of it without one calling into the other.
#if defined(__GNUC__) || defined(__clang__)
#define TDSL_CAPI_EXPORTED __attribute__((visibility("default")))
#else
#define TDSL_CAPI_EXPORTED
#endif

#endif // TDSL_C_EXPORT_H
