//===- NearestName.h - The name that was meant ------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_LIB_TARGET_NEARESTNAME_H
#define TDSL_LIB_TARGET_NEARESTNAME_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <string>

namespace tdsl {

/// Returns the name in `names` with the fewest edits from `name`; among those,
/// one that begins like it for longest. Empty if none is close enough to be a
/// likely misspelling.
template <typename Names>
llvm::StringRef findNearestName(llvm::StringRef name, const Names &names) {
  unsigned fewestEdits = std::max<size_t>(name.size() / 3, 1);
  size_t longestPrefix = 0;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : names) {
    unsigned edits = name.edit_distance(candidate);
    size_t prefix = std::mismatch(name.begin(), name.end(), candidate.begin(),
                                  candidate.end())
                        .first -
                    name.begin();
    if (edits > fewestEdits ||
        (edits == fewestEdits && !nearest.empty() && prefix <= longestPrefix))
      continue;
    fewestEdits = edits;
    longestPrefix = prefix;
    nearest = candidate;
  }
  return nearest;
}

/// The sentence that proposes `name`, after a line break; empty without one.
inline std::string proposeName(llvm::StringRef name) {
  return name.empty() ? "" : ("\ndid you mean '" + name + "'?").str();
}

} // namespace tdsl

#endif // TDSL_LIB_TARGET_NEARESTNAME_H
