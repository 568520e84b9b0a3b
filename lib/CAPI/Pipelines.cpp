//===- Pipelines.cpp - C API: running pipelines ---------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../Target/CrashGuard.h"
#include "PassRegistryLock.h"

#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/Timing.h"
#include "tdsl-c/Passes.h"

using namespace mlir;
using namespace tdsl;

/// Parses `text`; on failure, `error` holds what MLIR's parser wrote.
static FailureOr<OpPassManager> parsePipeline(StringRef text,
                                              std::string &error) {
  std::lock_guard<std::mutex> guard(getPassRegistryLock());
  llvm::raw_string_ostream stream(error);
  FailureOr<OpPassManager> pipeline = parsePassPipeline(text, stream);
  if (failed(pipeline))
    error = StringRef(error).trim().str();
  return pipeline;
}

MlirLogicalResult tdslNormalizePipeline(MlirStringRef pipeline,
                                        MlirStringCallback print,
                                        MlirStringCallback reportError,
                                        void *userData) {
  std::string error;
  FailureOr<OpPassManager> parsed = parsePipeline(unwrap(pipeline), error);
  if (failed(parsed)) {
    reportError(mlirStringRefCreate(error.data(), error.size()), userData);
    return mlirLogicalResultFailure();
  }
  mlir::detail::CallbackOstream stream(print, userData);
  parsed->printAsTextualPipeline(stream);
  return mlirLogicalResultSuccess();
}

namespace {
/// Knows which pass runs.
struct CurrentPass : PassInstrumentation {
  explicit CurrentPass(std::string &name) : name(name) {}
  void runBeforePass(Pass *pass, Operation *) override {
    StringRef argument = pass->getArgument();
    name = (argument.empty() ? pass->getName() : argument).str();
  }
  std::string &name;
};
} // namespace

/// Runs the passes on a thread that may crash. What it was using then is in an
/// unknown state: the manager is leaked, and the caller leaks `op`.
///
/// No diagnostic says so: passes install handlers, which then are on a stack
/// that is gone.
static LogicalResult runGuardedPasses(std::unique_ptr<PassManager> manager,
                                      Operation *op,
                                      const TdslPipelineOptions &options) {
  // Leaked with the manager, which refers to it.
  auto name = std::make_unique<std::string>();
  manager->addInstrumentation(std::make_unique<CurrentPass>(*name));
  LogicalResult result = failure();
  llvm::Error crash = runGuarded([&] { result = manager->run(op); });
  if (!crash)
    return result;
  (void)manager.release();
  std::string message = "pass '" + *name.release() +
                        "' crashed: " + llvm::toString(std::move(crash));
  options.reportCrash(mlirStringRefCreate(message.data(), message.size()),
                      options.crashUserData);
  return failure();
}

static MlirLogicalResult runPipeline(Operation *op, StringRef text,
                                     const TdslPipelineOptions &options) {
  std::string error;
  FailureOr<OpPassManager> parsed = parsePipeline(text, error);
  if (failed(parsed)) {
    emitError(UnknownLoc::get(op->getContext()))
        << "invalid pipeline: " << error;
    return mlirLogicalResultFailure();
  }
  // Declared first: the manager and the timing manager keep references to it.
  std::unique_ptr<raw_ostream> output =
      std::make_unique<llvm::raw_null_ostream>();
  if (options.output)
    output = std::make_unique<mlir::detail::CallbackOstream>(
        options.output, options.outputUserData);

  auto owned = std::make_unique<PassManager>(op->getContext(),
                                             op->getName().getStringRef());
  PassManager &manager = *owned;
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  manager.enableVerifier(options.verifyEach);
  if (options.printAfterAll)
    manager.enableIRPrinting(
        /*shouldPrintBeforePass=*/[](Pass *, Operation *) { return false; },
        /*shouldPrintAfterPass=*/[](Pass *, Operation *) { return true; },
        /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, *output);
  if (StringRef path = unwrap(options.crashReproducerPath); !path.empty())
    manager.enableCrashReproducerGeneration(path);

  if (options.reportCrash)
    return wrap(runGuardedPasses(std::move(owned), op, options));

  DefaultTimingManager timing;
  timing.setEnabled(options.timing);
  timing.setDisplayMode(DefaultTimingManager::DisplayMode::Tree);
  timing.setOutput(
      createOutputStrategy(DefaultTimingManager::OutputFormat::Text, *output));
  // The scope ends, and with it the measurement, before the manager prints.
  TimingScope scope = timing.getRootScope();
  manager.enableTiming(scope);
  return wrap(manager.run(op));
}

MlirLogicalResult tdslRunPipeline(MlirOperation op, MlirStringRef pipeline,
                                  const TdslPipelineOptions *options) {
  Operation *operation = unwrap(op);
  std::optional<ScopedDiagnosticHandler> handler;
  if (options->diagnosticHandler)
    handler.emplace(operation->getContext(), [=](Diagnostic &diagnostic) {
      return unwrap(options->diagnosticHandler(wrap(diagnostic),
                                               options->diagnosticUserData));
    });
  return runPipeline(operation, unwrap(pipeline), *options);
}

MlirLogicalResult tdslRegisterPipeline(MlirStringRef name,
                                       MlirStringRef description,
                                       MlirStringRef pipeline,
                                       MlirStringCallback reportError,
                                       void *userData) {
  std::lock_guard<std::mutex> guard(getPassRegistryLock());
  StringRef argument = unwrap(name);
  if (PassInfo::lookup(argument) || PassPipelineInfo::lookup(argument)) {
    std::string error =
        ("a pass or pipeline named '" + argument + "' is already registered")
            .str();
    reportError(mlirStringRefCreate(error.data(), error.size()), userData);
    return mlirLogicalResultFailure();
  }
  std::string text = unwrap(pipeline).str(), pipelineName = argument.str();
  registerPassPipeline(
      argument, unwrap(description),
      [text,
       pipelineName](OpPassManager &manager, StringRef options,
                     function_ref<LogicalResult(const Twine &)> reportError) {
        if (!options.empty())
          return reportError("'" + pipelineName + "' takes no options");
        std::string error;
        llvm::raw_string_ostream stream(error);
        if (succeeded(parsePassPipeline(text, manager, stream)))
          return success();
        return reportError("'" + pipelineName + "' cannot be built: " + error);
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
  return mlirLogicalResultSuccess();
}
