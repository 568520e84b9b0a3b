//===- TdslDialect.td - the dialect itself -----------------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// See docs/rationale.md for the reasons behind the shape of the IR.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_DIALECT
#define TDSL_DIALECT

include "mlir/IR/OpBase.td"

def Tdsl_Dialect : Dialect {
  let name = "tdsl";
  let summary = "Tensor nodes, accumulating assignments and their index spaces";
  let description = [{
    The dialect has the three things that the language has: **tensor nodes**
    (`tdsl.node`), **accumulating assignments** (`tdsl.assign` and its relatives) and
    the **index spaces** that say which cells an assignment visits
    (`tdsl.projections`). Kernel expressions join them later.

    Everything lives in a `tdsl.program`, which is a symbol table: nodes, index
    spaces, captured dimensions and routines are symbols, so that their order in the
    file carries no meaning beyond reading. Only inside a `tdsl.routine` is order the
    order of execution.

    Section numbers such as "b.2" cite `spec/tensor-dsl.md`, the law of the language;
    verifier messages cite the same numbers.
  }];
  let cppNamespace = "::tdsl";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOperations();
    void registerBytecodeInterface();
  }];
}

#endif // TDSL_DIALECT
