"""The written form of shapes, provenance, and what a caller may do wrong."""

from __future__ import annotations

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.shapes import OPEN, Axis, AxisTarget, Inference, Row, RowTarget, Shape, parse_row, parse_shape

from .program import Program


@pytest.mark.parametrize(
    "text", ["2|3->4", "|->", "5,..b..|..i..->..o..,16:rgb", "...|...->...", "|->1:bcast_if_1,?,?:rgb,0"]
)
def test_text_round_trips(text: str) -> None:
    assert str(parse_shape(text)) == text


def test_a_bare_list_is_an_output_row() -> None:
    assert parse_shape(" 3 , 4 : rgb ") == Shape(output=Row(trailing=(Axis(3, "default"), Axis(4, "rgb"))))


@pytest.mark.parametrize(
    ("text", "message", "span"),
    [
        ("3 4", "Axes are separated by commas.", (2, 3)),
        ("3,", "Expected another axis after `,`.", (2, 3)),
        ("..a..,..b..", "Expected another axis after `,`.", (6, 11)),
        ("..a....b..", "A row has at most one row variable.", (5, 10)),
        ("2->3|4", "A shape is written `batch|input->output`, each separator at most once and in this order.", (4, 5)),
        ("x", "Unexpected `x` in a shape.", (0, 1)),
        ("99999999999999999999", "The size 99999999999999999999 does not fit in 64 bits.", (0, 20)),
    ],
)
def test_mistakes_in_shapes(text: str, message: str, span: tuple[int, int]) -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse_shape(text)
    assert (caught.value.message, caught.value.spans) == (message, [span])


def test_provenance_names_source_and_constraint() -> None:
    p = Program()
    p.einsum("ij;jk=>ik", p.input("x", "2,3"), p.input("w", "|->?,4"))
    assert str(p.inference.provenance("w", "output", 0)) == (
        "size 3 from the output row of @x (axis 1) [x.py:1], through 'ij;jk=>ik' (operand 1, axis j) [op1.py:1]"
    )


def test_an_error_names_both_sizes_and_their_sources() -> None:
    p = Program()
    with pytest.raises(ShapeError) as caught:
        p.einsum("ij;jk=>ik", p.input("x", "2,3"), p.input("y", "4,5"))
    assert str(caught.value) == (
        "Size mismatch: axis `j` is 3 from the output row of @x (axis 1), but 4 from the output row of @y (axis 0).\n"
        "  ij;jk=>ik\n"
        "   ^ ^\n"
        "Stated at op1.py:1.\n"
        "3 comes from the output row of @x (axis 1) [x.py:1], "
        "through 'ij;jk=>ik' (operand 1, axis j) [op1.py:1].\n"
        "4 comes from the output row of @y (axis 0) [y.py:1]."
    )


def test_axes_of_open_rows() -> None:
    inference = Inference()
    inference.add_node("x", OPEN, "leaf")
    inference.set_equal(AxisTarget("x", "output", -1), Axis(3, "default"))
    inference.set_equal(AxisTarget("x", "batch", 0), Axis(2, "default"))
    inference.set_broadcast(RowTarget("x", "input"), parse_row("7"))
    inference.close()
    assert str(inference.shape("x")) == "2|7->3"


def test_misuse() -> None:
    inference = Inference()
    inference.add_node("x", "3", "input")
    with pytest.raises(ValueError, match="declared twice"):
        inference.add_node("x", "3", "input")
    with pytest.raises(ValueError, match="The role of @y"):
        inference.add_node("y", "3", "operand")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="There is no capture @k"):
        inference.set_dim("k", 3)
    inference.relate("pointwise", ["x"], "z")
    with pytest.raises(ValueError, match="The node @z was never declared"):
        inference.close()


def test_declarations_may_follow_the_operations() -> None:
    inference = Inference()
    inference.relate("compose", ["w", "x"], "y")
    inference.add_node("y", OPEN, "result")
    inference.add_node("x", "5|->3", "input")
    inference.add_node("w", "|...->4", "param")
    inference.close()
    assert [str(inference.shape(name)) for name in "wy"] == ["|3->4", "5|->4"]


def test_closing_again_costs_only_what_is_new() -> None:
    p = Program()
    p.input("x", "3")
    for _ in range(300):
        p.pointwise("x")
        p.inference.close()
    assert p.shape("t300") == "|->3"


def test_initialization_of_a_parameter_takes_its_shape() -> None:
    p = Program()
    p.inference.add_node("bits", "|...->...", "init")
    p.inference.add_node("uniform", OPEN, "init")
    p.inference.relate("uniform", ["bits"], "uniform", lanes=4)
    w = p.param("w")
    p.inference.relate("pointwise", ["uniform"], w)
    p.pointwise(p.compose(w, p.input("x", "3")), p.param("b", "3"))
    p.inference.close()
    assert [p.shape(name) for name in (w, "uniform", "bits")] == ["|3->3", "|3->3", "|3->"]


def test_product_space_of_an_unknown_operation() -> None:
    with pytest.raises(ValueError, match="There is no operation @p"):
        Inference().same_shape_as_product_space("x", "p")


def test_product_space_of_two_contracted_rows() -> None:
    inference = Inference()
    inference.relate("spec", ["x", "y"], "t", name="p", spec="..a..; ..b.. => |->0")
    with pytest.raises(ShapeError) as caught:
        inference.same_shape_as_product_space("x_pspace", "p")
    assert caught.value.message == (
        "A product space contracts at most one row variable, but this spec contracts `..a..` and `..b..`."
    )
    assert caught.value.spans == [(0, 5), (7, 12)]
