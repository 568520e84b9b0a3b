//===- TdslOps.cpp - program, declarations, routines ----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl/IR/TdslOps.h"
#include "Directives.h"
#include "SymbolUses.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tdsl;

#include "tdsl/IR/TdslInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tdsl/IR/TdslOps.cpp.inc"

void TdslDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "tdsl/IR/TdslOps.cpp.inc"
      >();
}

unsigned tdsl::getArity(Primitive primitive) {
  // The enumeration leaves a gap before each arity.
  if (primitive < Primitive::Fst)
    return 1;
  return primitive < Primitive::Where ? 2 : 3;
}

Type tdsl::getCellType(Precision precision, MLIRContext *context) {
  Builder builder(context);
  switch (precision) {
  case Precision::UInt4x32:
    return VectorType::get({4}, builder.getI32Type());
  case Precision::F64:
    return builder.getF64Type();
  case Precision::F32:
    return builder.getF32Type();
  case Precision::BF16:
    return builder.getBF16Type();
  case Precision::F16:
    return builder.getF16Type();
  case Precision::F8:
    return Float8E5M2Type::get(context);
  case Precision::U64:
  case Precision::I64:
    return builder.getI64Type();
  case Precision::U32:
  case Precision::I32:
    return builder.getI32Type();
  case Precision::U16:
  case Precision::I16:
    return builder.getIntegerType(16);
  case Precision::U8:
  case Precision::I8:
    return builder.getI8Type();
  case Precision::Bool:
    return builder.getI1Type();
  }
  llvm_unreachable("a precision outside its enumeration");
}

Type tdsl::getStorageType(Precision precision, MLIRContext *context) {
  return precision == Precision::Bool ? Type(IntegerType::get(context, 8))
                                      : getCellType(precision, context);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

LogicalResult StaticSymbolOp::verify() {
  if (getLower() >= getUpper())
    return emitOpError() << "has no values: its range goes from " << getLower()
                         << " to " << getUpper()
                         << ", the upper bound excluded";
  return success();
}

LogicalResult DimOp::verify() {
  if (getSize() && *getSize() < 0)
    return emitOpError() << "has the negative size " << *getSize();
  return success();
}

/// Whether the host, not the compiler, decides where the node lives.
static bool belongsToHost(NodeRole role) {
  return role == NodeRole::Input || role == NodeRole::Param;
}

LogicalResult NodeOp::verify() {
  if (belongsToHost(getRole()) && isPrivate())
    return emitOpError()
           << "is "
           << (getRole() == NodeRole::Input ? "an input" : "a parameter")
           << ", which the host provides, so it cannot be private";
  if (getRole() == NodeRole::Param) {
    RowAttr batch = getShape().getBatch();
    if (!batch.isClosed() || !batch.getLeading().empty())
      return emitOpError() << "is a parameter, so its batch row is closed and "
                              "empty (spec a.5)";
  }
  if (getGradOf() && *getGradOf() == getSymName())
    return emitOpError() << "cannot be the gradient of itself";

  ElementsAttr value = getValueAttr();
  if (!value)
    return success();
  if (!getPrecision() || !getShape().isSolved())
    return emitOpError()
           << "has initial cells, so its precision and shape must be closed";
  Type cell = getCellType(*getPrecision(), getContext());
  if (value.getElementType() != cell)
    return emitOpError() << "has initial cells of type "
                         << value.getElementType() << ", but its precision "
                         << stringifyPrecision(*getPrecision()) << " needs "
                         << cell;
  SmallVector<int64_t> sizes = getShape().getMemoryOrderSizes();
  if (value.getShapedType().getShape() != ArrayRef<int64_t>(sizes))
    return emitOpError()
           << "has initial cells of shape [" << value.getShapedType().getShape()
           << "], but its axes in memory order (batch, output, input) are ["
           << ArrayRef<int64_t>(sizes) << "] (spec a.4)";
  return success();
}

LogicalResult NodeOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (FlatSymbolRefAttr differentiated = getGradOfAttr())
    if (!lookupNode(tables, *this, differentiated, "differentiated node"))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Routine
//===----------------------------------------------------------------------===//

ParseResult RoutineOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr visibility, name;
  if (parseDeclaredName(parser, visibility, name))
    return failure();
  if (visibility)
    result.addAttribute(getSymVisibilityAttrName(result.name), visibility);
  result.addAttribute(getSymNameAttrName(result.name), name);
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::OptionalParen,
                               /*allowType=*/true) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (OpAsmParser::Argument &argument : arguments)
      block.addArgument(argument.type,
                        argument.sourceLoc.value_or(parser.getEncodedSourceLoc(
                            argument.ssaName.location)));
  }
  return success();
}

void RoutineOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printDeclaredName(printer, *this, getSymVisibilityAttr(), getSymNameAttr());
  if (!getBody().getArguments().empty()) {
    printer << "(";
    llvm::interleaveComma(
        getBody().getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getSymVisibilityAttrName()});
  printer << " ";
  printBody(printer, *this, getBody());
}

void RoutineOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (auto index = dyn_cast<SymbolIndexType>(argument.getType()))
      setName(argument, index.getSymbol().getValue());
}

LogicalResult RoutineOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (BlockArgument argument : getBody().getArguments()) {
    auto index = dyn_cast<SymbolIndexType>(argument.getType());
    if (!index)
      return emitOpError() << "argument " << argument.getArgNumber()
                           << " has type " << argument.getType()
                           << ": a routine takes values of static symbols, "
                              "!tdsl.index<@symbol>";
    if (!lookupDeclaration<StaticSymbolOp>(tables, *this, index.getSymbol(),
                                           "argument's symbol",
                                           "a static symbol"))
      return failure();
  }
  return success();
}
