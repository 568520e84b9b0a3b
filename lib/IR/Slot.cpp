//===- Slot.cpp - which indexing map an access uses -----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/IR/Slot.h"
#include "llvm/ADT/StringExtras.h"

using namespace tdsl;

std::string tdsl::stringifySlot(const Slot &slot) {
  switch (slot.kind) {
  case Slot::Kind::Default:
    return "";
  case Slot::Kind::Result:
    return "lhs";
  case Slot::Kind::Operand:
    return "rhs" + llvm::utostr(slot.operand);
  case Slot::Kind::ProductSpace:
    return "pspace";
  case Slot::Kind::Scalar:
    return "scalar";
  }
  return "";
}

std::optional<Slot> tdsl::symbolizeSlot(llvm::StringRef keyword) {
  if (keyword == "lhs")
    return Slot::result();
  if (keyword == "pspace")
    return Slot{Slot::Kind::ProductSpace, 0};
  if (keyword == "scalar")
    return Slot{Slot::Kind::Scalar, 0};
  unsigned number = 0;
  if (!keyword.consume_front("rhs") || keyword.starts_with("0") ||
      keyword.getAsInteger(10, number) || number > 1000000)
    return std::nullopt;
  return Slot::forOperand(number);
}
