//===- RowGroup.cpp - Operations that compute the same rows ---------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowGroup.h"
#include "Iterations.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tdsl;

/// Shorter rows fill no vectors; all of them together do.
static constexpr int64_t shortestRow = 32;

/// Rows longer than this are in no cache when they are read again.
static constexpr int64_t longestRow = 1 << 16;

bool RowGroup::escapes(Value result) const {
  return llvm::any_of(result.getUsers(),
                      [&](Operation *user) { return !contains(user); });
}

int64_t RowGroup::getCells() const {
  int64_t cells = 0;
  for (RowMember member : members)
    cells += countIterations(member.op);
  return cells;
}

/// The position of an iterator in a map: 0 for the leading axis, -1 for none.
/// Nothing if it is another axis, or part of an expression.
static std::optional<int> findAxis(AffineMap map, unsigned iterator) {
  if (!map.isFunctionOfDim(iterator))
    return -1;
  auto leading = dyn_cast<AffineDimExpr>(map.getResult(0));
  if (!leading || leading.getPosition() != iterator)
    return std::nullopt;
  for (AffineExpr other : map.getResults().drop_front())
    if (other.isFunctionOfDim(iterator))
      return std::nullopt;
  return 0;
}

/// The operation as a member of a group, if it can be one.
static std::optional<RowMember> getMember(Operation *operation) {
  auto op = dyn_cast<linalg::LinalgOp>(operation);
  if (!op || !isa<linalg::GenericOp, linalg::FillOp>(operation) ||
      !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.hasIndexSemantics() || countIterations(op) <= 0)
    return std::nullopt;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() == 0)
    return std::nullopt;
  auto leading = dyn_cast<AffineDimExpr>(result.getResult(0));
  if (!leading || op.getIteratorTypesArray()[leading.getPosition()] !=
                      utils::IteratorType::parallel)
    return std::nullopt;
  bool reduces = op.getNumReductionLoops() > 0;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<int> axis = findAxis(map, leading.getPosition());
    // A contraction reads a whole matrix for each row: that is another family.
    if (!axis || (reduces && *axis < 0 && map.getNumResults() > 0))
      return std::nullopt;
  }
  return RowMember{op, leading.getPosition()};
}

static int64_t getRows(RowMember member) {
  return member.op.getStaticLoopRanges()[member.iterator];
}

/// How often the body runs for one row.
static int64_t getRowLength(RowMember member) {
  return countIterations(member.op) / getRows(member);
}

/// Whether an operand that the group computes is read in the same row.
static bool readsSameRow(const RowGroup &group, RowMember member) {
  linalg::LinalgOp op = member.op;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !group.contains(operand.get()) ||
           *findAxis(op.getMatchingIndexingMap(&operand), member.iterator) == 0;
  });
}

static bool usesGroup(const RowGroup &group, Operation &operation) {
  bool uses = false;
  operation.walk([&](Operation *inner) {
    uses |= llvm::any_of(inner->getOperands(), [&](Value operand) {
      return group.contains(operand) ||
             llvm::is_contained(group.deferred, operand.getDefiningOp());
    });
  });
  return uses;
}

static bool readsDeferred(const RowGroup &group, Operation &operation) {
  return llvm::any_of(operation.getOperands(), [&](Value operand) {
    return llvm::is_contained(group.deferred, operand.getDefiningOp());
  });
}

/// Whether an operation reduces a row that another one makes or reads, too.
static bool isWorthALoop(const RowGroup &group) {
  if (group.rows < 2)
    return false;
  for (RowMember member : group.members) {
    int64_t length = getRowLength(member);
    if (member.op.getNumReductionLoops() == 0 || length < shortestRow ||
        length > longestRow)
      continue;
    // Who shares a row with the reduction: its producer, a reader of its
    // result, or somebody else who reads the same row.
    for (RowMember other : group.members)
      if (other.op != member.op && getRowLength(other) >= shortestRow &&
          llvm::any_of(other.op->getOperands(), [&](Value operand) {
            return llvm::is_contained(member.op->getOperands(), operand) ||
                   operand == member.op->getResult(0);
          }))
        return true;
  }
  return false;
}

SmallVector<RowGroup> tdsl::findRowGroups(Block &block) {
  SmallVector<RowGroup> groups;
  RowGroup group;
  auto finish = [&] {
    if (isWorthALoop(group))
      groups.push_back(std::move(group));
    group = RowGroup();
  };
  for (Operation &operation : block) {
    std::optional<RowMember> member = getMember(&operation);
    if (!member) {
      if (!usesGroup(group, operation))
        continue;
      if (isMemoryEffectFree(&operation) && operation.getNumRegions() == 0)
        group.deferred.push_back(&operation);
      else
        finish();
      continue;
    }
    if (!group.members.empty() &&
        (getRows(*member) != group.rows || !readsSameRow(group, *member) ||
         readsDeferred(group, operation)))
      finish();
    group.rows = getRows(*member);
    group.members.push_back(*member);
    group.operations.insert(&operation);
  }
  finish();
  return groups;
}
