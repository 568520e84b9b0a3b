#include "tdsl/IR/TdslDialect.h"
#include "mlir/IR/Builders.h"
#include "tdsl/IR/TdslOps.h"
#include "tdsl/IR/TdslDialect.cpp.inc"
#define GET_OP_CLASSES
#include "tdsl/IR/TdslOps.cpp.inc"

void tdsl::TdslDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tdsl/IR/TdslOps.cpp.inc"
      >();
}
