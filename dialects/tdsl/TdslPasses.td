//===- TdslPasses.td - passes written in C++ ----------------------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_PASSES
#define TDSL_PASSES

include "mlir/Pass/PassBase.td"

def TdslInternalize : Pass<"tdsl-internalize", "::tdsl::ProgramOp"> {
  let summary = "make results private unless they are kept";
  let description = [{
    The host can read every public node, so the compiler must write each of them to
    memory. This pass makes the `result`, `leaf`, `init` and `stretch` nodes of a
    program private, except those named in `keep`; `symbol-dce` then removes what no
    routine uses, and code generation may hold the rest in registers. Inputs and
    parameters belong to the host and stay public, as do their gradients.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string", "nodes that the host will read">,
  ];
}

#endif // TDSL_PASSES
