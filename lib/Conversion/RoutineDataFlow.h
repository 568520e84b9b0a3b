//===- RoutineDataFlow.h - What a routine reads and writes ------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CONVERSION_ROUTINEDATAFLOW_H
#define TDSL_LIB_CONVERSION_ROUTINEDATAFLOW_H

#include "DomainBoxes.h"
#include "tdsl/IR/TdslOps.h"
#include "llvm/ADT/MapVector.h"

namespace tdsl {

/// What a routine does with one node.
struct NodeUse {
  /// The cells are read before the routine has written all of them.
  bool isLiveIn = false;
  bool isWritten = false;
  /// No other routine and no host sees the cells: they need no memory outside.
  bool isTemporary = false;
  /// No routine writes the cells that the node is declared with.
  bool isConstant = false;

  bool isArgument() const { return !isTemporary && !isConstant; }
};

/// The nodes of a routine, in the order in which the program declares them.
class RoutineDataFlow {
public:
  RoutineDataFlow(RoutineOp routine, mlir::SymbolTable &symbols);

  const llvm::MapVector<mlir::StringAttr, NodeUse> &getUses() const {
    return uses;
  }

private:
  void read(mlir::FlatSymbolRefAttr node);
  /// `complete`: every cell is written, whatever it was before.
  void write(mlir::FlatSymbolRefAttr node, bool complete);

  /// Some of the cells are written, whatever they were before: the segments of
  /// a concatenation together write all.
  void overwrite(NodeOp node, const DomainBox &box);

  llvm::MapVector<mlir::StringAttr, NodeUse> uses;
  /// Disjoint boxes of cells that were overwritten, of nodes not yet complete.
  llvm::MapVector<mlir::StringAttr, llvm::SmallVector<DomainBox>> pieces;
  llvm::DenseSet<mlir::StringAttr> complete;
};

/// The cells that an assignment overwrites for certain, if they form a box.
std::optional<DomainBox> getOverwrittenBox(AssignOp assign,
                                           mlir::SymbolTable &symbols);

/// Whether an assignment overwrites every cell of its only destination, so that
/// the cells before it do not matter.
bool overwritesCompletely(AssignOp assign, mlir::SymbolTable &symbols);

} // namespace tdsl

#endif // TDSL_LIB_CONVERSION_ROUTINEDATAFLOW_H
