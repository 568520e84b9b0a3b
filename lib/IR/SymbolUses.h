//===- SymbolUses.h - looking up what a symbol names ------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_IR_SYMBOLUSES_H
#define TDSL_LIB_IR_SYMBOLUSES_H

#include "tdsl/IR/TdslOps.h"

namespace tdsl {

/// The declaration that `symbol` names, found through the cached tables. `role`
/// says in diagnostics what the user is to `op`, `kind` what it has to be.
/// Null, with a diagnostic at `op`, when there is no such symbol or it is
/// something else.
template <typename DeclarationOp>
DeclarationOp lookupDeclaration(mlir::SymbolTableCollection &tables,
                                mlir::Operation *op,
                                mlir::FlatSymbolRefAttr symbol,
                                llvm::StringRef role, llvm::StringRef kind) {
  mlir::Operation *found = tables.lookupNearestSymbolFrom(op, symbol);
  if (!found) {
    op->emitOpError() << role << " " << symbol
                      << " is not declared in this program";
    return {};
  }
  if (auto declaration = llvm::dyn_cast<DeclarationOp>(found))
    return declaration;
  mlir::InFlightDiagnostic diagnostic =
      op->emitOpError() << role << " " << symbol << " is not " << kind;
  diagnostic.attachNote(found->getLoc()) << "it is declared here";
  return {};
}

inline NodeOp lookupNode(mlir::SymbolTableCollection &tables,
                         mlir::Operation *op, mlir::FlatSymbolRefAttr symbol,
                         llvm::StringRef role) {
  return lookupDeclaration<NodeOp>(tables, op, symbol, role, "a node");
}

} // namespace tdsl

#endif // TDSL_LIB_IR_SYMBOLUSES_H
