//===- RoutineInterface.h - How routines are called -------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A routine becomes one C function:
//
//   void <symbol>(<a pointer to the cells of each node>...,
//                 int64_t <value of each static symbol>..., void *workspace);
//
// All shapes are known when it is compiled, so that bare pointers suffice. The
// memory of nodes that are written overlaps no other argument. The workspace
// has as many bytes as the attribute `tdsl.workspace` of the function says,
// aligned to `workspaceAlignment`; no call keeps anything in it.
//
// Beside it stands an entry with one type for all routines:
//
//   void <symbol>.packed(void *const *pointers, const int64_t *symbols,
//                        void *workspace);
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TRANSFORMS_ROUTINEINTERFACE_H
#define TDSL_TRANSFORMS_ROUTINEINTERFACE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tdsl {

/// On the function of a routine: the name of the routine.
constexpr llvm::StringLiteral routineAttrName = "tdsl.routine";

/// On the function of a routine: how many bytes of workspace it needs. On an
/// argument: it is the workspace.
constexpr llvm::StringLiteral workspaceAttrName = "tdsl.workspace";

/// On an argument that points to the cells of a node: `in`, `out` or `inout`.
constexpr llvm::StringLiteral accessAttrName = "tdsl.access";

/// On an argument: the static symbol whose value it is.
constexpr llvm::StringLiteral symbolAttrName = "tdsl.symbol";

/// Of the workspace and of every buffer in it, in bytes: a line of the cache,
/// and the largest vector register.
constexpr int64_t workspaceAlignment = 64;

} // namespace tdsl

#endif // TDSL_TRANSFORMS_ROUTINEINTERFACE_H
