//===- ObjectCode.cpp - From the LLVM dialect to machine code -------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/Target/ObjectCode.h"

#include "BackendDiagnostics.h"
#include "CrashGuard.h"
#include "ModuleChecks.h"
#include "Optimizer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <chrono>
#include <mutex>

using namespace mlir;
using namespace tdsl;

/// Adds the time that a stage takes to `seconds`.
template <typename Stage> static auto measure(double &seconds, Stage stage) {
  auto start = std::chrono::steady_clock::now();
  auto result = stage();
  seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

static void registerTranslations(MLIRContext *context) {
  // Contexts of mlir.ir have all translations; those of other hosts may not.
  // The context's registry has no lock.
  static std::mutex lock;
  std::lock_guard<std::mutex> guard(lock);
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  context->appendDialectRegistry(registry);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::Module>
translate(Operation *module, const llvm::TargetMachine &machine,
          llvm::LLVMContext &context) {
  if (failed(verify(module)) || failed(checkTranslates(module)))
    return nullptr;
  // Named like this whatever the module is called, so that the bytes depend on
  // the code alone. LLVM's verifier runs below, once the target is known.
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(
      module, context, /*name=*/"tdsl", /*disableVerification=*/true);
  if (!translated)
    return nullptr;
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*translated, &stream)) {
    emitError(module->getLoc())
        << "the module is translated to invalid LLVM IR: "
        << Twine(StringRef(problem).trim());
    return nullptr;
  }
  if (failed(checkNoConstructors(module, *translated)) ||
      failed(checkFunctionTargets(module, *translated, machine)))
    return nullptr;
  return translated;
}

static LogicalResult generate(Operation *module, llvm::Module &translated,
                              llvm::TargetMachine &machine, CodeKind kind,
                              SmallVectorImpl<char> &code) {
  llvm::raw_svector_ostream stream(code);
  if (kind == CodeKind::LlvmIr) {
    translated.print(stream, nullptr);
    return success();
  }
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                  kind == CodeKind::Object
                                      ? llvm::CodeGenFileType::ObjectFile
                                      : llvm::CodeGenFileType::AssemblyFile,
                                  // It was, when it was translated.
                                  /*DisableVerify=*/true))
    return emitError(module->getLoc())
           << "LLVM generates no "
           << (kind == CodeKind::Object ? "object files" : "assembly")
           << " for target '" << machine.getTargetTriple().str() << "'";
  passes.run(translated);
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static LogicalResult emitUnguarded(Operation *module,
                                   const TargetDescription &target,
                                   CodeKind kind, int optimizationLevel,
                                   SmallVectorImpl<char> &code,
                                   EmitTimes &times) {
  // Not the module's fault, and so not at its location.
  Location nowhere = UnknownLoc::get(module->getContext());
  if (optimizationLevel < 0 || optimizationLevel > 3)
    return emitError(nowhere) << "the optimization level is 0, 1, 2 or 3, not "
                              << optimizationLevel;
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(target, optimizationLevel);
  if (!machine)
    return emitError(nowhere) << llvm::toString(machine.takeError());
  if (kind == CodeKind::Object && (*machine)->getTargetTriple().isNVPTX())
    return emitError(nowhere) << "there are no object files for target '"
                              << (*machine)->getTargetTriple().str()
                              << "'\nask for assembly, which is PTX";

  llvm::LLVMContext context;
  auto handler = std::make_unique<BackendDiagnostics>(module);
  const BackendDiagnostics &diagnostics = *handler;
  context.setDiagnosticHandler(std::move(handler));

  std::unique_ptr<llvm::Module> translated = measure(
      times.translate, [&] { return translate(module, **machine, context); });
  if (!translated)
    return failure();
  measure(times.optimize, [&] {
    optimize(*translated, **machine, optimizationLevel);
    return success();
  });
  LogicalResult result = measure(times.emit, [&] {
    return generate(module, *translated, **machine, kind, code);
  });
  return failure(failed(result) || diagnostics.hasErrors());
}

LogicalResult
tdsl::emitCode(Operation *module, const TargetDescription &target,
               CodeKind kind, int optimizationLevel,
               llvm::function_ref<LogicalResult(Diagnostic &)> handleDiagnostic,
               SmallVectorImpl<char> &code, EmitTimes &times) {
  // Before the guard, which must hold no lock.
  registerTranslations(module->getContext());
  // In this frame, too: a crash abandons those of the guard. A handler gets the
  // diagnostics of its context, including those of emissions on other threads.
  uint64_t caller = llvm::get_threadid();
  std::atomic<uint64_t> worker(caller);
  bool explained = false;
  ScopedDiagnosticHandler handler(
      module->getContext(), [&](Diagnostic &diagnostic) {
        uint64_t current = llvm::get_threadid();
        if (current != caller && current != worker)
          return failure();
        explained |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return handleDiagnostic ? handleDiagnostic(diagnostic) : failure();
      });
  LogicalResult result = failure();
  if (llvm::Error crash = runGuarded([&] {
        worker = llvm::get_threadid();
        result =
            emitUnguarded(module, target, kind, optimizationLevel, code, times);
      }))
    return emitError(module->getLoc())
           << "LLVM cannot generate code for target '" << target.triple
           << "': " << llvm::toString(std::move(crash));
  if (failed(result) && !explained)
    return emitError(module->getLoc(),
                     "the module cannot be translated to LLVM IR");
  return result;
}
