//===- Slot.h - which indexing map an access uses ---------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_IR_SLOT_H
#define TDSL_IR_SLOT_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tdsl {

/// A slot of an index space (spec e.5): the result, one of the operands, the
/// whole product space, or a scalar that has the same value at every point.
struct Slot {
  enum class Kind : uint32_t {
    /// Not written: `lhs` for a destination, the position for a source.
    Default,
    Result,
    Operand,
    ProductSpace,
    Scalar
  };

  Kind kind = Kind::Default;
  /// The number of the operand, counted from 1; 0 for the other kinds.
  unsigned operand = 0;

  static Slot result() { return {Kind::Result, 0}; }
  static Slot forOperand(unsigned number) { return {Kind::Operand, number}; }

  bool isDefault() const { return kind == Kind::Default; }
  bool operator==(const Slot &other) const {
    return kind == other.kind && operand == other.operand;
  }
};

inline llvm::hash_code hash_value(const Slot &slot) {
  return llvm::hash_combine(slot.kind, slot.operand);
}

/// The slot's keyword: `lhs`, `rhs1`, `rhs2`, ..., `pspace`, `scalar`; empty
/// for the default.
std::string stringifySlot(const Slot &slot);

/// The slot that a keyword names, or nothing. `rhs0` and numbers above one
/// million are not slots.
std::optional<Slot> symbolizeSlot(llvm::StringRef keyword);

} // namespace tdsl

#endif // TDSL_IR_SLOT_H
