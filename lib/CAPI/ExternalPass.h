//===- ExternalPass.h - A pass behind callbacks -----------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_CAPI_EXTERNALPASS_H
#define TDSL_LIB_CAPI_EXTERNALPASS_H

#include "mlir/Pass/Pass.h"
#include "tdsl-c/Passes.h"

#include <memory>
#include <string>
#include <vector>

namespace tdsl {

struct ExternalPassOption {
  std::string name;
  std::string description;
  TdslPassOptionKind kind;
  std::string defaultText;
};

/// What the registration of an external pass said; owned by the registry and
/// shared with every instance of the pass.
struct ExternalPassSpec {
  explicit ExternalPassSpec(const TdslExternalPass &pass);
  ~ExternalPassSpec();
  ExternalPassSpec(const ExternalPassSpec &) = delete;
  ExternalPassSpec &operator=(const ExternalPassSpec &) = delete;

  std::string name;
  std::string description;
  std::string anchor;
  std::vector<std::string> dependentDialects;
  std::vector<ExternalPassOption> options;
  void *userData;
  decltype(TdslExternalPass::run) run;
  decltype(TdslExternalPass::callerHoldsLock) callerHoldsLock;
  decltype(TdslExternalPass::destroy) destroy;
};

std::unique_ptr<mlir::Pass>
createExternalPass(std::shared_ptr<const ExternalPassSpec> spec);

} // namespace tdsl

#endif // TDSL_LIB_CAPI_EXTERNALPASS_H
