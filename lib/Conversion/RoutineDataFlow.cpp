//===- RoutineDataFlow.cpp - What a routine reads and writes --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineDataFlow.h"

using namespace mlir;
using namespace tdsl;

bool tdsl::overwritesCompletely(AssignOp assign, SymbolTable &symbols) {
  SpaceAttr space = assign.getIterationSpace();
  if (assign.getAccumulator() != Accumulator::Overwrite || !space ||
      assign.getDestinations().size() != 1)
    return false;
  auto access = cast<AccessAttr>(assign.getDestinations()[0]);
  auto node = symbols.lookup<NodeOp>(access.getNode().getAttr());
  AffineMap map = assign.getDestinationMap(0);
  if (!node || !map)
    return false;
  // One iterator of the full size for each axis, no iterator twice. A guarded
  // map of this form stays inside, and never skips.
  llvm::SmallBitVector used(map.getNumDims());
  for (auto [index, size] : llvm::zip_equal(
           map.getResults(), node.getShape().getMemoryOrderSizes())) {
    if (size == 1 && index == getAffineConstantExpr(0, map.getContext()))
      continue;
    auto dimension = dyn_cast<AffineDimExpr>(index);
    if (!dimension || used.test(dimension.getPosition()) ||
        space.getIterators()[dimension.getPosition()].getSize() != size)
      return false;
    used.set(dimension.getPosition());
  }
  return true;
}

/// The nodes that some statement of a routine writes.
static void noteWrites(RoutineOp routine, llvm::DenseSet<StringAttr> &names) {
  routine.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()))
        if (auto node =
                dyn_cast_or_null<FlatSymbolRefAttr>(effect.getSymbolRef()))
          names.insert(node.getAttr());
  });
}

RoutineDataFlow::RoutineDataFlow(RoutineOp routine, SymbolTable &symbols) {
  // The declaration order makes the signature independent of the code.
  auto program = cast<ProgramOp>(symbols.getOp());
  for (auto node : program.getBody().getOps<NodeOp>())
    uses[node.getSymNameAttr()];
  llvm::DenseSet<StringAttr> mentioned;
  auto mention = [](Operation *root, llvm::DenseSet<StringAttr> &names) {
    root->walk([&](Operation *op) {
      op->getAttrDictionary().walk(
          [&](FlatSymbolRefAttr symbol) { names.insert(symbol.getAttr()); });
    });
  };
  mention(routine, mentioned);
  uses.remove_if([&](auto &entry) { return !mentioned.contains(entry.first); });

  routine.walk([&](Operation *op) {
    if (auto assign = dyn_cast<AssignOp>(op)) {
      bool replaces = overwritesCompletely(assign, symbols);
      for (auto source : assign.getSources().getAsRange<AccessAttr>())
        if (!source.getMerge())
          read(source.getNode());
      for (auto access : assign.getDestinations().getAsRange<AccessAttr>())
        write(access.getNode(), replaces);
    } else if (auto setVec = dyn_cast<SetVecOp>(op)) {
      read(setVec.getSource().getNode());
      write(setVec.getDestination().getNode(), /*complete=*/true);
    } else if (auto fill = dyn_cast<FillOp>(op)) {
      write(fill.getNodeAttr(), /*complete=*/true);
    } else if (auto fetch = dyn_cast<FetchOp>(op)) {
      if (fetch.getKind() == FetchKind::Slice)
        read(fetch.getSourceAttr());
      write(fetch.getNodeAttr(), /*complete=*/true);
    }
  });

  llvm::DenseSet<StringAttr> elsewhere, written;
  for (auto other : program.getBody().getOps<RoutineOp>()) {
    if (other != routine)
      mention(other, elsewhere);
    noteWrites(other, written);
  }
  for (auto &[name, use] : uses) {
    auto node = symbols.lookup<NodeOp>(name);
    use.isConstant = node.getValueAttr() && !written.contains(name);
    use.isTemporary = !use.isConstant && node.isPrivate() && !use.isLiveIn &&
                      !elsewhere.contains(name);
  }
}

void RoutineDataFlow::read(FlatSymbolRefAttr node) {
  if (!complete.contains(node.getAttr()))
    uses[node.getAttr()].isLiveIn = true;
}

void RoutineDataFlow::write(FlatSymbolRefAttr node, bool isComplete) {
  if (isComplete)
    complete.insert(node.getAttr());
  else
    read(node);
  uses[node.getAttr()].isWritten = true;
}
