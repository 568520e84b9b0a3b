//===- TdslOps.td - program, nodes, assignments ------------*- tablegen -*-===//
//
// Part of TDSL, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef TDSL_OPS
#define TDSL_OPS

include "TdslAttributes.td"
include "TdslInterfaces.td"
include "TdslTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tdsl_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Tdsl_Dialect, opMnemonic, traits>;

def Tdsl_AccessArrayAttr : TypedArrayAttrBase<Tdsl_AccessAttr, "accesses">;

/// Sizes and counts are signed, so that a negative one can be refused by name.
def Tdsl_Int64Attr : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit integer">;

def Tdsl_InProgram : HasParent<"ProgramOp">;
def Tdsl_InRoutine : ParentOneOf<["RoutineOp", "CommentOp"]>;

/// A declaration: a symbol of its program.
class Tdsl_DeclarationOp<string opMnemonic, list<Trait> traits = []>
    : Tdsl_Op<opMnemonic, !listconcat([Symbol, Tdsl_InProgram], traits)>;

/// An operation whose symbol uses are verified through the cached tables.
def Tdsl_UsesSymbols : DeclareOpInterfaceMethods<SymbolUserOpInterface>;

/// Reads and writes of nodes, declared on their symbols.
def Tdsl_NodeEffects : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

//===----------------------------------------------------------------------===//
// Program and its declarations
//===----------------------------------------------------------------------===//

def Tdsl_ProgramOp : Tdsl_Op<"program", [
    Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "nodes, index spaces and routines that belong together";
  let description = [{
    Shape inference and projection derivation anchor on a program: they see all of its
    nodes at once, so that nodes may be declared and related in any order.

    ```mlir
    tdsl.program @affine {
      tdsl.node @x : f32 "8|->3" input
      tdsl.node @w : ? "|..i..->..o.." param
      tdsl.node @h : ? "..b..|..i..->..o.." result
      tdsl.projections @p "@" (@w, @x) -> @h
      tdsl.routine @forward {
        tdsl.assign @h reset add = mul(@w, @x) by @p
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<DeclaredName>($sym_visibility, $sym_name) attr-dict-with-keyword custom<Body>($body)
  }];
}

def Tdsl_StaticSymbolOp : Tdsl_DeclarationOp<"symbol"> {
  let summary = "a static symbol: an integer bound at each run";
  let description = [{
    `tdsl.symbol @i range 0 to 16` takes the values 0, 1, ..., 15. A routine receives
    its value as an argument of type `!tdsl.index<@i>`.

    ```mlir
    tdsl.program @steps {
      tdsl.symbol @i range 0 to 16
      tdsl.node @t : f32 "1:bcast_if_1" leaf
      tdsl.routine @step(%i: !tdsl.index<@i>) {
        tdsl.fetch @t = symbol %i : !tdsl.index<@i>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tdsl_Int64Attr:$lower, Tdsl_Int64Attr:$upper);
  let assemblyFormat = "$sym_name `range` $lower `to` $upper attr-dict";
  let hasVerifier = 1;
}

def Tdsl_DimOp : Tdsl_DeclarationOp<"dim"> {
  let summary = "a captured dimension of an operation";
  let description = [{
    Names the size of one axis label of one application of a specification (spec d.9);
    a `captures` list of `tdsl.projections` ties it to the label. The number, once
    known, is what `tdsl.fetch ... = dim @h` embeds.

    ```mlir
    tdsl.program @captures {
      tdsl.dim @h
      tdsl.dim @hid = 8
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<Tdsl_Int64Attr>:$size);
  let assemblyFormat = "$sym_name (`=` $size^)? attr-dict";
  let hasVerifier = 1;
}

def Tdsl_RowOp : Tdsl_DeclarationOp<"row"> {
  let summary = "a captured row of an operation";
  let description = [{
    As `tdsl.dim`, for a row variable: its number is the product of the sizes that the
    row resolved into, 1 for an empty row (spec d.9).

    ```mlir
    tdsl.program @captured_rows {
      tdsl.row @channels
      tdsl.row @window = "3,3"
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<Tdsl_RowAttr>:$axes);
  let assemblyFormat = "$sym_name (`=` custom<Row>($axes)^)? attr-dict";
}

def Tdsl_NodeOp : Tdsl_DeclarationOp<"node", [Tdsl_UsesSymbols]> {
  let summary = "a tensor node: one array with its precision, shape and role";
  let description = [{
    The precision is a keyword of spec a.8, or `?` while open. The shape is
    `batch|input->output`; a row with a variable, or an axis `?`, is open.

    The role tells the closing rule of inference where sizes may come from (spec d.6):
    `result` closes down to its arguments; `leaf`, `input`, `param`, `init` (part of a
    parameter's initialization) and `stretch` close at their uses.

    A public node can be read by the host; a `private` one may live in registers. `id`
    is the number that decorrelates random streams, `label` the debug name, and the
    elements after `=` are the initial cells, in memory order.

    ```mlir
    tdsl.program @nodes {
      tdsl.node @x : f32 "8|->3" input
      tdsl.node @w : ? "|..i..->..o.." param id 2 label ["w", "layer1"]
      tdsl.node @w.grad : ? "...|...->..." result grad_of @w
      tdsl.node private @two : f32 "1:bcast_if_1" leaf = dense<2.0> : tensor<1xf32>
    }
    ```
  }];
  let arguments = (ins
      SymbolNameAttr:$sym_name,
      OptionalAttr<StrAttr>:$sym_visibility,
      OptionalAttr<Tdsl_Precision>:$precision,
      Tdsl_ShapeAttr:$shape,
      Tdsl_NodeRole:$role,
      OptionalAttr<FlatSymbolRefAttr>:$grad_of,
      OptionalAttr<Tdsl_Int64Attr>:$id,
      OptionalAttr<StrArrayAttr>:$label,
      OptionalAttr<ElementsAttr>:$value);
  let assemblyFormat = [{
    custom<DeclaredName>($sym_visibility, $sym_name) `:` custom<OpenPrecision>($precision)
    custom<Shape>($shape) $role
    (`grad_of` $grad_of^)? (`id` $id^)? (`label` $label^)? (`=` $value^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tdsl_ProjectionsOp : Tdsl_DeclarationOp<"projections", [Tdsl_UsesSymbols]> {
  let summary = "the index space that the assignments of one operation share";
  let description = [{
    Before derivation: the shape logic of an operation and the nodes it relates. These
    are constraints of shape inference even when no assignment uses them (spec d.4).
    After derivation: the iteration domain and one indexing map per slot (spec e.2).

    `captures` ties labels of a specification to captured dimensions and rows,
    `coefficients` gives the integers that identifiers in affine axes stand for,
    `use_padding` is what a plain `+` before a kernel means (spec c.2). `segment`
    numbers the pieces that a concatenation is split into.

    ```mlir
    tdsl.program @attention {
      tdsl.dim @h
      tdsl.node @q : f32 "2,7|->3,4" input
      tdsl.node @k : f32 "2,7|->3,4" input
      tdsl.node @s : f32 "2,7|7->3" result
      tdsl.projections @p "...s|hd; ...t|hd => ...s|t->h" (@q, @k) -> @s captures {h = @h}
    }
    tdsl.program @derived {
      tdsl.node @x : f32 "->9" input
      tdsl.node @w : f32 "->3" param
      tdsl.node @y : f32 "->4" result
      tdsl.projections @p "2*o<+k; k => o" (@x, @w) -> @y
        space <[o 4 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k] rhs2[k]>
    }
    ```
  }];
  let arguments = (ins
      SymbolNameAttr:$sym_name,
      OptionalAttr<StrAttr>:$sym_visibility,
      Tdsl_LogicAttr:$logic,
      FlatSymbolRefArrayAttr:$operand_nodes,
      FlatSymbolRefAttr:$result_node,
      OptionalAttr<DictionaryAttr>:$captures,
      OptionalAttr<DictionaryAttr>:$coefficients,
      OptionalAttr<BoolAttr>:$use_padding,
      OptionalAttr<Tdsl_Int64Attr>:$segment,
      OptionalAttr<Tdsl_SpaceAttr>:$space);
  let assemblyFormat = [{
    custom<DeclaredName>($sym_visibility, $sym_name) custom<Logic>($logic)
    custom<SymbolList>($operand_nodes) `->` $result_node
    (`captures` custom<NamedSymbols>($captures)^)?
    (`coefficients` custom<NamedIntegers>($coefficients)^)?
    (`use_padding` $use_padding^)?
    (`segment` $segment^)?
    (`space` custom<Space>($space)^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

def Tdsl_RoutineOp : Tdsl_DeclarationOp<"routine", [
    Tdsl_UsesSymbols, IsolatedFromAbove, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a sequence of assignments that runs as one call";
  let description = [{
    The sequence of its body is the order of execution (spec b.7); an empty body is
    the code that does nothing. Arguments are the values of static symbols.

    ```mlir
    tdsl.program @training {
      tdsl.node @p : f32 "->3" param
      tdsl.node @p.grad : f32 "->3" result grad_of @p
      tdsl.projections @update "." (@p.grad) -> @p
      tdsl.routine @nothing {
      }
      tdsl.routine @descend {
        tdsl.comment "plain gradient step" {
          tdsl.assign @p sub = id(@p.grad) by @update
        }
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def Tdsl_CommentOp : Tdsl_Op<"comment", [
    Tdsl_InRoutine, SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "a named piece of a routine";
  let description = [{
    Block comments name the code they enclose in diagnostics, dumps and generated
    symbols; they do not change its meaning (spec b.7).
  }];
  let arguments = (ins StrAttr:$text);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$text attr-dict-with-keyword custom<Body>($body)";
}

def Tdsl_AssignOp : Tdsl_Op<"assign", [
    Tdsl_InRoutine, Tdsl_UsesSymbols, Tdsl_NodeEffects,
    DeclareOpInterfaceMethods<TdslIndexSpaceOpInterface>]> {
  let summary = "accumulate an operation over an index space into nodes";
  let description = [{
    `tdsl.assign @h reset add = mul(@w, @x) by @p` is `h =:+ w * x` (spec b.2): with
    `reset`, every cell of `@h` first becomes the neutral element of `add`; then, for
    every point of the domain of `@p`, the cell that the `lhs` map names accumulates
    the product of the cells that the maps of `@w` and `@x` name.

    Without `reset` nothing is initialized. `overwrite` keeps the last contribution
    and cannot be combined with `reset`: only the cells reached change.

    An access in brackets names its slot, so that gradients reuse the space of their
    operation. Several sources in `block` form are the segments of a concatenation;
    several destinations receive the segments of one source, the reverse of it.
    `merge(@g)` reads a merge buffer.

    ```mlir
    tdsl.program @gradients {
      tdsl.node @a : f32 "->2" param
      tdsl.node @b : f32 "->3" param
      tdsl.node @c : f32 "->5" result
      tdsl.node @a.grad : f32 "->2" result grad_of @a
      tdsl.node @b.grad : f32 "->3" result grad_of @b
      tdsl.node @c.grad : f32 "->5" result grad_of @c
      tdsl.projections @p "a; b => a^b" (@a, @b) -> @c
      tdsl.projections @same "." (@a) -> @a
      tdsl.routine @forward {
        tdsl.assign @c overwrite = block id(@a, @b) by @p
      }
      tdsl.routine @backprop {
        tdsl.assign (@a.grad[rhs1], @b.grad[rhs2]) add = id(@c.grad[lhs]) by @p
        tdsl.assign @a.grad add = id(merge(@a.grad)) by @same
      }
    }
    ```
  }];
  let arguments = (ins
      Tdsl_AccessArrayAttr:$destinations,
      UnitAttr:$reset,
      Tdsl_Accumulator:$accumulator,
      Tdsl_Primitive:$primitive,
      UnitAttr:$block,
      Tdsl_AccessArrayAttr:$sources,
      FlatSymbolRefAttr:$projections,
      Variadic<Tdsl_SymbolIndexType>:$symbols);
  let assemblyFormat = [{
    custom<Destinations>($destinations) (`reset` $reset^)? custom<Accumulator>($accumulator)
    `=` (`block` $block^)? custom<Application>($primitive, $sources)
    `by` $projections (`[` $symbols^ `:` type($symbols) `]`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tdsl_SetVecOp : Tdsl_Op<"set_vec", [
    Tdsl_InRoutine, Tdsl_UsesSymbols, Tdsl_NodeEffects,
    DeclareOpInterfaceMethods<TdslIndexSpaceOpInterface>]> {
  let summary = "unpack 128-bit words into uniform random cells";
  let description = [{
    Each `uint4x32` word of the source becomes 16 / (bytes of a cell) consecutive cells
    of the destination, uniform in [0, 1) (spec b.6).

    ```mlir
    tdsl.program @random {
      tdsl.node @bits : uint4x32 "|2->" leaf
      tdsl.node @u : f32 "->8" result
      tdsl.projections @p uniform (@bits) -> @u
      tdsl.routine @draw {
        tdsl.set_vec @u = uint4x32_to_prec_uniform(@bits) by @p
      }
    }
    ```
  }];
  let arguments = (ins
      Tdsl_AccessAttr:$destination, Tdsl_AccessAttr:$source, FlatSymbolRefAttr:$projections);
  let assemblyFormat = [{
    custom<Access>($destination) `=` `uint4x32_to_prec_uniform` `(` custom<Access>($source) `)`
    `by` $projections attr-dict
  }];
  let hasVerifier = 1;
}

def Tdsl_FillOp : Tdsl_Op<"fill", [Tdsl_InRoutine, Tdsl_UsesSymbols, Tdsl_NodeEffects]> {
  let summary = "set every cell of a node to a neutral element";
  let description = [{
    What derivation leaves of a `reset` where cells can stay unreached (spec e.3). The
    element is that of the accumulator, in the precision of the node (spec b.3).

    ```mlir
    tdsl.program @pool {
      tdsl.node @m : f32 "->4" result
      tdsl.routine @clear {
        tdsl.fill @m neutral max
      }
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$node, Tdsl_Accumulator:$accumulator);
  let assemblyFormat = "$node `neutral` custom<Accumulator>($accumulator) attr-dict";
  let hasVerifier = 1;
}

def Tdsl_FetchOp : Tdsl_Op<"fetch", [Tdsl_InRoutine, Tdsl_UsesSymbols, Tdsl_NodeEffects]> {
  let summary = "fill a node from outside the language of assignments";
  let description = [{
    One form per constructor of spec b.1:

    ```mlir
    tdsl.program @fetches {
      tdsl.symbol @i range 0 to 4
      tdsl.dim @h
      tdsl.node @x : f32 "4|->3" input
      tdsl.node @n : f32 "->3" leaf id 7
      tdsl.routine @all(%i: !tdsl.index<@i>) {
        tdsl.fetch @n = constant 1.5
        tdsl.fetch @n = bits 42
        tdsl.fetch @n = fill [1.0, 2.0, 3.0]
        tdsl.fetch @n = range
        tdsl.fetch @n = slice @x at %i : !tdsl.index<@i>
        tdsl.fetch @n = symbol %i : !tdsl.index<@i>
        tdsl.fetch @n = self_id
        tdsl.fetch @n = dim @h
      }
    }
    ```

    `fill` gives the cells in memory order; `range` numbers them in memory order;
    `slice` reads the leftmost batch axis of its node at the value of a static symbol;
    `dim` is the solved number of a captured dimension or row.
  }];
  let arguments = (ins
      FlatSymbolRefAttr:$node,
      Tdsl_FetchKind:$kind,
      OptionalAttr<AnyAttrOf<[F64Attr, I64Attr, DenseF64ArrayAttr]>>:$value,
      OptionalAttr<FlatSymbolRefAttr>:$source,
      Optional<Tdsl_SymbolIndexType>:$symbol);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shape constraints
//===----------------------------------------------------------------------===//

class Tdsl_ConstraintOp<string opMnemonic>
    : Tdsl_Op<opMnemonic, [Tdsl_InProgram, Tdsl_UsesSymbols]>;

def Tdsl_SetDimOp : Tdsl_ConstraintOp<"set_dim"> {
  let summary = "give the number of a captured dimension or row";
  let description = [{
    A dimension gets this size, a row this total number of elements (spec d.9). Two
    different numbers for one capture are an error of inference that names both.

    ```mlir
    tdsl.program @window {
      tdsl.dim @k
      tdsl.set_dim @k = 2
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$capture, Tdsl_Int64Attr:$size);
  let assemblyFormat = "$capture `=` $size attr-dict";
  let hasVerifier = 1;
}

def Tdsl_SetEqualOp : Tdsl_ConstraintOp<"set_equal"> {
  let summary = "dimension or row equality";
  let description = [{
    Two dimensions unify in size and basis, two rows in their sequences of axes; a
    dimension equals a row when it is the product of the row's sizes (spec d.3, d.9).
    A literal row makes the constraint an exact one.

    ```mlir
    tdsl.program @equalities {
      tdsl.dim @h
      tdsl.row @d
      tdsl.node @x : f32 "..b..|..i..->..o.." input
      tdsl.set_equal @h, @d
      tdsl.set_equal @x[output], row "3,4"
      tdsl.set_equal @x[batch, 0], axis "2"
      tdsl.set_equal @x[input], @x[output]
    }
    ```
  }];
  let arguments = (ins Tdsl_TermAttr:$first, Tdsl_TermAttr:$second);
  let assemblyFormat = "custom<Term>($first) `,` custom<Term>($second) attr-dict";
  let hasVerifier = 1;
}

def Tdsl_BroadcastOp : Tdsl_ConstraintOp<"broadcast"> {
  let summary = "dimension or row inequality: an operand broadcasts into a result";
  let description = [{
    `tdsl.broadcast @a[output] into @c[output]` says that the result may be wider than
    the operand, in the order of spec d.2.

    ```mlir
    tdsl.program @inequality {
      tdsl.node @a : f32 "->1:bcast_if_1" leaf
      tdsl.node @c : f32 "->..o.." result
      tdsl.broadcast @a[output] into @c[output]
    }
    ```
  }];
  let arguments = (ins Tdsl_TermAttr:$narrow, Tdsl_TermAttr:$wide);
  let assemblyFormat = "custom<Term>($narrow) `into` custom<Term>($wide) attr-dict";
  let hasVerifier = 1;
}

def Tdsl_SetScaleOp : Tdsl_ConstraintOp<"set_scale"> {
  let summary = "one captured dimension is a multiple of another";
  let description = [{
    `tdsl.set_scale @a = 2 * @b` (spec d.9): dimensions only, the factor is at least 1.

    ```mlir
    tdsl.program @scaled {
      tdsl.dim @a
      tdsl.dim @b
      tdsl.set_scale @a = 2 * @b
    }
    ```
  }];
  let arguments = (ins
      FlatSymbolRefAttr:$scaled, Tdsl_Int64Attr:$factor, FlatSymbolRefAttr:$base);
  let assemblyFormat = "$scaled `=` $factor `*` $base attr-dict";
  let hasVerifier = 1;
}

def Tdsl_AtLeastOp : Tdsl_ConstraintOp<"at_least"> {
  let summary = "an axis is indexed at a fixed position";
  let description = [{
    `tdsl.at_least @x[output, 0] = 3`: index 2 of this axis is used, so its size is at
    least 3, and exactly 3 when nothing else determines it (spec c.4, d.3).

    ```mlir
    tdsl.program @pinned {
      tdsl.node @x : f32 "->?" result
      tdsl.at_least @x[output, 0] = 3
    }
    ```
  }];
  let arguments = (ins Tdsl_TermAttr:$axis, Tdsl_Int64Attr:$size);
  let assemblyFormat = "custom<Term>($axis) `=` $size attr-dict";
  let hasVerifier = 1;
}

def Tdsl_TotalElementsOp : Tdsl_ConstraintOp<"total_elements"> {
  let summary = "the product of sizes of a node or row";
  let description = [{
    A number, or a number times a captured dimension divided by a number (spec d.3):
    the reshape of host data, the lanes of packed random words, strided rows.

    ```mlir
    tdsl.program @totals {
      tdsl.dim @v
      tdsl.node @x : f32 "..b..|->..o.." leaf
      tdsl.total_elements @x = 12
      tdsl.total_elements @x[output] = 4 * @v
      tdsl.total_elements @x[batch] = 6 * @v divided_by 2
    }
    ```
  }];
  let arguments = (ins
      Tdsl_TermAttr:$term, Tdsl_Int64Attr:$factor,
      OptionalAttr<FlatSymbolRefAttr>:$capture, OptionalAttr<Tdsl_Int64Attr>:$divisor);
  let assemblyFormat = [{
    custom<Term>($term) `=` $factor (`*` $capture^)? (`divided_by` $divisor^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Tdsl_SameShapeOp : Tdsl_ConstraintOp<"same_shape"> {
  let summary = "two nodes have one shape, or a node spans a product space";
  let description = [{
    What a declaration such as `{cond_rhs1}` says of its node (spec e.5). With
    `product_space` the shape is that of the whole index space of an operation: the
    result's rows, then the contracted axes on the output row (spec d.10).

    ```mlir
    tdsl.program @gates {
      tdsl.node @x : f32 "->4" input
      tdsl.node @y : f32 "->3" input
      tdsl.node @z : f32 "->..o.." result
      tdsl.node @cond_rhs1 : f32 "...|...->..." result
      tdsl.node @sum_pspace : f32 "...|...->..." result
      tdsl.projections @p "i;j=>ij" (@x, @y) -> @z
      tdsl.same_shape @cond_rhs1, @x
      tdsl.same_shape @sum_pspace, product_space @p
    }
    ```
  }];
  let arguments = (ins
      FlatSymbolRefAttr:$node, UnitAttr:$product_space, FlatSymbolRefAttr:$other);
  let assemblyFormat = "$node `,` (`product_space` $product_space^)? $other attr-dict";
}

def Tdsl_CloseOp : Tdsl_ConstraintOp<"close"> {
  let summary = "a point at which something forced shapes to close";
  let description = [{
    Asking for sizes closes every shape known so far, for good (spec d.6). The cause
    is recorded so that a later contradiction can tell the history.

    ```mlir
    tdsl.program @history {
      tdsl.node @x : f32 "->..o.." leaf
      tdsl.close @x because "its shape was printed"
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$node, StrAttr:$cause);
  let assemblyFormat = "$node `because` $cause attr-dict";
}

#endif // TDSL_OPS
