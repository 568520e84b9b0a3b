//===- LoadedObject.h - An object file in this process ----------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TARGET_LOADEDOBJECT_H
#define TDSL_TARGET_LOADEDOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tdsl {

/// The symbols of an object file, sorted by name.
struct ObjectSymbols {
  /// Functions and variables that others may use.
  std::vector<std::string> defined;
  /// What the object uses and does not define.
  std::vector<std::string> required;
};

/// The code of one object file, linked into this process. It knows nothing of
/// other loaded objects, and is unloaded with this value: nothing of it may be
/// in use then.
class LoadedObject {
public:
  /// Links `object`, a relocatable object file for this machine. Symbols that
  /// it requires are searched for in the dynamic libraries, in order, then in
  /// the C library, libm and libgcc. A symbol that is nowhere is an error here,
  /// before anything is called.
  static llvm::Expected<std::unique_ptr<LoadedObject>>
  load(llvm::StringRef object, llvm::ArrayRef<std::string> libraries);

  ~LoadedObject();

  const ObjectSymbols &getSymbols() const { return symbols; }

  /// Returns the address of a symbol that the object defines. May be called
  /// from any thread.
  llvm::Expected<void *> lookup(llvm::StringRef name) const;

private:
  LoadedObject(ObjectSymbols symbols);
  llvm::Error link(llvm::StringRef object,
                   llvm::ArrayRef<std::string> libraries);

  ObjectSymbols symbols;
  /// Complete after loading, and constant from then on.
  llvm::StringMap<void *> addresses;
  /// What the linker said, until the link is complete.
  std::string sessionErrors;
  /// Ends first: it reports errors until its end.
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace tdsl

#endif // TDSL_TARGET_LOADEDOBJECT_H
