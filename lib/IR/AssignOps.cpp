//===- AssignOps.cpp - index spaces and assignments
//-----------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Directives.h"
#include "SymbolUses.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tdsl;

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static Slot getEffectiveSlot(AccessAttr access, Slot fallback) {
  return access.getSlot().isDefault() ? fallback : access.getSlot();
}

/// The declared node and the slot of one access.
static LogicalResult verifyAccess(Operation *op, SymbolTableCollection &tables,
                                  AccessAttr access, StringRef role,
                                  ProjectionsOp projections) {
  NodeOp node = lookupNode(tables, op, access.getNode(), role);
  if (!node)
    return failure();
  Slot slot = access.getSlot();
  size_t operands = projections.getOperandNodes().size();
  if (slot.kind == Slot::Kind::Operand && slot.operand > operands)
    return op->emitOpError()
           << role << " " << access.getNode() << " uses slot "
           << stringifySlot(slot) << ", but @" << projections.getSymName()
           << " has " << operands << (operands == 1 ? " operand" : " operands")
           << " (spec e.5)";
  return success();
}

/// The indexing map of an access, or null before derivation.
static AffineMap getAccessMap(Operation *op, FlatSymbolRefAttr projectionsName,
                              AccessAttr access, Slot fallback) {
  auto projections =
      SymbolTable::lookupNearestSymbolFrom<ProjectionsOp>(op, projectionsName);
  SpaceAttr space = projections ? projections.getSpaceAttr() : SpaceAttr();
  if (!space)
    return {};
  Slot slot = getEffectiveSlot(access, fallback);
  if (slot.kind == Slot::Kind::Result)
    return space.getResultMap();
  if (slot.kind == Slot::Kind::Operand)
    return slot.operand <= space.getNumOperandMaps()
               ? space.getOperandMap(slot.operand)
               : AffineMap();
  auto node =
      SymbolTable::lookupNearestSymbolFrom<NodeOp>(op, access.getNode());
  if (!node || !node.getShape().isSolved())
    return {};
  SmallVector<int64_t> sizes = node.getShape().getMemoryOrderSizes();
  if (slot.kind == Slot::Kind::ProductSpace)
    return getProductSpaceMap(space, sizes);
  SmallVector<AffineExpr> zeros(sizes.size(),
                                getAffineConstantExpr(0, op->getContext()));
  return AffineMap::get(space.getIterators().size(), space.getSymbols().size(),
                        zeros, op->getContext());
}

static SpaceAttr lookupSpace(Operation *op, FlatSymbolRefAttr projectionsName) {
  auto projections =
      SymbolTable::lookupNearestSymbolFrom<ProjectionsOp>(op, projectionsName);
  return projections ? projections.getSpaceAttr() : SpaceAttr();
}

/// Declares that `op` touches the cells of `node`.
template <typename Effect>
static void
addNodeEffect(SmallVectorImpl<MemoryEffects::EffectInstance> &effects,
              FlatSymbolRefAttr node) {
  effects.emplace_back(Effect::get(), node,
                       SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// Assign
//===----------------------------------------------------------------------===//

LogicalResult AssignOp::verify() {
  if (getReset() && getAccumulator() == Accumulator::Overwrite)
    return emitOpError()
           << "cannot reset before overwriting: plain '=:' changes only the "
              "cells "
              "it reaches, it has no initializing twin (spec b.2)";
  if (getDestinations().empty())
    return emitOpError() << "has no destination";
  for (auto destination : getDestinations().getAsRange<AccessAttr>())
    if (destination.getMerge())
      return emitOpError() << "assigns to the merge buffer of "
                           << destination.getNode()
                           << ", which can only be read (spec b.1)";
  unsigned arity = getArity(getPrimitive()), sources = getSources().size();
  StringRef name = stringifyPrimitive(getPrimitive());
  if (getDestinations().size() > 1 &&
      (arity != 1 || sources != 1 || getBlock()))
    return emitOpError() << "with several destinations spreads one source by a "
                            "unary operation, "
                            "the reverse of a concatenation (spec b.1)";
  if (getBlock() && arity != 1)
    return emitOpError()
           << "in block form takes a unary operation for each source, but '"
           << name << "' has " << arity << " operands (spec b.1)";
  if (getBlock() && sources == 0)
    return emitOpError() << "in block form needs at least one source";
  if (!getBlock() && sources != arity)
    return emitOpError() << "operation '" << name << "' takes " << arity
                         << (arity == 1 ? " operand" : " operands")
                         << ", but got " << sources << " (spec b.5)";
  return success();
}

/// Combinations of operation and logic that the language refuses (spec b.5).
static LogicalResult verifyLogic(AssignOp op, ProjectionsOp projections) {
  LogicKind kind = projections.getLogic().getKind();
  Primitive operation = op.getPrimitive();
  StringRef name = stringifyPrimitive(operation);
  if (kind == LogicKind::Compose &&
      (operation == Primitive::Div || operation == Primitive::Pow))
    return op.emitOpError()
           << "with the logic \"@\" and the operation '" << name
           << "' reads like a matrix inverse or power and is neither; use "
              "\".\" "
              "or an einsum specification (spec b.5)";
  if (kind == LogicKind::Spec && operation == Primitive::Fma)
    return op.emitOpError()
           << "would add the addend of 'fma' once per point of an einsum "
              "specification; use the logic fma (spec b.5)";
  if (kind == LogicKind::Uniform)
    return op.emitOpError()
           << "cannot use the space of a packed uniform; that is tdsl.set_vec";
  return success();
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto projections = lookupDeclaration<ProjectionsOp>(
      tables, *this, getProjectionsAttr(), "index space", "a tdsl.projections");
  if (!projections || failed(verifyLogic(*this, projections)))
    return failure();
  for (auto access : getDestinations().getAsRange<AccessAttr>())
    if (failed(verifyAccess(*this, tables, access, "destination", projections)))
      return failure();
  for (auto access : getSources().getAsRange<AccessAttr>())
    if (failed(verifyAccess(*this, tables, access, "source", projections)))
      return failure();

  SmallVector<FlatSymbolRefAttr> expected;
  if (SpaceAttr space = projections.getSpaceAttr())
    for (StringAttr symbol : space.getSymbols())
      expected.push_back(FlatSymbolRefAttr::get(symbol));
  else if (FlatSymbolRefAttr symbol = projections.getLogic().getSymbol())
    expected.push_back(symbol);
  SmallVector<FlatSymbolRefAttr> given;
  for (Type type : getSymbols().getTypes())
    given.push_back(cast<SymbolIndexType>(type).getSymbol());
  if (expected == given)
    return success();
  InFlightDiagnostic diagnostic = emitOpError() << "index space @"
                                                << projections.getSymName();
  if (expected.empty())
    return diagnostic << " uses no static symbol";
  diagnostic << " needs the values of ";
  llvm::interleaveComma(expected, diagnostic);
  diagnostic << ", written " << getProjectionsAttr() << "[";
  llvm::interleaveComma(expected, diagnostic, [&](FlatSymbolRefAttr symbol) {
    diagnostic << "%" << symbol.getValue();
  });
  diagnostic << " : ";
  llvm::interleaveComma(expected, diagnostic, [&](FlatSymbolRefAttr symbol) {
    diagnostic << "!tdsl.index<" << symbol << ">";
  });
  return diagnostic << "]";
}

void AssignOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (auto access : getSources().getAsRange<AccessAttr>())
    addNodeEffect<MemoryEffects::Read>(effects, access.getNode());
  // What an accumulation does not overwrite, it reads.
  bool reads = !getReset() && getAccumulator() != Accumulator::Overwrite;
  for (auto access : getDestinations().getAsRange<AccessAttr>()) {
    if (reads)
      addNodeEffect<MemoryEffects::Read>(effects, access.getNode());
    addNodeEffect<MemoryEffects::Write>(effects, access.getNode());
  }
}

SpaceAttr AssignOp::getIterationSpace() {
  return lookupSpace(*this, getProjectionsAttr());
}
ArrayAttr AssignOp::getDestinationAccesses() { return getDestinations(); }
ArrayAttr AssignOp::getSourceAccesses() { return getSources(); }
Accumulator AssignOp::getAccumulation() { return getAccumulator(); }
bool AssignOp::resetsDestinations() { return getReset(); }

AffineMap AssignOp::getDestinationMap(unsigned position) {
  return getAccessMap(*this, getProjectionsAttr(),
                      cast<AccessAttr>(getDestinations()[position]),
                      Slot::result());
}

AffineMap AssignOp::getSourceMap(unsigned position) {
  return getAccessMap(*this, getProjectionsAttr(),
                      cast<AccessAttr>(getSources()[position]),
                      Slot::forOperand(position + 1));
}

//===----------------------------------------------------------------------===//
// Packed uniform
//===----------------------------------------------------------------------===//

LogicalResult SetVecOp::verify() {
  if (getDestination().getMerge())
    return emitOpError() << "assigns to the merge buffer of "
                         << getDestination().getNode()
                         << ", which can only be read (spec b.1)";
  return success();
}

LogicalResult SetVecOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto projections = lookupDeclaration<ProjectionsOp>(
      tables, *this, getProjectionsAttr(), "index space", "a tdsl.projections");
  if (!projections)
    return failure();
  if (projections.getLogic().getKind() != LogicKind::Uniform)
    return emitOpError() << "needs an index space with the logic uniform, but @"
                         << projections.getSymName() << " has "
                         << stringifyLogicKind(projections.getLogic().getKind())
                         << " (spec b.6)";
  if (failed(verifyAccess(*this, tables, getDestination(), "destination",
                          projections)) ||
      failed(verifyAccess(*this, tables, getSource(), "source", projections)))
    return failure();
  auto words = lookupNode(tables, *this, getSource().getNode(), "source");
  if (words.getPrecision() && *words.getPrecision() != Precision::UInt4x32)
    return emitOpError() << "source " << getSource().getNode() << " holds "
                         << stringifyPrecision(*words.getPrecision())
                         << ", but packed random words are uint4x32 (spec b.6)";
  return success();
}

void SetVecOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addNodeEffect<MemoryEffects::Read>(effects, getSource().getNode());
  addNodeEffect<MemoryEffects::Write>(effects, getDestination().getNode());
}

SpaceAttr SetVecOp::getIterationSpace() {
  return lookupSpace(*this, getProjectionsAttr());
}
ArrayAttr SetVecOp::getDestinationAccesses() {
  return ArrayAttr::get(getContext(), {getDestination()});
}
ArrayAttr SetVecOp::getSourceAccesses() {
  return ArrayAttr::get(getContext(), {getSource()});
}
Accumulator SetVecOp::getAccumulation() { return Accumulator::Overwrite; }
bool SetVecOp::resetsDestinations() { return false; }
AffineMap SetVecOp::getDestinationMap(unsigned) {
  return getAccessMap(*this, getProjectionsAttr(), getDestination(),
                      Slot::result());
}
AffineMap SetVecOp::getSourceMap(unsigned) {
  return getAccessMap(*this, getProjectionsAttr(), getSource(),
                      Slot::forOperand(1));
}

//===----------------------------------------------------------------------===//
// Fill
//===----------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  if (getAccumulator() == Accumulator::Overwrite)
    return emitOpError() << "needs an accumulator with a neutral element; "
                            "overwriting has none "
                            "that a cell could keep (spec b.2)";
  return success();
}

LogicalResult FillOp::verifySymbolUses(SymbolTableCollection &tables) {
  return success(
      static_cast<bool>(lookupNode(tables, *this, getNodeAttr(), "node")));
}

void FillOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addNodeEffect<MemoryEffects::Write>(effects, getNodeAttr());
}
