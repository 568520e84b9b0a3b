//===- NearestName.h - The name that was meant ------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_NEARESTNAME_H
#define TDSL_LIB_TARGET_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tdsl {

/// Returns the name in `names` with the fewest edits from `name`, the first of
/// several; empty if none is close enough to be a likely misspelling.
template <typename Names>
llvm::StringRef findNearestName(llvm::StringRef name, const Names &names) {
  unsigned fewest = name.size() / 3 + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : names) {
    unsigned edits = name.edit_distance(candidate, /*AllowReplacements=*/true,
                                        /*MaxEditDistance=*/fewest);
    if (edits < fewest || (edits == fewest && nearest.empty())) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/// The sentence that proposes `name`, after a line break; empty without one.
inline std::string proposeName(llvm::StringRef name) {
  return name.empty() ? "" : ("\ndid you mean '" + name + "'?").str();
}

} // namespace tdsl

#endif // TDSL_LIB_TARGET_NEARESTNAME_H
