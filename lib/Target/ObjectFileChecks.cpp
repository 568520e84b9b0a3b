//===- ObjectFileChecks.cpp - What can be loaded --------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ObjectFileChecks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace tdsl;

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error describeDamage(Error error) {
  return makeError("the object file is damaged: " + toString(std::move(error)));
}

static Error checkMachine(const object::ObjectFile &file) {
  Triple host(sys::getProcessTriple());
  if (file.getArch() != host.getArch())
    return makeError(
        "the object file is for " + Triple::getArchTypeName(file.getArch()) +
        ", and this machine is " + Triple::getArchTypeName(host.getArch()));
  Triple::ObjectFormatType format = file.getTripleObjectFormat();
  if (format != host.getObjectFormat())
    return makeError("the object file has the format " +
                     Triple::getObjectFormatTypeName(format) +
                     ", and this machine uses " +
                     Triple::getObjectFormatTypeName(host.getObjectFormat()));
  if (!file.isRelocatableObject())
    return makeError("the object file is linked already: this is a program or "
                     "a dynamic library");
  return Error::success();
}

/// Refuses what the loader would link without complaint and never set up.
static Error checkSections(const object::ObjectFile &file) {
  for (const object::SectionRef &section : file.sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return describeDamage(name.takeError());
    if (name->starts_with(".tdata") || name->starts_with(".tbss") ||
        name->starts_with("__thread"))
      return makeError("the object file has thread-local variables, which work "
                       "only in a program or a dynamic library");
    if (name->starts_with(".init_array") || name->starts_with(".ctors") ||
        *name == "__mod_init_func")
      return makeError("the object file has global constructors, which nobody "
                       "runs when it is loaded");
  }
  return Error::success();
}

/// Whether the linker makes this symbol.
static bool isMadeByLinker(StringRef name) {
  return name == "_GLOBAL_OFFSET_TABLE_";
}

static Error readSymbols(const object::ObjectFile &file,
                         ObjectSymbols &symbols) {
  bool isMachO = file.isMachO();
  for (object::SymbolRef symbol : file.symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return describeDamage(flags.takeError());
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return describeDamage(name.takeError());
    bool isGlobal = *flags & (object::SymbolRef::SF_Global |
                              object::SymbolRef::SF_Undefined);
    if (!isGlobal || (*flags & object::SymbolRef::SF_FormatSpecific) ||
        name->empty() || isMadeByLinker(*name))
      continue;
    // Symbols are called here as they are in the program.
    if (isMachO)
      name->consume_front("_");
    if (!(*flags & object::SymbolRef::SF_Undefined)) {
      if (!(*flags & object::SymbolRef::SF_Hidden))
        symbols.defined.push_back(name->str());
    } else if (!(*flags & object::SymbolRef::SF_Weak)) {
      symbols.required.push_back(name->str());
    }
  }
  llvm::sort(symbols.defined);
  llvm::sort(symbols.required);
  return Error::success();
}

Expected<ObjectSymbols> tdsl::readObjectSymbols(StringRef object) {
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(object, "object"));
  if (!file) {
    // LLVM's words are about bytes, which nobody wrote by hand.
    consumeError(file.takeError());
    return makeError(
        "these bytes are not an object file, or only a part of one");
  }
  if (Error error = checkMachine(**file))
    return error;
  if (Error error = checkSections(**file))
    return error;
  ObjectSymbols symbols;
  if (Error error = readSymbols(**file, symbols))
    return error;
  return symbols;
}
