#ifndef TDSL_IR_TDSLOPS_H
#define TDSL_IR_TDSLOPS_H
#include "tdsl/IR/TdslDialect.h"
#include "mlir/IR/RegionKindInterface.h"
#define GET_OP_CLASSES
#include "tdsl/IR/TdslOps.h.inc"
#endif
