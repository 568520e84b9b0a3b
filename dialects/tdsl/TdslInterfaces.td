//===- TdslInterfaces.td - what foreign passes may ask -----*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_INTERFACES
#define TDSL_INTERFACES

include "mlir/IR/OpBase.td"

def TdslIndexSpaceOpInterface : OpInterface<"TdslIndexSpaceOpInterface"> {
  let cppNamespace = "::tdsl";
  let description = [{
    An operation that visits an iteration domain, reads nodes through indexing maps
    and accumulates into nodes. A pass that needs only this works on every such
    operation, also on those of other dialects that implement the interface.
  }];
  let methods = [
    InterfaceMethod<[{
        The derived space, or null before `tdsl-derive-projections` has run.
      }], "::tdsl::SpaceAttr", "getIterationSpace">,
    InterfaceMethod<"The nodes written, each an `AccessAttr`.",
      "::mlir::ArrayAttr", "getDestinationAccesses">,
    InterfaceMethod<"The nodes read, each an `AccessAttr`.",
      "::mlir::ArrayAttr", "getSourceAccesses">,
    InterfaceMethod<"How contributions join the cells of a destination.",
      "::tdsl::Accumulator", "getAccumulation">,
    InterfaceMethod<[{
        Whether every cell of a destination first becomes the neutral element of the
        accumulator (spec b.2).
      }], "bool", "resetsDestinations">,
    InterfaceMethod<[{
        The map from the iteration domain to the cells of the destination with this
        position, or a null map before derivation.
      }], "::mlir::AffineMap", "getDestinationMap", (ins "unsigned":$position)>,
    InterfaceMethod<[{
        The map from the iteration domain to the cells of the source with this
        position, or a null map before derivation.
      }], "::mlir::AffineMap", "getSourceMap", (ins "unsigned":$position)>,
  ];
}

#endif // TDSL_INTERFACES
