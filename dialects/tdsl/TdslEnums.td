//===- TdslEnums.td - the closed sets of the language ------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
// Every list here is closed by the specification. Values are stored in bytecode:
// append new cases, never renumber.
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_ENUMS
#define TDSL_ENUMS

include "mlir/IR/EnumAttr.td"

class Tdsl_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::tdsl";
}

// Spec a.8, in its order of promotion, strongest first.
def Tdsl_Precision : Tdsl_Enum<"Precision", "how one cell of a node is stored", [
    I32EnumAttrCase<"UInt4x32", 0, "uint4x32">,
    I32EnumAttrCase<"F64", 1, "f64">,
    I32EnumAttrCase<"F32", 2, "f32">,
    I32EnumAttrCase<"BF16", 3, "bf16">,
    I32EnumAttrCase<"F16", 4, "f16">,
    I32EnumAttrCase<"F8", 5, "f8">,
    I32EnumAttrCase<"U64", 6, "u64">,
    I32EnumAttrCase<"I64", 7, "i64">,
    I32EnumAttrCase<"U32", 8, "u32">,
    I32EnumAttrCase<"I32", 9, "i32">,
    I32EnumAttrCase<"U16", 10, "u16">,
    I32EnumAttrCase<"I16", 11, "i16">,
    I32EnumAttrCase<"U8", 12, "u8">,
    I32EnumAttrCase<"I8", 13, "i8">,
    I32EnumAttrCase<"Bool", 14, "bool">]>;

// Spec d.6: the closing rule reads the role.
def Tdsl_NodeRole : Tdsl_Enum<"NodeRole", "what the node is to its program", [
    I32EnumAttrCase<"Result", 0, "result">,
    I32EnumAttrCase<"Leaf", 1, "leaf">,
    I32EnumAttrCase<"Input", 2, "input">,
    I32EnumAttrCase<"Param", 3, "param">,
    I32EnumAttrCase<"Init", 4, "init">,
    I32EnumAttrCase<"Stretch", 5, "stretch">]>;

def Tdsl_RowKind : Tdsl_Enum<"RowKind", "one of the three rows of a shape", [
    I32EnumAttrCase<"Batch", 0, "batch">,
    I32EnumAttrCase<"Input", 1, "input">,
    I32EnumAttrCase<"Output", 2, "output">]>;

// Spec b.4. `overwrite` is the accumulation by Arg2, written plain `=:` by users.
def Tdsl_Accumulator : Tdsl_Enum<"Accumulator", "how a contribution joins a cell", [
    I32EnumAttrCase<"Overwrite", 0, "overwrite">,
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Sub", 2, "sub">,
    I32EnumAttrCase<"Mul", 3, "mul">,
    I32EnumAttrCase<"Div", 4, "div">,
    I32EnumAttrCase<"Pow", 5, "pow">,
    I32EnumAttrCase<"ReluGate", 6, "relu_gate">,
    I32EnumAttrCase<"Sat01Gate", 7, "sat01_gate">,
    I32EnumAttrCase<"Or", 8, "or">,
    I32EnumAttrCase<"And", 9, "and">,
    I32EnumAttrCase<"Max", 10, "max">,
    I32EnumAttrCase<"Min", 11, "min">,
    I32EnumAttrCase<"Threefry4x32", 12, "threefry4x32">]>;

// Spec b.5. The arity of each case is `getArity(Primitive)` in TdslOps.h.
def Tdsl_Primitive : Tdsl_Enum<"Primitive", "a primitive operation on cells", [
    // Unary.
    I32EnumAttrCase<"Id", 0, "id">,
    I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"Sat01", 2, "sat01">,
    I32EnumAttrCase<"Exp", 3, "exp">,
    I32EnumAttrCase<"Log", 4, "log">,
    I32EnumAttrCase<"Exp2", 5, "exp2">,
    I32EnumAttrCase<"Log2", 6, "log2">,
    I32EnumAttrCase<"Sin", 7, "sin">,
    I32EnumAttrCase<"Cos", 8, "cos">,
    I32EnumAttrCase<"Sqrt", 9, "sqrt">,
    I32EnumAttrCase<"Recip", 10, "recip">,
    I32EnumAttrCase<"RecipSqrt", 11, "recip_sqrt">,
    I32EnumAttrCase<"Neg", 12, "neg">,
    I32EnumAttrCase<"Tanh", 13, "tanh">,
    I32EnumAttrCase<"Not", 14, "not">,
    I32EnumAttrCase<"Trunc", 15, "trunc">,
    I32EnumAttrCase<"UInt4x32ToPrecUniform1", 16, "uint4x32_to_prec_uniform1">,
    // Binary.
    I32EnumAttrCase<"Fst", 32, "fst">,
    I32EnumAttrCase<"Snd", 33, "snd">,
    I32EnumAttrCase<"Add", 34, "add">,
    I32EnumAttrCase<"Sub", 35, "sub">,
    I32EnumAttrCase<"Mul", 36, "mul">,
    I32EnumAttrCase<"Div", 37, "div">,
    I32EnumAttrCase<"Pow", 38, "pow">,
    I32EnumAttrCase<"ReluGate", 39, "relu_gate">,
    I32EnumAttrCase<"Sat01Gate", 40, "sat01_gate">,
    I32EnumAttrCase<"Lt", 41, "lt">,
    I32EnumAttrCase<"Le", 42, "le">,
    I32EnumAttrCase<"Eq", 43, "eq">,
    I32EnumAttrCase<"Ne", 44, "ne">,
    I32EnumAttrCase<"Or", 45, "or">,
    I32EnumAttrCase<"And", 46, "and">,
    I32EnumAttrCase<"Mod", 47, "mod">,
    I32EnumAttrCase<"Max", 48, "max">,
    I32EnumAttrCase<"Min", 49, "min">,
    I32EnumAttrCase<"Threefry4x32", 50, "threefry4x32">,
    I32EnumAttrCase<"Threefry4x32Crypto", 51, "threefry4x32_crypto">,
    // Ternary.
    I32EnumAttrCase<"Where", 64, "where">,
    I32EnumAttrCase<"Fma", 65, "fma">,
    I32EnumAttrCase<"Mul3", 66, "mul3">]>;

// Spec b.1, the constructors of Fetch.
def Tdsl_FetchKind : Tdsl_Enum<"FetchKind", "where a fetched node takes its cells from", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Bits", 1, "bits">,
    I32EnumAttrCase<"Fill", 2, "fill">,
    I32EnumAttrCase<"Range", 3, "range">,
    I32EnumAttrCase<"Slice", 4, "slice">,
    I32EnumAttrCase<"Symbol", 5, "symbol">,
    I32EnumAttrCase<"SelfId", 6, "self_id">,
    I32EnumAttrCase<"Dim", 7, "dim">]>;

// Spec d.4, the kinds of shape logic. `spec` carries an einsum specification.
def Tdsl_LogicKind : Tdsl_Enum<"LogicKind", "how an operation relates its shapes", [
    I32EnumAttrCase<"Spec", 0, "spec">,
    I32EnumAttrCase<"Pointwise", 1, "pointwise">,
    I32EnumAttrCase<"Compose", 2, "compose">,
    I32EnumAttrCase<"Transpose", 3, "transpose">,
    I32EnumAttrCase<"ComposeAccumulate", 4, "compose_accumulate">,
    I32EnumAttrCase<"Slice", 5, "slice">,
    I32EnumAttrCase<"Uniform", 6, "uniform">]>;

// Spec e.2: whether an iterator occurs in the indices of the result.
def Tdsl_IteratorKind : Tdsl_Enum<"IteratorKind", "how points along an iterator relate", [
    I32EnumAttrCase<"Parallel", 0, "parallel">,
    I32EnumAttrCase<"Reduction", 1, "reduction">]>;

#endif // TDSL_ENUMS
