//===- OptMain.cpp - The driver behind tdsl-opt ---------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A file of its own: it uses MLIR's C++ classes and is therefore compiled
// without RTTI, unlike the pybind11 files.
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tdsl-c/Dialect.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<bool> validateEach(
    "tdsl-validate-each",
    llvm::cl::desc("Run every routine before and after each pass, and report a "
                   "pass that changes what it computes"));

int tdslOptMain(int argc, char **argv, const TdslPassObserver *observer) {
  DialectRegistry registry;
  // Through the C API: the C++ headers of all dialects dominate the build.
  MlirDialectRegistry handle = wrap(&registry);
  mlirRegisterAllDialects(handle);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tdsl__(), handle);

  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "TDSL optimizer driver\n", registry);
  if (!validateEach)
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputName, outputName, registry));

  // As MlirOptMain does it, with the observer added to the pipeline.
  std::string error;
  auto input = openInputFile(inputName, &error);
  auto output = input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return 1;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig fromFlags = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    tdslPassManagerAddObserver(wrap(&manager), observer);
    return fromFlags.setupPassPipeline(manager);
  });
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
