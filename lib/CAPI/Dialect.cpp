//===- Dialect.cpp - C API: the dialect and its attributes ----------------===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tdsl-c/Dialect.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "tdsl/IR/BytecodeVersion.h"
#include "tdsl/IR/ShapeText.h"
#include "tdsl/IR/TdslDialect.h"
#include "tdsl/IR/TdslInterfaces.h"

using namespace mlir;
using namespace tdsl;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tdsl, tdsl, tdsl::TdslDialect)

/// Builds an attribute through its verifier; null when that objects.
template <typename Attr, typename... Args>
static MlirAttribute getChecked(MlirLocation location, Args &&...args) {
  Location loc = unwrap(location);
  return wrap(Attribute(Attr::getChecked([&] { return emitError(loc); },
                                         loc.getContext(),
                                         std::forward<Args>(args)...)));
}

/// A text as an attribute, null when it is empty.
static StringAttr getOptionalString(MlirLocation location, MlirStringRef text) {
  if (text.length == 0)
    return {};
  return StringAttr::get(unwrap(location).getContext(), unwrap(text));
}

static FlatSymbolRefAttr getOptionalSymbol(MlirLocation location,
                                           MlirStringRef name) {
  StringAttr text = getOptionalString(location, name);
  return text ? FlatSymbolRefAttr::get(text) : FlatSymbolRefAttr();
}

static MlirStringRef getSymbolName(FlatSymbolRefAttr symbol) {
  return wrap(symbol ? symbol.getValue() : StringRef());
}

/// `attributes` as `Attr`, with nulls, which verifiers refuse, for other kinds.
template <typename Attr>
static SmallVector<Attr> castAll(intptr_t count,
                                 const MlirAttribute *attributes) {
  SmallVector<Attr> result;
  for (intptr_t i = 0; i < count; ++i)
    result.push_back(dyn_cast_or_null<Attr>(unwrap(attributes[i])));
  return result;
}

/// Parses a written form; mistakes are reported with the text and the column.
template <typename Attr>
static MlirAttribute parseText(MlirLocation location, MlirStringRef text,
                               FailureOr<Attr> (*parse)(StringRef, TextErrorFn,
                                                        MLIRContext *)) {
  Location loc = unwrap(location);
  auto emitAt = [&](size_t offset) {
    InFlightDiagnostic diagnostic = emitError(loc);
    diagnostic << "in \"" << unwrap(text) << "\", column " << offset + 1
               << ": ";
    return diagnostic;
  };
  FailureOr<Attr> parsed = parse(unwrap(text), emitAt, loc.getContext());
  return wrap(succeeded(parsed) ? Attribute(*parsed) : Attribute());
}

//===----------------------------------------------------------------------===//
// Axis, row, shape
//===----------------------------------------------------------------------===//

MlirTypeID tdslAxisAttrGetTypeID() { return wrap(AxisAttr::getTypeID()); }
bool tdslAttributeIsAAxis(MlirAttribute attribute) {
  return isa<AxisAttr>(unwrap(attribute));
}
MlirAttribute tdslAxisAttrGet(MlirLocation location, int64_t size,
                              MlirStringRef basis) {
  return getChecked<AxisAttr>(
      location, size,
      StringAttr::get(unwrap(location).getContext(), unwrap(basis)));
}
int64_t tdslAxisAttrGetSize(MlirAttribute axis) {
  return cast<AxisAttr>(unwrap(axis)).getSize();
}
MlirStringRef tdslAxisAttrGetBasis(MlirAttribute axis) {
  return wrap(cast<AxisAttr>(unwrap(axis)).getBasis().getValue());
}

MlirTypeID tdslRowAttrGetTypeID() { return wrap(RowAttr::getTypeID()); }
bool tdslAttributeIsARow(MlirAttribute attribute) {
  return isa<RowAttr>(unwrap(attribute));
}
MlirAttribute tdslRowAttrGet(MlirLocation location, intptr_t leadingCount,
                             const MlirAttribute *leading,
                             const MlirStringRef *variable,
                             intptr_t trailingCount,
                             const MlirAttribute *trailing) {
  auto leadingAxes = castAll<AxisAttr>(leadingCount, leading);
  auto trailingAxes = castAll<AxisAttr>(trailingCount, trailing);
  StringAttr name;
  if (variable)
    name = StringAttr::get(unwrap(location).getContext(), unwrap(*variable));
  return getChecked<RowAttr>(location, ArrayRef<AxisAttr>(leadingAxes), name,
                             ArrayRef<AxisAttr>(trailingAxes));
}
MlirAttribute tdslRowAttrParse(MlirLocation location, MlirStringRef text) {
  return parseText<RowAttr>(location, text, parseRowText);
}
intptr_t tdslRowAttrGetNumLeading(MlirAttribute row) {
  return cast<RowAttr>(unwrap(row)).getLeading().size();
}
MlirAttribute tdslRowAttrGetLeading(MlirAttribute row, intptr_t position) {
  return wrap(Attribute(cast<RowAttr>(unwrap(row)).getLeading()[position]));
}
bool tdslRowAttrIsClosed(MlirAttribute row) {
  return cast<RowAttr>(unwrap(row)).isClosed();
}
MlirStringRef tdslRowAttrGetVariable(MlirAttribute row) {
  StringAttr variable = cast<RowAttr>(unwrap(row)).getVariable();
  return wrap(variable ? variable.getValue() : StringRef());
}
intptr_t tdslRowAttrGetNumTrailing(MlirAttribute row) {
  return cast<RowAttr>(unwrap(row)).getTrailing().size();
}
MlirAttribute tdslRowAttrGetTrailing(MlirAttribute row, intptr_t position) {
  return wrap(Attribute(cast<RowAttr>(unwrap(row)).getTrailing()[position]));
}

MlirTypeID tdslShapeAttrGetTypeID() { return wrap(ShapeAttr::getTypeID()); }
bool tdslAttributeIsAShape(MlirAttribute attribute) {
  return isa<ShapeAttr>(unwrap(attribute));
}
MlirAttribute tdslShapeAttrGet(MlirLocation location, MlirAttribute batch,
                               MlirAttribute input, MlirAttribute output) {
  return getChecked<ShapeAttr>(location,
                               dyn_cast_or_null<RowAttr>(unwrap(batch)),
                               dyn_cast_or_null<RowAttr>(unwrap(input)),
                               dyn_cast_or_null<RowAttr>(unwrap(output)));
}
MlirAttribute tdslShapeAttrParse(MlirLocation location, MlirStringRef text) {
  return parseText<ShapeAttr>(location, text, parseShapeText);
}
MlirAttribute tdslShapeAttrGetRow(MlirAttribute shape, TdslRowKind kind) {
  return wrap(Attribute(
      cast<ShapeAttr>(unwrap(shape)).getRow(static_cast<RowKind>(kind))));
}
bool tdslShapeAttrIsSolved(MlirAttribute shape) {
  return cast<ShapeAttr>(unwrap(shape)).isSolved();
}

void tdslAttributePrintText(MlirAttribute attribute, MlirStringCallback print,
                            void *userData) {
  std::string text;
  if (auto axis = dyn_cast<AxisAttr>(unwrap(attribute)))
    text = axisToText(axis);
  else if (auto row = dyn_cast<RowAttr>(unwrap(attribute)))
    text = rowToText(row);
  else if (auto shape = dyn_cast<ShapeAttr>(unwrap(attribute)))
    text = shapeToText(shape);
  print(wrap(StringRef(text)), userData);
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

MlirTypeID tdslIteratorAttrGetTypeID() {
  return wrap(IteratorAttr::getTypeID());
}
bool tdslAttributeIsAIterator(MlirAttribute attribute) {
  return isa<IteratorAttr>(unwrap(attribute));
}
MlirAttribute tdslIteratorAttrGet(MlirLocation location, MlirStringRef name,
                                  int64_t size, bool isReduction) {
  return getChecked<IteratorAttr>(
      location, StringAttr::get(unwrap(location).getContext(), unwrap(name)),
      size, isReduction ? IteratorKind::Reduction : IteratorKind::Parallel);
}
MlirStringRef tdslIteratorAttrGetName(MlirAttribute iterator) {
  return wrap(cast<IteratorAttr>(unwrap(iterator)).getName().getValue());
}
int64_t tdslIteratorAttrGetSize(MlirAttribute iterator) {
  return cast<IteratorAttr>(unwrap(iterator)).getSize();
}
bool tdslIteratorAttrIsReduction(MlirAttribute iterator) {
  return cast<IteratorAttr>(unwrap(iterator)).getKind() ==
         IteratorKind::Reduction;
}

MlirTypeID tdslSpaceAttrGetTypeID() { return wrap(SpaceAttr::getTypeID()); }
bool tdslAttributeIsASpace(MlirAttribute attribute) {
  return isa<SpaceAttr>(unwrap(attribute));
}
MlirAttribute tdslSpaceAttrGet(MlirLocation location, intptr_t iteratorCount,
                               const MlirAttribute *iterators,
                               intptr_t symbolCount,
                               const MlirStringRef *symbols, intptr_t mapCount,
                               const MlirAffineMap *maps, const bool *guarded) {
  auto iteratorAttrs = castAll<IteratorAttr>(iteratorCount, iterators);
  SmallVector<StringAttr> symbolNames;
  for (intptr_t i = 0; i < symbolCount; ++i)
    symbolNames.push_back(
        StringAttr::get(unwrap(location).getContext(), unwrap(symbols[i])));
  SmallVector<AffineMap> affineMaps;
  for (intptr_t i = 0; i < mapCount; ++i)
    affineMaps.push_back(unwrap(maps[i]));
  return getChecked<SpaceAttr>(location, ArrayRef<IteratorAttr>(iteratorAttrs),
                               ArrayRef<StringAttr>(symbolNames),
                               ArrayRef<AffineMap>(affineMaps),
                               ArrayRef<bool>(guarded, mapCount));
}
intptr_t tdslSpaceAttrGetNumIterators(MlirAttribute space) {
  return cast<SpaceAttr>(unwrap(space)).getIterators().size();
}
MlirAttribute tdslSpaceAttrGetIterator(MlirAttribute space, intptr_t position) {
  return wrap(
      Attribute(cast<SpaceAttr>(unwrap(space)).getIterators()[position]));
}
intptr_t tdslSpaceAttrGetNumSymbols(MlirAttribute space) {
  return cast<SpaceAttr>(unwrap(space)).getSymbols().size();
}
MlirStringRef tdslSpaceAttrGetSymbol(MlirAttribute space, intptr_t position) {
  return wrap(cast<SpaceAttr>(unwrap(space)).getSymbols()[position].getValue());
}
intptr_t tdslSpaceAttrGetNumMaps(MlirAttribute space) {
  return cast<SpaceAttr>(unwrap(space)).getMaps().size();
}
MlirAffineMap tdslSpaceAttrGetMap(MlirAttribute space, intptr_t position) {
  return wrap(cast<SpaceAttr>(unwrap(space)).getMaps()[position]);
}
bool tdslSpaceAttrIsGuarded(MlirAttribute space, intptr_t position) {
  return cast<SpaceAttr>(unwrap(space)).getGuarded()[position];
}

//===----------------------------------------------------------------------===//
// Logics, accesses, terms
//===----------------------------------------------------------------------===//

MlirTypeID tdslLogicAttrGetTypeID() { return wrap(LogicAttr::getTypeID()); }
bool tdslAttributeIsALogic(MlirAttribute attribute) {
  return isa<LogicAttr>(unwrap(attribute));
}
MlirAttribute tdslLogicAttrGet(MlirLocation location, MlirStringRef kind,
                               MlirStringRef spec, MlirStringRef symbol) {
  std::optional<LogicKind> logicKind = symbolizeLogicKind(unwrap(kind));
  if (!logicKind) {
    emitError(unwrap(location))
        << "'" << unwrap(kind) << "' is not a kind of shape logic (spec d.4)";
    return {nullptr};
  }
  StringAttr specText = getOptionalString(location, spec);
  // An empty specification is still one; its grammar will refuse it.
  if (*logicKind == LogicKind::Spec && !specText)
    specText = StringAttr::get(unwrap(location).getContext(), "");
  return getChecked<LogicAttr>(location, *logicKind, specText,
                               getOptionalSymbol(location, symbol));
}
MlirStringRef tdslLogicAttrGetKind(MlirAttribute logic) {
  return wrap(stringifyLogicKind(cast<LogicAttr>(unwrap(logic)).getKind()));
}
MlirStringRef tdslLogicAttrGetSpec(MlirAttribute logic) {
  StringAttr spec = cast<LogicAttr>(unwrap(logic)).getSpec();
  return wrap(spec ? spec.getValue() : StringRef());
}
MlirStringRef tdslLogicAttrGetSymbol(MlirAttribute logic) {
  return getSymbolName(cast<LogicAttr>(unwrap(logic)).getSymbol());
}

MlirTypeID tdslAccessAttrGetTypeID() { return wrap(AccessAttr::getTypeID()); }
bool tdslAttributeIsAAccess(MlirAttribute attribute) {
  return isa<AccessAttr>(unwrap(attribute));
}
MlirAttribute tdslAccessAttrGet(MlirLocation location, MlirStringRef node,
                                bool merge, MlirStringRef slot) {
  Slot effective;
  if (slot.length != 0) {
    std::optional<Slot> symbol = symbolizeSlot(unwrap(slot));
    if (!symbol) {
      emitError(unwrap(location))
          << "'" << unwrap(slot)
          << "' is not a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec "
             "e.5)";
      return {nullptr};
    }
    effective = *symbol;
  }
  return getChecked<AccessAttr>(location, getOptionalSymbol(location, node),
                                merge, effective);
}
MlirStringRef tdslAccessAttrGetNode(MlirAttribute access) {
  return getSymbolName(cast<AccessAttr>(unwrap(access)).getNode());
}
bool tdslAccessAttrIsMerge(MlirAttribute access) {
  return cast<AccessAttr>(unwrap(access)).getMerge();
}
void tdslAccessAttrPrintSlot(MlirAttribute access, MlirStringCallback print,
                             void *userData) {
  std::string slot = stringifySlot(cast<AccessAttr>(unwrap(access)).getSlot());
  print(wrap(StringRef(slot)), userData);
}

MlirTypeID tdslTermAttrGetTypeID() { return wrap(TermAttr::getTypeID()); }
bool tdslAttributeIsATerm(MlirAttribute attribute) {
  return isa<TermAttr>(unwrap(attribute));
}
MlirAttribute tdslTermAttrGet(MlirLocation location, MlirStringRef symbol,
                              const TdslRowKind *row, const int64_t *axis) {
  std::optional<RowKind> rowKind;
  if (row)
    rowKind = static_cast<RowKind>(*row);
  std::optional<int64_t> position;
  if (axis)
    position = *axis;
  return getChecked<TermAttr>(location, getOptionalSymbol(location, symbol),
                              rowKind, position, Attribute());
}
MlirAttribute tdslTermAttrGetLiteral(MlirLocation location,
                                     MlirAttribute literal) {
  return getChecked<TermAttr>(
      location, FlatSymbolRefAttr(), std::optional<RowKind>(),
      std::optional<int64_t>(), Attribute(unwrap(literal)));
}
MlirStringRef tdslTermAttrGetSymbol(MlirAttribute term) {
  return getSymbolName(cast<TermAttr>(unwrap(term)).getSymbol());
}
bool tdslTermAttrGetRow(MlirAttribute term, TdslRowKind *row) {
  std::optional<RowKind> kind = cast<TermAttr>(unwrap(term)).getRow();
  if (kind)
    *row = static_cast<TdslRowKind>(*kind);
  return kind.has_value();
}
bool tdslTermAttrGetAxis(MlirAttribute term, int64_t *axis) {
  std::optional<int64_t> position = cast<TermAttr>(unwrap(term)).getAxis();
  if (position)
    *axis = *position;
  return position.has_value();
}
MlirAttribute tdslTermAttrGetLiteralAttr(MlirAttribute term) {
  return wrap(cast<TermAttr>(unwrap(term)).getLiteral());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

MlirTypeID tdslSymbolIndexTypeGetTypeID() {
  return wrap(SymbolIndexType::getTypeID());
}
bool tdslTypeIsASymbolIndex(MlirType type) {
  return isa<SymbolIndexType>(unwrap(type));
}
MlirType tdslSymbolIndexTypeGet(MlirContext context, MlirStringRef symbol) {
  MLIRContext *owner = unwrap(context);
  return wrap(Type(SymbolIndexType::get(
      owner, FlatSymbolRefAttr::get(owner, unwrap(symbol)))));
}
MlirStringRef tdslSymbolIndexTypeGetSymbol(MlirType type) {
  return getSymbolName(cast<SymbolIndexType>(unwrap(type)).getSymbol());
}

//===----------------------------------------------------------------------===//
// TdslIndexSpaceOpInterface
//===----------------------------------------------------------------------===//

bool tdslOperationHasIndexSpace(MlirOperation op) {
  return isa<TdslIndexSpaceOpInterface>(unwrap(op));
}
MlirAttribute tdslOperationGetIterationSpace(MlirOperation op) {
  return wrap(Attribute(
      cast<TdslIndexSpaceOpInterface>(unwrap(op)).getIterationSpace()));
}
MlirAttribute tdslOperationGetDestinations(MlirOperation op) {
  return wrap(Attribute(
      cast<TdslIndexSpaceOpInterface>(unwrap(op)).getDestinationAccesses()));
}
MlirAttribute tdslOperationGetSources(MlirOperation op) {
  return wrap(Attribute(
      cast<TdslIndexSpaceOpInterface>(unwrap(op)).getSourceAccesses()));
}

static MlirAttribute wrapMap(AffineMap map) {
  return wrap(map ? Attribute(AffineMapAttr::get(map)) : Attribute());
}

MlirAttribute tdslOperationGetDestinationMap(MlirOperation op,
                                             intptr_t position) {
  auto spaceOp = cast<TdslIndexSpaceOpInterface>(unwrap(op));
  intptr_t count = spaceOp.getDestinationAccesses().size();
  return wrapMap(position >= 0 && position < count
                     ? spaceOp.getDestinationMap(position)
                     : AffineMap());
}
MlirAttribute tdslOperationGetSourceMap(MlirOperation op, intptr_t position) {
  auto spaceOp = cast<TdslIndexSpaceOpInterface>(unwrap(op));
  intptr_t count = spaceOp.getSourceAccesses().size();
  return wrapMap(position >= 0 && position < count
                     ? spaceOp.getSourceMap(position)
                     : AffineMap());
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

void tdslGetBytecodeVersion(uint64_t *major, uint64_t *minor) {
  BytecodeVersion version;
  *major = version.majorNumber;
  *minor = version.minorNumber;
}

MlirLogicalResult tdslWriteBytecode(MlirOperation op, uint64_t major,
                                    uint64_t minor, MlirStringCallback write,
                                    void *userData) {
  auto version = std::make_unique<BytecodeVersion>();
  version->majorNumber = major;
  version->minorNumber = minor;
  BytecodeWriterConfig config;
  config.setDialectVersion<TdslDialect>(std::move(version));
  mlir::detail::CallbackOstream stream(write, userData);
  return wrap(writeBytecodeToFile(unwrap(op), stream, config));
}
