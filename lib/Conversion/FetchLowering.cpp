//===- FetchLowering.cpp - Nodes filled from outside ----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RoutineLowering.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tdsl;

/// A number as a cell of this precision: rounded for floats; for integers
/// truncated, and brought into range, as conversions of cells are.
static TypedAttr getCell(double value, Precision precision,
                         MLIRContext *context) {
  Type type = getCellType(precision, context);
  if (auto floating = dyn_cast<FloatType>(type)) {
    APFloat cell(value);
    bool losesInformation;
    cell.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInformation);
    return FloatAttr::get(type, cell);
  }
  if (precision == Precision::Bool)
    return IntegerAttr::get(type, value != 0);
  APSInt integer(type.getIntOrFloatBitWidth(),
                 /*isUnsigned=*/precision == Precision::U64 ||
                     precision == Precision::U32 ||
                     precision == Precision::U16 || precision == Precision::U8);
  bool isExact;
  APFloat(value).convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  return IntegerAttr::get(type, integer);
}

/// The same bits as a cell: the low ones of the number (spec a.4).
static TypedAttr getBits(int64_t bits, Precision precision,
                         MLIRContext *context) {
  Type type = getCellType(precision, context);
  APInt word =
      APInt(64, bits, /*isSigned=*/true).trunc(type.getIntOrFloatBitWidth());
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(floating.getFloatSemantics(), word));
  return IntegerAttr::get(type, word);
}

/// Number of a captured dimension, or product of a captured row.
static std::optional<int64_t> getCapturedNumber(Operation *capture) {
  if (auto dim = dyn_cast<DimOp>(capture))
    return dim.getSize();
  auto row = cast<RowOp>(capture).getAxes();
  if (!row || !row->isSolved())
    return std::nullopt;
  int64_t product = 1;
  for (AxisAttr axis : row->getLeading())
    product *= axis.getSize();
  return product;
}

/// Cells numbered in memory order.
static Value createRange(OpBuilder &builder, Location location,
                         RankedTensorType type, Precision precision) {
  Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                        type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> kinds(type.getRank(),
                                         utils::IteratorType::parallel);
  auto body = [&](OpBuilder &, Location, ValueRange) {
    Value number = arith::ConstantIndexOp::create(builder, location, 0);
    for (auto [dimension, size] : llvm::enumerate(type.getShape())) {
      Value length = arith::ConstantIndexOp::create(builder, location, size);
      Value index = linalg::IndexOp::create(builder, location, dimension);
      number = arith::AddIOp::create(
          builder, location,
          arith::MulIOp::create(builder, location, number, length), index);
    }
    Value word = arith::IndexCastOp::create(builder, location,
                                            builder.getI64Type(), number);
    PrimitiveBody cells(builder, location);
    Value cell = cells.convert({word, Precision::I64}, precision);
    linalg::YieldOp::create(builder, location, cells.store({cell, precision}));
  };
  return linalg::GenericOp::create(builder, location, TypeRange{type},
                                   ValueRange{}, ValueRange{empty},
                                   ArrayRef<AffineMap>{identity}, kinds, body)
      .getResult(0);
}

LogicalResult RoutineLowering::lowerFetch(FetchOp fetch) {
  MLIRContext *context = builder.getContext();
  Location location = fetch.getLoc();
  NodeOp node = getNode(fetch.getNodeAttr());
  Precision precision = *node.getPrecision();
  RankedTensorType type = getTensorType(node);
  if (precision == Precision::UInt4x32)
    return fetch.emitOpError()
           << "has no lowering for uint4x32 in this version";
  auto store = [&](Value value) {
    values[node.getSymNameAttr()] = value;
    return success();
  };
  auto storeNumber = [&](double number) {
    return store(
        createSplat(location, node, getCell(number, precision, context)));
  };
  switch (fetch.getKind()) {
  case FetchKind::Constant:
    return storeNumber(
        cast<FloatAttr>(fetch.getValueAttr()).getValueAsDouble());
  case FetchKind::Bits:
    return store(
        createSplat(location, node,
                    getBits(cast<IntegerAttr>(fetch.getValueAttr()).getInt(),
                            precision, context)));
  case FetchKind::Fill: {
    SmallVector<Attribute> cells;
    for (double cell :
         cast<DenseF64ArrayAttr>(fetch.getValueAttr()).asArrayRef())
      cells.push_back(precision == Precision::Bool
                          ? getCell(cell != 0, Precision::U8, context)
                          : getCell(cell, precision, context));
    if (static_cast<int64_t>(cells.size()) != type.getNumElements())
      return fetch.emitOpError()
             << "gives " << cells.size() << " cells, but @" << node.getSymName()
             << " has " << type.getNumElements() << " (spec b.1)";
    return store(arith::ConstantOp::create(
        builder, location, DenseElementsAttr::get(type, cells)));
  }
  case FetchKind::Range: {
    Value range = createRange(builder, location, type, precision);
    return store(needsOrder(node, {}) ? detach(location, range) : range);
  }
  case FetchKind::SelfId:
    return storeNumber(static_cast<double>(*node.getId()));
  case FetchKind::Dim: {
    Operation *capture = symbols.lookup(fetch.getSourceAttr().getAttr());
    std::optional<int64_t> number = getCapturedNumber(capture);
    if (!number)
      return fetch.emitOpError() << "embeds " << fetch.getSourceAttr()
                                 << ", which has no number yet: run "
                                    "tdsl-infer-shapes first";
    return storeNumber(static_cast<double>(*number));
  }
  case FetchKind::Symbol: {
    Value word =
        arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                   symbolValues.lookup(fetch.getSymbol()));
    Value cell = PrimitiveBody(builder, location)
                     .convert({word, Precision::I64}, precision);
    return store(fillWith(location, node, cell));
  }
  case FetchKind::Slice: {
    NodeOp source = getNode(fetch.getSourceAttr());
    RankedTensorType sourceType = getTensorType(source);
    if (sourceType.getRank() != type.getRank() + 1 ||
        sourceType.getShape().drop_front() != type.getShape() ||
        source.getPrecision() != node.getPrecision())
      return fetch.emitOpError()
             << "needs @" << node.getSymName() << " to be one element of @"
             << source.getSymName() << " along its leftmost batch axis";
    SmallVector<OpFoldResult> offsets(sourceType.getRank(),
                                      builder.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes,
        strides(sourceType.getRank(), builder.getIndexAttr(1));
    for (int64_t size : sourceType.getShape())
      sizes.push_back(builder.getIndexAttr(size));
    auto index = cast<SymbolIndexType>(fetch.getSymbol().getType());
    auto symbol = symbols.lookup<StaticSymbolOp>(index.getSymbol().getAttr());
    if (failed(checkRange(fetch, symbol, source, sourceType.getDimSize(0))))
      return failure();
    offsets[0] = symbolValues.lookup(fetch.getSymbol());
    sizes[0] = builder.getIndexAttr(1);
    Value slice = tensor::ExtractSliceOp::create(
        builder, location, type, values[source.getSymNameAttr()], offsets,
        sizes, strides);
    return store(needsOrder(node, source) ? detach(location, slice) : slice);
  }
  }
  llvm_unreachable("a fetch kind outside its enumeration");
}
