//===- RoutineLowering.cpp - One routine becomes a function ---------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineLowering.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tdsl/Transforms/RoutineInterface.h"

using namespace mlir;
using namespace tdsl;

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

/// Whether the bytes of a node, and every stride in it, fit in 63 bits.
static bool fitsInMemory(NodeOp node) {
  int64_t bytes = 16; // No cell is larger.
  for (int64_t size : node.getShape().getMemoryOrderSizes())
    if (llvm::MulOverflow(bytes, std::max<int64_t>(size, 1), bytes))
      return false;
  return true;
}

LogicalResult RoutineLowering::checkNodes() {
  for (auto &[name, use] : flow.getUses()) {
    auto node = symbols.lookup<NodeOp>(name);
    if (!node.getPrecision() || !node.getShape().isSolved())
      return node.emitError()
             << "node @" << name.getValue()
             << " has an open precision or shape: run tdsl-infer-precision and "
                "tdsl-infer-shapes first";
    if (!fitsInMemory(node))
      return node.emitError() << "node @" << name.getValue()
                              << " has more cells than memory has addresses";
    if (*node.getPrecision() == Precision::F8)
      return node.emitError() << "node @" << name.getValue()
                              << " has cells of precision f8, which have no "
                                 "lowering in this version: use f16 or bf16";
    if (use.isConstant && !isa<DenseElementsAttr>(node.getValueAttr()))
      return node.emitError()
             << "node @" << name.getValue()
             << " has initial cells that are not dense elements";
  }
  return success();
}

LogicalResult RoutineLowering::checkSymbols() {
  llvm::DenseSet<StringAttr> seen;
  for (BlockArgument argument : routine.getBody().getArguments()) {
    StringAttr name =
        cast<SymbolIndexType>(argument.getType()).getSymbol().getAttr();
    if (!seen.insert(name).second)
      return routine.emitError()
             << "routine @" << routine.getSymName() << " takes the value of @"
             << name.getValue() << " twice: callers give one value by name";
  }
  return success();
}

LogicalResult RoutineLowering::checkRange(Operation *statement,
                                          StaticSymbolOp symbol, NodeOp node,
                                          int64_t size) {
  int64_t lower = symbol.getLower(), upper = symbol.getUpper();
  if (lower >= 0 && upper <= size)
    return success();
  InFlightDiagnostic diagnostic =
      statement->emitError()
      << "static symbol @" << symbol.getSymName() << " takes values from "
      << lower << " to " << upper - 1 << ", but the axis of @"
      << node.getSymName() << " that it indexes has size " << size;
  diagnostic.attachNote(symbol.getLoc()) << "the range is declared here";
  return failure();
}

/// An index that is one symbol is a slice: every value has to lie in the axis.
LogicalResult RoutineLowering::checkSlices(AssignOp assign) {
  auto check = [&](AccessAttr access, AffineMap map) -> LogicalResult {
    NodeOp node = getNode(access.getNode());
    if (!map)
      return success();
    for (auto [index, size] : llvm::zip_equal(
             map.getResults(), node.getShape().getMemoryOrderSizes())) {
      auto position = dyn_cast<AffineSymbolExpr>(index);
      if (!position)
        continue;
      Value value = assign.getSymbols()[position.getPosition()];
      auto symbol = symbols.lookup<StaticSymbolOp>(
          cast<SymbolIndexType>(value.getType()).getSymbol().getAttr());
      if (failed(checkRange(assign, symbol, node, size)))
        return failure();
    }
    return success();
  };
  for (auto [position, access] :
       llvm::enumerate(assign.getSources().getAsRange<AccessAttr>()))
    if (failed(check(access, assign.getSourceMap(position))))
      return failure();
  for (auto [position, access] :
       llvm::enumerate(assign.getDestinations().getAsRange<AccessAttr>()))
    if (failed(check(access, assign.getDestinationMap(position))))
      return failure();
  return success();
}

RankedTensorType RoutineLowering::getTensorType(NodeOp node) {
  return RankedTensorType::get(
      node.getShape().getMemoryOrderSizes(),
      getStorageType(*node.getPrecision(), builder.getContext()));
}

func::FuncOp RoutineLowering::createFunction(ModuleOp module) {
  SmallVector<Type> types;
  SmallVector<Location> locations;
  SmallVector<DictionaryAttr> attributes;
  auto addArgument = [&](Type type, Location location, StringRef kind,
                         StringAttr name, StringRef access) {
    SmallVector<NamedAttribute> entries = {builder.getNamedAttr(kind, name)};
    if (!access.empty())
      entries.push_back(
          builder.getNamedAttr(accessAttrName, builder.getStringAttr(access)));
    types.push_back(type);
    locations.push_back(location);
    attributes.push_back(builder.getDictionaryAttr(entries));
  };
  auto getMemory = [&](NodeOp node) {
    RankedTensorType tensor = getTensorType(node);
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  };
  for (auto &[name, use] : flow.getUses()) {
    auto node = symbols.lookup<NodeOp>(name);
    if (!use.isArgument())
      continue;
    addArgument(getMemory(node), node.getLoc(), "tdsl.node", name,
                !use.isWritten ? "in"
                : use.isLiveIn ? "inout"
                               : "out");
  }
  llvm::SetVector<StringAttr> merged;
  auto noteMerge = [&](AccessAttr source) {
    if (source.getMerge())
      merged.insert(source.getNode().getAttr());
  };
  routine.walk([&](Operation *statement) {
    if (auto assign = dyn_cast<AssignOp>(statement))
      for (auto source : assign.getSources().getAsRange<AccessAttr>())
        noteMerge(source);
    if (auto setVec = dyn_cast<SetVecOp>(statement))
      noteMerge(setVec.getSource());
  });
  mergeNames = merged.takeVector();
  for (StringAttr name : mergeNames) {
    auto node = symbols.lookup<NodeOp>(name);
    addArgument(getMemory(node), node.getLoc(), "tdsl.merge", name, "in");
  }
  for (BlockArgument symbol : routine.getBody().getArguments())
    addArgument(builder.getIndexType(), symbol.getLoc(), symbolAttrName,
                cast<SymbolIndexType>(symbol.getType()).getSymbol().getAttr(),
                "");

  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, routine.getLoc(), routine.getSymName(),
                           builder.getFunctionType(types, {}),
                           ArrayRef<NamedAttribute>(), attributes);
  function->setAttr(routineAttrName, routine.getSymNameAttr());
  Block *body = new Block();
  function.getBody().push_back(body);
  body->addArguments(types, locations);
  return function;
}

void RoutineLowering::loadArguments(func::FuncOp function) {
  unsigned position = 0;
  for (auto &[name, use] : flow.getUses()) {
    auto node = symbols.lookup<NodeOp>(name);
    if (use.isConstant) {
      values[name] = createInitialCells(symbols.lookup<NodeOp>(name));
      continue;
    }
    if (use.isTemporary || (use.isWritten && !use.isLiveIn)) {
      // Nothing of the cells before is read: where they come from is open.
      RankedTensorType type = getTensorType(node);
      values[name] = tensor::EmptyOp::create(
          builder, routine.getLoc(), type.getShape(), type.getElementType());
      position += !use.isTemporary;
      continue;
    }
    // Distinct nodes are distinct memory; whoever calls guarantees it.
    values[name] = bufferization::ToTensorOp::create(
        builder, routine.getLoc(), getTensorType(node),
        function.getArgument(position++), /*restrict=*/true,
        /*writable=*/use.isWritten);
  }
  for (StringAttr name : mergeNames)
    mergeBuffers[name] = bufferization::ToTensorOp::create(
        builder, routine.getLoc(), getTensorType(symbols.lookup<NodeOp>(name)),
        function.getArgument(position++), /*restrict=*/true);
  for (BlockArgument symbol : routine.getBody().getArguments())
    symbolValues[symbol] = function.getArgument(position++);
}

void RoutineLowering::storeArguments(func::FuncOp function) {
  unsigned position = 0;
  for (auto &[name, use] : flow.getUses()) {
    if (!use.isArgument())
      continue;
    Value memory = function.getArgument(position++);
    if (!use.isWritten)
      continue;
    auto store = bufferization::MaterializeInDestinationOp::create(
        builder, routine.getLoc(), values[name], memory);
    store.setRestrict(true);
    store.setWritable(true);
  }
}

LogicalResult RoutineLowering::run(ModuleOp module) {
  if (failed(checkNodes()) || failed(checkSymbols()))
    return failure();
  if (routine.getSymName().starts_with("tdsl."))
    return routine.emitError()
           << "routine @" << routine.getSymName()
           << " has a name that begins with 'tdsl.', which is kept for the "
              "functions of the compiler";
  // Programs disappear, so that a routine may have the name of one.
  for (Operation &existing : *module.getBody()) {
    auto name =
        existing.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (name != routine.getSymNameAttr() || isa<ProgramOp>(existing))
      continue;
    InFlightDiagnostic diagnostic =
        routine.emitError()
        << "the module already has a symbol @" << routine.getSymName()
        << ": routines of one module need different names";
    diagnostic.attachNote(existing.getLoc()) << "it is here";
    return failure();
  }
  func::FuncOp function = createFunction(module);
  builder.setInsertionPointToStart(&function.getBody().front());
  loadArguments(function);
  if (failed(lowerBlock(routine.getBody().front())))
    return failure();
  storeArguments(function);
  func::ReturnOp::create(builder, routine.getLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult RoutineLowering::lowerBlock(Block &block) {
  for (Operation &statement : block)
    if (failed(lowerStatement(statement)))
      return failure();
  return success();
}

LogicalResult RoutineLowering::lowerStatement(Operation &statement) {
  if (auto comment = dyn_cast<CommentOp>(statement))
    return lowerBlock(comment.getBody().front());
  if (auto assign = dyn_cast<AssignOp>(statement))
    return lowerAssign(assign);
  if (auto fill = dyn_cast<FillOp>(statement))
    return lowerFill(fill);
  if (auto fetch = dyn_cast<FetchOp>(statement))
    return lowerFetch(fetch);
  if (auto setVec = dyn_cast<SetVecOp>(statement))
    return lowerSetVec(setVec);
  return statement.emitOpError() << "has no lowering to linalg in this version";
}

/// The cells that a node is declared with, as memory holds them.
Value RoutineLowering::createInitialCells(NodeOp node) {
  auto cells = cast<DenseElementsAttr>(node.getValueAttr());
  RankedTensorType type = getTensorType(node);
  if (cells.getElementType() != type.getElementType())
    cells = cells.mapValues(type.getElementType(),
                            [](const APInt &cell) { return cell.zext(8); });
  return arith::ConstantOp::create(builder, node.getLoc(), cells);
}

bool RoutineLowering::needsOrder(NodeOp node, ArrayRef<NodeOp> copied) {
  const auto &uses = flow.getUses();
  const NodeUse &use = uses.find(node.getSymNameAttr())->second;
  if (!use.isArgument())
    return false;
  return use.isLiveIn || llvm::any_of(copied, [&](NodeOp source) {
           return uses.find(source.getSymNameAttr())->second.isWritten;
         });
}

Value RoutineLowering::detach(Location location, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return bufferization::AllocTensorOp::create(builder, location, type,
                                              ValueRange(), value);
}

/// Whether simplification may leave nothing of a primitive but one operand.
static bool mayCopy(Primitive primitive, Precision precision) {
  switch (primitive) {
  case Primitive::Id:
  case Primitive::Fst:
  case Primitive::Snd:
  case Primitive::Max:
  case Primitive::Min:
  case Primitive::Where:
    return true;
  case Primitive::Relu:
  case Primitive::Trunc:
    return !isFloat(precision);
  default:
    return false;
  }
}

/// The node with every cell equal to a value known now.
Value RoutineLowering::createSplat(Location location, NodeOp node,
                                   TypedAttr cell) {
  return fillWith(location, node,
                  arith::ConstantOp::create(builder, location, cell));
}

Value RoutineLowering::fillWith(Location location, NodeOp node, Value cell) {
  RankedTensorType type = getTensorType(node);
  cell = PrimitiveBody(builder, location).store({cell, *node.getPrecision()});
  Value start =
      needsOrder(node, {})
          ? values[node.getSymNameAttr()]
          : tensor::EmptyOp::create(builder, location, type.getShape(),
                                    type.getElementType());
  return linalg::FillOp::create(builder, location, cell, start).getResult(0);
}

LogicalResult RoutineLowering::lowerFill(FillOp fill) {
  NodeOp node = getNode(fill.getNodeAttr());
  if (!hasNeutralElement(fill.getAccumulator(), *node.getPrecision()))
    return fill.emitOpError()
           << "fills @" << node.getSymName() << " with the neutral element of '"
           << stringifyAccumulator(fill.getAccumulator())
           << "', which cells of precision "
           << stringifyPrecision(*node.getPrecision())
           << " do not have (spec b.3)";
  values[node.getSymNameAttr()] =
      createSplat(fill.getLoc(), node,
                  getNeutralElement(fill.getAccumulator(), *node.getPrecision(),
                                    builder.getContext()));
  return success();
}

LogicalResult RoutineLowering::lowerAssign(AssignOp assign) {
  if (!assign.getIterationSpace())
    return assign.emitOpError() << "has no derived index space: run "
                                   "tdsl-derive-projections first";
  if (assign.getReset())
    return assign.emitOpError()
           << "still resets its destination: run tdsl-derive-projections first";
  if (assign.getDestinations().size() != 1 || assign.getBlock())
    return assign.emitOpError()
           << "still has several segments: run tdsl-derive-projections first";
  if (failed(checkSlices(assign)))
    return failure();
  SmallVector<bool> guards(assign.getIterationSpace().getGuarded());
  auto isGuarded = [&](AccessAttr access, unsigned fallback) {
    Slot slot = access.getSlot();
    unsigned number =
        slot.kind == Slot::Kind::Default ? fallback : slot.operand;
    bool hasMap = slot.kind == Slot::Kind::Default ||
                  slot.kind == Slot::Kind::Result ||
                  slot.kind == Slot::Kind::Operand;
    return hasMap && guards[number];
  };
  auto makeOperand =
      [&](AccessAttr access, AffineMap map,
          unsigned fallback) -> FailureOr<AssignLowering::Operand> {
    NodeOp node = getNode(access.getNode());
    if (!map)
      return assign.emitOpError() << "has an access without an indexing map";
    StringAttr name = access.getNode().getAttr();
    return AssignLowering::Operand{
        access.getMerge() ? mergeBuffers[name] : values[name],
        *node.getPrecision(), map, isGuarded(access, fallback)};
  };
  SmallVector<AssignLowering::Operand> sources;
  for (auto [position, access] :
       llvm::enumerate(assign.getSources().getAsRange<AccessAttr>())) {
    auto operand =
        makeOperand(access, assign.getSourceMap(position), position + 1);
    if (failed(operand))
      return failure();
    sources.push_back(*operand);
  }
  auto access = cast<AccessAttr>(assign.getDestinations()[0]);
  auto destination = makeOperand(access, assign.getDestinationMap(0), 0);
  if (failed(destination))
    return failure();
  if (!hasNeutralElement(assign.getAccumulator(), destination->precision))
    return assign.emitOpError()
           << "accumulates with '"
           << stringifyAccumulator(assign.getAccumulator())
           << "', whose neutral element cells of precision "
           << stringifyPrecision(destination->precision)
           << " do not have (spec b.3)";
  SmallVector<Value> symbolOperands;
  for (Value symbol : assign.getSymbols())
    symbolOperands.push_back(symbolValues.lookup(symbol));
  SmallVector<NodeOp> copied;
  NodeOp written = getNode(access.getNode());
  if (mayCopy(assign.getPrimitive(), *written.getPrecision()))
    for (auto source : assign.getSources().getAsRange<AccessAttr>())
      if (!source.getMerge() && source.getNode() != access.getNode())
        copied.push_back(getNode(source.getNode()));
  bool replaces = overwritesCompletely(assign, symbols);
  bool inPlace = replaces && needsOrder(written, copied);
  FailureOr<Value> result = AssignLowering(assign, builder, symbolOperands)
                                .run(sources, *destination, replaces, inPlace);
  if (failed(result))
    return failure();
  // Without iterators no index can tie the result to the cells before.
  if (inPlace && assign.getIterationSpace().getIterators().empty())
    *result = detach(assign.getLoc(), *result);
  values[access.getNode().getAttr()] = *result;
  return success();
}
