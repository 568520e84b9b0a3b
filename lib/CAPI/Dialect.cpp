#include "tdsl-c/Dialect.h"
#include "mlir/CAPI/Registration.h"
#include "tdsl/IR/TdslDialect.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tdsl, tdsl, tdsl::TdslDialect)
