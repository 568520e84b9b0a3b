//===- Dialect.h - C API: the dialect and its attributes ----------*- C -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Constructors that take a location check their arguments: they return a null
// attribute after emitting an error at that location. Accessors expect the kind
// of attribute in their name; ask the matching tdslAttributeIsA function first.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_C_DIALECT_H
#define TDSL_C_DIALECT_H

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "tdsl-c/Export.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tdsl, tdsl);

/// The size of an axis that is not known.
#define TDSL_OPEN_SIZE ((int64_t)-1)

typedef enum TdslRowKind {
  TdslRowKindBatch,
  TdslRowKindInput,
  TdslRowKindOutput
} TdslRowKind;

//===----------------------------------------------------------------------===//
// Axis, row, shape
//===----------------------------------------------------------------------===//

TDSL_CAPI_EXPORTED MlirTypeID tdslAxisAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsAAxis(MlirAttribute attribute);
TDSL_CAPI_EXPORTED MlirAttribute tdslAxisAttrGet(MlirLocation location,
                                                 int64_t size,
                                                 MlirStringRef basis);
TDSL_CAPI_EXPORTED int64_t tdslAxisAttrGetSize(MlirAttribute axis);
TDSL_CAPI_EXPORTED MlirStringRef tdslAxisAttrGetBasis(MlirAttribute axis);

TDSL_CAPI_EXPORTED MlirTypeID tdslRowAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsARow(MlirAttribute attribute);
/// `variable` is null for a closed row; an empty name is the row variable
/// `...`.
TDSL_CAPI_EXPORTED MlirAttribute tdslRowAttrGet(MlirLocation location,
                                                intptr_t leadingCount,
                                                const MlirAttribute *leading,
                                                const MlirStringRef *variable,
                                                intptr_t trailingCount,
                                                const MlirAttribute *trailing);
/// Parses the written form, such as "3,..r..,4".
TDSL_CAPI_EXPORTED MlirAttribute tdslRowAttrParse(MlirLocation location,
                                                  MlirStringRef text);
TDSL_CAPI_EXPORTED intptr_t tdslRowAttrGetNumLeading(MlirAttribute row);
TDSL_CAPI_EXPORTED MlirAttribute tdslRowAttrGetLeading(MlirAttribute row,
                                                       intptr_t position);
TDSL_CAPI_EXPORTED bool tdslRowAttrIsClosed(MlirAttribute row);
TDSL_CAPI_EXPORTED MlirStringRef tdslRowAttrGetVariable(MlirAttribute row);
TDSL_CAPI_EXPORTED intptr_t tdslRowAttrGetNumTrailing(MlirAttribute row);
TDSL_CAPI_EXPORTED MlirAttribute tdslRowAttrGetTrailing(MlirAttribute row,
                                                        intptr_t position);

TDSL_CAPI_EXPORTED MlirTypeID tdslShapeAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsAShape(MlirAttribute attribute);
TDSL_CAPI_EXPORTED MlirAttribute tdslShapeAttrGet(MlirLocation location,
                                                  MlirAttribute batch,
                                                  MlirAttribute input,
                                                  MlirAttribute output);
/// Parses the written form, such as "2|3->4".
TDSL_CAPI_EXPORTED MlirAttribute tdslShapeAttrParse(MlirLocation location,
                                                    MlirStringRef text);
TDSL_CAPI_EXPORTED MlirAttribute tdslShapeAttrGetRow(MlirAttribute shape,
                                                     TdslRowKind kind);
TDSL_CAPI_EXPORTED bool tdslShapeAttrIsSolved(MlirAttribute shape);

/// Prints the written form of an axis, a row or a shape without quotes.
TDSL_CAPI_EXPORTED void tdslAttributePrintText(MlirAttribute attribute,
                                               MlirStringCallback print,
                                               void *userData);

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

TDSL_CAPI_EXPORTED MlirTypeID tdslIteratorAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsAIterator(MlirAttribute attribute);
TDSL_CAPI_EXPORTED MlirAttribute tdslIteratorAttrGet(MlirLocation location,
                                                     MlirStringRef name,
                                                     int64_t size,
                                                     bool isReduction);
TDSL_CAPI_EXPORTED MlirStringRef
tdslIteratorAttrGetName(MlirAttribute iterator);
TDSL_CAPI_EXPORTED int64_t tdslIteratorAttrGetSize(MlirAttribute iterator);
TDSL_CAPI_EXPORTED bool tdslIteratorAttrIsReduction(MlirAttribute iterator);

TDSL_CAPI_EXPORTED MlirTypeID tdslSpaceAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsASpace(MlirAttribute attribute);
/// `maps` holds the map of the result, then one for each operand.
TDSL_CAPI_EXPORTED MlirAttribute
tdslSpaceAttrGet(MlirLocation location, intptr_t iteratorCount,
                 const MlirAttribute *iterators, intptr_t symbolCount,
                 const MlirStringRef *symbols, intptr_t mapCount,
                 const MlirAffineMap *maps, const bool *guarded);
TDSL_CAPI_EXPORTED intptr_t tdslSpaceAttrGetNumIterators(MlirAttribute space);
TDSL_CAPI_EXPORTED MlirAttribute tdslSpaceAttrGetIterator(MlirAttribute space,
                                                          intptr_t position);
TDSL_CAPI_EXPORTED intptr_t tdslSpaceAttrGetNumSymbols(MlirAttribute space);
TDSL_CAPI_EXPORTED MlirStringRef tdslSpaceAttrGetSymbol(MlirAttribute space,
                                                        intptr_t position);
TDSL_CAPI_EXPORTED intptr_t tdslSpaceAttrGetNumMaps(MlirAttribute space);
TDSL_CAPI_EXPORTED MlirAffineMap tdslSpaceAttrGetMap(MlirAttribute space,
                                                     intptr_t position);
TDSL_CAPI_EXPORTED bool tdslSpaceAttrIsGuarded(MlirAttribute space,
                                               intptr_t position);

//===----------------------------------------------------------------------===//
// Logics, accesses, terms
//===----------------------------------------------------------------------===//

TDSL_CAPI_EXPORTED MlirTypeID tdslLogicAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsALogic(MlirAttribute attribute);
/// `kind` is a keyword of spec d.4: spec, pointwise, compose, transpose,
/// compose_accumulate, slice or uniform. `spec` is empty except for the first,
/// `symbol` is the name of a static symbol for slice and empty otherwise.
TDSL_CAPI_EXPORTED MlirAttribute tdslLogicAttrGet(MlirLocation location,
                                                  MlirStringRef kind,
                                                  MlirStringRef spec,
                                                  MlirStringRef symbol);
TDSL_CAPI_EXPORTED MlirStringRef tdslLogicAttrGetKind(MlirAttribute logic);
TDSL_CAPI_EXPORTED MlirStringRef tdslLogicAttrGetSpec(MlirAttribute logic);
TDSL_CAPI_EXPORTED MlirStringRef tdslLogicAttrGetSymbol(MlirAttribute logic);

TDSL_CAPI_EXPORTED MlirTypeID tdslAccessAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsAAccess(MlirAttribute attribute);
/// `slot` is a keyword of spec e.5, or empty for the obvious slot.
TDSL_CAPI_EXPORTED MlirAttribute tdslAccessAttrGet(MlirLocation location,
                                                   MlirStringRef node,
                                                   bool merge,
                                                   MlirStringRef slot);
TDSL_CAPI_EXPORTED MlirStringRef tdslAccessAttrGetNode(MlirAttribute access);
TDSL_CAPI_EXPORTED bool tdslAccessAttrIsMerge(MlirAttribute access);
TDSL_CAPI_EXPORTED void tdslAccessAttrPrintSlot(MlirAttribute access,
                                                MlirStringCallback print,
                                                void *userData);

TDSL_CAPI_EXPORTED MlirTypeID tdslTermAttrGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslAttributeIsATerm(MlirAttribute attribute);
/// A capture or a node (`row` null), a row of a node (`axis` null) or one axis.
TDSL_CAPI_EXPORTED MlirAttribute tdslTermAttrGet(MlirLocation location,
                                                 MlirStringRef symbol,
                                                 const TdslRowKind *row,
                                                 const int64_t *axis);
/// A literal axis or row.
TDSL_CAPI_EXPORTED MlirAttribute tdslTermAttrGetLiteral(MlirLocation location,
                                                        MlirAttribute literal);
/// Empty for a literal.
TDSL_CAPI_EXPORTED MlirStringRef tdslTermAttrGetSymbol(MlirAttribute term);
TDSL_CAPI_EXPORTED bool tdslTermAttrGetRow(MlirAttribute term,
                                           TdslRowKind *row);
TDSL_CAPI_EXPORTED bool tdslTermAttrGetAxis(MlirAttribute term, int64_t *axis);
/// Null unless the term is a literal.
TDSL_CAPI_EXPORTED MlirAttribute tdslTermAttrGetLiteralAttr(MlirAttribute term);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TDSL_CAPI_EXPORTED MlirTypeID tdslSymbolIndexTypeGetTypeID(void);
TDSL_CAPI_EXPORTED bool tdslTypeIsASymbolIndex(MlirType type);
TDSL_CAPI_EXPORTED MlirType tdslSymbolIndexTypeGet(MlirContext context,
                                                   MlirStringRef symbol);
TDSL_CAPI_EXPORTED MlirStringRef tdslSymbolIndexTypeGetSymbol(MlirType type);

//===----------------------------------------------------------------------===//
// TdslIndexSpaceOpInterface
//===----------------------------------------------------------------------===//

TDSL_CAPI_EXPORTED bool tdslOperationHasIndexSpace(MlirOperation op);
/// Null before derivation.
TDSL_CAPI_EXPORTED MlirAttribute
tdslOperationGetIterationSpace(MlirOperation op);
/// Arrays of accesses.
TDSL_CAPI_EXPORTED MlirAttribute tdslOperationGetDestinations(MlirOperation op);
TDSL_CAPI_EXPORTED MlirAttribute tdslOperationGetSources(MlirOperation op);
/// An AffineMapAttr, null before derivation and for a position out of range.
TDSL_CAPI_EXPORTED MlirAttribute
tdslOperationGetDestinationMap(MlirOperation op, intptr_t position);
TDSL_CAPI_EXPORTED MlirAttribute tdslOperationGetSourceMap(MlirOperation op,
                                                           intptr_t position);

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

/// The version of the dialect in bytecode that this build writes.
TDSL_CAPI_EXPORTED void tdslGetBytecodeVersion(uint64_t *major,
                                               uint64_t *minor);
/// Writes `op` as bytecode that claims a version of the dialect, which older
/// readers need and tests of newer ones.
TDSL_CAPI_EXPORTED MlirLogicalResult tdslWriteBytecode(MlirOperation op,
                                                       uint64_t major,
                                                       uint64_t minor,
                                                       MlirStringCallback write,
                                                       void *userData);

#ifdef __cplusplus
}
#endif

#endif // TDSL_C_DIALECT_H
