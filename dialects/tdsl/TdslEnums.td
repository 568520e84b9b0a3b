#ifndef TDSL_ENUMS
#define TDSL_ENUMS
include "mlir/IR/EnumAttr.td"
include "TdslDialect.td"
def Tdsl_Role : I32EnumAttr<"Role", "role of a node", [
    I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Result", 1, "result">]> {
  let cppNamespace = "::tdsl";
}
#endif
