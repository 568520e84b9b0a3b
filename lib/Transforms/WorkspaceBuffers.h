//===- WorkspaceBuffers.h - Lifetimes of scratch memory ---------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TRANSFORMS_WORKSPACEBUFFERS_H
#define TDSL_LIB_TRANSFORMS_WORKSPACEBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tdsl {

/// One dimension of a parallel loop whose bounds are constant.
struct ParallelDimension {
  mlir::Value index;
  int64_t lower, step, size;
};

/// An allocation whose memory can be part of the workspace.
struct WorkspaceBuffer {
  mlir::memref::AllocOp alloc;
  llvm::SmallVector<mlir::Operation *> deallocs;
  /// The parallel loops around it, outermost first: every iteration has a slot
  /// of its own.
  llvm::SmallVector<ParallelDimension> dimensions;
  int64_t bytesOfSlot = 0, slots = 1;
  /// When it is in use. Operations are numbered in their order; those around
  /// others begin before and end after them.
  unsigned begin = 0, end = 0;
  /// In the workspace, in bytes.
  int64_t offset = 0;

  int64_t getBytes() const { return bytesOfSlot * slots; }
  bool livesWith(const WorkspaceBuffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// The allocations of a function that can be part of its workspace: they have
/// one size, lie in loops of structured control flow only, are not carried from
/// one iteration to the next, and in parallel loops have at most `maxSlots`
/// slots.
llvm::SmallVector<WorkspaceBuffer> findBuffers(mlir::func::FuncOp function,
                                               int64_t maxSlots);

} // namespace tdsl

#endif // TDSL_LIB_TRANSFORMS_WORKSPACEBUFFERS_H
