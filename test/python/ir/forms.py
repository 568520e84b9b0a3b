"""The table: every constructor and every constraint of the specification, with its form in the IR.

The lists follow the order of spec/tensor-dsl.md, whose sections are cited.
"""

from __future__ import annotations

import mlir.ir as ir
from table import Form, code, comment, declaration

import tdsl.ir as tdsl_ir
from tdsl.ir import (
    AccessAttr,
    Accumulator,
    AxisAttr,
    FetchKind,
    IteratorAttr,
    IteratorKind,
    LogicAttr,
    LogicKind,
    NodeRole,
    Precision,
    Primitive,
    RowAttr,
    RowKind,
    SpaceAttr,
    TermAttr,
)


def assign(destinations, accumulator, primitive, sources, projections, **options):
    return tdsl_ir.AssignOp(destinations, accumulator, primitive, sources, projections, [], **options)


def clear_add():
    return tdsl_ir.FillOp("c", Accumulator.Add)


def clear_max():
    return tdsl_ir.FillOp("c", Accumulator.Max)


def seq(_):
    clear_add()
    clear_max()


def routine(name, *arguments):
    op = tdsl_ir.RoutineOp(name)
    op.regions[0].blocks.append(*arguments)


def access(node, slot="", **options):
    return AccessAttr.get(node, slot, **options)


# Spec b.1: the constructors of assignments.
CONSTRUCTORS: list[Form] = [
    declaration("Noop", "tdsl.routine @nothing {\n}", lambda: routine("nothing")),
    code("Seq", "tdsl.fill @c neutral add\ntdsl.fill @c neutral max", seq),
    code(
        "Block_comment",
        'tdsl.comment "outer" {\n  tdsl.comment "inner" {\n    tdsl.fill @c neutral add\n  }\n}',
        lambda _: comment("outer", lambda: comment("inner", clear_add)),
    ),
    code(
        "Accum Unop",
        "tdsl.assign @c overwrite = id(@a) by @unary",
        lambda _: assign(["c"], Accumulator.Overwrite, Primitive.Id, ["a"], "unary"),
    ),
    code(
        "Accum Binop",
        "tdsl.assign @c add = mul(@a, @b) by @binary",
        lambda _: assign(["c"], Accumulator.Add, Primitive.Mul, ["a", "b"], "binary"),
    ),
    code(
        "Accum Ternop",
        "tdsl.assign @c overwrite = where(@a, @b, @a) by @ternary",
        lambda _: assign(["c"], Accumulator.Overwrite, Primitive.Where, ["a", "b", "a"], "ternary"),
    ),
    code(
        "Accum Block",
        "tdsl.assign @c overwrite = block id(@a, @b) by @concat",
        lambda _: assign(["c"], Accumulator.Overwrite, Primitive.Id, ["a", "b"], "concat", block=True),
    ),
    code(
        "Accum Rev_sides",
        "tdsl.assign (@a[rhs1], @b[rhs2]) add = id(@c[lhs]) by @concat",
        lambda _: assign([("a", "rhs1"), ("b", "rhs2")], Accumulator.Add, Primitive.Id, [("c", "lhs")], "concat"),
    ),
    code(
        "Accum init",
        "tdsl.assign @c reset add = mul(@a, @b) by @binary",
        lambda _: assign(["c"], Accumulator.Add, Primitive.Mul, ["a", "b"], "binary", reset=True),
    ),
    code(
        "Set_vec",
        "tdsl.set_vec @c = uint4x32_to_prec_uniform(@words) by @packed",
        lambda _: tdsl_ir.SetVecOp("c", "words", "packed"),
    ),
    code(
        "Node",
        "tdsl.assign @c add = id(@a) by @unary",
        lambda _: assign([access("c")], Accumulator.Add, Primitive.Id, [access("a")], "unary"),
    ),
    code(
        "Merge_buffer",
        "tdsl.assign @c add = id(merge(@a)) by @unary",
        lambda _: assign(["c"], Accumulator.Add, Primitive.Id, [access("a", merge=True)], "unary"),
    ),
    # What spec e.3 leaves of an initialization.
    code("neutral element", "tdsl.fill @c neutral max", lambda _: clear_max()),
]

# Spec b.1: the constructors of Fetch.
FETCHES: list[Form] = [
    code(
        FetchKind.Constant,
        "tdsl.fetch @c = constant 1.500000e+00",
        lambda _: tdsl_ir.FetchOp("c", FetchKind.Constant, value=ir.FloatAttr.get(ir.F64Type.get(), 1.5)),
    ),
    code(
        FetchKind.Bits,
        "tdsl.fetch @c = bits 42",
        lambda _: tdsl_ir.FetchOp("c", FetchKind.Bits, value=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 42)),
    ),
    code(
        FetchKind.Fill,
        "tdsl.fetch @c = fill [1.000000e+00, 2.000000e+00, 3.000000e+00]",
        lambda _: tdsl_ir.FetchOp("c", FetchKind.Fill, value=ir.DenseF64ArrayAttr.get([1.0, 2.0, 3.0])),
    ),
    code(FetchKind.Range, "tdsl.fetch @c = range", lambda _: tdsl_ir.FetchOp("c", FetchKind.Range)),
    code(
        FetchKind.Slice,
        "tdsl.fetch @c = slice @steps at %i : !tdsl.index<@i>",
        lambda i: tdsl_ir.FetchOp("c", FetchKind.Slice, source="steps", symbol=i),
    ),
    code(
        FetchKind.Symbol,
        "tdsl.fetch @c = symbol %i : !tdsl.index<@i>",
        lambda i: tdsl_ir.FetchOp("c", FetchKind.Symbol, symbol=i),
    ),
    code(FetchKind.SelfId, "tdsl.fetch @a = self_id", lambda _: tdsl_ir.FetchOp("a", FetchKind.SelfId)),
    code(FetchKind.Dim, "tdsl.fetch @c = dim @h", lambda _: tdsl_ir.FetchOp("c", FetchKind.Dim, source="h")),
]


def _accumulation(accumulator: Accumulator) -> Form:
    return code(
        accumulator,
        f"tdsl.assign @c {accumulator} = id(@a) by @unary",
        lambda _: assign(["c"], accumulator, Primitive.Id, ["a"], "unary"),
    )


# Spec b.4, with the neutral elements of b.3 that have no operator of their own.
ACCUMULATORS: list[Form] = [
    *map(
        _accumulation,
        [
            Accumulator.Overwrite,  # =:
            Accumulator.Add,  # =+
            Accumulator.Sub,  # =-
            Accumulator.Mul,  # =*
            Accumulator.Div,  # =/
            Accumulator.Pow,  # =**
            Accumulator.ReluGate,  # =?/
            Accumulator.Sat01Gate,  # =?^
            Accumulator.Or,  # =||
            Accumulator.And,  # =&&
            Accumulator.Max,  # =@^
            Accumulator.Min,  # =@-
            Accumulator.Threefry4x32,  # =^^^^
        ],
    )
]

# Spec b.5: the keyword of each primitive operation with its number of operands.
_UNARY = {
    "id": Primitive.Id,
    "relu": Primitive.Relu,
    "sat01": Primitive.Sat01,
    "exp": Primitive.Exp,
    "log": Primitive.Log,
    "exp2": Primitive.Exp2,
    "log2": Primitive.Log2,
    "sin": Primitive.Sin,
    "cos": Primitive.Cos,
    "sqrt": Primitive.Sqrt,
    "recip": Primitive.Recip,
    "recip_sqrt": Primitive.RecipSqrt,
    "neg": Primitive.Neg,
    "tanh": Primitive.Tanh,
    "not": Primitive.Not,
    "trunc": Primitive.Trunc,
    "uint4x32_to_prec_uniform1": Primitive.UInt4x32ToPrecUniform1,
}
_BINARY = {
    "fst": Primitive.Fst,
    "snd": Primitive.Snd,
    "add": Primitive.Add,
    "sub": Primitive.Sub,
    "mul": Primitive.Mul,
    "div": Primitive.Div,
    "pow": Primitive.Pow,
    "relu_gate": Primitive.ReluGate,
    "sat01_gate": Primitive.Sat01Gate,
    "lt": Primitive.Lt,
    "le": Primitive.Le,
    "eq": Primitive.Eq,
    "ne": Primitive.Ne,
    "or": Primitive.Or,
    "and": Primitive.And,
    "mod": Primitive.Mod,
    "max": Primitive.Max,
    "min": Primitive.Min,
    "threefry4x32": Primitive.Threefry4x32,
    "threefry4x32_crypto": Primitive.Threefry4x32Crypto,
}
_TERNARY = {"where": Primitive.Where, "fma": Primitive.Fma, "mul3": Primitive.Mul3}


def _primitive(keyword: str, primitive: Primitive, sources: list[str], projections: str) -> Form:
    arguments = ", ".join(f"@{source}" for source in sources)
    return code(
        primitive,
        f"tdsl.assign @c overwrite = {keyword}({arguments}) by @{projections}",
        lambda _: assign(["c"], Accumulator.Overwrite, primitive, sources, projections),
    )


PRIMITIVES: list[Form] = [
    *(_primitive(keyword, primitive, ["a"], "unary") for keyword, primitive in _UNARY.items()),
    *(_primitive(keyword, primitive, ["a", "b"], "binary") for keyword, primitive in _BINARY.items()),
    *(_primitive(keyword, primitive, ["a", "b", "a"], "ternary") for keyword, primitive in _TERNARY.items()),
]


def _node(covers: Precision | NodeRole, keywords: tuple[str, str], precision: Precision, role: NodeRole) -> Form:
    return declaration(
        covers,
        f'tdsl.node @x : {keywords[0]} "|->3" {keywords[1]}',
        lambda: tdsl_ir.NodeOp("x", "3", role, precision=precision),
    )


# Spec a.8, in its order; the names of the specification are in comments where ours differ.
PRECISIONS: list[Form] = [
    _node(precision, (keyword, "leaf"), precision, NodeRole.Leaf)
    for keyword, precision in {
        "uint4x32": Precision.UInt4x32,
        "f64": Precision.F64,  # double
        "f32": Precision.F32,  # single
        "bf16": Precision.BF16,  # bfloat16
        "f16": Precision.F16,  # half
        "f8": Precision.F8,  # fp8
        "u64": Precision.U64,
        "i64": Precision.I64,
        "u32": Precision.U32,
        "i32": Precision.I32,
        "u16": Precision.U16,
        "i16": Precision.I16,
        "u8": Precision.U8,  # byte
        "i8": Precision.I8,
        "bool": Precision.Bool,
    }.items()
]

# Spec d.6: the roles that the closing rule reads.
ROLES: list[Form] = [
    _node(role, ("f32", keyword), Precision.F32, role)
    for keyword, role in {
        "result": NodeRole.Result,
        "leaf": NodeRole.Leaf,
        "input": NodeRole.Input,
        "param": NodeRole.Param,
        "init": NodeRole.Init,
        "stretch": NodeRole.Stretch,
    }.items()
]


def _projections(covers: LogicKind, logic: str, sources: list[str], attribute=None) -> Form:
    operands = ", ".join(f"@{source}" for source in sources)
    built = attribute if attribute is not None else lambda: logic.strip('"')
    return declaration(
        covers,
        f"tdsl.projections @p {logic} ({operands}) -> @c",
        lambda: tdsl_ir.ProjectionsOp("p", built(), sources, "c"),
    )


# Spec d.4: the logics.
LOGICS: list[Form] = [
    _projections(LogicKind.Pointwise, '"."', ["a"]),
    _projections(LogicKind.Pointwise, '"."', ["a", "b"]),
    _projections(LogicKind.Pointwise, '"."', ["a", "b", "a"]),
    _projections(LogicKind.Transpose, '"T"', ["a"]),
    _projections(LogicKind.Compose, '"@"', ["a", "b"]),
    _projections(LogicKind.ComposeAccumulate, "fma", ["a", "b", "c"], lambda: LogicAttr.get("compose_accumulate")),
    _projections(LogicKind.Slice, "slice(@i)", ["steps"], lambda: LogicAttr.get("slice", symbol="i")),
    _projections(LogicKind.Spec, '"ij;jk=>ik"', ["a", "b"]),
    _projections(LogicKind.Spec, '"a; b; c => a^b^c"', ["a", "b", "a"]),
    _projections(LogicKind.Uniform, "uniform", ["words"], lambda: LogicAttr.get("uniform")),
]


def _term(symbol: str, row: RowKind | None = None, axis: int | None = None) -> TermAttr:
    return TermAttr.get(symbol, row, axis)


def _axis(size: int, basis: str | None = None) -> TermAttr:
    return TermAttr.get_literal(AxisAttr.get(size, basis))


def _row(text: str) -> TermAttr:
    return TermAttr.get_literal(RowAttr.from_text(text))


# Spec d.3: the constraints, and d.9, d.10 for those that users write.
CONSTRAINTS: list[Form] = [
    declaration("dim equality", "tdsl.set_equal @h, @g", lambda: tdsl_ir.SetEqualOp(_term("h"), _term("g"))),
    declaration(
        "row equality",
        "tdsl.set_equal @open[input], @open[output]",
        lambda: tdsl_ir.SetEqualOp(_term("open", RowKind.Input), _term("open", RowKind.Output)),
    ),
    declaration(
        "dim inequality",
        "tdsl.broadcast @open[output, -1] into @open[batch, 0]",
        lambda: tdsl_ir.BroadcastOp(_term("open", RowKind.Output, -1), _term("open", RowKind.Batch, 0)),
    ),
    declaration(
        "row inequality",
        "tdsl.broadcast @a[output] into @open[output]",
        lambda: tdsl_ir.BroadcastOp(_term("a", RowKind.Output), _term("open", RowKind.Output)),
    ),
    declaration(
        "At_least",
        "tdsl.at_least @open[output, 0] = 3",
        lambda: tdsl_ir.AtLeastOp(_term("open", RowKind.Output, 0), 3),
    ),
    declaration(
        "Total_elems n",
        "tdsl.total_elements @open = 12",
        lambda: tdsl_ir.TotalElementsOp(_term("open"), 12),
    ),
    declaration(
        "Total_elems n * over",
        "tdsl.total_elements @open[output] = 4 * @h",
        lambda: tdsl_ir.TotalElementsOp(_term("open", RowKind.Output), 4, capture="h"),
    ),
    declaration(
        "Total_elems n * over / by",
        "tdsl.total_elements @open[batch] = 6 * @h divided_by 2",
        lambda: tdsl_ir.TotalElementsOp(_term("open", RowKind.Batch), 6, capture="h", divisor=2),
    ),
    declaration(
        "Exact row",
        'tdsl.set_equal @open[output], row "3,4:rgb"',
        lambda: tdsl_ir.SetEqualOp(_term("open", RowKind.Output), _row("3,4:rgb")),
    ),
    declaration(
        "Exact dim",
        'tdsl.set_equal @open[output, 0], axis "4:rgb"',
        lambda: tdsl_ir.SetEqualOp(_term("open", RowKind.Output, 0), _axis(4, "rgb")),
    ),
    declaration(
        "terminal",
        'tdsl.node @leaf : ? "..b..|..i..->..o.." leaf',
        lambda: tdsl_ir.NodeOp("leaf", "..b..|..i..->..o..", NodeRole.Leaf),
    ),
    declaration(
        "terminal is_param",
        'tdsl.node @w : ? "|..i..->?,..o.." param',
        lambda: tdsl_ir.NodeOp("w", "|..i..->?,..o..", NodeRole.Param),
    ),
    # Every node ties its rows to the solver; this is where something forces it to close.
    declaration("shape-row", 'tdsl.close @open because "printing"', lambda: tdsl_ir.CloseOp("open", "printing")),
    declaration("set_dim", "tdsl.set_dim @h = 2", lambda: tdsl_ir.SetDimOp("h", 2)),
    declaration("set_scale", "tdsl.set_scale @h = 2 * @g", lambda: tdsl_ir.SetScaleOp("h", 2, "g")),
    declaration("dim equals row", "tdsl.set_equal @h, @d", lambda: tdsl_ir.SetEqualOp(_term("h"), _term("d"))),
    declaration("shape equality", "tdsl.same_shape @open, @a", lambda: tdsl_ir.SameShapeOp("open", "a")),
    declaration(
        "product space shape",
        "tdsl.same_shape @open, product_space @binary",
        lambda: tdsl_ir.SameShapeOp("open", "binary", product_space=True),
    ),
    declaration("captured dim", "tdsl.dim @captured", lambda: tdsl_ir.DimOp("captured")),
    declaration("captured dim, solved", "tdsl.dim @captured = 3", lambda: tdsl_ir.DimOp("captured", size=3)),
    declaration("captured row", "tdsl.row @captured", lambda: tdsl_ir.RowOp("captured")),
    declaration("captured row, solved", 'tdsl.row @captured = "2,3"', lambda: tdsl_ir.RowOp("captured", axes="2,3")),
    declaration("static symbol", "tdsl.symbol @s range 0 to 16", lambda: tdsl_ir.StaticSymbolOp("s", 0, 16)),
]

# Spec d.3, a.3: a constraint on each row.
ROWS: list[Form] = [
    declaration(
        kind,
        f"tdsl.set_equal @open[{kind}], @d",
        lambda kind=kind: tdsl_ir.SetEqualOp(_term("open", kind), _term("d")),
    )
    for kind in (RowKind.Batch, RowKind.Input, RowKind.Output)
]

# Spec e.5: the slots. The empty one is the obvious slot.
SLOTS: list[Form] = [
    code(
        slot or "default",
        f"tdsl.assign @c add = id(@a{written}) by @ternary",
        lambda _, slot=slot: assign(["c"], Accumulator.Add, Primitive.Id, [access("a", slot)], "ternary"),
    )
    for slot, written in [
        ("", ""),
        ("lhs", "[lhs]"),
        ("rhs1", "[rhs1]"),
        ("rhs2", "[rhs2]"),
        ("rhs3", "[rhs3]"),
        ("pspace", "[pspace]"),
        ("scalar", "[scalar]"),
    ]
]


def _spaced(covers: IteratorKind, space: str, build) -> Form:
    return declaration(
        covers,
        f'tdsl.projections @p "." (@a) -> @c space {space}',
        lambda: tdsl_ir.ProjectionsOp("p", ".", ["a"], "c", space=build()),
    )


def _parallel() -> SpaceAttr:
    return SpaceAttr.get([IteratorAttr.get("i", 3, reduction=False)], [ir.AffineMap.get_identity(1)] * 2)


def _reduction() -> SpaceAttr:
    pinned = ir.AffineMap.get(1, 0, [ir.AffineExpr.get_constant(0)])
    return SpaceAttr.get([IteratorAttr.get("i", 3, reduction=True)], [pinned, ir.AffineMap.get_identity(1)])


# Spec e.2: iterators.
ITERATORS: list[Form] = [
    _spaced(IteratorKind.Parallel, "<[i 3 parallel] lhs[i] rhs1[i]>", _parallel),
    _spaced(IteratorKind.Reduction, "<[i 3 reduction] lhs[0] rhs1[i]>", _reduction),
]
