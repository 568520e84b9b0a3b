//===- PlanWorkspace.cpp - Scratch memory becomes one argument ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WorkspaceBuffers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "tdsl/Transforms/Passes.h"
#include "tdsl/Transforms/RoutineInterface.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLPLANWORKSPACE
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// Gives every buffer an offset such that those that live at the same time do
/// not overlap. Returns the size of the whole.
///
/// Large buffers go first, each into the smallest gap between those that live
/// at the same time: the best of the simple heuristics for this problem.
static int64_t placeBuffers(MutableArrayRef<WorkspaceBuffer> buffers) {
  SmallVector<WorkspaceBuffer *> order;
  for (WorkspaceBuffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::stable_sort(order, [](WorkspaceBuffer *a, WorkspaceBuffer *b) {
    return a->getBytes() > b->getBytes();
  });
  SmallVector<WorkspaceBuffer *> placed; // By offset.
  int64_t total = 0;
  for (WorkspaceBuffer *buffer : order) {
    int64_t gapStart = 0, best = -1, bestSize = 0;
    for (WorkspaceBuffer *other : placed) {
      if (!buffer->livesWith(*other))
        continue;
      int64_t gap = other->offset - gapStart;
      if (gap >= buffer->getBytes() && (best < 0 || gap < bestSize)) {
        best = gapStart;
        bestSize = gap;
      }
      gapStart = std::max(gapStart, other->offset + other->getBytes());
    }
    buffer->offset = best < 0 ? gapStart : best;
    total = std::max(total, buffer->offset + buffer->getBytes());
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](WorkspaceBuffer *a, WorkspaceBuffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
  }
  return total;
}

/// Where the buffer begins, for the iteration of the parallel loops around it.
static Value createOffset(OpBuilder &builder, WorkspaceBuffer &buffer) {
  Location location = buffer.alloc.getLoc();
  AffineExpr bytes = builder.getAffineConstantExpr(buffer.offset);
  SmallVector<OpFoldResult> indices;
  int64_t stride = buffer.bytesOfSlot;
  for (const ParallelDimension &dimension : llvm::reverse(buffer.dimensions)) {
    AffineExpr index = builder.getAffineDimExpr(indices.size());
    bytes = bytes + (index - dimension.lower).floorDiv(dimension.step) * stride;
    stride *= dimension.size;
    indices.push_back(dimension.index);
  }
  return getValueOrCreateConstantIndexOp(
      builder, location,
      affine::makeComposedFoldedAffineApply(
          builder, location,
          AffineMap::get(indices.size(), /*symbolCount=*/0, bytes), indices));
}

namespace {

class PlanWorkspace : public tdsl::impl::TdslPlanWorkspaceBase<PlanWorkspace> {
public:
  using TdslPlanWorkspaceBase::TdslPlanWorkspaceBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(routineAttrName) &&
          !function->hasAttr(workspaceAttrName) && !function.isDeclaration())
        plan(function);
  }

private:
  void plan(func::FuncOp function);
};

} // namespace

void PlanWorkspace::plan(func::FuncOp function) {
  SmallVector<WorkspaceBuffer> buffers = findBuffers(function, maxSlots);
  int64_t bytes = placeBuffers(buffers);

  OpBuilder builder(&getContext());
  auto type = MemRefType::get({bytes}, builder.getI8Type());
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(workspaceAttrName, builder.getUnitAttr()));
  unsigned position = function.getNumArguments();
  if (failed(function.insertArgument(position, type, attributes,
                                     function.getLoc())))
    return signalPassFailure();
  function->setAttr(workspaceAttrName, builder.getI64IntegerAttr(bytes));

  for (WorkspaceBuffer &buffer : buffers) {
    for (Operation *dealloc : buffer.deallocs)
      dealloc->erase();
    builder.setInsertionPoint(buffer.alloc);
    Value view = memref::ViewOp::create(
        builder, buffer.alloc.getLoc(), buffer.alloc.getType(),
        function.getArgument(position), createOffset(builder, buffer),
        ValueRange());
    buffer.alloc.replaceAllUsesWith(view);
    buffer.alloc.erase();
  }
}
