#ifndef TDSL_ATTRIBUTES
#define TDSL_ATTRIBUTES
include "mlir/IR/AttrTypeBase.td"
include "TdslDialect.td"
#endif
