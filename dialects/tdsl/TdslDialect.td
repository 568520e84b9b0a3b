#ifndef TDSL_DIALECT
#define TDSL_DIALECT
include "mlir/IR/OpBase.td"
def Tdsl_Dialect : Dialect {
  let name = "tdsl";
  let cppNamespace = "::tdsl";
}
#endif
