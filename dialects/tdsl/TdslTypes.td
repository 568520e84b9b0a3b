//===- TdslTypes.td - types of the dialect -----------------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_TYPES
#define TDSL_TYPES

include "TdslDialect.td"
include "mlir/IR/AttrTypeBase.td"

def Tdsl_SymbolIndexType : TypeDef<Tdsl_Dialect, "SymbolIndex"> {
  let mnemonic = "index";
  let summary = "a value of a static symbol, bound at each run";
  let description = [{
    `!tdsl.index<@i>` is the type of a routine argument that carries a value of
    `tdsl.symbol @i`. Its range is the symbol's.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

#endif // TDSL_TYPES
