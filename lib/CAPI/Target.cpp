//===- Target.cpp - C API: machine code -----------------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Target.h"

#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/IR/Diagnostics.h"
#include "tdsl/Target/LoadedObject.h"
#include "tdsl/Target/ObjectCode.h"

using namespace mlir;
using namespace tdsl;

DEFINE_C_API_PTR_METHODS(TdslLoadedObject, tdsl::LoadedObject)

static MlirStringRef wrapText(StringRef text) {
  return mlirStringRefCreate(text.data(), text.size());
}

static void report(llvm::Error error, MlirStringCallback reportError,
                   void *userData) {
  reportError(wrapText(llvm::toString(std::move(error))), userData);
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

void tdslGetHostTarget(void (*receive)(const TdslTargetDescription *host,
                                       void *userData),
                       void *userData) {
  TargetDescription host = TargetDescription::host();
  TdslTargetDescription converted = {wrapText(host.triple), wrapText(host.cpu),
                                     wrapText(host.features)};
  receive(&converted, userData);
}

bool tdslTargetHasFeature(const TdslTargetDescription *target,
                          MlirStringRef name) {
  TargetDescription description{unwrap(target->triple).str(),
                                unwrap(target->cpu).str(),
                                unwrap(target->features).str()};
  return description.hasFeature(unwrap(name));
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

static std::optional<CodeKind> convertKind(TdslCodeKind kind) {
  switch (kind) {
  case TdslCodeKindObject:
    return CodeKind::Object;
  case TdslCodeKindAssembly:
    return CodeKind::Assembly;
  case TdslCodeKindLlvmIr:
    return CodeKind::LlvmIr;
  }
  return std::nullopt;
}

MlirLogicalResult tdslEmitCode(MlirOperation module,
                               const TdslEmitOptions *options,
                               MlirStringCallback output, void *outputUserData,
                               TdslEmitTimes *times) {
  std::optional<CodeKind> kind = convertKind(options->kind);
  if (!kind) {
    emitError(UnknownLoc::get(unwrap(module)->getContext()))
        << "unknown kind of code: " << int(options->kind);
    return mlirLogicalResultFailure();
  }
  auto handleDiagnostic = [&](Diagnostic &diagnostic) {
    if (!options->diagnosticHandler)
      return failure();
    return unwrap(options->diagnosticHandler(wrap(diagnostic),
                                             options->diagnosticUserData));
  };
  TargetDescription target = {unwrap(options->target.triple).str(),
                              unwrap(options->target.cpu).str(),
                              unwrap(options->target.features).str()};
  SmallVector<char, 0> code;
  EmitTimes measured;
  LogicalResult result =
      emitCode(unwrap(module), target, *kind, options->optimizationLevel,
               handleDiagnostic, code, measured);
  if (times)
    *times = {measured.translate, measured.optimize, measured.emit};
  if (succeeded(result))
    output(mlirStringRefCreate(code.data(), code.size()), outputUserData);
  return wrap(result);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

TdslLoadedObject tdslLoadObject(MlirStringRef object, intptr_t libraryCount,
                                const MlirStringRef *libraries,
                                MlirStringCallback reportError,
                                void *userData) {
  std::vector<std::string> converted;
  for (intptr_t i = 0; i < libraryCount; ++i)
    converted.push_back(unwrap(libraries[i]).str());
  llvm::Expected<std::unique_ptr<LoadedObject>> loaded =
      LoadedObject::load(unwrap(object), converted);
  if (loaded)
    return wrap(loaded->release());
  report(loaded.takeError(), reportError, userData);
  return {nullptr};
}

void tdslLoadedObjectDestroy(TdslLoadedObject object) { delete unwrap(object); }

void *tdslLoadedObjectLookup(TdslLoadedObject object, MlirStringRef name,
                             MlirStringCallback reportError, void *userData) {
  llvm::Expected<void *> address = unwrap(object)->lookup(unwrap(name));
  if (address)
    return *address;
  report(address.takeError(), reportError, userData);
  return nullptr;
}

void tdslLoadedObjectForEachDefinedSymbol(TdslLoadedObject object,
                                          MlirStringCallback receive,
                                          void *userData) {
  for (const std::string &name : unwrap(object)->getSymbols().defined)
    receive(wrapText(name), userData);
}

void tdslLoadedObjectForEachRequiredSymbol(TdslLoadedObject object,
                                           MlirStringCallback receive,
                                           void *userData) {
  for (const std::string &name : unwrap(object)->getSymbols().required)
    receive(wrapText(name), userData);
}
