//===- FetchOp.cpp - nodes filled from outside ----------------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SymbolUses.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tdsl;

/// `%i`, whose type is that of the only static symbol it can stand for: it is
/// written after the value.
static ParseResult parseSymbolValue(OpAsmParser &parser,
                                    OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Type type;
  if (parser.parseOperand(value) || parser.parseColonType(type))
    return failure();
  return parser.resolveOperand(value, type, result.operands);
}

/// What follows the keyword of each kind.
static ParseResult parsePayload(OpAsmParser &parser, OperationState &result,
                                FetchKind kind, StringAttr valueName,
                                StringAttr sourceName) {
  Builder &builder = parser.getBuilder();
  switch (kind) {
  case FetchKind::Constant: {
    double value = 0;
    if (parser.parseFloat(value))
      return failure();
    result.addAttribute(valueName, builder.getF64FloatAttr(value));
    return success();
  }
  case FetchKind::Bits: {
    int64_t bits = 0;
    if (parser.parseInteger(bits))
      return failure();
    result.addAttribute(valueName, builder.getI64IntegerAttr(bits));
    return success();
  }
  case FetchKind::Fill: {
    SmallVector<double> cells;
    auto parseCell = [&]() -> ParseResult {
      return parser.parseFloat(cells.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseCell))
      return failure();
    result.addAttribute(valueName, builder.getDenseF64ArrayAttr(cells));
    return success();
  }
  case FetchKind::Slice:
  case FetchKind::Dim: {
    FlatSymbolRefAttr source;
    if (parser.parseAttribute(source, sourceName, result.attributes))
      return failure();
    if (kind == FetchKind::Dim)
      return success();
    return failure(parser.parseKeyword("at") ||
                   parseSymbolValue(parser, result));
  }
  case FetchKind::Symbol:
    return parseSymbolValue(parser, result);
  case FetchKind::Range:
  case FetchKind::SelfId:
    return success();
  }
  llvm_unreachable("a fetch kind outside its enumeration");
}

ParseResult FetchOp::parse(OpAsmParser &parser, OperationState &result) {
  FlatSymbolRefAttr node;
  if (parser.parseAttribute(node, getNodeAttrName(result.name),
                            result.attributes) ||
      parser.parseEqual())
    return failure();
  SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)) ||
      !symbolizeFetchKind(keyword))
    return parser.emitError(location)
           << "expected constant, bits, fill, range, slice, symbol, "
              "self_id or dim (spec b.1)";
  FetchKind kind = *symbolizeFetchKind(keyword);
  result.addAttribute(getKindAttrName(result.name),
                      FetchKindAttr::get(parser.getContext(), kind));
  return failure(parsePayload(parser, result, kind,
                              getValueAttrName(result.name),
                              getSourceAttrName(result.name)) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void FetchOp::print(OpAsmPrinter &printer) {
  printer << " " << getNodeAttr() << " = " << stringifyFetchKind(getKind());
  switch (getKind()) {
  case FetchKind::Constant:
    printer << " ";
    printer.printFloat(cast<FloatAttr>(*getValue()).getValue());
    break;
  case FetchKind::Bits:
    printer << " " << cast<IntegerAttr>(*getValue()).getValue();
    break;
  case FetchKind::Fill:
    printer << " [";
    llvm::interleaveComma(
        cast<DenseF64ArrayAttr>(*getValue()).asArrayRef(), printer,
        [&](double cell) { printer.printFloat(APFloat(cell)); });
    printer << "]";
    break;
  case FetchKind::Slice:
    printer << " " << getSourceAttr() << " at";
    break;
  case FetchKind::Dim:
    printer << " " << getSourceAttr();
    break;
  case FetchKind::Symbol:
  case FetchKind::Range:
  case FetchKind::SelfId:
    break;
  }
  if (getSymbol())
    printer << " " << getSymbol() << " : " << getSymbol().getType();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getNodeAttrName(), getKindAttrName(),
                                 getValueAttrName(), getSourceAttrName()});
}

LogicalResult FetchOp::verify() {
  FetchKind kind = getKind();
  bool hasKindOfValue = false;
  Attribute value = getValueAttr();
  switch (kind) {
  case FetchKind::Constant:
    hasKindOfValue = isa_and_nonnull<FloatAttr>(value);
    break;
  case FetchKind::Bits:
    hasKindOfValue = isa_and_nonnull<IntegerAttr>(value);
    break;
  case FetchKind::Fill:
    hasKindOfValue = isa_and_nonnull<DenseF64ArrayAttr>(value);
    break;
  default:
    hasKindOfValue = !value;
    break;
  }
  StringRef name = stringifyFetchKind(kind);
  if (!hasKindOfValue && !value)
    return emitOpError() << "of kind '" << name << "' needs a value (spec b.1)";
  if (!hasKindOfValue)
    return emitOpError() << "of kind '" << name << "' does not take the value "
                         << value << " (spec b.1)";
  if ((kind == FetchKind::Slice || kind == FetchKind::Dim) !=
      static_cast<bool>(getSourceAttr()))
    return emitOpError() << "of kind '" << name << "' "
                         << (getSourceAttr() ? "reads no other symbol"
                                             : "reads another symbol")
                         << " (spec b.1)";
  if ((kind == FetchKind::Slice || kind == FetchKind::Symbol) !=
      static_cast<bool>(getSymbol()))
    return emitOpError() << "of kind '" << name << "' "
                         << (getSymbol() ? "takes no value" : "takes the value")
                         << " of a static symbol (spec b.1)";
  return success();
}

LogicalResult FetchOp::verifySymbolUses(SymbolTableCollection &tables) {
  NodeOp node = lookupNode(tables, *this, getNodeAttr(), "node");
  if (!node)
    return failure();
  if (getKind() == FetchKind::Slice &&
      !lookupNode(tables, *this, getSourceAttr(), "sliced node"))
    return failure();
  if (getKind() == FetchKind::Dim &&
      !isa_and_nonnull<DimOp, RowOp>(
          tables.lookupNearestSymbolFrom(*this, getSourceAttr())))
    return emitOpError()
           << "embeds " << getSourceAttr()
           << ", which is not a captured dimension or row (spec d.9)";
  if (getKind() == FetchKind::SelfId && !node.getId())
    return emitOpError()
           << "embeds the id of @" << node.getSymName()
           << ", which has none: write 'id <number>' on the node (spec a.4)";
  if (auto cells = dyn_cast_or_null<DenseF64ArrayAttr>(getValueAttr());
      cells && node.getShape().isSolved()) {
    int64_t elements = 1;
    for (int64_t size : node.getShape().getMemoryOrderSizes())
      if (llvm::MulOverflow(elements, size, elements))
        return emitOpError()
               << "node @" << node.getSymName() << " has more than 2^63 cells";
    if (elements != cells.size())
      return emitOpError() << "gives " << cells.size() << " cells, but @"
                           << node.getSymName() << " has " << elements
                           << " (spec b.1)";
  }
  return success();
}

void FetchOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getKind() == FetchKind::Slice)
    effects.emplace_back(MemoryEffects::Read::get(), getSourceAttr(),
                         SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), getNodeAttr(),
                       SideEffects::DefaultResource::get());
}
