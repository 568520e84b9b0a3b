//===- OptMain.cpp - The driver behind tdsl-opt ---------------------------===//
//
// Part of TDSL, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of its own: it uses MLIR's C++ classes and is therefore compiled
// without RTTI, unlike the pybind11 files.
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tdsl-c/Dialect.h"

int tdslOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  // Through the C API: the C++ headers of all dialects dominate the build.
  MlirDialectRegistry handle = wrap(&registry);
  mlirRegisterAllDialects(handle);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tdsl__(), handle);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TDSL optimizer driver\n", registry));
}
