"""The attribute classes: what they are made of, what they refuse and with which words, equality and downcasting."""

from __future__ import annotations

import re
from collections.abc import Callable

import mlir.ir as ir
import pytest

import tdsl.ir as tdsl_ir
from tdsl.errors import SpecSyntaxError
from tdsl.ir import (
    OPEN_SIZE,
    AccessAttr,
    AxisAttr,
    IteratorAttr,
    LogicAttr,
    RowAttr,
    RowKind,
    ShapeAttr,
    SpaceAttr,
    SymbolIndexType,
    TermAttr,
)

pytestmark = pytest.mark.usefixtures("context")


def exactly(message: str) -> str:
    return rf"^{re.escape(message)}\Z"


def space() -> SpaceAttr:
    return SpaceAttr.get(
        [IteratorAttr.get("o", 4, reduction=False), IteratorAttr.get("k", 3, reduction=True)],
        [
            ir.AffineMap.get(2, 1, [ir.AffineExpr.get_dim(0)]),
            ir.AffineMap.get(2, 1, [ir.AffineExpr.get_dim(0) + ir.AffineExpr.get_dim(1)]),
            ir.AffineMap.get(2, 1, [ir.AffineExpr.get_symbol(0)]),
        ],
        guarded=[False, True, False],
        symbols=["s"],
    )


# Each way of making an attribute or type, with its text.
MADE: dict[str, tuple[Callable[[], ir.Attribute | ir.Type], str]] = {
    "axis": (lambda: AxisAttr.get(3), '#tdsl.axis<"3">'),
    "axis with a basis": (lambda: AxisAttr.get(3, "rgb"), '#tdsl.axis<"3:rgb">'),
    "axis of size 0": (lambda: AxisAttr.get(0), '#tdsl.axis<"0">'),
    "open axis": (lambda: AxisAttr.get(OPEN_SIZE), '#tdsl.axis<"?">'),
    "open axis with a basis": (lambda: AxisAttr.get(OPEN_SIZE, "rgb"), '#tdsl.axis<"?:rgb">'),
    "open axis of basis default": (lambda: AxisAttr.get(OPEN_SIZE, "default"), '#tdsl.axis<"?:default">'),
    "empty row": (lambda: RowAttr.get([]), '#tdsl.row<"">'),
    "closed row": (lambda: RowAttr.get([AxisAttr.get(3), AxisAttr.get(4)]), '#tdsl.row<"3,4">'),
    "row variable": (lambda: RowAttr.get([], "a_rather_long_name"), '#tdsl.row<"..a_rather_long_name..">'),
    "row variable without a name": (lambda: RowAttr.get([AxisAttr.get(3)], ""), '#tdsl.row<"3,...">'),
    "row on both sides": (lambda: RowAttr.get([AxisAttr.get(3)], "r", [AxisAttr.get(4)]), '#tdsl.row<"3,..r..,4">'),
    "row from text": (lambda: RowAttr.from_text(" 3 , ..r.. , 4 "), '#tdsl.row<"3,..r..,4">'),
    "shape": (
        lambda: ShapeAttr.get(RowAttr.from_text("2"), RowAttr.from_text("3"), RowAttr.from_text("4")),
        '#tdsl.shape<"2|3->4">',
    ),
    "shape from text": (lambda: ShapeAttr.from_text("4"), '#tdsl.shape<"|->4">'),
    "iterator": (lambda: IteratorAttr.get("i", 3, reduction=True), "#tdsl.iterator<i 3 reduction>"),
    "space": (
        space,
        "#tdsl.space<[o 4 parallel, k 3 reduction] symbols [s] lhs[o] rhs1[o + k] guarded rhs2[s]>",
    ),
    "pointwise": (lambda: LogicAttr.from_text("."), '#tdsl.logic<".">'),
    "compose": (lambda: LogicAttr.from_text("@"), '#tdsl.logic<"@">'),
    "transpose": (lambda: LogicAttr.from_text("T"), '#tdsl.logic<"T">'),
    "specification": (lambda: LogicAttr.from_text("ij;jk=>ik"), '#tdsl.logic<"ij;jk=>ik">'),
    "compose_accumulate": (lambda: LogicAttr.get("compose_accumulate"), "#tdsl.logic<fma>"),
    "slice": (lambda: LogicAttr.get("slice", symbol="i"), "#tdsl.logic<slice(@i)>"),
    "uniform": (lambda: LogicAttr.get("uniform"), "#tdsl.logic<uniform>"),
    "access": (lambda: AccessAttr.get("x"), "#tdsl.access<@x>"),
    "access of a slot": (lambda: AccessAttr.get("x.grad", "rhs20"), "#tdsl.access<@x.grad[rhs20]>"),
    "merge buffer": (lambda: AccessAttr.get("x", "lhs", merge=True), "#tdsl.access<merge(@x)[lhs]>"),
    "capture": (lambda: TermAttr.get("h"), "#tdsl.term<@h>"),
    "row of a node": (lambda: TermAttr.get("x", RowKind.Output), "#tdsl.term<@x[output]>"),
    "axis of a node": (lambda: TermAttr.get("x", RowKind.Batch, -1), "#tdsl.term<@x[batch, -1]>"),
    "literal axis": (lambda: TermAttr.get_literal(AxisAttr.get(3)), '#tdsl.term<axis "3">'),
    "literal row": (lambda: TermAttr.get_literal(RowAttr.get([])), '#tdsl.term<row "">'),
    "symbol index": (lambda: SymbolIndexType.get("i"), "!tdsl.index<@i>"),
}


def parse(text: str) -> ir.Attribute | ir.Type:
    return ir.Type.parse(text) if text.startswith("!") else ir.Attribute.parse(text)


@pytest.mark.parametrize("name", MADE)
def test_text(name: str) -> None:
    make, text = MADE[name]
    assert str(make()) == text


@pytest.mark.parametrize("name", MADE)
def test_parsing_gives_the_same_object_of_the_same_class(name: str) -> None:
    make, text = MADE[name]
    made, parsed = make(), parse(text)
    assert type(parsed) is type(made)
    assert parsed == made
    assert hash(parsed) == hash(made)


def test_different_attributes_differ() -> None:
    made = [make() for make, _ in MADE.values()]
    texts = {str(one) for one in made}
    assert len(set(made)) == len(texts)


def test_parts() -> None:
    axis = AxisAttr.get(3, "rgb")
    assert (axis.size, axis.basis, axis.text) == (3, "rgb", "3:rgb")
    assert (AxisAttr.get(OPEN_SIZE).basis, AxisAttr.get(OPEN_SIZE).text) == ("", "?")

    row = RowAttr.from_text("2,..r..,3,4")
    assert [axis.size for axis in row.leading] == [2]
    assert [axis.size for axis in row.trailing] == [3, 4]
    assert (row.variable, row.text) == ("r", "2,..r..,3,4")
    assert RowAttr.from_text("...").variable == ""
    assert RowAttr.from_text("2").variable is None

    shape = ShapeAttr.from_text("2|3->4,5")
    assert (shape.batch.text, shape.input.text, shape.output.text, shape.text) == ("2", "3", "4,5", "2|3->4,5")
    assert shape.is_solved
    assert shape.memory_order_sizes == (2, 4, 5, 3)
    assert ShapeAttr.from_text("").memory_order_sizes == ()

    iterator = IteratorAttr.get("k", 0, reduction=True)
    assert (iterator.name, iterator.size, iterator.is_reduction) == ("k", 0, True)

    assert [iterator.name for iterator in space().iterators] == ["o", "k"]
    assert space().symbols == ("s",)
    assert [str(a_map) for a_map in space().maps] == [
        "(d0, d1)[s0] -> (d0)",
        "(d0, d1)[s0] -> (d0 + d1)",
        "(d0, d1)[s0] -> (s0)",
    ]
    assert space().guarded == (False, True, False)

    logic = LogicAttr.get("slice", symbol="i")
    assert (logic.kind, logic.spec, logic.symbol) == ("slice", "", "i")
    logic = LogicAttr.from_text("i=>i")
    assert (logic.kind, logic.spec, logic.symbol) == ("spec", "i=>i", "")

    access = AccessAttr.get("x", "rhs2", merge=True)
    assert (access.node, access.slot, access.is_merge) == ("x", "rhs2", True)
    assert AccessAttr.get("x").slot == ""

    term = TermAttr.get("x", RowKind.Input, -2)
    assert (term.symbol, term.row, term.axis, term.literal) == ("x", RowKind.Input, -2, None)
    term = TermAttr.get_literal(RowAttr.from_text("3"))
    assert (term.symbol, term.row, term.axis, term.literal) == ("", None, None, RowAttr.from_text("3"))

    assert SymbolIndexType.get("i").symbol == "i"


@pytest.mark.parametrize(
    ("text", "solved"),
    [("2|3->4", True), ("0", True), ("?", False), ("...|3->4", False), ("2|..r..->4", False), ("2|3->?:rgb", False)],
)
def test_solved_shapes(text: str, solved: bool) -> None:
    assert ShapeAttr.from_text(text).is_solved is solved


def identity(dims: int) -> ir.AffineMap:
    return ir.AffineMap.get_identity(dims)


def parallel(name: str = "i") -> IteratorAttr:
    return IteratorAttr.get(name, 3, reduction=False)


LETTERS = "is not a name of letters, digits and underscores"
FLAGS = "a space says for each of its maps whether it is guarded"
NOT_AFFINE = "an index is affine: factors and positive divisors are numbers"
PARTS = "a part belongs to another MLIR context than the attribute to build"


def foreign(make: Callable[[], ir.Attribute]) -> ir.Attribute:
    with tdsl_ir.create_context():
        return make()


def foreign_map() -> ir.AffineMap:
    with tdsl_ir.create_context():
        return identity(1)


def lowest_number() -> ir.AffineMap:
    return ir.AffineMap.get(1, 0, [ir.AffineExpr.get_dim(0) + ir.AffineExpr.get_constant(-(2**63))])


def product() -> ir.AffineMap:
    return ir.AffineMap.get(1, 1, [ir.AffineExpr.get_dim(0) * ir.AffineExpr.get_symbol(0)])


# Everything that a verifier refuses, with its words.
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "negative size": (lambda: AxisAttr.get(-2), "the size of an axis is not negative, but got -2"),
    "no basis": (
        lambda: AxisAttr.get(3, ""),
        "an axis of known size has a basis; 'default' claims nothing",
    ),
    "basis with a blank": (lambda: AxisAttr.get(3, "a b"), f"the basis 'a b' {LETTERS}"),
    "basis that starts with a digit": (lambda: AxisAttr.get(3, "3d"), f"the basis '3d' {LETTERS}"),
    "basis that is not ASCII": (lambda: AxisAttr.get(3, "é"), f"the basis 'é' {LETTERS}"),
    "closed row with trailing axes": (
        lambda: RowAttr.get([], None, [AxisAttr.get(3)]),
        "a closed row has leading axes only",
    ),
    "variable with a dot": (lambda: RowAttr.get([], "a.b"), f"the row variable 'a.b' {LETTERS}"),
    "row of rows": (lambda: RowAttr.get([RowAttr.get([])]), "a row has no null axes"),
    "shape of axes": (lambda: ShapeAttr.get(*[AxisAttr.get(3)] * 3), "a shape has three rows"),
    "shape with one wrong row": (
        lambda: ShapeAttr.get(RowAttr.get([]), RowAttr.get([]), ir.StringAttr.get("3")),
        "a shape has three rows",
    ),
    "negative iterator": (
        lambda: IteratorAttr.get("i", -1, reduction=False),
        "iterator 'i' has the negative size -1",
    ),
    "iterator without a name": (
        lambda: IteratorAttr.get("", 1, reduction=False),
        "an iterator is named by letters, digits and underscores",
    ),
    "reserved iterator": (
        lambda: IteratorAttr.get("ceildiv", 1, reduction=False),
        "'ceildiv' is reserved in index expressions",
    ),
    "space of axes": (lambda: SpaceAttr.get([AxisAttr.get(3)], [identity(1)]), "a space has no null iterators"),
    "space without maps": (
        lambda: SpaceAttr.get([], []),
        "a space has at least the map of its result, lhs[...]",
    ),
    "space with a flag too few": (lambda: SpaceAttr.get([parallel()], [identity(1)], []), FLAGS),
    "space with a flag too many": (lambda: SpaceAttr.get([parallel()], [identity(1)], [True, True]), FLAGS),
    "map of another domain": (
        lambda: SpaceAttr.get([parallel()], [identity(2)]),
        "every map of the space takes its 1 iterators and 0 symbols",
    ),
    "map without the symbols": (
        lambda: SpaceAttr.get([parallel()], [identity(1)], symbols=["s"]),
        "every map of the space takes its 1 iterators and 1 symbols",
    ),
    "iterators of one name": (
        lambda: SpaceAttr.get([parallel(), parallel()], [identity(2)]),
        "'i' is declared twice in one space",
    ),
    "parallel reduction": (
        lambda: SpaceAttr.get([parallel()], [ir.AffineMap.get(1, 0, [])]),
        "iterator 'i' does not occur in lhs, so it is a reduction (spec e.5)",
    ),
    "product of iterator and symbol": (
        lambda: SpaceAttr.get([parallel()], [product()], symbols=["s"]),
        NOT_AFFINE,
    ),
    "number without a literal": (
        lambda: SpaceAttr.get([parallel()], [lowest_number()]),
        "a number in an index is above -2^63",
    ),
    "unknown logic": (lambda: LogicAttr.get("fma"), "'fma' is not a kind of shape logic (spec d.4)"),
    "specification of another logic": (
        lambda: LogicAttr.get("pointwise", spec="i=>i"),
        "an einsum logic, and no other, carries a specification",
    ),
    "symbol of another logic": (
        lambda: LogicAttr.get("pointwise", symbol="i"),
        "a slice logic, and no other, names a static symbol",
    ),
    "slice without a symbol": (
        lambda: LogicAttr.get("slice"),
        "a slice logic, and no other, names a static symbol",
    ),
    "short form as a specification": (
        lambda: LogicAttr.get("spec", spec="@"),
        "'@' is a logic of its own, not a specification",
    ),
    "access without a node": (lambda: AccessAttr.get(""), "an access names a node"),
    "unknown slot": (
        lambda: AccessAttr.get("x", "rhs0"),
        "'rhs0' is not a slot: lhs, rhs1, rhs2, ..., pspace or scalar (spec e.5)",
    ),
    "term without a symbol": (lambda: TermAttr.get(""), "a term is either a symbol or a literal"),
    "axis without a row": (lambda: TermAttr.get("x", None, 0), "an axis is counted within a row"),
    "literal shape": (
        lambda: TermAttr.get_literal(ShapeAttr.from_text("3")),
        'a literal term is an axis or a row, but got #tdsl.shape<"|->3">',
    ),
    "row of another context": (lambda: ShapeAttr.get(*[foreign(lambda: RowAttr.get([]))] * 3), PARTS),
    "axis of another context": (lambda: RowAttr.get([foreign(lambda: AxisAttr.get(3))]), PARTS),
    "trailing axis of another context": (lambda: RowAttr.get([], "r", [foreign(lambda: AxisAttr.get(3))]), PARTS),
    "iterator of another context": (lambda: SpaceAttr.get([foreign(parallel)], [identity(1)]), PARTS),
    "map of another context": (lambda: SpaceAttr.get([parallel()], [foreign_map()]), PARTS),
    "literal of another context": (lambda: TermAttr.get_literal(foreign(lambda: AxisAttr.get(3))), PARTS),
    "open shape in memory order": (
        lambda: ShapeAttr.from_text("2|->?").memory_order_sizes,
        'the shape "2|->?" is still open',
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    make, message = REFUSED[name]
    with pytest.raises(ValueError, match=exactly(message)):
        make()


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (RowAttr.from_text, "3,", "in \"3,\", column 3: expected another axis after ',', but found the end"),
        (RowAttr.from_text, "3|4", "in \"3|4\", column 2: unexpected '|' in a row"),
        (ShapeAttr.from_text, "2|3->x", "in \"2|3->x\", column 6: unexpected 'x' in a shape"),
        (ShapeAttr.from_text, "..r", "in \"..r\", column 1: a row variable is written '..name..' or '...'"),
    ],
)
def test_mistakes_in_written_forms(parse: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(SpecSyntaxError, match=exactly(message)):
        parse(text)


CLASSES = {
    AxisAttr: "an axis",
    RowAttr: "a row",
    ShapeAttr: "a shape",
    IteratorAttr: "an iterator",
    SpaceAttr: "a space",
    LogicAttr: "a shape logic",
    AccessAttr: "an access",
    TermAttr: "a term",
}


@pytest.mark.parametrize("attribute_class", CLASSES)
def test_casts_check_the_kind(attribute_class: type) -> None:
    for make, text in MADE.values():
        made = make()
        if isinstance(made, ir.Type):
            continue
        if isinstance(made, attribute_class):
            assert attribute_class(made) == made
            continue
        with pytest.raises(ValueError, match=exactly(f"expected {CLASSES[attribute_class]}, but got {text}")):
            attribute_class(made)


def test_the_cast_of_the_type_checks_the_kind() -> None:
    assert SymbolIndexType(SymbolIndexType.get("i")).symbol == "i"
    with pytest.raises(ValueError, match=exactly("expected a !tdsl.index type, but got index")):
        SymbolIndexType(ir.IndexType.get())


def test_attributes_of_operations_are_downcast() -> None:
    module = ir.Module.parse("""
      tdsl.program @p {
        tdsl.row @d = "3"
        tdsl.node @x : f32 "2|3->4" input
        tdsl.projections @q "i=>i" (@x) -> @x
        tdsl.set_equal @x[output], @d
        tdsl.routine @r {
          tdsl.assign @x add = id(@x) by @q
        }
      }
    """)
    row, node, projections, equality, routine = module.body.operations[0].regions[0].blocks[0].operations
    assign = routine.regions[0].blocks[0].operations[0]
    assert isinstance(node, tdsl_ir.NodeOp)
    assert type(node.shape) is ShapeAttr
    assert node.shape.text == "2|3->4"
    assert type(row.axes) is RowAttr
    assert type(projections.logic) is LogicAttr
    assert type(equality.first) is TermAttr
    assert type(assign.destinations[0]) is AccessAttr
    assert type(assign.sources[0]) is AccessAttr
    assert type(node.attributes["shape"]) is ShapeAttr


def test_attributes_of_a_given_context() -> None:
    other = tdsl_ir.create_context()
    shape = ShapeAttr.from_text("2|3->4", other)
    assert shape.context == other
    assert ShapeAttr.from_text("2|3->4") != shape
    assert SymbolIndexType.get("i", other).context == other
