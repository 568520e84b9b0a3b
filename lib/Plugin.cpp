//===- Plugin.cpp - Entry points for MLIR's plugin loaders ----------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// mlir-opt --load-dialect-plugin=libTdsl.so --load-pass-plugin=libTdsl.so
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "tdsl-c/Export.h"
#include "tdsl-c/Passes.h"
#include "tdsl/IR/TdslDialect.h"
#include "llvm/Config/llvm-config.h"

extern "C" TDSL_CAPI_EXPORTED mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tdsl", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registry->insert<tdsl::TdslDialect>();
          }};
}

extern "C" TDSL_CAPI_EXPORTED mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "tdsl", LLVM_VERSION_STRING,
          tdslRegisterAllPasses};
}
