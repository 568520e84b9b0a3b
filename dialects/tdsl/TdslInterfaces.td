#ifndef TDSL_INTERFACES
#define TDSL_INTERFACES
include "mlir/IR/OpBase.td"
#endif
