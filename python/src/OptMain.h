//===- OptMain.h - The driver behind tdsl-opt -------------------*- C++ -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PYTHON_OPTMAIN_H
#define TDSL_PYTHON_OPTMAIN_H

#include "tdsl-c/Passes.h"

/// Runs MLIR's driver with all upstream dialects and passes and ours. Once per
/// process: LLVM's command line keeps what it parsed. An unknown flag ends the
/// process, as in mlir-opt. With --tdsl-validate-each, `observer` is told of
/// every pass.
extern "C" int tdslOptMain(int argc, char **argv,
                           const TdslPassObserver *observer);

#endif // TDSL_PYTHON_OPTMAIN_H
