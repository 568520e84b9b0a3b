//===- LoadedObject.cpp - An object file in this process ------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/Target/LoadedObject.h"

#include "CrashGuard.h"
#include "NearestName.h"
#include "ObjectFileChecks.h"
#include "TargetInitialization.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace tdsl;

#ifdef __APPLE__
static const char *const systemLibraries[] = {"/usr/lib/libSystem.B.dylib"};
#else
// libm brings the C library, which it is linked with. libgcc has what a CPU
// lacks, such as conversions of f16 and division of i128.
static const char *const systemLibraries[] = {"libm.so.6", "libgcc_s.so.1"};
#endif

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error addLibrary(orc::JITDylib &dylib, const std::string &path,
                        char globalPrefix) {
  auto generator =
      orc::DynamicLibrarySearchGenerator::Load(path.c_str(), globalPrefix);
  if (!generator)
    return makeError("cannot load the library '" + path +
                     "': " + toString(generator.takeError()));
  dylib.addGenerator(std::move(*generator));
  return Error::success();
}

static Error describeMissing(ArrayRef<std::string> names,
                             ArrayRef<std::string> libraries) {
  std::string message = "the object uses ";
  interleave(
      names, [&](StringRef name) { message += ("'" + name + "'").str(); },
      [&] { message += ", "; });
  message += ", which no library defines\nsearched: ";
  for (const std::string &library : libraries)
    message += library + ", ";
  message += "the C library, libm, libgcc";
  return makeError(message);
}

/// Finds each name on its own, so that the error names all that are missing.
static Error resolve(orc::LLJIT &jit, orc::JITDylib &dylib,
                     ArrayRef<std::string> names,
                     ArrayRef<std::string> libraries) {
  std::vector<std::string> missing;
  for (const std::string &name : names)
    if (auto address = jit.lookup(dylib, name); !address) {
      consumeError(address.takeError());
      missing.push_back(name);
    }
  return missing.empty() ? Error::success()
                         : describeMissing(missing, libraries);
}

LoadedObject::LoadedObject(ObjectSymbols symbols)
    : symbols(std::move(symbols)) {}

LoadedObject::~LoadedObject() = default;

Error LoadedObject::link(StringRef object, ArrayRef<std::string> libraries) {
  // Only the named libraries, not whatever happens to be in the process; and
  // no constructors, which emission refuses.
  auto created = orc::LLJITBuilder()
                     .setLinkProcessSymbolsByDefault(false)
                     .setPlatformSetUp(orc::setUpInactivePlatform)
                     .create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  // What goes wrong while linking is told to the session alone; the error of a
  // lookup only says that it failed. By default, the session prints it.
  orc::ExecutionSession &session = jit->getExecutionSession();
  session.setErrorReporter([this](Error error) {
    sessionErrors += toString(std::move(error)) + "\n";
  });

  orc::JITDylib &external = session.createBareJITDylib("libraries");
  char prefix = jit->getDataLayout().getGlobalPrefix();
  for (const std::string &library : libraries)
    if (Error error = addLibrary(external, library, prefix))
      return error;
  for (const char *library : systemLibraries)
    if (Error error = addLibrary(external, library, prefix))
      return error;
  if (Error error = resolve(*jit, external, symbols.required, libraries))
    return error;

  orc::JITDylib &main = jit->getMainJITDylib();
  main.addToLinkOrder(external);
  if (Error error =
          jit->addObjectFile(MemoryBuffer::getMemBufferCopy(object, "object")))
    return error;
  // The first lookup links the object, as a whole.
  for (const std::string &name : symbols.defined) {
    auto address = jit->lookup(name);
    if (!address) {
      std::string text = toString(address.takeError());
      return makeError("the object cannot be linked: " +
                       StringRef(sessionErrors + text).trim());
    }
    addresses[name] = address->toPtr<void *>();
  }
  return Error::success();
}

Expected<std::unique_ptr<LoadedObject>>
LoadedObject::load(StringRef object, ArrayRef<std::string> libraries) {
  initializeTargets();
  std::unique_ptr<LoadedObject> loaded;
  Error error = Error::success();
  // A damaged file can trip an assertion of the linker. What was loaded until
  // then is abandoned: ending a session in the middle of a link is not safe.
  auto *attempt = new std::unique_ptr<LoadedObject>;
  Error crash = runGuarded([&] {
    ErrorAsOutParameter checked(error);
    Expected<ObjectSymbols> symbols = readObjectSymbols(object);
    if (!symbols) {
      error = symbols.takeError();
      return;
    }
    attempt->reset(new LoadedObject(std::move(*symbols)));
    error = (*attempt)->link(object, libraries);
  });
  if (crash) {
    consumeError(std::move(error));
    return makeError("the object file cannot be loaded: " +
                     toString(std::move(crash)));
  }
  loaded = std::move(*attempt);
  delete attempt;
  if (error)
    return error;
  return loaded;
}

Expected<void *> LoadedObject::lookup(StringRef name) const {
  auto found = addresses.find(name);
  if (found != addresses.end())
    return found->second;
  return makeError("the object defines no symbol '" + name + "'" +
                   proposeName(findNearestName(name, symbols.defined)));
}
