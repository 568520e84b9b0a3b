//===- ShapeText.cpp - the written form of shapes -------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/IR/ShapeText.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tdsl;

namespace {

/// A recursive-descent parser over one string. Every mistake is reported once,
/// at the character where it starts.
class ShapeTextParser {
public:
  ShapeTextParser(StringRef text, TextErrorFn emitError, MLIRContext *context)
      : text(text), emitError(emitError), context(context) {}

  FailureOr<AxisAttr> parseAxis();
  FailureOr<RowAttr> parseRow();
  FailureOr<ShapeAttr> parseShape();

  bool atEnd() {
    skipBlanks();
    return position == text.size();
  }
  InFlightDiagnostic error() { return emitError(position); }

  /// What stands at the current character, for messages.
  std::string describeNext();

private:
  void skipBlanks() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool startsWith(StringRef token) {
    skipBlanks();
    return text.substr(position).starts_with(token);
  }
  bool consume(StringRef token) {
    if (!startsWith(token))
      return false;
    position += token.size();
    return true;
  }
  /// Letters, digits and underscores; not starting with a digit.
  StringRef consumeName();
  bool atAxis() {
    skipBlanks();
    return position < text.size() &&
           (llvm::isDigit(text[position]) || text[position] == '?');
  }
  /// Axes up to the next token that is neither an axis nor a comma.
  LogicalResult parseAxes(SmallVectorImpl<AxisAttr> &axes);
  FailureOr<StringAttr> parseRowVariable();
  RowAttr emptyRow() { return RowAttr::getClosed(context, {}); }

  StringRef text;
  TextErrorFn emitError;
  MLIRContext *context;
  size_t position = 0;
};

} // namespace

std::string ShapeTextParser::describeNext() {
  skipBlanks();
  if (position == text.size())
    return "the end";
  // A whole UTF-8 character: half of one in a message would be no text any
  // more.
  size_t end = position + 1;
  while (end < text.size() && (text[end] & 0xC0) == 0x80)
    ++end;
  return ("'" + text.slice(position, end) + "'").str();
}

StringRef ShapeTextParser::consumeName() {
  size_t start = position;
  if (position < text.size() && llvm::isDigit(text[position]))
    return {};
  while (position < text.size() &&
         (llvm::isAlnum(text[position]) || text[position] == '_'))
    ++position;
  return text.slice(start, position);
}

FailureOr<AxisAttr> ShapeTextParser::parseAxis() {
  skipBlanks();
  int64_t size = AxisAttr::kOpen;
  if (!consume("?")) {
    size_t start = position;
    while (position < text.size() && llvm::isDigit(text[position]))
      ++position;
    if (position == start) {
      std::string next = describeNext();
      error() << "expected the size of an axis or '?', but found " << next;
      return failure();
    }
    StringRef digits = text.slice(start, position);
    if (digits.getAsInteger(10, size)) {
      emitError(start) << "the size " << digits << " does not fit in 64 bits";
      return failure();
    }
  }
  StringRef basis = size == AxisAttr::kOpen ? "" : "default";
  if (consume(":")) {
    skipBlanks();
    basis = consumeName();
    if (basis.empty()) {
      std::string next = describeNext();
      error() << "expected the name of a basis after ':', but found " << next;
      return failure();
    }
  }
  return AxisAttr::get(context, size, StringAttr::get(context, basis));
}

LogicalResult ShapeTextParser::parseAxes(SmallVectorImpl<AxisAttr> &axes) {
  while (atAxis()) {
    FailureOr<AxisAttr> axis = parseAxis();
    if (failed(axis))
      return failure();
    axes.push_back(*axis);
    if (atAxis()) {
      error() << "axes are separated by commas";
      return failure();
    }
    if (!consume(","))
      break;
    if (!atAxis() && !startsWith("..")) {
      std::string next = describeNext();
      error() << "expected another axis after ',', but found " << next;
      return failure();
    }
  }
  return success();
}

FailureOr<StringAttr> ShapeTextParser::parseRowVariable() {
  size_t start = position;
  if (consume("..."))
    return StringAttr::get(context, "");
  consume("..");
  StringRef name = consumeName();
  if (name.empty() || !text.substr(position).starts_with("..")) {
    emitError(start) << "a row variable is written '..name..' or '...'";
    return failure();
  }
  position += 2;
  return StringAttr::get(context, name);
}

FailureOr<RowAttr> ShapeTextParser::parseRow() {
  SmallVector<AxisAttr> leading, trailing;
  StringAttr variable;
  if (failed(parseAxes(leading)))
    return failure();
  if (startsWith("..")) {
    FailureOr<StringAttr> name = parseRowVariable();
    if (failed(name))
      return failure();
    variable = *name;
    if (consume(",") && !atAxis()) {
      std::string next = describeNext();
      error() << "expected another axis after ',', but found " << next;
      return failure();
    }
    if (failed(parseAxes(trailing)))
      return failure();
    if (startsWith("..")) {
      error() << "a row has at most one row variable";
      return failure();
    }
  }
  return RowAttr::get(context, leading, variable, trailing);
}

FailureOr<ShapeAttr> ShapeTextParser::parseShape() {
  RowAttr batch = emptyRow(), input = emptyRow();
  FailureOr<RowAttr> row = parseRow();
  if (failed(row))
    return failure();
  if (consume("|")) {
    batch = *row;
    row = parseRow();
    if (failed(row))
      return failure();
  }
  if (consume("->")) {
    input = *row;
    row = parseRow();
    if (failed(row))
      return failure();
  }
  if (startsWith("|") || startsWith("->")) {
    error() << "a shape is written 'batch|input->output', each separator at "
               "most once "
               "and in this order";
    return failure();
  }
  return ShapeAttr::get(context, batch, input, *row);
}

/// Runs `parse` over the whole text and refuses what is left over.
template <typename Parse>
static auto parseAll(StringRef text, StringRef what, TextErrorFn emitError,
                     MLIRContext *context, Parse parse) {
  ShapeTextParser parser(text, emitError, context);
  auto result = parse(parser);
  if (succeeded(result) && !parser.atEnd()) {
    std::string next = parser.describeNext();
    parser.error() << "unexpected " << next << " in " << what;
    result = failure();
  }
  return result;
}

FailureOr<AxisAttr> tdsl::parseAxisText(StringRef text, TextErrorFn emitError,
                                        MLIRContext *context) {
  return parseAll(text, "an axis", emitError, context,
                  [](ShapeTextParser &parser) { return parser.parseAxis(); });
}

FailureOr<RowAttr> tdsl::parseRowText(StringRef text, TextErrorFn emitError,
                                      MLIRContext *context) {
  return parseAll(text, "a row", emitError, context,
                  [](ShapeTextParser &parser) { return parser.parseRow(); });
}

FailureOr<ShapeAttr> tdsl::parseShapeText(StringRef text, TextErrorFn emitError,
                                          MLIRContext *context) {
  return parseAll(text, "a shape", emitError, context,
                  [](ShapeTextParser &parser) { return parser.parseShape(); });
}

std::string tdsl::axisToText(AxisAttr axis) {
  std::string text = axis.isOpen() ? "?" : llvm::itostr(axis.getSize());
  StringRef basis = axis.getBasis().getValue();
  StringRef implied = axis.isOpen() ? "" : "default";
  if (basis != implied)
    text += ":" + basis.str();
  return text;
}

std::string tdsl::rowToText(RowAttr row) {
  SmallVector<std::string> parts;
  for (AxisAttr axis : row.getLeading())
    parts.push_back(axisToText(axis));
  if (StringAttr variable = row.getVariable())
    parts.push_back(variable.empty() ? "..." : ".." + variable.str() + "..");
  for (AxisAttr axis : row.getTrailing())
    parts.push_back(axisToText(axis));
  return llvm::join(parts, ",");
}

std::string tdsl::shapeToText(ShapeAttr shape) {
  return rowToText(shape.getBatch()) + "|" + rowToText(shape.getInput()) +
         "->" + rowToText(shape.getOutput());
}
