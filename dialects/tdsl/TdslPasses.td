#ifndef TDSL_PASSES
#define TDSL_PASSES
include "mlir/Pass/PassBase.td"

def TdslInternalize : Pass<"tdsl-internalize", "::tdsl::ProgramOp"> {
  let summary = "Make the nodes that no host code reads private";
}
#endif
