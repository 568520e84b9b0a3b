//===- AssignLowering.cpp - Assignments as linalg operations --------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The normal form that linalg takes: every index is an affine sum of iterators
// without offset, inside its tensor. Pinned and symbolic indices, segments and
// strides become slices; a padded window is split into boxes first; an iterator
// that no tensor has as an axis gets an empty tensor of its size. What has no
// such form (division, remainder) is gathered cell by cell inside the body.
//
//===----------------------------------------------------------------------===//

#include "RoutineLowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace tdsl;

/// Whether accumulating the neutral element leaves every cell as it is. The
/// others normalise the cell (or, and) or gate it.
static bool neutralIsIdentity(Accumulator accumulator) {
  switch (accumulator) {
  case Accumulator::Add:
  case Accumulator::Sub:
  case Accumulator::Mul:
  case Accumulator::Div:
  case Accumulator::Pow:
  case Accumulator::Max:
  case Accumulator::Min:
    return true;
  default:
    return false;
  }
}

bool AssignLowering::isGathered(const Operand &operand) {
  return llvm::any_of(operand.map.getResults(), [&](AffineExpr index) {
    std::optional<LinearIndex> linear = getLinearIndex(
        index, space.getIterators().size(), space.getSymbols().size());
    return !linear || (operand.guarded && linear->usesSymbols());
  });
}

void AssignLowering::restrict(SmallVectorImpl<DomainBox> &boxes,
                              const Operand &operand) {
  if (!operand.guarded || isGathered(operand))
    return;
  auto type = cast<RankedTensorType>(operand.tensor.getType());
  for (auto [index, size] :
       llvm::zip_equal(operand.map.getResults(), type.getShape())) {
    std::optional<LinearIndex> linear = getLinearIndex(
        index, space.getIterators().size(), space.getSymbols().size());
    assert(linear && "only gathered operands have other indices");
    restrictToRange(boxes, *linear, size);
  }
}

OpFoldResult AssignLowering::getOffset(const LinearIndex &index,
                                       int64_t smallest) {
  if (!index.usesSymbols())
    return builder.getIndexAttr(smallest);
  AffineExpr offset = builder.getAffineConstantExpr(smallest);
  for (auto [position, factor] : llvm::enumerate(index.symbolFactors))
    offset = offset + builder.getAffineSymbolExpr(position) * factor;
  return affine::makeComposedFoldedAffineApply(
      builder, location, AffineMap::get(0, symbols.size(), offset),
      getAsOpFoldResult(symbols));
}

AssignLowering::View AssignLowering::createView(const Operand &operand,
                                                const DomainBox &box) {
  MLIRContext *context = builder.getContext();
  unsigned iterators = space.getIterators().size();
  auto type = cast<RankedTensorType>(operand.tensor.getType());
  View view;
  SmallVector<AffineExpr> results;
  SmallVector<int64_t> shape;
  for (auto [index, size] :
       llvm::zip_equal(operand.map.getResults(), type.getShape())) {
    std::optional<LinearIndex> linear =
        getLinearIndex(index, iterators, space.getSymbols().size());
    assert(linear && "only gathered operands have other indices");
    auto [smallest, largest] = linear->getRange(box);
    AffineExpr shifted = getAffineConstantExpr(0, context);
    SmallVector<unsigned> used;
    int64_t start = 0;
    for (auto [iterator, factor] : llvm::enumerate(linear->iteratorFactors)) {
      if (factor == 0 || box.getExtent(iterator) == 1)
        continue;
      used.push_back(iterator);
      shifted = shifted + getAffineDimExpr(iterator, context) * factor;
      if (factor < 0)
        start -= factor * (box.getExtent(iterator) - 1);
    }
    int64_t extent = largest - smallest + 1, stride = 1;
    // An iterator alone on its axis strides over a slice, so that its index is
    // itself.
    if (used.size() == 1 && linear->iteratorFactors[used[0]] > 0) {
      stride = linear->iteratorFactors[used[0]];
      extent = box.getExtent(used[0]);
      shifted = getAffineDimExpr(used[0], context);
    } else {
      shifted = shifted + start;
    }
    bool isWholeAxis = !linear->usesSymbols() && smallest == 0 && stride == 1 &&
                       (used.size() > 1 ? extent <= size : extent == size);
    if (isWholeAxis)
      extent = size;
    view.isWhole &= isWholeAxis;
    view.offsets.push_back(isWholeAxis ? OpFoldResult(builder.getIndexAttr(0))
                                       : getOffset(*linear, smallest));
    view.sizes.push_back(builder.getIndexAttr(extent));
    view.strides.push_back(builder.getIndexAttr(stride));
    if (used.empty()) {
      // A pinned axis is no axis of the slice.
      view.isWhole = false;
      continue;
    }
    results.push_back(shifted);
    shape.push_back(extent);
  }
  view.map = AffineMap::get(iterators, 0, results, context);
  view.tensor = operand.tensor;
  if (!view.isWhole)
    view.tensor = tensor::ExtractSliceOp::create(
        builder, location, RankedTensorType::get(shape, type.getElementType()),
        operand.tensor, view.offsets, view.sizes, view.strides);
  return view;
}

Value AssignLowering::emitGather(const Operand &operand, const DomainBox &box,
                                 Value &inside) {
  auto type = cast<RankedTensorType>(operand.tensor.getType());
  if (type.getNumElements() == 0) {
    // There is no cell that a clamped index could read.
    inside = arith::ConstantOp::create(builder, location,
                                       builder.getBoolAttr(false));
    return arith::ConstantOp::create(
        builder, location,
        cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
  }
  MLIRContext *context = builder.getContext();
  unsigned iterators = space.getIterators().size();
  SmallVector<OpFoldResult> point;
  SmallVector<AffineExpr> fromBox;
  for (unsigned iterator = 0; iterator < iterators; ++iterator) {
    point.push_back(
        linalg::IndexOp::create(builder, location, iterator).getResult());
    fromBox.push_back(getAffineDimExpr(iterator, context) +
                      box.lower[iterator]);
  }
  llvm::append_range(point, getAsOpFoldResult(symbols));
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  SmallVector<Value> position;
  for (auto [index, size] :
       llvm::zip_equal(operand.map.getResults(), type.getShape())) {
    AffineMap map =
        AffineMap::get(iterators, symbols.size(), index.replaceDims(fromBox));
    Value value = getValueOrCreateConstantIndexOp(
        builder, location,
        affine::makeComposedFoldedAffineApply(builder, location, map, point));
    if (operand.guarded) {
      // Without a sign, numbers below zero are large ones.
      Value fits = arith::CmpIOp::create(
          builder, location, arith::CmpIPredicate::ult, value,
          arith::ConstantIndexOp::create(builder, location, size));
      value = arith::SelectOp::create(builder, location, fits, value, zero);
      inside = inside ? arith::AndIOp::create(builder, location, inside, fits)
                            .getResult()
                      : fits;
    }
    position.push_back(value);
  }
  return tensor::ExtractOp::create(builder, location, operand.tensor, position);
}

LogicalResult AssignLowering::emitBody(Block *body, ArrayRef<Operand> sources,
                                       const DomainBox &box,
                                       Precision precision, bool keepsOthers) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  Accumulator accumulator = assign.getAccumulator();
  Primitive primitive = assign.getPrimitive();
  // A sum of products may be contracted; nothing else may change its rounding.
  bool contract = accumulator == Accumulator::Add &&
                  (primitive == Primitive::Mul || primitive == Primitive::Mul3);
  PrimitiveBody cells(builder, location, contract);
  Value accumulated = cells.load(body->getArguments().back(), precision);
  auto getNeutral = [&]() {
    return Cell{
        arith::ConstantOp::create(
            builder, location,
            getNeutralElement(accumulator, precision, builder.getContext())),
        precision};
  };
  FailureOr<Cell> contribution = failure();
  if (sources.empty()) {
    contribution = getNeutral();
  } else {
    SmallVector<Cell> operands;
    Value inside;
    unsigned argument = 0;
    for (const Operand &source : sources) {
      Value stored = isGathered(source) ? emitGather(source, box, inside)
                                        : body->getArgument(argument++);
      operands.push_back(
          {cells.load(stored, source.precision), source.precision});
    }
    contribution = cells.apply(primitive, operands, precision);
    // One read outside makes the whole contribution neutral (spec e.4).
    if (succeeded(contribution) && inside)
      contribution->value = arith::SelectOp::create(
          builder, location, inside, contribution->value,
          cells.convert(getNeutral(), contribution->precision));
  }
  if (failed(contribution))
    return failure();
  FailureOr<Value> result =
      cells.accumulate(accumulator, {accumulated, precision}, *contribution);
  if (failed(result))
    return failure();
  Value stored = cells.store({*result, precision});
  if (accumulator == Accumulator::Overwrite && keepsOthers &&
      !space.getIterators().empty()) {
    // Upstream takes a result that its body does not read for one that is
    // written everywhere, and drops the cells before. No index is negative.
    Value index = linalg::IndexOp::create(builder, location, 0);
    Value zero = arith::ConstantIndexOp::create(builder, location, 0);
    Value always = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::sge, index, zero);
    stored = arith::SelectOp::create(builder, location, always, stored,
                                     body->getArguments().back());
  }
  linalg::YieldOp::create(builder, location, stored);
  return success();
}

FailureOr<Value> AssignLowering::emitBox(const DomainBox &box,
                                         ArrayRef<Operand> sources,
                                         const Operand &destination,
                                         bool replaces) {
  MLIRContext *context = builder.getContext();
  unsigned iterators = space.getIterators().size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Operand &source : sources) {
    if (isGathered(source))
      continue;
    View view = createView(source, box);
    inputs.push_back(view.tensor);
    maps.push_back(view.map);
  }
  View target = createView(destination, box);

  // Loops that no tensor gives a size to: reduced windows, and iterators of one
  // value, which views left out of their maps.
  llvm::SmallBitVector sized(iterators);
  auto noteSizes = [&](AffineMap map) {
    for (AffineExpr result : map.getResults())
      if (auto dimension = dyn_cast<AffineDimExpr>(result))
        sized.set(dimension.getPosition());
  };
  llvm::for_each(maps, noteSizes);
  noteSizes(target.map);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> unsized;
  Type cellType =
      cast<RankedTensorType>(destination.tensor.getType()).getElementType();
  for (unsigned iterator = 0; iterator < iterators; ++iterator) {
    if (sized.test(iterator))
      continue;
    shape.push_back(box.getExtent(iterator));
    unsized.push_back(getAffineDimExpr(iterator, context));
  }
  if (!unsized.empty()) {
    inputs.push_back(
        tensor::EmptyOp::create(builder, location, shape, cellType));
    maps.push_back(AffineMap::get(iterators, 0, unsized, context));
  }

  Value start = target.tensor;
  if (replaces)
    start = tensor::EmptyOp::create(
        builder, location,
        cast<RankedTensorType>(target.tensor.getType()).getShape(), cellType);
  maps.push_back(target.map);
  // Points that share a cell, or may, run in order.
  bool independent = target.map.isProjectedPermutation();
  SmallVector<utils::IteratorType> kinds;
  for (unsigned iterator = 0; iterator < iterators; ++iterator)
    kinds.push_back(independent && target.map.isFunctionOfDim(iterator)
                        ? utils::IteratorType::parallel
                        : utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(builder, location, start.getType(),
                                           inputs, start, maps, kinds);
  // The body is made in place: it may call a function that it adds to the
  // module.
  SmallVector<Type> argumentTypes;
  for (Value operand : generic->getOperands())
    argumentTypes.push_back(
        cast<RankedTensorType>(operand.getType()).getElementType());
  Block *body = new Block();
  generic.getRegion().push_back(body);
  body->addArguments(argumentTypes,
                     SmallVector<Location>(argumentTypes.size(), location));
  if (failed(emitBody(body, sources, box, destination.precision,
                      /*keepsOthers=*/inPlace || !independent)))
    return failure();
  Value result = generic.getResult(0);
  if (!target.isWhole)
    result = tensor::InsertSliceOp::create(builder, location, result,
                                           destination.tensor, target.offsets,
                                           target.sizes, target.strides);
  return result;
}

FailureOr<Value> AssignLowering::run(ArrayRef<Operand> sources,
                                     Operand destination, bool replaces,
                                     bool dependsOnCells) {
  inPlace = dependsOnCells;
  replaces &= !inPlace;
  DomainBox domain;
  for (IteratorAttr iterator : space.getIterators()) {
    domain.lower.push_back(0);
    domain.upper.push_back(iterator.getSize());
  }
  SmallVector<DomainBox> boxes = {domain};
  if (domain.isEmpty())
    boxes.clear();
  if (isGathered(destination))
    return assign.emitError()
           << "writes through an index with division or remainder, or a "
              "guarded "
              "one with a static symbol, which has no lowering to linalg: let "
              "the destination be the one that is iterated over";
  // A write outside is skipped.
  restrict(boxes, destination);

  bool readsGuarded = llvm::any_of(sources, [&](const Operand &source) {
    return source.guarded && !isGathered(source);
  });
  if (readsGuarded && !neutralIsIdentity(assign.getAccumulator())) {
    // A read outside contributes the neutral element. Where that changes the
    // cell, every point contributes it first, and the points inside then
    // contribute what they read.
    for (const DomainBox &box : boxes) {
      FailureOr<Value> result = emitBox(box, {}, destination, replaces);
      if (failed(result))
        return failure();
      destination.tensor = *result;
    }
    replaces = false;
  }
  for (const Operand &source : sources)
    restrict(boxes, source);
  for (const DomainBox &box : boxes) {
    FailureOr<Value> result = emitBox(box, sources, destination, replaces);
    if (failed(result))
      return failure();
    destination.tensor = *result;
  }
  return destination.tensor;
}
