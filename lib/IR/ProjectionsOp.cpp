//===- ProjectionsOp.cpp - index spaces -----------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SymbolUses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tdsl;

static constexpr unsigned kUnbounded = std::numeric_limits<unsigned>::max();

/// How many operands a logic relates, as smallest and largest number (spec
/// d.4).
static std::pair<unsigned, unsigned> getOperandRange(LogicKind kind) {
  switch (kind) {
  case LogicKind::Spec:
    return {1, kUnbounded};
  case LogicKind::Pointwise:
    return {1, 3};
  case LogicKind::Compose:
    return {2, 2};
  case LogicKind::ComposeAccumulate:
    return {3, 3};
  case LogicKind::Transpose:
  case LogicKind::Slice:
  case LogicKind::Uniform:
    return {1, 1};
  }
  llvm_unreachable("a logic kind outside its enumeration");
}

LogicalResult ProjectionsOp::verify() {
  auto [fewest, most] = getOperandRange(getLogic().getKind());
  size_t operands = getOperandNodes().size();
  if (operands < fewest || operands > most) {
    InFlightDiagnostic diagnostic =
        emitOpError() << "logic " << stringifyLogicKind(getLogic().getKind())
                      << " relates ";
    if (most == kUnbounded)
      diagnostic << "at least ";
    diagnostic << fewest;
    if (most != fewest && most != kUnbounded)
      diagnostic << " to " << most;
    bool single = fewest == 1 && (most == 1 || most == kUnbounded);
    return diagnostic << (single ? " operand" : " operands") << ", but got "
                      << operands << " (spec d.4)";
  }
  if (getLogic().getKind() != LogicKind::Spec) {
    for (StringAttr name : {getCapturesAttrName(), getCoefficientsAttrName(),
                            getUsePaddingAttrName()})
      if ((*this)->hasAttr(name))
        return emitOpError() << name << " belongs to an einsum specification";
  }
  if (DictionaryAttr captures = getCapturesAttr())
    for (NamedAttribute capture : captures)
      if (!isa<FlatSymbolRefAttr>(capture.getValue()))
        return emitOpError() << "capture '" << capture.getName().getValue()
                             << "' names no captured dimension or row";
  if (DictionaryAttr coefficients = getCoefficientsAttr())
    for (NamedAttribute coefficient : coefficients)
      if (auto value = dyn_cast<IntegerAttr>(coefficient.getValue());
          !value || !value.getType().isSignlessInteger(64) ||
          value.getInt() < 1)
        return emitOpError()
               << "coefficient '" << coefficient.getName().getValue()
               << "' is not a positive 64-bit integer (spec c.2)";
  if (getSegment() && *getSegment() < 0)
    return emitOpError() << "segment " << *getSegment() << " is negative";
  if (SpaceAttr space = getSpaceAttr();
      space && space.getNumOperandMaps() != operands)
    return emitOpError() << "space has maps for " << space.getNumOperandMaps()
                         << " operands, but the operation has " << operands;
  return success();
}

/// The values that an affine sum takes over its domain, when it is one: nothing
/// for an empty domain, for division and remainder, and where a static symbol
/// occurs.
static std::optional<std::pair<int64_t, int64_t>>
getRange(AffineExpr expression, ArrayRef<IteratorAttr> iterators) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return std::make_pair(constant.getValue(), constant.getValue());
  if (auto dimension = dyn_cast<AffineDimExpr>(expression)) {
    int64_t size = iterators[dimension.getPosition()].getSize();
    if (size == 0)
      return std::nullopt;
    return std::make_pair(int64_t(0), size - 1);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  auto left = getRange(binary.getLHS(), iterators),
       right = getRange(binary.getRHS(), iterators);
  if (!left || !right)
    return std::nullopt;
  int64_t low = 0, high = 0;
  if (expression.getKind() == AffineExprKind::Add) {
    if (llvm::AddOverflow(left->first, right->first, low) ||
        llvm::AddOverflow(left->second, right->second, high))
      return std::nullopt;
    return std::make_pair(low, high);
  }
  if (expression.getKind() != AffineExprKind::Mul ||
      right->first != right->second)
    return std::nullopt;
  if (llvm::MulOverflow(left->first, right->first, low) ||
      llvm::MulOverflow(left->second, right->first, high))
    return std::nullopt;
  return std::make_pair(std::min(low, high), std::max(low, high));
}

/// The map of one slot against the node it indexes.
static LogicalResult verifyMap(ProjectionsOp op, SpaceAttr space, unsigned slot,
                               NodeOp node) {
  std::string name = slot == 0 ? "lhs" : "rhs" + llvm::utostr(slot);
  ShapeAttr shape = node.getShape();
  if (!shape.isSolved())
    return op.emitOpError() << "has a derived space, but the shape of @"
                            << node.getSymName() << " is still open (spec e.1)";
  SmallVector<int64_t> sizes = shape.getMemoryOrderSizes();
  AffineMap map = space.getMaps()[slot];
  if (map.getNumResults() != sizes.size())
    return op.emitOpError()
           << name << " has " << map.getNumResults()
           << (map.getNumResults() == 1 ? " index, but @" : " indices, but @")
           << node.getSymName() << " has " << sizes.size()
           << (sizes.size() == 1 ? " axis" : " axes");
  if (space.getGuarded()[slot] ||
      llvm::any_of(space.getIterators(),
                   [](IteratorAttr i) { return i.getSize() == 0; }))
    return success();
  for (auto [position, index] : llvm::enumerate(map.getResults())) {
    auto range = getRange(index, space.getIterators());
    if (range && (range->first < 0 || range->second >= sizes[position]))
      return op.emitOpError()
             << name << " index " << position << " goes from " << range->first
             << " to " << range->second << ", but that axis of @"
             << node.getSymName() << " has size " << sizes[position]
             << "; a map that may leave its node is marked guarded (spec e.4)";
  }
  return success();
}

LogicalResult ProjectionsOp::verifySymbolUses(SymbolTableCollection &tables) {
  SmallVector<NodeOp> nodes = {
      lookupNode(tables, *this, getResultNodeAttr(), "result")};
  if (!nodes.front())
    return failure();
  for (auto source : getOperandNodes().getAsRange<FlatSymbolRefAttr>()) {
    nodes.push_back(lookupNode(tables, *this, source, "operand"));
    if (!nodes.back())
      return failure();
  }
  if (FlatSymbolRefAttr symbol = getLogic().getSymbol())
    if (!lookupDeclaration<StaticSymbolOp>(tables, *this, symbol,
                                           "slice position", "a static symbol"))
      return failure();
  if (DictionaryAttr captures = getCapturesAttr()) {
    for (NamedAttribute capture : captures) {
      auto symbol = cast<FlatSymbolRefAttr>(capture.getValue());
      Operation *found = tables.lookupNearestSymbolFrom(*this, symbol);
      if (!isa_and_nonnull<DimOp, RowOp>(found))
        return emitOpError()
               << "capture '" << capture.getName().getValue() << "' names "
               << symbol
               << ", which is not a captured dimension or row (spec d.9)";
    }
  }
  SpaceAttr space = getSpaceAttr();
  if (!space)
    return success();
  for (StringAttr symbol : space.getSymbols())
    if (!lookupDeclaration<StaticSymbolOp>(
            tables, *this, FlatSymbolRefAttr::get(symbol),
            "symbol of the space", "a static symbol"))
      return failure();
  for (auto [slot, node] : llvm::enumerate(nodes))
    if (failed(verifyMap(*this, space, slot, node)))
      return failure();
  return success();
}
