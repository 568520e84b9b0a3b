//===- Optimizer.cpp - LLVM's optimizer -----------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Optimizer.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace llvm;

/// Windows of convolutions are about this long; once such a loop is gone, the
/// one around it can be vectorized.
static constexpr unsigned maxUnrolledCount = 8;

namespace {

/// Unrolls short innermost loops with a known number of iterations completely.
/// LLVM's own unrolling copies the bodies of long loops, too, and vectorizes
/// each copy: compiling a block of attention then takes five times as long, and
/// the code is no faster. Schedules unroll what gains from it.
class UnrollShortLoops : public PassInfoMixin<UnrollShortLoops> {
public:
  explicit UnrollShortLoops(OptimizationLevel level)
      : unroll(level.getSpeedupLevel()) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &manager,
                        LoopStandardAnalysisResults &results,
                        LPMUpdater &updater) {
    unsigned count = results.SE.getSmallConstantTripCount(&loop);
    if (!loop.isInnermost() || count == 0 || count > maxUnrolledCount)
      return PreservedAnalyses::all();
    return unroll.run(loop, manager, results, updater);
  }

private:
  LoopFullUnrollPass unroll;
};

} // namespace

/// Whether code can be generated without any pass. Level 0 runs what must run:
/// coroutines, inlining of what is always inlined, and what a target asks for.
static bool isReady(const Module &module, const TargetMachine &machine) {
  const Triple &triple = machine.getTargetTriple();
  return (triple.isX86() || triple.isAArch64()) &&
         none_of(module, [](const Function &function) {
           return function.isPresplitCoroutine() ||
                  function.hasFnAttribute(Attribute::AlwaysInline);
         });
}

void tdsl::optimize(Module &module, TargetMachine &machine, int level) {
  // Only to know all passes takes a millisecond.
  if (level == 0 && isReady(module, machine))
    return;
  static const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  PipelineTuningOptions options;
  options.LoopVectorization = level > 1;
  options.SLPVectorization = level > 1;
  options.LoopUnrolling = false;

  // Each manager refers to those before it, and must end first.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, options);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerLoopOptimizerEndEPCallback(
      [](LoopPassManager &passes, OptimizationLevel speed) {
        passes.addPass(UnrollShortLoops(speed));
      });
  builder.buildPerModuleDefaultPipeline(levels[level]).run(module, modules);
}
