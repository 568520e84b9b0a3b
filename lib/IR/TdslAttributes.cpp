//===- TdslAttributes.cpp - shapes, accesses, terms, logics ---------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// Iteration spaces have a file of their own.
//
//===----------------------------------------------------------------------===//

#include "tdsl/IR/TdslAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tdsl/IR/ShapeText.h"
#include "tdsl/IR/TdslDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tdsl;

#include "tdsl/IR/TdslEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tdsl/IR/TdslAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tdsl/IR/TdslTypes.cpp.inc"

void TdslDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tdsl/IR/TdslAttributes.cpp.inc"
      >();
}

void TdslDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tdsl/IR/TdslTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool isName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult AxisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t size, StringAttr basis) {
  if (size < kOpen)
    return emitError() << "the size of an axis is not negative, but got "
                       << size;
  if (!basis)
    return emitError() << "an axis needs a basis, '' for one that is not known";
  if (size != kOpen && basis.empty())
    return emitError()
           << "an axis of known size has a basis; 'default' claims nothing";
  if (!basis.empty() && !isName(basis.getValue()))
    return emitError() << "the basis '" << basis.getValue()
                       << "' is not a name of letters, digits and underscores";
  return success();
}

LogicalResult RowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<AxisAttr> leading, StringAttr variable,
                              ArrayRef<AxisAttr> trailing) {
  for (ArrayRef<AxisAttr> axes : {leading, trailing})
    if (llvm::is_contained(axes, AxisAttr()))
      return emitError() << "a row has no null axes";
  if (!variable && !trailing.empty())
    return emitError() << "a closed row has leading axes only";
  if (variable && !variable.empty() && !isName(variable.getValue()))
    return emitError() << "the row variable '" << variable.getValue()
                       << "' is not a name of letters, digits and underscores";
  return success();
}

RowAttr RowAttr::getClosed(MLIRContext *context, ArrayRef<AxisAttr> axes) {
  return get(context, axes, StringAttr(), {});
}

bool RowAttr::isSolved() const {
  return isClosed() && llvm::none_of(getLeading(), [](AxisAttr axis) {
           return axis.isOpen();
         });
}

LogicalResult ShapeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                RowAttr batch, RowAttr input, RowAttr output) {
  if (!batch || !input || !output)
    return emitError() << "a shape has three rows";
  return success();
}

RowAttr ShapeAttr::getRow(RowKind kind) const {
  switch (kind) {
  case RowKind::Batch:
    return getBatch();
  case RowKind::Input:
    return getInput();
  case RowKind::Output:
    return getOutput();
  }
  llvm_unreachable("a row kind outside its enumeration");
}

bool ShapeAttr::isSolved() const {
  return getBatch().isSolved() && getInput().isSolved() &&
         getOutput().isSolved();
}

SmallVector<int64_t> ShapeAttr::getMemoryOrderSizes() const {
  SmallVector<int64_t> sizes;
  for (RowAttr row : {getBatch(), getOutput(), getInput()})
    for (AxisAttr axis : row.getLeading())
      sizes.push_back(axis.getSize());
  return sizes;
}

/// Parses a string token with `parse`, mistakes being reported at the character
/// of the string where they are.
template <typename Result, typename Parse>
static ParseResult parseQuoted(AsmParser &parser, StringRef what,
                               Result &result, Parse parse) {
  SMLoc quote = parser.getCurrentLocation();
  std::string text;
  if (failed(parser.parseOptionalString(&text)))
    return parser.emitError(quote) << "expected " << what << " in quotes";
  auto emitError = [&](size_t offset) {
    return parser.emitError(
        SMLoc::getFromPointer(quote.getPointer() + 1 + offset));
  };
  auto parsed = parse(StringRef(text), emitError, parser.getContext());
  if (failed(parsed))
    return failure();
  result = *parsed;
  return success();
}

ParseResult tdsl::parseShape(AsmParser &parser, ShapeAttr &shape) {
  return parseQuoted(
      parser, "a shape 'batch|input->output'", shape,
      [](StringRef text, TextErrorFn emitError, MLIRContext *context) {
        return parseShapeText(text, emitError, context);
      });
}

void tdsl::printShape(AsmPrinter &printer, ShapeAttr shape) {
  printer << '"' << shapeToText(shape) << '"';
}

ParseResult tdsl::parseRow(AsmParser &parser, RowAttr &row) {
  return parseQuoted(
      parser, "the axes of a row", row,
      [](StringRef text, TextErrorFn emitError, MLIRContext *context) {
        return parseRowText(text, emitError, context);
      });
}

void tdsl::printRow(AsmPrinter &printer, RowAttr row) {
  printer << '"' << rowToText(row) << '"';
}

static ParseResult parseAxis(AsmParser &parser, AxisAttr &axis) {
  return parseQuoted(
      parser, "an axis", axis,
      [](StringRef text, TextErrorFn emitError, MLIRContext *context) {
        return parseAxisText(text, emitError, context);
      });
}

static void printAxis(AsmPrinter &printer, AxisAttr axis) {
  printer << '"' << axisToText(axis) << '"';
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult AccessAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 FlatSymbolRefAttr node, bool merge,
                                 Slot slot) {
  if (!node)
    return emitError() << "an access names a node";
  if (slot.kind == Slot::Kind::Operand && slot.operand == 0)
    return emitError() << "operands are numbered from rhs1";
  return success();
}

ParseResult tdsl::parseAccess(AsmParser &parser, AccessAttr &access) {
  SMLoc start = parser.getCurrentLocation();
  bool merge = succeeded(parser.parseOptionalKeyword("merge"));
  FlatSymbolRefAttr node;
  if (merge && parser.parseLParen())
    return failure();
  OptionalParseResult symbol = parser.parseOptionalAttribute(node);
  if (!symbol.has_value())
    return parser.emitError(parser.getCurrentLocation())
           << "expected a node, such as @x" << (merge ? "" : " or merge(@x)");
  if (failed(*symbol) || (merge && parser.parseRParen()))
    return failure();

  Slot slot;
  if (succeeded(parser.parseOptionalLSquare())) {
    SMLoc slotLocation = parser.getCurrentLocation();
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword)) ||
        !symbolizeSlot(keyword))
      return parser.emitError(slotLocation)
             << "expected a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec "
                "e.5)";
    slot = *symbolizeSlot(keyword);
    if (parser.parseRSquare())
      return failure();
  }
  access = parser.getChecked<AccessAttr>(start, parser.getContext(), node,
                                         merge, slot);
  return success(static_cast<bool>(access));
}

void tdsl::printAccess(AsmPrinter &printer, AccessAttr access) {
  if (access.getMerge())
    printer << "merge(" << access.getNode() << ")";
  else
    printer << access.getNode();
  if (!access.getSlot().isDefault())
    printer << "[" << stringifySlot(access.getSlot()) << "]";
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

LogicalResult TermAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               FlatSymbolRefAttr symbol,
                               std::optional<RowKind> row,
                               std::optional<int64_t> axis, Attribute literal) {
  if (static_cast<bool>(symbol) == static_cast<bool>(literal))
    return emitError() << "a term is either a symbol or a literal";
  if (literal && !isa<AxisAttr, RowAttr>(literal))
    return emitError() << "a literal term is an axis or a row, but got "
                       << literal;
  if (literal && row)
    return emitError() << "a literal term has no row of its own";
  if (axis && !row)
    return emitError() << "an axis is counted within a row";
  return success();
}

/// `[output]` or `[output, 0]` after the symbol of a term.
static ParseResult parseTermRow(AsmParser &parser, std::optional<RowKind> &row,
                                std::optional<int64_t> &axis) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  SMLoc rowLocation = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)) ||
      !symbolizeRowKind(keyword))
    return parser.emitError(rowLocation)
           << "expected a row: batch, input or output";
  row = symbolizeRowKind(keyword);
  if (succeeded(parser.parseOptionalComma())) {
    int64_t position = 0;
    if (parser.parseInteger(position))
      return failure();
    axis = position;
  }
  return parser.parseRSquare();
}

ParseResult tdsl::parseTerm(AsmParser &parser, TermAttr &term) {
  SMLoc start = parser.getCurrentLocation();
  FlatSymbolRefAttr symbol;
  std::optional<RowKind> rowKind;
  std::optional<int64_t> position;
  Attribute literal;
  if (succeeded(parser.parseOptionalKeyword("axis"))) {
    AxisAttr axis;
    if (parseAxis(parser, axis))
      return failure();
    literal = axis;
  } else if (succeeded(parser.parseOptionalKeyword("row"))) {
    RowAttr row;
    if (parseRow(parser, row))
      return failure();
    literal = row;
  } else {
    OptionalParseResult parsed = parser.parseOptionalAttribute(symbol);
    if (!parsed.has_value())
      return parser.emitError(start) << "expected a captured @h, a row "
                                        "@x[output], an axis @x[output, 0], "
                                        "axis \"...\" or row \"...\"";
    if (failed(*parsed) || parseTermRow(parser, rowKind, position))
      return failure();
  }
  term = parser.getChecked<TermAttr>(start, parser.getContext(), symbol,
                                     rowKind, position, literal);
  return success(static_cast<bool>(term));
}

void tdsl::printTerm(AsmPrinter &printer, TermAttr term) {
  if (auto axis = dyn_cast_or_null<AxisAttr>(term.getLiteral())) {
    printer << "axis ";
    printAxis(printer, axis);
    return;
  }
  if (auto row = dyn_cast_or_null<RowAttr>(term.getLiteral())) {
    printer << "row ";
    printRow(printer, row);
    return;
  }
  printer << term.getSymbol();
  if (!term.getRow())
    return;
  printer << "[" << stringifyRowKind(*term.getRow());
  if (term.getAxis())
    printer << ", " << *term.getAxis();
  printer << "]";
}

//===----------------------------------------------------------------------===//
// Logics
//===----------------------------------------------------------------------===//

LogicalResult LogicAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                LogicKind kind, StringAttr spec,
                                FlatSymbolRefAttr symbol) {
  if ((kind == LogicKind::Spec) != static_cast<bool>(spec))
    return emitError()
           << "an einsum logic, and no other, carries a specification";
  if ((kind == LogicKind::Slice) != static_cast<bool>(symbol))
    return emitError() << "a slice logic, and no other, names a static symbol";
  if (spec && (spec == "." || spec == "@" || spec == "T"))
    return emitError() << "'" << spec.getValue()
                       << "' is a logic of its own, not a specification";
  return success();
}

ParseResult tdsl::parseLogic(AsmParser &parser, LogicAttr &logic) {
  MLIRContext *context = parser.getContext();
  std::string text;
  if (succeeded(parser.parseOptionalString(&text))) {
    LogicKind kind = llvm::StringSwitch<LogicKind>(text)
                         .Case(".", LogicKind::Pointwise)
                         .Case("@", LogicKind::Compose)
                         .Case("T", LogicKind::Transpose)
                         .Default(LogicKind::Spec);
    StringAttr spec =
        kind == LogicKind::Spec ? StringAttr::get(context, text) : StringAttr();
    logic = LogicAttr::get(context, kind, spec, FlatSymbolRefAttr());
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("fma"))) {
    logic =
        LogicAttr::get(context, LogicKind::ComposeAccumulate, StringAttr(), {});
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("uniform"))) {
    logic = LogicAttr::get(context, LogicKind::Uniform, StringAttr(), {});
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("slice"))) {
    FlatSymbolRefAttr symbol;
    if (parser.parseLParen() || parser.parseAttribute(symbol) ||
        parser.parseRParen())
      return failure();
    logic = LogicAttr::get(context, LogicKind::Slice, StringAttr(), symbol);
    return success();
  }
  return parser.emitError(parser.getCurrentLocation())
         << "expected a shape logic: \".\", \"@\", \"T\", an einsum "
            "specification in quotes, "
            "fma, slice(@symbol) or uniform (spec d.4)";
}

void tdsl::printLogic(AsmPrinter &printer, LogicAttr logic) {
  switch (logic.getKind()) {
  case LogicKind::Spec:
    printer << logic.getSpec();
    return;
  case LogicKind::Pointwise:
    printer << "\".\"";
    return;
  case LogicKind::Compose:
    printer << "\"@\"";
    return;
  case LogicKind::Transpose:
    printer << "\"T\"";
    return;
  case LogicKind::ComposeAccumulate:
    printer << "fma";
    return;
  case LogicKind::Uniform:
    printer << "uniform";
    return;
  case LogicKind::Slice:
    printer << "slice(" << logic.getSymbol() << ")";
    return;
  }
}

//===----------------------------------------------------------------------===//
// The `#tdsl.name<...>` forms
//===----------------------------------------------------------------------===//

/// Wraps a written form in the angle brackets of an attribute.
template <typename Attr, typename ParseFn>
static Attribute parseBracketed(AsmParser &parser, ParseFn parse) {
  Attr attribute;
  if (parser.parseLess() || parse(parser, attribute) || parser.parseGreater())
    return {};
  return attribute;
}

template <typename Attr, typename PrintFn>
static void printBracketed(AsmPrinter &printer, Attr attribute, PrintFn print) {
  printer << "<";
  print(printer, attribute);
  printer << ">";
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<AxisAttr>(parser, parseAxis);
}
void AxisAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printAxis);
}

Attribute RowAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<RowAttr>(parser, parseRow);
}
void RowAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printRow);
}

Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<ShapeAttr>(parser, parseShape);
}
void ShapeAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printShape);
}

Attribute AccessAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<AccessAttr>(parser, parseAccess);
}
void AccessAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printAccess);
}

Attribute TermAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<TermAttr>(parser, parseTerm);
}
void TermAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printTerm);
}

Attribute LogicAttr::parse(AsmParser &parser, Type) {
  return parseBracketed<LogicAttr>(parser, parseLogic);
}
void LogicAttr::print(AsmPrinter &printer) const {
  printBracketed(printer, *this, printLogic);
}
