#ifndef TDSL_TYPES
#define TDSL_TYPES
include "mlir/IR/AttrTypeBase.td"
include "TdslDialect.td"
#endif
