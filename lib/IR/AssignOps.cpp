//===- AssignOps.cpp - index spaces and assignments -----------------------===//
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
