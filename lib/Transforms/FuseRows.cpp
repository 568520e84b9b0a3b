//===- FuseRows.cpp - Groups of operations, row by row --------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "tdsl/Transforms/Passes.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLFUSEROWS
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

/// Tells `tdsl-schedule` to look inside.
static constexpr StringLiteral rowsAttribute = "tdsl.rows";

/// Below this number of cells, threads cost more than they save.
static constexpr int64_t smallestSharedWork = 1 << 16;

namespace {

/// Writes the loop of a group.
class RowLoop {
public:
  RowLoop(RewriterBase &rewriter, RowGroup &group, int64_t threads)
      : rewriter(rewriter), group(group), threads(threads) {}

  void build();

private:
  /// Chooses the memory of what is used outside of the group.
  void findResults();
  /// A loop over rows, which begin at `first`, in parts of the results.
  ValueRange buildLoop(Value first, Value count, ValueRange parts);
  SmallVector<Value> buildRow(Value row, Value index, ValueRange parts);
  Value buildRowOf(RowMember &member, Value row, Value index, ValueRange parts);

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, location, value);
  }

  RewriterBase &rewriter;
  RowGroup &group;
  int64_t threads;
  Location location = UnknownLoc::get(rewriter.getContext());
  /// What is used outside of the group, with the memory that it is written to.
  SmallVector<Value> results, memory;
  /// The member that is the first to write to the memory of a result.
  DenseMap<Operation *, unsigned> firstWriters;
  /// The rows of the members in the current iteration.
  DenseMap<Value, Value> rows;
};

} // namespace

void RowLoop::findResults() {
  for (RowMember &member : group.members)
    for (Value result : member.op->getResults())
      if (group.escapes(result))
        results.push_back(result);
  for (Value result : results) {
    // A sum begins with a fill: both write to one memory.
    auto writer = result.getDefiningOp<linalg::LinalgOp>();
    Value init = writer.getDpsInits()[0];
    while (group.contains(init) && init.hasOneUse()) {
      writer = init.getDefiningOp<linalg::LinalgOp>();
      init = writer.getDpsInits()[0];
    }
    if (group.contains(init)) {
      auto type = cast<RankedTensorType>(result.getType());
      memory.push_back(tensor::EmptyOp::create(
          rewriter, location, type.getShape(), type.getElementType()));
      continue;
    }
    firstWriters[writer] = memory.size();
    memory.push_back(init);
  }
}

/// A slice of some leading rows.
static Value sliceRows(RewriterBase &rewriter, Location location, Value source,
                       OpFoldResult first, OpFoldResult count) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
      strides(type.getRank(), rewriter.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
  offsets[0] = first;
  sizes[0] = count;
  return tensor::ExtractSliceOp::create(rewriter, location, source, offsets,
                                        sizes, strides);
}

/// Whether nothing is known of the cells.
static bool isEmpty(Value value) {
  while (Operation *view = value.getDefiningOp()) {
    if (isa<tensor::EmptyOp>(view))
      return true;
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp>(view))
      return false;
    value = view->getOperand(0);
  }
  return false;
}

Value RowLoop::buildRowOf(RowMember &member, Value row, Value index,
                          ValueRange parts) {
  unsigned loops = member.op.getNumLoops();
  SmallVector<OpFoldResult> offsets(loops, rewriter.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(),
                                     member.op.getStaticLoopRanges());
  offsets[member.iterator] = row;
  sizes[member.iterator] = rewriter.getIndexAttr(1);
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(member.op.getOperation())
          .getTiledImplementation(rewriter, offsets, sizes);
  // Linalg operations can be tiled.
  auto op = cast<linalg::LinalgOp>(tiled->tiledOps[0]);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value whole = member.op->getOperand(operand.getOperandNumber());
    auto writer = firstWriters.find(member.op);
    if (Value produced = rows.lookup(whole)) {
      operand.set(produced);
    } else if (op.isDpsInit(&operand) && writer != firstWriters.end()) {
      operand.set(sliceRows(rewriter, location, parts[writer->second], index,
                            rewriter.getIndexAttr(1)));
    } else if (op.isDpsInit(&operand) && isEmpty(whole)) {
      // Memory for one row only.
      auto type = cast<RankedTensorType>(operand.get().getType());
      operand.set(tensor::EmptyOp::create(rewriter, location, type.getShape(),
                                          type.getElementType()));
    }
  }
  for (Operation *slice : tiled->generatedSlices)
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  return op->getResult(0);
}

SmallVector<Value> RowLoop::buildRow(Value row, Value index, ValueRange parts) {
  rows.clear();
  for (RowMember &member : group.members)
    rows[member.op->getResult(0)] = buildRowOf(member, row, index, parts);
  SmallVector<Value> updated;
  for (auto [result, part] : llvm::zip_equal(results, parts)) {
    auto type = cast<RankedTensorType>(rows[result].getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        strides(type.getRank(), rewriter.getIndexAttr(1)),
        sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    offsets[0] = index;
    updated.push_back(tensor::InsertSliceOp::create(
        rewriter, location, rows[result], part, offsets, sizes, strides));
  }
  return updated;
}

ValueRange RowLoop::buildLoop(Value first, Value count, ValueRange parts) {
  auto loop = scf::ForOp::create(rewriter, location, constant(0), count,
                                 constant(1), parts);
  loop->setAttr(rowsAttribute, rewriter.getUnitAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Value row =
      first ? arith::AddIOp::create(rewriter, location, first, index) : index;
  scf::YieldOp::create(rewriter, location,
                       buildRow(row, index, loop.getRegionIterArgs()));
  return loop.getResults();
}

void RowLoop::build() {
  rewriter.setInsertionPoint(group.members.back().op);
  location = group.members.back().op.getLoc();
  findResults();
  SmallVector<Value> replacements;
  if (threads == 1) {
    replacements =
        llvm::to_vector(buildLoop(Value(), constant(group.rows), memory));
  } else {
    // Every thread has as many rows, and the last one what is left.
    int64_t share = llvm::divideCeil(group.rows, threads);
    int64_t shares = llvm::divideCeil(group.rows, share);
    auto loop =
        scf::ForallOp::create(rewriter, location,
                              getAsIndexOpFoldResult(rewriter.getContext(),
                                                     ArrayRef<int64_t>{shares}),
                              memory, /*mapping=*/std::nullopt);
    loop->setAttr(rowsAttribute, rewriter.getUnitAttr());
    replacements = llvm::to_vector(ValueRange(loop.getResults()));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(loop.getTerminator());
    Value first = arith::MulIOp::create(
        rewriter, location, loop.getInductionVars()[0], constant(share));
    Value count = constant(share);
    OpFoldResult size = rewriter.getIndexAttr(share);
    if (group.rows % share != 0) {
      Value left = arith::SubIOp::create(rewriter, location,
                                         constant(group.rows), first);
      count = arith::MinSIOp::create(rewriter, location, count, left);
      size = count;
    }
    SmallVector<Value> parts;
    for (Value whole : loop.getRegionIterArgs())
      parts.push_back(sliceRows(rewriter, location, whole, first, size));
    ValueRange computed = buildLoop(first, count, parts);
    rewriter.setInsertionPointToStart(loop.getTerminator().getBody());
    for (auto [result, part, whole] :
         llvm::zip_equal(computed, parts, loop.getRegionIterArgs())) {
      auto slice = part.getDefiningOp<tensor::ExtractSliceOp>();
      tensor::ParallelInsertSliceOp::create(
          rewriter, location, result, whole, slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
    }
  }
  Operation *last = group.members.back().op;
  for (Operation *op : group.deferred) {
    if (!op->isBeforeInBlock(last))
      continue;
    rewriter.moveOpAfter(op, last);
    last = op;
  }
  for (auto [result, replacement] : llvm::zip_equal(results, replacements))
    rewriter.replaceUsesWithIf(result, replacement, [&](OpOperand &use) {
      return !group.contains(use.getOwner());
    });
  for (RowMember &member : llvm::reverse(group.members))
    rewriter.eraseOp(member.op);
}

namespace {

class FuseRows : public tdsl::impl::TdslFuseRowsBase<FuseRows> {
public:
  using TdslFuseRowsBase::TdslFuseRowsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    if (threads < 1) {
      function.emitError("the number of threads is at least 1, not ")
          << int64_t(threads);
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    for (RowGroup &group : findRowGroups(function.getBody().front())) {
      int64_t used = group.getCells() >= smallestSharedWork ? threads : 1;
      if (group.rows >= used)
        RowLoop(rewriter, group, used).build();
    }
  }
};

} // namespace
