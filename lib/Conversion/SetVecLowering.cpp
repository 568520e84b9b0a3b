//===- SetVecLowering.cpp - Unpacking words into uniform cells ------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RandomWords.h"
#include "RoutineLowering.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tdsl;

/// Cells in memory order from the lanes of words; lanes that the last word has
/// beyond the last cell are dropped (spec k.14).
static Value unpackWords(OpBuilder &builder, Location location, Value words,
                         RankedTensorType type, Precision precision,
                         int64_t lanes) {
  Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                        type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> kinds(type.getRank(),
                                         utils::IteratorType::parallel);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  auto body = [&](OpBuilder &, Location, ValueRange) {
    Value number = constant(0);
    for (auto [dimension, size] : llvm::enumerate(type.getShape())) {
      Value before =
          arith::MulIOp::create(builder, location, number, constant(size));
      number = arith::AddIOp::create(
          builder, location, before,
          linalg::IndexOp::create(builder, location, dimension));
    }
    Value position =
        arith::DivUIOp::create(builder, location, number, constant(lanes));
    Value lane =
        arith::RemUIOp::create(builder, location, number, constant(lanes));
    Value word = tensor::ExtractOp::create(builder, location, words, position);
    Value cell =
        RandomWords(builder, location).emitUniform(word, lane, precision);
    linalg::YieldOp::create(builder, location, cell);
  };
  return linalg::GenericOp::create(builder, location, TypeRange{type},
                                   ValueRange{}, ValueRange{empty},
                                   ArrayRef<AffineMap>{identity}, kinds, body)
      .getResult(0);
}

LogicalResult RoutineLowering::lowerSetVec(SetVecOp setVec) {
  NodeOp node = getNode(setVec.getDestination().getNode());
  StringAttr source = setVec.getSource().getNode().getAttr();
  Precision precision = *node.getPrecision();
  if (!RandomWords::hasUniform(precision))
    return setVec.emitOpError()
           << "fills @" << node.getSymName()
           << ", but there are no uniform numbers of precision "
           << stringifyPrecision(precision) << " (spec b.6)";
  RankedTensorType type = getTensorType(node);
  Value words =
      setVec.getSource().getMerge() ? mergeBuffers[source] : values[source];
  auto wordsType = cast<RankedTensorType>(words.getType());
  if (wordsType.getRank() != 1)
    return setVec.emitOpError()
           << "reads @" << source.getValue() << ", which has "
           << wordsType.getRank()
           << " axes, but packed words are one axis (spec b.6)";
  int64_t lanes = 128 / type.getElementTypeBitWidth();
  int64_t needed = llvm::divideCeil(type.getNumElements(), lanes);
  if (wordsType.getDimSize(0) != needed)
    return setVec.emitOpError()
           << "fills the " << type.getNumElements() << " cells of @"
           << node.getSymName() << ", which takes " << needed << " words of "
           << lanes << " cells, but @" << source.getValue() << " has "
           << wordsType.getDimSize(0) << " (spec b.6)";
  Value result =
      unpackWords(builder, setVec.getLoc(), words, type, precision, lanes);
  // The empty tensor says nothing of the cells that are read before.
  values[node.getSymNameAttr()] =
      needsOrder(node, {}) ? detach(setVec.getLoc(), result) : result;
  return success();
}
