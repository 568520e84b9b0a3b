//===- Internalize.cpp - Results become private unless kept ---------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tdsl;

namespace tdsl {
#define GEN_PASS_DEF_TDSLINTERNALIZE
#include "tdsl/Transforms/Passes.h.inc"
} // namespace tdsl

namespace {

class Internalize : public tdsl::impl::TdslInternalizeBase<Internalize> {
public:
  using TdslInternalizeBase::TdslInternalizeBase;

  void runOnOperation() override;

private:
  /// Whether the host provides the node or reads it as part of training.
  bool belongsToHost(NodeOp node, SymbolTable &symbols);
};

} // namespace

bool Internalize::belongsToHost(NodeOp node, SymbolTable &symbols) {
  if (node.getRole() == NodeRole::Input || node.getRole() == NodeRole::Param)
    return true;
  if (std::optional<StringRef> name = node.getGradOf())
    if (auto differentiated = symbols.lookup<NodeOp>(*name))
      return differentiated.getRole() == NodeRole::Param;
  return false;
}

void Internalize::runOnOperation() {
  SymbolTable symbols(getOperation());
  llvm::StringSet<> kept;
  for (const std::string &name : keep) {
    if (!symbols.lookup<NodeOp>(name)) {
      getOperation().emitError()
          << "'tdsl-internalize' is asked to keep @" << name
          << ", which is not a node of @" << getOperation().getSymName();
      return signalPassFailure();
    }
    kept.insert(name);
  }
  for (auto node : getOperation().getBody().getOps<NodeOp>())
    if (!kept.contains(node.getSymName()) && !belongsToHost(node, symbols))
      node.setPrivate();
}
