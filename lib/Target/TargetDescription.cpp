//===- TargetDescription.cpp - What code is generated for -----------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/Target/TargetDescription.h"

#include "NearestName.h"
#include "TargetInitialization.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <map>

using namespace llvm;
using namespace tdsl;

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The architectures that this LLVM generates code for, by name.
static std::vector<StringRef> listArchitectures() {
  std::vector<StringRef> names;
  for (unsigned i = Triple::UnknownArch + 1; i <= Triple::LastArchType; ++i) {
    auto architecture = static_cast<Triple::ArchType>(i);
    Triple triple;
    triple.setArch(architecture);
    std::string ignored;
    if (TargetRegistry::lookupTarget(triple, ignored))
      names.push_back(Triple::getArchTypeName(architecture));
  }
  return names;
}

static Expected<const Target *> findTarget(const Triple &triple) {
  std::string ignored;
  if (const Target *target = TargetRegistry::lookupTarget(triple, ignored))
    return target;
  std::vector<StringRef> known = listArchitectures();
  StringRef text = triple.str(), name = triple.getArchName();
  std::string message = ("unknown target '" + text + "'").str();
  if (StringRef nearest = findNearestName(name, known); !nearest.empty())
    message += proposeName((nearest + text.drop_front(name.size())).str());
  else
    message += "\na target starts with one of " + join(known, ", ");
  return makeError(message);
}

template <typename Entry>
static std::vector<StringRef> listKeys(ArrayRef<Entry> entries) {
  std::vector<StringRef> keys;
  for (const Entry &entry : entries)
    keys.push_back(entry.Key);
  return keys;
}

static Error checkCpu(const MCSubtargetInfo &subtarget, StringRef cpu,
                      StringRef triple) {
  if (cpu.empty() || subtarget.isCPUStringValid(cpu))
    return Error::success();
  return makeError(
      "unknown CPU '" + cpu + "' for target '" + triple + "'" +
      proposeName(findNearestName(
          cpu, listKeys(subtarget.getAllProcessorDescriptions()))));
}

static Error checkFeatures(const MCSubtargetInfo &subtarget, StringRef features,
                           StringRef triple) {
  std::vector<StringRef> known = listKeys(subtarget.getAllProcessorFeatures());
  SmallVector<StringRef> parts;
  features.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef feature : parts) {
    bool hasSign = feature.starts_with("+") || feature.starts_with("-");
    StringRef sign = hasSign ? feature.take_front() : "+";
    StringRef name = hasSign ? feature.drop_front() : feature;
    if (!is_contained(known, name)) {
      StringRef nearest = findNearestName(name, known);
      return makeError(
          "unknown feature '" + feature + "' for target '" + triple + "'" +
          proposeName(nearest.empty() ? "" : (sign + nearest).str()));
    }
    if (!hasSign)
      return makeError("feature '" + feature +
                       "' has no sign: '+' adds it, '-' removes it" +
                       proposeName(("+" + feature).str()));
  }
  return Error::success();
}

static Error checkSubtarget(const Target &target, const Triple &triple,
                            StringRef cpu, StringRef features) {
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!subtarget)
    return makeError("LLVM describes no CPUs for target '" + triple.str() +
                     "'");
  if (Error error = checkCpu(*subtarget, cpu, triple.str()))
    return error;
  return checkFeatures(*subtarget, features, triple.str());
}

Error tdsl::checkCpuAndFeatures(const TargetMachine &machine, StringRef cpu,
                                StringRef features) {
  return checkSubtarget(machine.getTarget(), machine.getTargetTriple(), cpu,
                        features);
}

Expected<std::unique_ptr<TargetMachine>>
tdsl::createTargetMachine(const TargetDescription &description,
                          int optimizationLevel) {
  initializeTargets();
  Triple triple(description.triple);
  Expected<const Target *> target = findTarget(triple);
  if (!target)
    return target.takeError();
  if (Error error = checkSubtarget(**target, triple, description.cpu,
                                   description.features))
    return error;
  std::unique_ptr<TargetMachine> machine((*target)->createTargetMachine(
      triple, description.cpu, description.features, TargetOptions(),
      Reloc::PIC_, /*CM=*/std::nullopt,
      optimizationLevel == 0  ? CodeGenOptLevel::Less
      : optimizationLevel < 3 ? CodeGenOptLevel::Default
                              : CodeGenOptLevel::Aggressive));
  if (!machine)
    return makeError("LLVM generates no code for target '" + triple.str() +
                     "'");
  return machine;
}

bool TargetDescription::hasFeature(StringRef name) const {
  initializeTargets();
  Triple parsed(triple);
  Expected<const Target *> target = findTarget(parsed);
  if (!target) {
    consumeError(target.takeError());
    return false;
  }
  // LLVM warns of unknown CPUs on the standard error, each time.
  if (Error error = checkSubtarget(**target, parsed, cpu, features)) {
    consumeError(std::move(error));
    return false;
  }
  std::unique_ptr<MCSubtargetInfo> subtarget(
      (*target)->createMCSubtargetInfo(parsed, cpu, features));
  return subtarget &&
         is_contained(listKeys(subtarget->getAllProcessorFeatures()), name) &&
         subtarget->checkFeatures(("+" + name).str());
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

TargetDescription TargetDescription::host() {
  initializeTargets();
  TargetDescription host;
  host.triple = sys::getProcessTriple();
  host.cpu = sys::getHostCPUName().str();

  Triple triple(host.triple);
  std::string ignored;
  const Target *target = TargetRegistry::lookupTarget(triple, ignored);
  if (!target)
    return host;
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, host.cpu, /*Features=*/""));
  std::vector<StringRef> known = listKeys(subtarget->getAllProcessorFeatures());
  // A virtual machine may hide features of its CPU. Sorted, since the order in
  // a StringMap means nothing; named only where the CPU differs, so that the
  // description stays readable.
  std::map<StringRef, bool> present;
  StringMap<bool> hostFeatures = sys::getHostCPUFeatures();
  for (const auto &feature : hostFeatures)
    if (is_contained(known, feature.first()))
      present.emplace(feature.first(), feature.second);
  std::vector<std::string> differences;
  for (const auto &[name, isPresent] : present)
    if (subtarget->checkFeatures(("+" + name).str()) != isPresent)
      differences.push_back(((isPresent ? "+" : "-") + name).str());
  host.features = join(differences, ",");
  return host;
}
