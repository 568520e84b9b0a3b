//===- Directives.cpp - custom assembly shared by operations --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Directives.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tdsl;

ParseResult tdsl::parseDeclaredName(OpAsmParser &parser, StringAttr &visibility,
                                    StringAttr &name) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword,
                                            {"public", "private", "nested"})))
    visibility = parser.getBuilder().getStringAttr(keyword);
  return parser.parseSymbolName(name);
}

void tdsl::printDeclaredName(OpAsmPrinter &printer, Operation *,
                             StringAttr visibility, StringAttr name) {
  if (visibility)
    printer << visibility.getValue() << " ";
  printer.printSymbolName(name.getValue());
}

ParseResult tdsl::parseBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  return success();
}

void tdsl::printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true,
                      /*printEmptyBlock=*/false);
}

//===----------------------------------------------------------------------===//
// Keywords
//===----------------------------------------------------------------------===//

/// The keywords of an enumeration, for messages.
template <typename Enum>
static std::string listKeywords(StringRef (*stringify)(Enum), uint64_t largest,
                                std::optional<Enum> (*symbolize)(uint32_t)) {
  SmallVector<StringRef> keywords;
  for (uint64_t value = 0; value <= largest; ++value)
    if (std::optional<Enum> symbol = symbolize(value))
      keywords.push_back(stringify(*symbol));
  return llvm::join(keywords, ", ");
}

ParseResult tdsl::parseOpenPrecision(OpAsmParser &parser,
                                     PrecisionAttr &precision) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)) ||
      !symbolizePrecision(keyword))
    return parser.emitError(location)
           << "expected '?' or a precision (spec a.8): "
           << listKeywords<Precision>(stringifyPrecision,
                                      getMaxEnumValForPrecision(),
                                      symbolizePrecision);
  precision =
      PrecisionAttr::get(parser.getContext(), *symbolizePrecision(keyword));
  return success();
}

void tdsl::printOpenPrecision(OpAsmPrinter &printer, Operation *,
                              PrecisionAttr precision) {
  if (precision)
    printer << stringifyPrecision(precision.getValue());
  else
    printer << "?";
}

ParseResult tdsl::parseAccumulator(OpAsmParser &parser,
                                   AccumulatorAttr &accumulator) {
  SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  std::string accumulators = listKeywords<Accumulator>(
      stringifyAccumulator, getMaxEnumValForAccumulator(),
      symbolizeAccumulator);
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parser.emitError(location)
           << "expected an accumulator (spec b.4): " << accumulators;
  if (!symbolizeAccumulator(keyword))
    return parser.emitError(location)
           << "'" << keyword
           << "' does not accumulate (spec b.4): expected one of "
           << accumulators;
  accumulator =
      AccumulatorAttr::get(parser.getContext(), *symbolizeAccumulator(keyword));
  return success();
}

void tdsl::printAccumulator(OpAsmPrinter &printer, Operation *,
                            AccumulatorAttr accumulator) {
  printer << stringifyAccumulator(accumulator.getValue());
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// A comma-separated list in `delimiter`, each element parsed into an
/// attribute.
template <typename Attr>
static ParseResult
parseList(OpAsmParser &parser, AsmParser::Delimiter delimiter, ArrayAttr &list,
          llvm::function_ref<ParseResult(Attr &)> parseElement) {
  SmallVector<Attribute> elements;
  auto parseOne = [&]() -> ParseResult {
    Attr element;
    if (parseElement(element))
      return failure();
    elements.push_back(element);
    return success();
  };
  if (parser.parseCommaSeparatedList(delimiter, parseOne))
    return failure();
  list = parser.getBuilder().getArrayAttr(elements);
  return success();
}

/// `{name = value, ...}` without the types that a dictionary would print.
template <typename Attr>
static ParseResult
parseNamed(OpAsmParser &parser, DictionaryAttr &dictionary,
           llvm::function_ref<ParseResult(Attr &)> parseValue) {
  NamedAttrList entries;
  auto parseOne = [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    std::string name;
    Attr value;
    if (parser.parseKeywordOrString(&name))
      return failure();
    // An attribute without a name is a failed check in MLIR.
    if (name.empty())
      return parser.emitError(location) << "expected a name that is not empty";
    if (parser.parseEqual() || parseValue(value))
      return failure();
    if (entries.get(name))
      return parser.emitError(location) << "'" << name << "' is given twice";
    entries.append(name, value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne))
    return failure();
  dictionary = entries.getDictionary(parser.getContext());
  return success();
}

static void printNamed(OpAsmPrinter &printer, DictionaryAttr dictionary,
                       llvm::function_ref<void(Attribute)> printValue) {
  printer << "{";
  llvm::interleaveComma(dictionary, printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName());
    printer << " = ";
    printValue(entry.getValue());
  });
  printer << "}";
}

static ParseResult parseAccesses(OpAsmParser &parser, ArrayAttr &accesses) {
  return parseList<AccessAttr>(
      parser, AsmParser::Delimiter::Paren, accesses,
      [&](AccessAttr &access) { return parseAccess(parser, access); });
}

static void printAccesses(OpAsmPrinter &printer, ArrayAttr accesses) {
  printer << "(";
  llvm::interleaveComma(
      accesses.getAsRange<AccessAttr>(), printer,
      [&](AccessAttr access) { printAccess(printer, access); });
  printer << ")";
}

ParseResult tdsl::parseApplication(OpAsmParser &parser,
                                   PrimitiveAttr &primitive,
                                   ArrayAttr &sources) {
  SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parser.emitError(location)
           << "expected a primitive operation (spec b.5)";
  if (!symbolizePrimitive(keyword))
    return parser.emitError(location)
           << "'" << keyword
           << "' is not a primitive operation (spec b.5): expected one of "
           << listKeywords<Primitive>(stringifyPrimitive,
                                      getMaxEnumValForPrimitive(),
                                      symbolizePrimitive);
  primitive =
      PrimitiveAttr::get(parser.getContext(), *symbolizePrimitive(keyword));
  return parseAccesses(parser, sources);
}

void tdsl::printApplication(OpAsmPrinter &printer, Operation *,
                            PrimitiveAttr primitive, ArrayAttr sources) {
  printer << stringifyPrimitive(primitive.getValue());
  printAccesses(printer, sources);
}

ParseResult tdsl::parseDestinations(OpAsmParser &parser, ArrayAttr &accesses) {
  // A parenthesis cannot start a single access, so one token decides.
  SmallVector<Attribute> elements;
  auto parseOne = [&]() -> ParseResult {
    AccessAttr access;
    if (parseAccess(parser, access))
      return failure();
    elements.push_back(access);
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  bool several = succeeded(parser.parseOptionalLParen());
  if (several ? parser.parseCommaSeparatedList(parseOne) : parseOne())
    return failure();
  if (several && parser.parseRParen())
    return failure();
  if (several && elements.size() == 1)
    return parser.emitError(location)
           << "a single destination takes no parentheses";
  accesses = parser.getBuilder().getArrayAttr(elements);
  return success();
}

void tdsl::printDestinations(OpAsmPrinter &printer, Operation *,
                             ArrayAttr accesses) {
  if (accesses.size() == 1)
    printAccess(printer, cast<AccessAttr>(accesses[0]));
  else
    printAccesses(printer, accesses);
}

ParseResult tdsl::parseSymbolList(OpAsmParser &parser, ArrayAttr &symbols) {
  return parseList<FlatSymbolRefAttr>(
      parser, AsmParser::Delimiter::Paren, symbols,
      [&](FlatSymbolRefAttr &symbol) { return parser.parseAttribute(symbol); });
}

void tdsl::printSymbolList(OpAsmPrinter &printer, Operation *,
                           ArrayAttr symbols) {
  printer << "(";
  llvm::interleaveComma(symbols, printer, [&](Attribute symbol) {
    printer.printAttribute(symbol);
  });
  printer << ")";
}

ParseResult tdsl::parseNamedSymbols(OpAsmParser &parser,
                                    DictionaryAttr &symbols) {
  return parseNamed<FlatSymbolRefAttr>(
      parser, symbols,
      [&](FlatSymbolRefAttr &symbol) { return parser.parseAttribute(symbol); });
}

void tdsl::printNamedSymbols(OpAsmPrinter &printer, Operation *,
                             DictionaryAttr symbols) {
  printNamed(printer, symbols,
             [&](Attribute symbol) { printer.printAttribute(symbol); });
}

ParseResult tdsl::parseNamedIntegers(OpAsmParser &parser,
                                     DictionaryAttr &integers) {
  return parseNamed<IntegerAttr>(
      parser, integers, [&](IntegerAttr &integer) -> ParseResult {
        int64_t value = 0;
        if (parser.parseInteger(value))
          return failure();
        integer = parser.getBuilder().getI64IntegerAttr(value);
        return success();
      });
}

void tdsl::printNamedIntegers(OpAsmPrinter &printer, Operation *,
                              DictionaryAttr integers) {
  printNamed(printer, integers, [&](Attribute integer) {
    printer << cast<IntegerAttr>(integer).getValue();
  });
}

ParseResult tdsl::parseSpace(OpAsmParser &parser, SpaceAttr &space) {
  space = dyn_cast_or_null<SpaceAttr>(SpaceAttr::parse(parser, {}));
  return success(static_cast<bool>(space));
}

void tdsl::printSpace(OpAsmPrinter &printer, Operation *, SpaceAttr space) {
  space.print(printer);
}
