//===- TdslAttributes.td - shapes, accesses, index spaces --*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_ATTRIBUTES
#define TDSL_ATTRIBUTES

include "TdslDialect.td"
include "TdslEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

class Tdsl_Attr<string name, string attrMnemonic> : AttrDef<Tdsl_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def Tdsl_AxisAttr : Tdsl_Attr<"Axis", "axis"> {
  let summary = "one axis: a size and a basis";
  let description = [{
    `#tdsl.axis<"3">` is size 3 with basis `default`; `#tdsl.axis<"3:rgb">` has basis
    `rgb`; `#tdsl.axis<"?">` is open. The basis `bcast_if_1` marks the size-1 axis
    that broadcasts (spec d.2). An open axis may already know its basis: `"?:rgb"`.
  }];
  let parameters = (ins "int64_t":$size, "::mlir::StringAttr":$basis);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The size of an axis that inference has not solved yet.
    static constexpr int64_t kOpen = -1;
    bool isOpen() const { return getSize() == kOpen; }
  }];
}

def Tdsl_RowAttr : Tdsl_Attr<"Row", "row"> {
  let summary = "an ordered sequence of axes, open or closed";
  let description = [{
    `#tdsl.row<"3,4">` is closed. `#tdsl.row<"3,..r..,4">` has a row variable that
    stands for any number of axes between the leading and the trailing ones; the name
    is local to its node. `...` is a row variable without a name.
  }];
  let parameters = (ins
      OptionalArrayRefParameter<"AxisAttr">:$leading,
      "::mlir::StringAttr":$variable,
      OptionalArrayRefParameter<"AxisAttr">:$trailing);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A closed row has exactly its leading axes; an open one has a variable.
    bool isClosed() const { return !getVariable(); }
    /// Whether the row is closed and every axis has a size.
    bool isSolved() const;
    static RowAttr getClosed(::mlir::MLIRContext *context, ::llvm::ArrayRef<AxisAttr> axes);
  }];
}

def Tdsl_ShapeAttr : Tdsl_Attr<"Shape", "shape"> {
  let summary = "the three rows of a node";
  let description = [{
    `#tdsl.shape<"2|3->4">`: batch axes, input axes, output axes (spec a.3). A row
    that is not written is closed and empty, so `"4"` is `"|->4"`. Axes lie in memory
    as batch, output, input, the last varying fastest.
  }];
  let parameters = (ins "RowAttr":$batch, "RowAttr":$input, "RowAttr":$output);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    RowAttr getRow(RowKind kind) const;
    /// Whether inference has nothing left to do.
    bool isSolved() const;
    /// Sizes in memory order (batch, output, input); only for a solved shape.
    ::llvm::SmallVector<int64_t> getMemoryOrderSizes() const;
  }];
}

//===----------------------------------------------------------------------===//
// Index spaces
//===----------------------------------------------------------------------===//

def Tdsl_IteratorAttr : Tdsl_Attr<"Iterator", "iterator"> {
  let summary = "one iterator of an iteration domain";
  let description = [{ `#tdsl.iterator<i 3 reduction>`: name, number of values, kind. }];
  let parameters = (ins
      "::mlir::StringAttr":$name, "int64_t":$size,
      EnumParameter<Tdsl_IteratorKind>:$kind);
  let genVerifyDecl = 1;
}

def Tdsl_SpaceAttr : Tdsl_Attr<"Space", "space"> {
  let summary = "a derived iteration domain with one indexing map per slot";
  let description = [{
    `#tdsl.space<[i 2 parallel, k 4 parallel, j 3 reduction] lhs[i, k] rhs1[i, j]
    rhs2[j, k]>` is what derivation finds for `ij;jk=>ik` (spec e.2): iterators in
    product order, then the index of each slot in memory order of its axes.

    A map marked `guarded` may leave its node: a read outside contributes the neutral
    element of the statement's accumulator, a write outside is skipped (spec e.4).
    Static symbols are listed in `symbols [s]` and used like iterators.
  }];
  let parameters = (ins
      OptionalArrayRefParameter<"IteratorAttr">:$iterators,
      OptionalArrayRefParameter<"::mlir::StringAttr">:$symbols,
      ArrayRefParameter<"::mlir::AffineMap">:$maps,
      ArrayRefParameter<"bool">:$guarded);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map of the result.
    ::mlir::AffineMap getResultMap() const { return getMaps().front(); }
    /// The map of the operand with this number, counted from 1 (`rhs1`).
    ::mlir::AffineMap getOperandMap(unsigned number) const { return getMaps()[number]; }
    unsigned getNumOperandMaps() const { return getMaps().size() - 1; }
  }];
}

def Tdsl_LogicAttr : Tdsl_Attr<"Logic", "logic"> {
  let summary = "the shape logic of an operation";
  let description = [{
    A string is what a user writes after `logic=`: `"."` pointwise, `"@"` compose,
    `"T"` transpose, anything else an einsum specification, which C++ keeps as text:
    its one grammar is `tdsl.notation`. Keywords name the logics that have no
    spelling: `fma` (compose-accumulate), `slice(@s)`, `uniform` (spec d.4).
  }];
  let parameters = (ins
      EnumParameter<Tdsl_LogicKind>:$kind,
      "::mlir::StringAttr":$spec,
      "::mlir::FlatSymbolRefAttr":$symbol);
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Uses of nodes
//===----------------------------------------------------------------------===//

def Tdsl_AccessAttr : Tdsl_Attr<"Access", "access"> {
  let summary = "a node read or written through a slot of an index space";
  let description = [{
    `#tdsl.access<@x>` uses the obvious slot: `lhs` for a destination, `rhs1`, `rhs2`,
    ... for sources in their order. `#tdsl.access<@x[rhs2]>` names the slot, as
    gradient assignments do (spec e.5). `#tdsl.access<merge(@g)>` reads the merge
    buffer of a node (spec b.1).
  }];
  let parameters = (ins
      "::mlir::FlatSymbolRefAttr":$node, "bool":$merge, "Slot":$slot);
  let genVerifyDecl = 1;
}

def Tdsl_TermAttr : Tdsl_Attr<"Term", "term"> {
  let summary = "what a shape constraint speaks about";
  let description = [{
    A captured dimension or row `@h`, a row of a node `@x[output]`, one axis of it
    `@x[output, 0]` (negative numbers count from the right), a whole node `@x`, or a
    literal: `axis "3:rgb"`, `row "3,4"`.
  }];
  let parameters = (ins
      "::mlir::FlatSymbolRefAttr":$symbol,
      "::std::optional<RowKind>":$row,
      "::std::optional<int64_t>":$axis,
      "::mlir::Attribute":$literal);
  let genVerifyDecl = 1;
}

#endif // TDSL_ATTRIBUTES
