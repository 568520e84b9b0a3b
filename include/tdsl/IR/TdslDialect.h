#ifndef TDSL_IR_TDSLDIALECT_H
#define TDSL_IR_TDSLDIALECT_H
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "tdsl/IR/TdslDialect.h.inc"
#endif
