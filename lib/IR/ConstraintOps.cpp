//===- ConstraintOps.cpp - shape constraints of spec d.3 ------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SymbolUses.h"

using namespace mlir;
using namespace tdsl;

namespace {
/// Whether a term stands for one size or for a sequence of axes.
enum class TermSort { Dimension, Row, Node };
} // namespace

/// A term as programs write it, without the `#tdsl.term<...>` around it.
static std::string spell(TermAttr term) {
  std::string text;
  llvm::raw_string_ostream(text) << term;
  StringRef written(text);
  written.consume_front("#tdsl.term<");
  written.consume_back(">");
  return written.str();
}

/// Looks up the symbol of a term and says what the term stands for.
static FailureOr<TermSort>
resolveTerm(Operation *op, SymbolTableCollection &tables, TermAttr term) {
  if (Attribute literal = term.getLiteral())
    return isa<AxisAttr>(literal) ? TermSort::Dimension : TermSort::Row;
  Operation *found = tables.lookupNearestSymbolFrom(op, term.getSymbol());
  if (!isa_and_nonnull<DimOp, RowOp, NodeOp>(found)) {
    InFlightDiagnostic diagnostic =
        op->emitOpError()
        << term.getSymbol()
        << " is neither a captured dimension or row nor a node (spec d.9)";
    if (found)
      diagnostic.attachNote(found->getLoc()) << "it is declared here";
    return failure();
  }
  auto node = dyn_cast<NodeOp>(found);
  if (!node && term.getRow()) {
    op->emitOpError() << term.getSymbol() << " is a capture: it has no "
                      << stringifyRowKind(*term.getRow()) << " row";
    return failure();
  }
  if (node && term.getAxis()) {
    RowAttr row = node.getShape().getRow(*term.getRow());
    int64_t position = *term.getAxis(), axes = row.getLeading().size();
    if (row.isClosed() && (position >= axes || position < -axes)) {
      op->emitOpError() << "axis " << position << " does not exist: the "
                        << stringifyRowKind(*term.getRow()) << " row of "
                        << term.getSymbol() << " has " << axes
                        << (axes == 1 ? " axis" : " axes");
      return failure();
    }
  }
  if (isa<DimOp>(found) || term.getAxis())
    return TermSort::Dimension;
  return isa<RowOp>(found) || term.getRow() ? TermSort::Row : TermSort::Node;
}

/// A term that has to be of one sort.
static LogicalResult verifySort(Operation *op, SymbolTableCollection &tables,
                                TermAttr term, ArrayRef<TermSort> allowed,
                                StringRef expected) {
  FailureOr<TermSort> sort = resolveTerm(op, tables, term);
  if (failed(sort))
    return failure();
  if (!llvm::is_contained(allowed, *sort))
    return op->emitOpError()
           << "needs " << expected << ", but got " << spell(term);
  return success();
}

static LogicalResult verifyDim(Operation *op, SymbolTableCollection &tables,
                               FlatSymbolRefAttr symbol) {
  return success(static_cast<bool>(lookupDeclaration<DimOp>(
      tables, op, symbol, "operand", "a captured dimension")));
}

LogicalResult SetDimOp::verify() {
  if (getSize() < 0)
    return emitOpError() << "gives " << getCaptureAttr()
                         << " the negative size " << getSize();
  return success();
}

LogicalResult SetDimOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (isa_and_nonnull<DimOp, RowOp>(
          tables.lookupNearestSymbolFrom(*this, getCaptureAttr())))
    return success();
  return emitOpError() << getCaptureAttr()
                       << " is not a captured dimension or row (spec d.9)";
}

static LogicalResult verifyNotBothLiteral(Operation *op, TermAttr first,
                                          TermAttr second) {
  if (first.getLiteral() && second.getLiteral())
    return op->emitOpError()
           << "relates two literals: one side names what it constrains";
  return success();
}

LogicalResult SetEqualOp::verify() {
  return verifyNotBothLiteral(*this, getFirst(), getSecond());
}

LogicalResult SetEqualOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (TermAttr term : {getFirst(), getSecond()})
    if (failed(verifySort(
            *this, tables, term, {TermSort::Dimension, TermSort::Row},
            "dimensions or rows; whole nodes are related by tdsl.same_shape")))
      return failure();
  return success();
}

LogicalResult BroadcastOp::verify() {
  return verifyNotBothLiteral(*this, getNarrow(), getWide());
}

LogicalResult BroadcastOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<TermSort> narrow = resolveTerm(*this, tables, getNarrow());
  FailureOr<TermSort> wide = resolveTerm(*this, tables, getWide());
  if (failed(narrow) || failed(wide))
    return failure();
  if (*narrow == TermSort::Node || *narrow != *wide)
    return emitOpError()
           << "broadcasts a dimension into a dimension or a row into a row "
              "(spec d.3), but got "
           << spell(getNarrow()) << " and " << spell(getWide());
  return success();
}

LogicalResult SetScaleOp::verify() {
  if (getFactor() < 1)
    return emitOpError() << "scales by " << getFactor()
                         << ", but the factor is at least 1 (spec d.9)";
  return success();
}

LogicalResult SetScaleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return failure(failed(verifyDim(*this, tables, getScaledAttr())) ||
                 failed(verifyDim(*this, tables, getBaseAttr())));
}

LogicalResult AtLeastOp::verify() {
  if (getAxis().getLiteral())
    return emitOpError()
           << "constrains a literal: name an axis or a captured dimension";
  if (getSize() < 1)
    return emitOpError()
           << "asks for the size " << getSize()
           << ", but a fixed index i asks for i + 1 >= 1 (spec d.3)";
  return success();
}

LogicalResult AtLeastOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifySort(*this, tables, getAxis(), {TermSort::Dimension},
                    "an axis or a captured dimension");
}

LogicalResult TotalElementsOp::verify() {
  if (getTerm().getLiteral())
    return emitOpError() << "constrains a literal: name a node or a row";
  if (getFactor() < 0)
    return emitOpError() << "counts the negative number " << getFactor();
  if (getDivisor() && !getCapture())
    return emitOpError() << "divides a number: write the quotient";
  if (getDivisor() && *getDivisor() < 1)
    return emitOpError() << "divides by " << *getDivisor()
                         << ", which is not positive";
  return success();
}

LogicalResult TotalElementsOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (getCaptureAttr() && failed(verifyDim(*this, tables, getCaptureAttr())))
    return failure();
  return verifySort(*this, tables, getTerm(), {TermSort::Row, TermSort::Node},
                    "a node or a row");
}

LogicalResult SameShapeOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (!lookupNode(tables, *this, getNodeAttr(), "node"))
    return failure();
  if (getProductSpace())
    return success(static_cast<bool>(lookupDeclaration<ProjectionsOp>(
        tables, *this, getOtherAttr(), "operation",
        "a tdsl.projections (spec d.10)")));
  return success(static_cast<bool>(
      lookupNode(tables, *this, getOtherAttr(), "other node")));
}

LogicalResult CloseOp::verifySymbolUses(SymbolTableCollection &tables) {
  return success(
      static_cast<bool>(lookupNode(tables, *this, getNodeAttr(), "node")));
}
