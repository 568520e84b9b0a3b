//===- FetchLowering.cpp - Nodes filled from outside ----------------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RandomWords.h"
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

/// An index as a cell. Words are counters with the bits of a 32-bit number.
static Value convertIndex(OpBuilder &builder, Location location, Value number,
                          Precision precision) {
  bool toWords = precision == Precision::UInt4x32;
  Type type = toWords ? builder.getI32Type() : builder.getI64Type();
  Value cell = arith::IndexCastOp::create(builder, location, type, number);
  return PrimitiveBody(builder, location)
      .convert({cell, toWords ? Precision::U32 : Precision::I64}, precision);
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
    Value cell = convertIndex(builder, location, number, precision);
    linalg::YieldOp::create(
        builder, location,
        PrimitiveBody(builder, location).store({cell, precision}));
  };
  return linalg::GenericOp::create(builder, location, TypeRange{type},
                                   ValueRange{}, ValueRange{empty},
                                   ArrayRef<AffineMap>{identity}, kinds, body)
      .getResult(0);
}

/// Fetches of words, except for what all precisions share (spec b.6).
LogicalResult RoutineLowering::lowerWordsFetch(FetchOp fetch) {
  Location location = fetch.getLoc();
  NodeOp node = getNode(fetch.getNodeAttr());
  auto storeEverywhere = [&](Value cell) {
    values[node.getSymNameAttr()] = fillWith(location, node, cell);
    return success();
  };
  auto storeZero = [&]() {
    Type type = getCellType(Precision::UInt4x32, builder.getContext());
    return storeEverywhere(arith::ConstantOp::create(
        builder, location, cast<TypedAttr>(builder.getZeroAttr(type))));
  };
  auto storeCounter = [&](int64_t number) {
    Value index = arith::ConstantIndexOp::create(builder, location, number);
    return storeEverywhere(
        convertIndex(builder, location, index, Precision::UInt4x32));
  };
  auto refuse = [&](double number) {
    return fetch.emitOpError()
           << "gives the number " << number << " to @" << node.getSymName()
           << ", but a number other than 0 says nothing "
              "about four words: write its bits (spec b.6)";
  };
  switch (fetch.getKind()) {
  case FetchKind::Constant: {
    double number = cast<FloatAttr>(fetch.getValueAttr()).getValueAsDouble();
    return number == 0 ? storeZero() : refuse(number);
  }
  case FetchKind::Fill:
    for (double number :
         cast<DenseF64ArrayAttr>(fetch.getValueAttr()).asArrayRef())
      if (number != 0)
        return refuse(number);
    return storeZero();
  case FetchKind::Bits: {
    Value bits = arith::ConstantOp::create(
        builder, location,
        builder.getI64IntegerAttr(
            cast<IntegerAttr>(fetch.getValueAttr()).getInt()));
    return storeEverywhere(RandomWords(builder, location).emitSplit(bits));
  }
  case FetchKind::SelfId:
    return storeCounter(*node.getId());
  case FetchKind::Dim:
    return storeCounter(
        *getCapturedNumber(symbols.lookup(fetch.getSourceAttr().getAttr())));
  case FetchKind::Symbol:
    return storeEverywhere(convertIndex(builder, location,
                                        symbolValues.lookup(fetch.getSymbol()),
                                        Precision::UInt4x32));
  default:
    llvm_unreachable("ranges and slices are alike in all precisions");
  }
}

/// The largest number that a fetch of indices gives, where it is known.
static int64_t getLargestIndex(FetchOp fetch, NodeOp node,
                               SymbolTable &symbols) {
  switch (fetch.getKind()) {
  case FetchKind::Range: {
    int64_t cells = 1;
    for (int64_t size : node.getShape().getMemoryOrderSizes())
      cells *= size;
    return cells - 1;
  }
  case FetchKind::SelfId:
    return *node.getId();
  case FetchKind::Dim:
    return getCapturedNumber(symbols.lookup(fetch.getSourceAttr().getAttr()))
        .value_or(0);
  case FetchKind::Symbol: {
    auto type = cast<SymbolIndexType>(fetch.getSymbol().getType());
    return symbols.lookup<StaticSymbolOp>(type.getSymbol().getAttr())
               .getUpper() -
           1;
  }
  default:
    return 0;
  }
}

LogicalResult RoutineLowering::lowerFetch(FetchOp fetch) {
  MLIRContext *context = builder.getContext();
  Location location = fetch.getLoc();
  NodeOp node = getNode(fetch.getNodeAttr());
  Precision precision = *node.getPrecision();
  RankedTensorType type = getTensorType(node);
  FetchKind kind = fetch.getKind();
  if (kind == FetchKind::Dim &&
      !getCapturedNumber(symbols.lookup(fetch.getSourceAttr().getAttr())))
    return fetch.emitOpError()
           << "embeds " << fetch.getSourceAttr()
           << ", which has no number yet: run tdsl-infer-shapes first";
  if (kind == FetchKind::Fill) {
    int64_t given =
        cast<DenseF64ArrayAttr>(fetch.getValueAttr()).asArrayRef().size();
    if (given != type.getNumElements())
      return fetch.emitOpError()
             << "gives " << given << " cells, but @" << node.getSymName()
             << " has " << type.getNumElements() << " (spec b.1)";
  }
  if (precision == Precision::UInt4x32) {
    int64_t largest = getLargestIndex(fetch, node, symbols);
    if (largest > std::numeric_limits<uint32_t>::max())
      return fetch.emitOpError()
             << "gives numbers up to " << largest << " to @"
             << node.getSymName()
             << ", but a counter of uint4x32 takes 32 bits (spec b.6)";
    if (kind != FetchKind::Range && kind != FetchKind::Slice)
      return lowerWordsFetch(fetch);
  }
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
    return store(arith::ConstantOp::create(
        builder, location, DenseElementsAttr::get(type, cells)));
  }
  case FetchKind::Range: {
    Value range = createRange(builder, location, type, precision);
    return store(needsOrder(node, {}) ? detach(location, range) : range);
  }
  case FetchKind::SelfId:
    return storeNumber(static_cast<double>(*node.getId()));
  case FetchKind::Dim:
    return storeNumber(static_cast<double>(
        *getCapturedNumber(symbols.lookup(fetch.getSourceAttr().getAttr()))));
  case FetchKind::Symbol: {
    Value cell = convertIndex(
        builder, location, symbolValues.lookup(fetch.getSymbol()), precision);
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
