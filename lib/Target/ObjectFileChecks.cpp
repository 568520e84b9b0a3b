//===- ObjectFileChecks.cpp - What can be loaded --------------------------===//
//
// Part of TDSL, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

static Error checkMachine(const object::ObjectFile &file) {
  Triple host(sys::getProcessTriple());
  if (file.getArch() != host.getArch())
    return makeError("the object file is for " +
                     Triple::getArchTypeName(file.getArch()) +
                     ", and this machine is " +
                     Triple::getArchTypeName(host.getArch()));
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
      return flags.takeError();
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
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
    return makeError("these bytes are not an object file");
  }
  if (Error error = checkMachine(**file))
    return error;
  ObjectSymbols symbols;
  if (Error error = readSymbols(**file, symbols))
    return makeError("the object file is damaged: " +
                     toString(std::move(error)));
  return symbols;
}
