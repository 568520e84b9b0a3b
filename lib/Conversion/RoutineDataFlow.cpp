//===- RoutineDataFlow.cpp - What a routine reads and writes --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineDataFlow.h"

using namespace mlir;
using namespace tdsl;

static bool visitsNothing(SpaceAttr space) {
  return llvm::any_of(space.getIterators(), [](IteratorAttr iterator) {
    return iterator.getSize() == 0;
  });
}

/// The cells from the first to the last that an index without gaps reaches;
/// nothing if it may leave gaps (spec e.3). Adds its iterators to `used`, and
/// fails for one that is there already.
static std::optional<std::pair<int64_t, int64_t>>
getReachedInterval(AffineExpr index, SpaceAttr space,
                   llvm::SmallBitVector &used) {
  std::optional<LinearIndex> linear = getLinearIndex(
      index, space.getIterators().size(), space.getSymbols().size());
  if (!linear || linear->usesSymbols())
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> factors;
  for (auto [position, factor] : llvm::enumerate(linear->iteratorFactors)) {
    int64_t size = space.getIterators()[position].getSize();
    if (factor == 0 || size == 1)
      continue;
    if (factor < 0 || used.test(position))
      return std::nullopt;
    used.set(position);
    factors.emplace_back(factor, size);
  }
  llvm::sort(factors);
  int64_t extent = 1;
  for (auto [factor, size] : factors) {
    if (factor > extent)
      return std::nullopt;
    extent += factor * (size - 1);
  }
  return std::make_pair(linear->offset, linear->offset + extent);
}

std::optional<DomainBox> tdsl::getOverwrittenBox(AssignOp assign,
                                                 SymbolTable &symbols) {
  SpaceAttr space = assign.getIterationSpace();
  if (assign.getAccumulator() != Accumulator::Overwrite || !space ||
      assign.getDestinations().size() != 1 || visitsNothing(space))
    return std::nullopt;
  auto access = cast<AccessAttr>(assign.getDestinations()[0]);
  auto node = symbols.lookup<NodeOp>(access.getNode().getAttr());
  AffineMap map = assign.getDestinationMap(0);
  if (!node || !map)
    return std::nullopt;
  DomainBox box;
  llvm::SmallBitVector used(map.getNumDims());
  for (auto [index, size] : llvm::zip_equal(
           map.getResults(), node.getShape().getMemoryOrderSizes())) {
    auto interval = getReachedInterval(index, space, used);
    if (!interval)
      return std::nullopt;
    // What a guarded index reaches outside is skipped.
    box.lower.push_back(std::max<int64_t>(interval->first, 0));
    box.upper.push_back(std::min(interval->second, size));
  }
  return box;
}

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
  // No point, no write; a node without cells has nothing to write.
  SmallVector<int64_t> sizes = node.getShape().getMemoryOrderSizes();
  if (visitsNothing(space) && !llvm::is_contained(sizes, 0))
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
      std::optional<DomainBox> box = getOverwrittenBox(assign, symbols);
      for (auto access : assign.getDestinations().getAsRange<AccessAttr>())
        if (replaces || !box)
          write(access.getNode(), replaces);
        else
          overwrite(symbols.lookup<NodeOp>(access.getNode().getAttr()), *box);
    } else if (auto setVec = dyn_cast<SetVecOp>(op)) {
      if (!setVec.getSource().getMerge())
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

  // Cells that no piece has overwritten are those from before.
  for (auto &[name, boxes] : pieces)
    if (!complete.contains(name))
      uses[name].isLiveIn = true;

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

void RoutineDataFlow::overwrite(NodeOp node, const DomainBox &box) {
  StringAttr name = node.getSymNameAttr();
  uses[name].isWritten = true;
  if (complete.contains(name) || box.isEmpty())
    return;
  SmallVector<DomainBox> &earlier = pieces[name];
  if (llvm::none_of(earlier,
                    [&](const DomainBox &e) { return e.overlaps(box); }))
    earlier.push_back(box);
  // Disjoint pieces cover the node when they have as many cells.
  int64_t written = 0, cells = 1;
  for (const DomainBox &piece : earlier)
    written += piece.getNumPoints();
  for (int64_t size : node.getShape().getMemoryOrderSizes())
    cells *= size;
  if (written == cells)
    complete.insert(name);
}
