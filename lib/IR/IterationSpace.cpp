//===- IterationSpace.cpp - iterators and indexing maps -------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// The written form of a space names its iterators, so that a map reads
// like the subscript it stands for.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tdsl/IR/TdslAttributes.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <limits>

using namespace mlir;
using namespace tdsl;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Names must survive the affine expression grammar, which reserves four words.
static LogicalResult verifyName(function_ref<InFlightDiagnostic()> emitError,
                                StringAttr name) {
  static constexpr StringLiteral reserved[] = {"mod", "floordiv", "ceildiv",
                                               "symbol"};
  if (!name || name.empty() || llvm::isDigit(name.getValue().front()) ||
      !llvm::all_of(name.getValue(),
                    [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return emitError()
           << "an iterator is named by letters, digits and underscores";
  if (llvm::is_contained(reserved, name.getValue()))
    return emitError() << "'" << name.getValue()
                       << "' is reserved in index expressions";
  return success();
}

LogicalResult IteratorAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringAttr name, int64_t size,
                                   IteratorKind) {
  if (failed(verifyName(emitError, name)))
    return failure();
  if (size < 0)
    return emitError() << "iterator '" << name.getValue()
                       << "' has the negative size " << size;
  return success();
}

/// Affine, with divisors that are positive numbers, and writable: the grammar
/// has no literal for the lowest 64-bit integer.
static LogicalResult verifyIndex(function_ref<InFlightDiagnostic()> emitError,
                                 AffineExpr index) {
  bool positiveDivisors = true, writable = true;
  index.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      writable &= constant.getValue() != std::numeric_limits<int64_t>::min();
    if (part.getKind() != AffineExprKind::Mod &&
        part.getKind() != AffineExprKind::FloorDiv &&
        part.getKind() != AffineExprKind::CeilDiv)
      return;
    auto divisor =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
    positiveDivisors &= divisor && divisor.getValue() > 0;
  });
  if (!index.isPureAffine() || !positiveDivisors)
    return emitError()
           << "an index is affine: factors and positive divisors are numbers";
  if (!writable)
    return emitError() << "a number in an index is above -2^63";
  return success();
}

LogicalResult SpaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<IteratorAttr> iterators,
                                ArrayRef<StringAttr> symbols,
                                ArrayRef<AffineMap> maps,
                                ArrayRef<bool> guarded) {
  llvm::StringSet<> names;
  auto declare = [&](StringAttr name) -> LogicalResult {
    if (!names.insert(name.getValue()).second)
      return emitError() << "'" << name.getValue()
                         << "' is declared twice in one space";
    return success();
  };
  if (llvm::is_contained(iterators, IteratorAttr()))
    return emitError() << "a space has no null iterators";
  for (IteratorAttr iterator : iterators)
    if (failed(declare(iterator.getName())))
      return failure();
  for (StringAttr symbol : symbols)
    if (failed(verifyName(emitError, symbol)) || failed(declare(symbol)))
      return failure();
  if (maps.empty())
    return emitError()
           << "a space has at least the map of its result, lhs[...]";
  if (guarded.size() != maps.size())
    return emitError() << "a space says for each of its " << maps.size()
                       << " maps whether it is guarded, but got "
                       << guarded.size();
  for (AffineMap map : maps)
    if (!map || map.getNumDims() != iterators.size() ||
        map.getNumSymbols() != symbols.size())
      return emitError() << "every map of the space takes its "
                         << iterators.size() << " iterators and "
                         << symbols.size() << " symbols";
  for (AffineMap map : maps)
    for (AffineExpr index : map.getResults())
      if (failed(verifyIndex(emitError, index)))
        return failure();
  for (auto [position, iterator] : llvm::enumerate(iterators))
    if (iterator.getKind() == IteratorKind::Parallel &&
        !maps.front().isFunctionOfDim(position))
      return emitError()
             << "iterator '" << iterator.getName().getValue()
             << "' does not occur in lhs, so it is a reduction (spec e.5)";
  return success();
}

AffineMap tdsl::getProductSpaceMap(SpaceAttr space, ArrayRef<int64_t> sizes) {
  MLIRContext *context = space.getContext();
  ArrayRef<IteratorAttr> iterators = space.getIterators();
  llvm::SmallBitVector used(iterators.size());
  SmallVector<AffineExpr> results;
  for (int64_t size : sizes) {
    if (size == 1) {
      results.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    auto fits = [&](size_t position) {
      return !used[position] && iterators[position].getSize() == size;
    };
    auto positions = llvm::seq<size_t>(0, iterators.size());
    auto found = llvm::find_if(positions, fits);
    if (found == positions.end())
      return {};
    used.set(*found);
    results.push_back(getAffineDimExpr(*found, context));
  }
  for (auto [position, iterator] : llvm::enumerate(iterators))
    if (iterator.getSize() != 1 && !used[position])
      return {};
  return AffineMap::get(iterators.size(), space.getSymbols().size(), results,
                        context);
}

//===----------------------------------------------------------------------===//
// Written form
//===----------------------------------------------------------------------===//

/// Prints an index expression over named iterators. `atom` asks for parentheses
/// around anything that an operator would tear apart.
static void printIndex(AsmPrinter &printer, AffineExpr expression,
                       ArrayRef<StringRef> dimensions,
                       ArrayRef<StringRef> symbols, bool atom = false) {
  auto recurse = [&](AffineExpr part, bool partIsAtom) {
    printIndex(printer, part, dimensions, symbols, partIsAtom);
  };
  switch (expression.getKind()) {
  case AffineExprKind::Constant:
    printer << cast<AffineConstantExpr>(expression).getValue();
    return;
  case AffineExprKind::DimId:
    printer << dimensions[cast<AffineDimExpr>(expression).getPosition()];
    return;
  case AffineExprKind::SymbolId:
    printer << symbols[cast<AffineSymbolExpr>(expression).getPosition()];
    return;
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  if (atom)
    printer << "(";
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expression.getKind() == AffineExprKind::Add) {
    recurse(binary.getLHS(), false);
    if (constant && constant.getValue() < 0) {
      printer << " - " << -constant.getValue();
    } else {
      printer << " + ";
      recurse(binary.getRHS(), false);
    }
  } else {
    recurse(binary.getLHS(), true);
    printer << (expression.getKind() == AffineExprKind::Mul ? " * "
                : expression.getKind() == AffineExprKind::FloorDiv
                    ? " floordiv "
                : expression.getKind() == AffineExprKind::CeilDiv ? " ceildiv "
                                                                  : " mod ");
    recurse(binary.getRHS(), true);
  }
  if (atom)
    printer << ")";
}

/// `i 2 parallel`
static ParseResult parseIterator(AsmParser &parser, IteratorAttr &iterator) {
  SMLoc start = parser.getCurrentLocation();
  StringRef name, kindName;
  int64_t size = 0;
  if (parser.parseKeyword(&name) || parser.parseInteger(size))
    return failure();
  SMLoc kindLocation = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&kindName)) ||
      !symbolizeIteratorKind(kindName))
    return parser.emitError(kindLocation) << "expected parallel or reduction";
  iterator = parser.getChecked<IteratorAttr>(
      start, parser.getContext(), StringAttr::get(parser.getContext(), name),
      size, *symbolizeIteratorKind(kindName));
  return success(static_cast<bool>(iterator));
}

static void printIterator(AsmPrinter &printer, IteratorAttr iterator) {
  printer << iterator.getName().getValue() << " " << iterator.getSize() << " "
          << stringifyIteratorKind(iterator.getKind());
}

using NamedExpressions = SmallVector<std::pair<StringRef, AffineExpr>>;

/// `lhs[i, 2 * k] guarded`
static ParseResult parseMap(AsmParser &parser, StringRef slot,
                            const NamedExpressions &names, unsigned iterators,
                            unsigned symbols, AffineMap &map, bool &guarded) {
  SmallVector<AffineExpr> results;
  auto parseIndex = [&]() -> ParseResult {
    // The affine grammar takes constants only from literals, and reports a name
    // that it does not know itself.
    return parser.parseAffineExpr(names, results.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseIndex,
                                     (" in the indices of " + slot).str()))
    return failure();
  map = AffineMap::get(iterators, symbols, results, parser.getContext());
  guarded = succeeded(parser.parseOptionalKeyword("guarded"));
  return success();
}

Attribute SpaceAttr::parse(AsmParser &parser, Type) {
  MLIRContext *context = parser.getContext();
  SmallVector<IteratorAttr> iterators;
  SmallVector<StringAttr> symbols;
  SMLoc start = parser.getCurrentLocation();
  auto parseNextIterator = [&]() {
    return parseIterator(parser, iterators.emplace_back());
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseNextIterator))
    return {};
  if (succeeded(parser.parseOptionalKeyword("symbols"))) {
    auto parseSymbol = [&]() -> ParseResult {
      StringRef name;
      if (parser.parseKeyword(&name))
        return failure();
      symbols.push_back(StringAttr::get(context, name));
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseSymbol))
      return {};
  }
  NamedExpressions names;
  for (auto [position, iterator] : llvm::enumerate(iterators))
    names.emplace_back(iterator.getName().getValue(),
                       getAffineDimExpr(position, context));
  for (auto [position, symbol] : llvm::enumerate(symbols))
    names.emplace_back(symbol.getValue(),
                       getAffineSymbolExpr(position, context));

  SmallVector<AffineMap> maps;
  SmallVector<bool> guarded;
  do {
    std::string slot = maps.empty() ? "lhs" : "rhs" + llvm::utostr(maps.size());
    if (failed(parser.parseOptionalKeyword(slot))) {
      if (failed(parser.parseOptionalGreater())) {
        parser.emitError(parser.getCurrentLocation())
            << "expected the indices " << slot << "[...]"
            << (maps.empty() ? "" : " or '>'");
        return {};
      }
      break;
    }
    bool isGuarded = false;
    if (parseMap(parser, slot, names, iterators.size(), symbols.size(),
                 maps.emplace_back(), isGuarded))
      return {};
    guarded.push_back(isGuarded);
  } while (true);
  return parser.getChecked<SpaceAttr>(
      start, context, ArrayRef<IteratorAttr>(iterators),
      ArrayRef<StringAttr>(symbols), ArrayRef<AffineMap>(maps),
      ArrayRef<bool>(guarded));
}

void SpaceAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getIterators(), printer, [&](IteratorAttr iterator) {
    printIterator(printer, iterator);
  });
  printer << "]";
  SmallVector<StringRef> dimensions, symbols;
  for (IteratorAttr iterator : getIterators())
    dimensions.push_back(iterator.getName().getValue());
  for (StringAttr symbol : getSymbols())
    symbols.push_back(symbol.getValue());
  if (!symbols.empty()) {
    printer << " symbols [";
    llvm::interleaveComma(symbols, printer);
    printer << "]";
  }
  for (auto [number, map] : llvm::enumerate(getMaps())) {
    printer << (number == 0 ? std::string(" lhs")
                            : " rhs" + llvm::utostr(number))
            << "[";
    llvm::interleaveComma(map.getResults(), printer, [&](AffineExpr index) {
      printIndex(printer, index, dimensions, symbols);
    });
    printer << "]";
    if (getGuarded()[number])
      printer << " guarded";
  }
  printer << ">";
}

Attribute IteratorAttr::parse(AsmParser &parser, Type) {
  IteratorAttr iterator;
  if (parser.parseLess() || parseIterator(parser, iterator) ||
      parser.parseGreater())
    return {};
  return iterator;
}

void IteratorAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printIterator(printer, *this);
  printer << ">";
}
