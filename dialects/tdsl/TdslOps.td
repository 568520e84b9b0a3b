#ifndef TDSL_OPS
#define TDSL_OPS
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "TdslDialect.td"
include "TdslEnums.td"
include "TdslAttributes.td"
include "TdslTypes.td"
include "TdslInterfaces.td"

def ProgramOp : Op<Tdsl_Dialect, "program",
                   [Symbol, SymbolTable, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}
def AssignOp : Op<Tdsl_Dialect, "assign", []> {
  let assemblyFormat = "attr-dict";
}
#endif
