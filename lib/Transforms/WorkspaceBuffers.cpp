//===- WorkspaceBuffers.cpp - Lifetimes of scratch memory -----------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "WorkspaceBuffers.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tdsl/Transforms/RoutineInterface.h"

using namespace mlir;
using namespace tdsl;

namespace {

class BufferFinder {
public:
  BufferFinder(func::FuncOp function, int64_t maxSlots)
      : maxSlots(maxSlots), function(function), aliases(function) {
    unsigned next = 0;
    number(function.getBody(), next);
  }

  std::optional<WorkspaceBuffer> inspect(memref::AllocOp alloc);

private:
  struct Span {
    unsigned begin, end;
  };

  void number(Region &region, unsigned &next);
  bool hasPlainMemory(memref::AllocOp alloc);
  /// Fills `buffer.dimensions`. Fails for loops whose bounds are not known.
  LogicalResult addParallelLoops(WorkspaceBuffer &buffer);
  /// Fills `begin` and `end`, and `deallocs`.
  LogicalResult addLifetime(WorkspaceBuffer &buffer);

  int64_t maxSlots;
  func::FuncOp function;
  BufferViewFlowAnalysis aliases;
  DenseMap<Operation *, Span> spans;
};

} // namespace

void BufferFinder::number(Region &region, unsigned &next) {
  for (Operation &op : region.getOps()) {
    unsigned begin = next++;
    for (Region &nested : op.getRegions())
      number(nested, next);
    spans[&op] = {begin, next++};
  }
}

/// Whether the cells lie one after the other, in as many bytes as the type
/// says.
bool BufferFinder::hasPlainMemory(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  Type element = type.getElementType();
  bool isSized = isa<IndexType, IntegerType, FloatType>(element);
  if (auto vector = dyn_cast<VectorType>(element))
    isSized = !vector.isScalable();
  return isSized && type.hasStaticShape() && type.getLayout().isIdentity() &&
         !type.getMemorySpace() && alloc.getSymbolOperands().empty() &&
         alloc.getAlignment().value_or(1) <= workspaceAlignment;
}

static bool isParallel(Operation *op) {
  if (isa<scf::ForallOp, scf::ParallelOp>(op))
    return true;
  // Of the loops of other dialects, only what they are called is known here.
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "omp" || dialect == "gpu" || dialect == "async" ||
         op->getName().getStringRef() == "affine.parallel";
}

/// The dimensions of a parallel loop, if its bounds are constant.
static FailureOr<SmallVector<ParallelDimension>> getDimensions(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return failure();
  auto indices = loop.getLoopInductionVars();
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!indices || !lowers || !uppers || !steps)
    return failure();
  SmallVector<ParallelDimension> dimensions;
  for (auto [index, lowerBound, upperBound, stepSize] :
       llvm::zip_equal(*indices, *lowers, *uppers, *steps)) {
    auto lower = getConstantIntValue(lowerBound);
    auto upper = getConstantIntValue(upperBound);
    auto step = getConstantIntValue(stepSize);
    if (!lower || !upper || !step || *step <= 0)
      return failure();
    int64_t size =
        *lower < *upper ? llvm::divideCeil(*upper - *lower, *step) : 0;
    dimensions.push_back({index, *lower, *step, size});
  }
  return dimensions;
}

LogicalResult BufferFinder::addParallelLoops(WorkspaceBuffer &buffer) {
  for (Operation *op = buffer.alloc->getParentOp(); op != function;
       op = op->getParentOp()) {
    if (!isParallel(op))
      continue;
    FailureOr<SmallVector<ParallelDimension>> dimensions = getDimensions(op);
    if (failed(dimensions))
      return failure();
    for (const ParallelDimension &dimension : *dimensions) {
      if (llvm::MulOverflow(buffer.slots, dimension.size, buffer.slots) ||
          buffer.slots > maxSlots)
        return failure();
    }
    buffer.dimensions.insert(buffer.dimensions.begin(), dimensions->begin(),
                             dimensions->end());
    // Iterations run at any time of the loop.
    buffer.begin = spans[op].begin;
    buffer.end = spans[op].end;
  }
  return success();
}

LogicalResult BufferFinder::addLifetime(WorkspaceBuffer &buffer) {
  SmallVector<Operation *> users;
  for (Value alias : aliases.resolve(buffer.alloc))
    for (Operation *user : alias.getUsers()) {
      if (isa<memref::ExtractAlignedPointerAsIndexOp,
              UnrealizedConversionCastOp>(user))
        return failure(); // Who uses the address is not known.
      if (!isa<memref::DeallocOp>(user))
        users.push_back(user);
      else if (alias == buffer.alloc)
        buffer.deallocs.push_back(user);
      else
        return failure(); // Freed under another name, maybe with others.
    }
  // Where the buffer leaves its block through the result of an operation, it
  // lives on in the block around that; through a loop, into its next iteration.
  Block *block = buffer.alloc->getBlock();
  for (Operation *user : users) {
    if (user->hasTrait<OpTrait::ReturnLike>() &&
        user->getParentOp() == function)
      return failure();
    while (!block->findAncestorOpInBlock(*user)) {
      Operation *parent = block->getParentOp();
      auto branch = dyn_cast<RegionBranchOpInterface>(parent);
      if (parent == function || !branch ||
          branch.isRepetitiveRegion(block->getParent()->getRegionNumber()) ||
          isParallel(parent))
        return failure();
      block = parent->getBlock();
    }
  }
  // From the first use: allocations are hoisted to the start of their block.
  // Views use no memory; their own users are among the users.
  unsigned begin = spans[buffer.alloc].begin, end = begin;
  bool isUsed = false;
  for (Operation *user : users) {
    if (isa<ViewLikeOpInterface>(user))
      continue;
    Span span = spans[block->findAncestorOpInBlock(*user)];
    begin = isUsed ? std::min(begin, span.begin) : span.begin;
    end = isUsed ? std::max(end, span.end) : span.end;
    isUsed = true;
  }
  if (buffer.dimensions.empty()) {
    buffer.begin = begin;
    buffer.end = end;
  }
  return success();
}

std::optional<WorkspaceBuffer> BufferFinder::inspect(memref::AllocOp alloc) {
  for (Operation *op = alloc; op != function; op = op->getParentOp())
    if (!op->getParentRegion()->hasOneBlock())
      return std::nullopt;
  if (!hasPlainMemory(alloc))
    return std::nullopt;
  WorkspaceBuffer buffer;
  buffer.alloc = alloc;
  MemRefType type = alloc.getType();
  DataLayout layout = DataLayout::closest(alloc);
  int64_t cell = layout.getTypeSize(type.getElementType());
  if (llvm::MulOverflow(type.getNumElements(), cell, buffer.bytesOfSlot))
    return std::nullopt;
  buffer.bytesOfSlot =
      llvm::alignTo(buffer.bytesOfSlot, uint64_t(workspaceAlignment));
  if (failed(addParallelLoops(buffer)) || failed(addLifetime(buffer)))
    return std::nullopt;
  return buffer;
}

SmallVector<WorkspaceBuffer> tdsl::findBuffers(func::FuncOp function,
                                               int64_t maxSlots) {
  BufferFinder finder(function, maxSlots);
  SmallVector<WorkspaceBuffer> buffers;
  function.walk([&](memref::AllocOp alloc) {
    if (std::optional<WorkspaceBuffer> buffer = finder.inspect(alloc))
      buffers.push_back(std::move(*buffer));
  });
  return buffers;
}
