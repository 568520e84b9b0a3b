#ifndef TDSL_C_DIALECT_H
#define TDSL_C_DIALECT_H
#include "mlir-c/IR.h"
#ifdef __cplusplus
extern "C" {
#endif
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tdsl, tdsl);
#ifdef __cplusplus
}
#endif
#endif
