//===- Passes.cpp - C API: registration of passes -------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Passes.h"

#include "ExternalPass.h"
#include "PassRegistryLock.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassRegistry.h"
#include "tdsl/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <mutex>

using namespace mlir;
using namespace tdsl;

std::mutex &tdsl::getPassRegistryLock() {
  static std::mutex lock;
  return lock;
}

void tdslRegisterAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::lock_guard<std::mutex> guard(getPassRegistryLock());
    registerTdslPasses();
  });
}

//===----------------------------------------------------------------------===//
// External passes
//===----------------------------------------------------------------------===//

static bool isRegistered(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

bool tdslIsPassRegistered(MlirStringRef name) {
  std::lock_guard<std::mutex> guard(getPassRegistryLock());
  return isRegistered(unwrap(name));
}

/// The characters that the pipeline grammar leaves to names.
static bool isName(StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.';
  });
}

/// Returns what is wrong with the default of `option`, or the empty text.
static std::string checkDefault(const ExternalPassOption &option) {
  StringRef text = option.defaultText;
  auto expected = [&](StringRef what) {
    return ("the default of option '" + option.name + "' is '" + text +
            "', which is not " + what)
        .str();
  };
  int64_t integer;
  double number;
  switch (option.kind) {
  case TdslPassOptionKindInt:
    return text.getAsInteger(10, integer) ? expected("a 64-bit integer") : "";
  case TdslPassOptionKindDouble:
    return text.getAsDouble(number) ? expected("a number") : "";
  case TdslPassOptionKindBool:
    return text == "true" || text == "false" ? "" : expected("true or false");
  case TdslPassOptionKindString:
  case TdslPassOptionKindStringList:
    return "";
  }
  return "option '" + option.name + "' has an unknown kind";
}

/// Returns what is wrong with `spec`, or the empty text.
static std::string checkExternalPass(const ExternalPassSpec &spec) {
  if (!isName(spec.name))
    return "'" + spec.name +
           "' is not a pass name: use letters, digits, '-', '_' and '.'";
  // MLIR would keep the first of two passes and say nothing, or abort if their
  // C++ classes differ.
  if (isRegistered(spec.name))
    return "a pass or pipeline named '" + spec.name + "' is already registered";
  llvm::StringSet<> names;
  for (const ExternalPassOption &option : spec.options) {
    if (!isName(option.name))
      return "pass '" + spec.name + "': '" + option.name +
             "' is not an option name: use letters, digits, '-', '_' and '.'";
    if (!names.insert(option.name).second)
      return "pass '" + spec.name + "' has two options named '" + option.name +
             "'";
    if (std::string error = checkDefault(option); !error.empty())
      return "pass '" + spec.name + "': " + error;
  }
  return "";
}

MlirLogicalResult tdslRegisterExternalPass(const TdslExternalPass *pass,
                                           MlirStringCallback reportError,
                                           void *userData) {
  // Destroys the user data on every path, by the end of the process at latest.
  auto spec = std::make_shared<ExternalPassSpec>(*pass);
  std::string error;
  {
    std::lock_guard<std::mutex> guard(getPassRegistryLock());
    error = checkExternalPass(*spec);
    if (error.empty())
      registerPass([spec] { return createExternalPass(spec); });
  }
  if (error.empty())
    return mlirLogicalResultSuccess();
  reportError(mlirStringRefCreate(error.data(), error.size()), userData);
  return mlirLogicalResultFailure();
}
