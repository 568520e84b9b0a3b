"""One mistake for each test, and what the interpreter says about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reference.programs import program, run
from tdsl.errors import DtypeError, ShapeError, TdslError
from tdsl.reference import ValuesError, rational, run_routine

COPY = """
  tdsl.node @x : f32 "2->3" input
  tdsl.node @y : f32 "2->3" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @run { tdsl.assign @y overwrite = id(@x) by @p }"""


def refused(kind: type[TdslError], text: str, values: dict[str, Any] | None = None, **options: Any) -> str:
    with pytest.raises(kind) as caught:
        run(text, values, **options)
    assert type(caught.value) is kind
    return str(caught.value)


def one(spec: str, shapes: list[str], result: str, assignment: str, options: str = "", precision: str = "f32") -> str:
    names = [f"@x{number}" for number in range(1, len(shapes) + 1)]
    nodes = [f'tdsl.node {name} : {precision} "{shape}" leaf' for name, shape in zip(names, shapes, strict=True)]
    joined = ", ".join(names)
    return "\n".join(
        [
            *nodes,
            f'tdsl.node @y : {precision} "{result}" result',
            f'tdsl.projections @p "{spec}" ({joined}) -> @y {options}',
            f"tdsl.routine @run {{ tdsl.assign @y {assignment}({joined}) by @p }}",
        ]
    )


# What is given to a run.


def test_unknown_node(context):
    message = refused(ValuesError, COPY, {"z": [1]})
    assert message == "The program has no node @z; its nodes are: @x, @y."


def test_unknown_routine(context):
    with pytest.raises(ValuesError, match=r"^The program has no routine @walk\.$"):
        run_routine(program(COPY), "walk", {})


def test_missing_input(context):
    message = refused(ValuesError, COPY)
    assert message == "The input @x is read, but it was neither given nor written before."


def test_missing_merge_buffer(context):
    text = COPY.replace("id(@x)", "id(merge(@x))")
    message = refused(ValuesError, text, {"x": np.zeros((3, 2), np.float32)})
    assert message == "The merge buffer of @x is read, but was not given; pass merge_buffers."


def test_wrong_shape(context):
    assert refused(ShapeError, COPY, {"x": np.zeros((2, 3), np.float32)}) == (
        "In the value of @x: the array has shape [2, 3], but the axes of the node in memory order "
        "(batch, output, input) are [3, 2]."
    )


def test_wrong_dtype(context):
    assert refused(DtypeError, COPY, {"x": np.zeros((3, 2))}) == (
        "In the value of @x: the array holds float64, but the node holds float32; convert it with .astype('float32')."
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([300], "In the value of @x: a number is outside the range of u8."),
        ([0.5], "In the value of @x: the numbers have fractions, but the node holds uint8."),
        (["a"], "In the value of @x: <U1 does not hold numbers."),
    ],
)
def test_numbers_of_another_kind(context, value, message):
    text = 'tdsl.node @x : u8 "1" input\ntdsl.routine @run { }'
    assert refused(DtypeError, text, {"x": value}) == message


SYMBOL = """
  tdsl.symbol @i range 2 to 5
  tdsl.node @y : i32 "1" result
  tdsl.routine @run(%i: !tdsl.index<@i>) { tdsl.fetch @y = symbol %i : !tdsl.index<@i> }"""


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ({}, "The routine @run needs a value of the symbol @i."),
        ({"i": 5}, "The symbol @i is 5, but its range is 2 to 4."),
        ({"i": 2, "j": 0}, "The routine @run takes no symbol @j."),
    ],
)
def test_symbols(context, symbols, message):
    assert refused(ValuesError, SYMBOL, symbols=symbols) == message


# What inference leaves open.


def test_open_shape(context):
    text = COPY.replace('@y : f32 "2->3"', '@y : f32 "2->?"')
    assert refused(ShapeError, text, {"x": [[0, 0]] * 3}) == (
        'The shape "|2->?" of @y is still open; run tdsl-infer-shapes first.'
    )


def test_open_precision(context):
    message = refused(DtypeError, COPY.replace("@y : f32", "@y : ?"), {"x": [[0, 0]] * 3})
    assert message.splitlines()[0] == "The precision of @y is still open; run tdsl-infer-precision first."


def test_nodes_that_a_routine_leaves_alone_may_be_open(context):
    nodes = run(COPY + '\ntdsl.node @z : ? "...|...->..." result', {"x": [[1, 1]] * 3})
    assert "z" not in nodes


# Shapes against specifications.


def test_a_label_of_two_sizes(context):
    assert refused(ShapeError, one("ij;jk=>ik", ["2,3", "4,5"], "2,5", "reset add = mul")) == (
        "An axis of @x2 has size 4, but `j` has size 3 in @x1.\n  ij;jk=>ik\n     ^"
    )


def test_wrong_number_of_axes(context):
    assert refused(ShapeError, one("ij=>i", ["2"], "2", "reset add = id")) == (
        "The output row of @x1 has 1 axis, but the spec needs 2 axes.\n  ij=>i\n  ^^"
    )


def test_unequal_batch_rows(context):
    # Pitfall 25: a shared ellipsis is an equality.
    assert refused(ShapeError, one("ij;jk=>ik", ["2|->2,3", "3,2"], "2|->2,2", "reset add = mul")) == (
        "The row `...` of kind batch is [] in @x2, but [2] in @y.\n"
        "  ij;jk=>ik\n"
        "     ^^\n"
        "A row variable is an equality; write a separator such as `|` to close a row."
    )


def test_fixed_index_outside(context):
    message = refused(ShapeError, one("3...=>...", ["3,2"], "2", "reset add = id"))
    assert message == "An axis of @x1 has size 3, but index 3 is outside.\n  3...=>...\n  ^"


@pytest.mark.parametrize(
    ("spec", "shapes", "reason"),
    [
        # Pitfalls 60 and 61.
        ("2*o=+k; k => o", ["5", "3"], "`2*o=+k` needs size 4"),
        ("2*o<+k; k => o", ["10", "3"], "`2*o<+k` needs size 5"),
        ("o<+k; k => o", ["1", "3"], "`o<+k` needs size 4"),
    ],
)
def test_strides(context, spec, shapes, reason):
    message = refused(ShapeError, one(spec, shapes, "2", "reset add = mul"))
    assert message.splitlines()[0] == f"An axis of @x1 has size {shapes[0]}, but {reason}."


def test_strides_of_reduced_axes(context):
    text = one("2*o=+k; k => |->0", ["5", "3"], "1", "reset add = mul")
    assert refused(ShapeError, text).splitlines()[0] == (
        "An axis of @x1 has size 5, but it is not divisible by the stride 2."
    )


def test_concatenated_sizes(context):
    text = one("a; b => a^b", ["2", "3"], "6", "overwrite = block id")
    assert refused(ShapeError, text).splitlines()[0] == (
        "An axis of @y has size 6, but the components of `a^b` have 5 positions."
    )


def test_undetermined_label(context):
    assert refused(ShapeError, one("a^b^c => b", ["6"], "2", "overwrite = id")) == (
        "The size of `a` cannot be determined from the shapes.\n"
        "  a^b^c => b\n"
        "  ^\n"
        "Capture the label and give the size of its tdsl.dim."
    )


def test_contradictory_captures(context):
    # Pitfall 5.
    text = "tdsl.dim @k = 3\ntdsl.set_dim @k = 2\n" + one(
        "o<+k => o", ["5"], "3", "reset max = id", "captures {k = @k}"
    )
    assert refused(ShapeError, text) == "@k is 3 and also 2."


def test_two_sources_for_the_same_cells(context):
    # Pitfall 42.
    assert refused(ShapeError, one("a; a => a", ["2", "2"], "2", "overwrite = block id")) == (
        "The block form reads one source for each cell, but @x1 and @x2 both are sources of the same cells of @y (@p)."
    )


def test_only_bcast_if_1_broadcasts(context):
    # Pitfall 16.
    assert refused(ShapeError, one(".", ["1", "3"], "3", "overwrite = add")) == (
        "An axis of the output row of @x1 has size 1, but is read with 3; only 1:bcast_if_1 broadcasts (spec d.2)."
    )


def test_operands_wider_than_the_result(context):
    message = refused(ShapeError, one(".", ["2,3"], "3", "overwrite = id"))
    assert message == "The output row of @x1 has 2 axes, but is read with 1."


def test_product_space_of_other_sizes(context):
    text = one("ij=>i", ["2,3"], "2", "reset add = id").replace("@y reset", "@y[pspace] reset")
    assert refused(ShapeError, text) == "@y is used as the product space [i 2, j 3], but has the axes [2] (spec e.5)."


def test_slot_of_another_shape(context):
    text = one("ij=>i", ["2,3"], "2", "reset add = id").replace("id(@x1)", "id(@x1[lhs])")
    assert refused(ShapeError, text) == (
        "@x1 has axes [2, 3] in memory order, but slot lhs of @p is made for [2] (spec e.5)."
    )


def test_unguarded_index_outside(context):
    # The verifier cannot bound a remainder; the interpreter sees each point.
    text = one(".", ["2"], "6", "overwrite = id", "space <[i 6 parallel] lhs[i] rhs1[i mod 4]>")
    assert refused(ShapeError, text) == (
        "An index of @x1 leaves the node, whose axes in memory order are [2], and its map is not guarded (spec e.4)."
    )


def test_too_few_random_words(context):
    text = """
      tdsl.node @words : uint4x32 "1" leaf
      tdsl.node @y : f32 "5" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run { tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }"""
    assert refused(ShapeError, text) == ("@y has 5 cells, which 2 words of 4 cells fill, but @words has 1 (spec b.6).")


# Operations that numbers do not have.


def test_operation_of_floats_on_integers(context):
    message = refused(DtypeError, one(".", ["1"], "1", "overwrite = exp", precision="i32"))
    assert message == "i32 has no operation exp.\n  in tdsl.assign @y overwrite = exp(@x1) by @p"


@pytest.mark.parametrize(("number", "reason"), [("1.5", "1.5 is not an integer, which u8 needs"), ("256.0", None)])
def test_constants_that_do_not_fit(context, number, reason):
    text = f'tdsl.node @y : u8 "1" result\ntdsl.routine @run {{ tdsl.fetch @y = constant {number} }}'
    expected = f"The number {reason or '256 is outside the range of u8'}."
    assert refused(DtypeError, text).splitlines()[0] == expected


def test_neutral_element_that_does_not_fit(context):
    text = 'tdsl.node @y : i32 "1" result\ntdsl.routine @run { tdsl.fill @y neutral sat01_gate }'
    assert refused(DtypeError, text).splitlines()[0] == "The number 0.5 is not an integer, which i32 needs."


def test_words_are_not_numbers(context):
    text = """
      tdsl.node @words : uint4x32 "1" leaf
      tdsl.node @y : f32 "1" result
      tdsl.projections @p "." (@words) -> @y
      tdsl.routine @run { tdsl.assign @y overwrite = id(@words) by @p }"""
    assert refused(DtypeError, text).splitlines()[0] == (
        "uint4x32 words are not f32 numbers; uint4x32_to_prec_uniform converts them."
    )


@pytest.mark.parametrize("operation", ["exp", "sqrt", "tanh"])
def test_rationals_have_no_roots(context, operation):
    message = refused(DtypeError, one(".", ["1"], "1", f"overwrite = {operation}"), arithmetic=rational)
    assert message.splitlines()[0] == f"Exact rationals have no operation {operation}: its results are not rational."


def test_rationals_are_not_divided_by_zero(context):
    text = one(".", ["1"], "1", "overwrite = recip")
    message = refused(DtypeError, text, {"x1": [0]}, arithmetic=rational)
    assert message.splitlines()[0] == "An exact rational is divided by zero."
