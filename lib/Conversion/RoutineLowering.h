//===- RoutineLowering.h - One routine becomes a function -------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_ROUTINELOWERING_H
#define TDSL_LIB_CONVERSION_ROUTINELOWERING_H

#include "DomainBoxes.h"
#include "PrimitiveBody.h"
#include "RoutineDataFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tdsl {

/// Builds the function of one routine. Nodes are threaded through the
/// statements as tensor values; what the host or another routine reads is
/// stored to memory once, at the end.
///
/// Arguments are the memory of the nodes that are not temporary, in the order
/// of their declarations, then the merge buffers that are read, then the values
/// of the static symbols. Each carries `tdsl.node` or `tdsl.symbol`, its name,
/// and `tdsl.access`: in, out or inout.
class RoutineLowering {
public:
  RoutineLowering(RoutineOp routine, mlir::SymbolTable &symbols,
                  mlir::OpBuilder &builder)
      : routine(routine), symbols(symbols), builder(builder),
        flow(routine, symbols) {}

  mlir::LogicalResult run(mlir::ModuleOp module);

private:
  mlir::LogicalResult checkNodes();
  mlir::func::FuncOp createFunction(mlir::ModuleOp module);
  void loadArguments(mlir::func::FuncOp function);
  void storeArguments(mlir::func::FuncOp function);
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerStatement(mlir::Operation &statement);
  mlir::LogicalResult lowerFill(FillOp fill);
  mlir::LogicalResult lowerFetch(FetchOp fetch);
  mlir::LogicalResult lowerWordsFetch(FetchOp fetch);
  mlir::LogicalResult lowerSetVec(SetVecOp setVec);
  mlir::LogicalResult lowerAssign(AssignOp assign);

  NodeOp getNode(mlir::FlatSymbolRefAttr name) {
    return symbols.lookup<NodeOp>(name.getAttr());
  }
  mlir::LogicalResult checkSymbols();
  /// Checks that every value of a symbol is an index of an axis of a node.
  mlir::LogicalResult checkRange(mlir::Operation *statement,
                                 StaticSymbolOp symbol, NodeOp node,
                                 int64_t size);
  mlir::LogicalResult checkSlices(AssignOp assign);
  mlir::RankedTensorType getTensorType(NodeOp node);
  mlir::Value createInitialCells(NodeOp node);
  /// Whether the value of a node, written completely, must keep the order of
  /// reads and writes of memory. Stores happen at the end of the function, and
  /// bufferization follows only tensors: it does not see that a new value takes
  /// the memory of the one before, or that the source of a copy is written.
  bool needsOrder(NodeOp node, llvm::ArrayRef<NodeOp> copied);
  /// A copy in memory of its own.
  mlir::Value detach(mlir::Location location, mlir::Value value);
  mlir::Value createSplat(mlir::Location location, NodeOp node,
                          mlir::TypedAttr cell);
  mlir::Value fillWith(mlir::Location location, NodeOp node, mlir::Value cell);

  RoutineOp routine;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder &builder;
  RoutineDataFlow flow;
  /// The current value of each node, and of each merge buffer.
  llvm::DenseMap<mlir::StringAttr, mlir::Value> values, mergeBuffers;
  /// The argument of the function for each of the routine's.
  llvm::DenseMap<mlir::Value, mlir::Value> symbolValues;
  llvm::SmallVector<mlir::StringAttr> mergeNames;
};

/// Emits one statement `destination = accumulate(primitive(sources))` over a
/// space, as operations on tensors whose loops have no guards.
class AssignLowering {
public:
  AssignLowering(AssignOp assign, mlir::OpBuilder &builder,
                 llvm::ArrayRef<mlir::Value> symbols)
      : assign(assign), builder(builder), location(assign.getLoc()),
        space(assign.getIterationSpace()), symbols(symbols) {}

  /// An operand: the tensor, its cells' precision, its map and whether that may
  /// leave the tensor.
  struct Operand {
    mlir::Value tensor;
    Precision precision;
    mlir::AffineMap map;
    bool guarded;
  };

  /// The destination after the statement. `replaces`: its cells before do not
  /// matter. `inPlace`: the result nevertheless depends on them, so that it is
  /// ordered after their reads.
  mlir::FailureOr<mlir::Value> run(llvm::ArrayRef<Operand> sources,
                                   Operand destination, bool replaces,
                                   bool inPlace);

private:
  /// What a map reads in one box: a slice of the tensor, and the map into it.
  struct View {
    mlir::Value tensor;
    mlir::AffineMap map;
    llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
    bool isWhole = true;
  };

  /// Whether the cells of an operand are found point by point: an index has a
  /// division or a remainder, or whether it is inside depends on a symbol.
  bool isGathered(const Operand &operand);
  void restrict(llvm::SmallVectorImpl<DomainBox> &boxes,
                const Operand &operand);
  View createView(const Operand &operand, const DomainBox &box);
  /// The cell at the current point of the loops. A guarded index is clamped,
  /// and whether it was in range joins `inside`.
  mlir::Value emitGather(const Operand &operand, const DomainBox &box,
                         mlir::Value &inside);
  /// One loop nest over a box; without sources, the contribution is neutral.
  mlir::FailureOr<mlir::Value> emitBox(const DomainBox &box,
                                       llvm::ArrayRef<Operand> sources,
                                       const Operand &destination,
                                       bool replaces);
  /// `keepsOthers`: the loops may leave out cells of the result.
  mlir::LogicalResult emitBody(mlir::Block *body,
                               llvm::ArrayRef<Operand> sources,
                               const DomainBox &box, Precision precision,
                               bool keepsOthers);
  mlir::OpFoldResult getOffset(const LinearIndex &index, int64_t smallest);

  AssignOp assign;
  mlir::OpBuilder &builder;
  mlir::Location location;
  SpaceAttr space;
  llvm::ArrayRef<mlir::Value> symbols;
  bool inPlace = false;
};

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_ROUTINELOWERING_H
