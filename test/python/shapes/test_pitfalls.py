"""The pitfalls of spec/pitfalls.md that concern shapes; each test carries the number of its entry."""

from __future__ import annotations

from typing import Any

import pytest

from tdsl.errors import ShapeError
from tdsl.shapes import CaptureTarget, Inference, NodeTarget, RowTarget, parse_row

from .program import Program
from .store import Store


def _fails(*texts: str) -> Any:
    return pytest.raises(ShapeError, match="(?s)" + ".*".join(texts))


def _solve(*constraints: str) -> Store:
    store = Store()
    for constraint in constraints:
        store.add(constraint)
    store.close()
    return store


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_1_order_of_closing(order: tuple[int, ...]) -> None:
    constraints = ["3 <= a", "a <= b", "5 <= b"]
    store = _solve("terminal a", "terminal b", *(constraints[i] for i in order))
    assert store.atom("a") == (3, "default")
    assert store.atom("b") == (1, "bcast_if_1")


def test_2_uses_do_not_widen_results() -> None:
    p = Program()
    r = p.pointwise(p.param("w", "3"))
    y = p.pointwise(p.input("x", "5|->3"), r)
    p.inference.close()
    assert (p.shape(r), p.shape(y)) == ("|->3", "5|->3")


def test_2_stretch_takes_the_shape_of_its_use() -> None:
    p = Program()
    r = p.stretch(p.param("w", "3"))
    p.pointwise(p.input("x", "5|->3"), r)
    p.inference.close()
    assert p.shape(r) == "5|->3"


def _window(p: Program, kernel: str) -> str:
    p.captures(w=2)
    return p.einsum("2*o<+w; w => o", p.input("x", "4"), kernel, captures={"w": "w"})


def test_3_a_sum_of_numbers_is_no_kernel() -> None:
    p = Program()
    _window(p, p.pointwise(p.number(), p.number()))
    with _fails("A use widens the result", "stretch"):
        p.inference.close()


def test_3_a_stretched_number_is_a_kernel() -> None:
    p = Program()
    kernel = p.stretch(p.number())
    result = _window(p, kernel)
    p.inference.close()
    assert (p.shape(kernel), p.shape(result)) == ("|->2", "|->2")


def test_4_words_follow_from_elements() -> None:
    inference = Inference()
    inference.add_node("bits", "|...->...", "leaf")
    inference.add_node("u", "8", "result")
    inference.relate("uniform", ["bits"], "u", lanes=4)
    inference.close()
    assert str(inference.shape("bits")) == "|2->"


def test_4_words_are_rounded_up() -> None:
    inference = Inference()
    inference.add_node("bits", "|...->...", "leaf")
    inference.add_node("u", "2|->5", "result")
    inference.relate("uniform", ["bits"], "u", lanes=4)
    inference.close()
    assert str(inference.shape("bits")) == "|3->"


def test_4_two_unknown_factors() -> None:
    inference = Inference()
    inference.add_node("x", "?,?", "leaf")
    inference.total_elements(NodeTarget("x"), 6)
    with _fails("insufficient information"):
        inference.close()


@pytest.mark.parametrize("before", [True, False])
def test_5_set_dim_before_and_after(before: bool) -> None:
    p = Program()
    p.captures(k=3 if before else None)
    result = p.einsum("o<+k; k => o", p.input("x", "5"), p.param("w"), captures={"k": "k"})
    if not before:
        p.inference.set_dim("k", 3)
    p.inference.close()
    assert (p.shape("w"), p.shape(result)) == ("|->3", "|->3")


def test_5_contradictory_set_dim() -> None:
    p = Program()
    p.captures(k=3)
    with _fails("different values, 3 and 4"):
        p.inference.set_dim("k", 4)


def test_6_unused_parameters_are_no_error() -> None:
    p = Program()
    p.param("p")
    p.pointwise(p.input("x", "3"))
    p.inference.close()


def test_7_lone_parameter() -> None:
    p = Program()
    p.param("p")
    p.inference.close()
    assert p.shape("p") == "|->1:bcast_if_1"


@pytest.mark.parametrize("constraints", [
    ["<r1> <= <r2>.[2]", "<r2> <= <r1>.[3]"],
    ["<r1> <= <r2>.[2]", "<r2> <= <r3>.[3]", "<r3> <= <r1>.[4]"],
    ["<r1> <= <r2>.[2]", "<r2> <= [3].<r3>", "<r3> <= <r1>"],
    ["<r1> <= <r1>.[2]"],
])  # fmt: skip
def test_8_rank_cycles(constraints: list[str]) -> None:
    with _fails("rank cycle"):
        _solve(*constraints)


def test_8_a_long_rank_cycle() -> None:
    with _fails("rank cycle"):
        _solve(*(f"<r{i}> <= <r{(i + 1) % 40}>{'.[2]' if i == 7 else ''}" for i in range(40)))


def test_9_rotations() -> None:
    with _fails("mismatch"):
        _solve("[3].<v> = <v>.[5]")
    assert _solve("[3].<v> = <v>.[3]").variables["v"].value is not None
    with _fails("mismatch"):
        _solve("<v>.[3] = <v>.[5]")


def test_9_a_rotation_of_two_axes() -> None:
    store = _solve("[3,5].<v> = <v>.[5,3]")
    value = store.variables["v"].value
    assert value is not None
    assert [axis.find().size for axis in value.trailing] == [3]


def test_10_a_word_equation_ends() -> None:
    p = Program()
    x = p.input("x", "3,5,..r..")
    p.inference.same_shape(x, p.einsum("a,b,..r.. => ..r..,b,a", x))
    p.inference.close()
    assert p.shape(x) == "|->3,5,3"


def test_11_a_shifted_inequality() -> None:
    with _fails("mismatch"):
        _solve("[3].<> <= <>.[5]")


def test_12_leading_axes_stay_in_place() -> None:
    inference = Inference()
    inference.add_node("x", "3,..rho..,7", "leaf")
    inference.set_equal(RowTarget("x", "output"), parse_row("3,5,7"))
    assert str(inference.shape("x")) == "|->3,5,7"


def test_13_leading_axes_anchor_at_the_outer_edge() -> None:
    with _fails("mismatch", "9", "3"):
        _solve("[3,4].<>.[5] <= [9].<r>.[5]")


def test_14_default_is_no_wildcard() -> None:
    for first, second in [("3:rgb", "3"), ("3", "3:xyz"), ("3:rgb", "3:xyz")]:
        with _fails("bases"):
            _solve(f"{first} <= v", "v <= w", f"w <= {second}")


def test_15_an_inequality_records_the_basis() -> None:
    p = Program()
    w = p.param("w", "|...->2")
    p.compose(w, p.input("x", "3:feat"))
    assert p.shape(w) == "|...,3:feat->2"
    with _fails("bases", "feat", "time"):
        p.compose(w, p.input("y", "3:time"))


def test_16_a_size_1_axis_with_a_claim_does_not_stretch() -> None:
    for shape in ("1:q", "1"):
        p = Program()
        with _fails("mismatch"):
            p.pointwise(p.input("x", shape), p.input("y", "3"))
    p = Program()
    assert p.shape(p.pointwise(p.number(), p.input("y", "3"))) == "...|...->...,3"


def test_17_fixed_index_out_of_the_range_of_another_use() -> None:
    p = Program()
    w = p.input("w")
    p.einsum("3..r..|... => ..r..", w)
    with _fails("fixed index 3", "at least 4"):
        p.pointwise(p.einsum("b|... => b|...", w), p.input("x", "2|->5"))
        p.einsum("b|...;b|... => b|...", w, "x")


@pytest.mark.parametrize(("spec", "expected"), [("i => i0", "|->4,1"), ("i => i2", "|->4,3")])
def test_18_fixed_index_on_a_new_axis(spec: str, expected: str) -> None:
    p = Program()
    result = p.einsum(spec, p.input("x", "4"))
    p.inference.close()
    assert p.shape(result) == expected


def test_19_slices() -> None:
    inference = Inference()
    inference.add_node("x", "7,2|3->4", "input")
    inference.add_node("y", "...|...->...", "result")
    inference.relate("slice", ["x"], "y", range=7)
    assert str(inference.shape("y")) == "2|3->4"
    inference.add_node("flat", "3", "input")
    with _fails("batch rows differ in their number of axes", "0 axes", "@flat"):
        inference.relate("slice", ["flat"], "y", range=7)


def test_19_slice_by_another_range() -> None:
    inference = Inference()
    inference.add_node("x", "7|->4", "input")
    with _fails("mismatch", "7", "6"):
        inference.relate("slice", ["x"], "y", range=6)


def test_20_bounds_that_are_concatenations() -> None:
    _solve("Concat[a,b] <= v", "Concat[c,d] <= v")


def test_21_concatenations_of_unequal_arity() -> None:
    store = _solve("Concat[a,b,c] = Concat[d,e]")
    assert store.axes["c"].find().size == 0


def test_22_a_component_that_no_operand_gives_is_not_discarded() -> None:
    p = Program()
    result = p.einsum("a; b => a^c", p.input("x", "2"), p.input("y", "3"))
    p.inference.close()
    assert p.shape(result) == "|->3"  # c closes to 1, not to 0


def test_23_the_number_of_an_open_row_is_unknown() -> None:
    p = Program()
    p.inference.add_capture("d", row=True)
    x = p.input("x")
    p.einsum("..d.. => ..d..", x, captures={"d": "d"})
    with _fails("insufficient information"):
        p.inference.capture("d")
    p.inference.set_equal(RowTarget("x", "output"), parse_row("2,3"))
    assert p.inference.capture("d") == 6


def test_24_kernel_of_a_valid_convolution() -> None:
    p = Program()
    p.einsum("2*o<+k; k => o", p.input("x", "9"), p.param("k"))
    with _fails("You forgot to specify the hidden dimension"):
        p.inference.close()


def test_25_shared_ellipsis() -> None:
    p = Program()
    with pytest.raises(ShapeError) as caught:
        p.einsum("ij;jk=>ik", p.input("x", "2|->2,3"), p.input("y", "3,2"))
    assert str(caught.value) == (
        "The batch rows differ in their number of axes: 0 axes for the batch row of operand 2 (@y), "
        "but 1 axis (2) for the batch row of operand 1 (@x).\n"
        "  ij;jk=>ik\n"
        "  ^^ ^^\n"
        "Stated at op1.py:1.\n"
        "Rows that are not written share one row variable, so they must be equal. "
        "To keep operand 2 free of batch axes, close its row with `|`: `ij;|jk=>ik`."
    )


def test_26_kernel_with_a_closed_batch_row() -> None:
    for kernel, works in [("|kh, kw, ..ic.. -> ..oc..", True), ("kh, kw, ..ic.. -> ..oc..", False)]:
        p = Program()
        spec = f"... | oh<+kh, ow<+kw, ..ic..; {kernel} => ... | oh, ow, ..oc.."
        operands = p.input("x", "2|->4,4,3"), p.input("k", "3,3,3->5")
        if works:
            result = p.einsum(spec, *operands)
            p.inference.close()
            assert p.shape(result) == "2|->2,2,5"
        else:
            with _fails("batch", r"\|kh, kw"):
                p.einsum(spec, *operands)


def test_27_a_label_and_a_row_of_one_name() -> None:
    p = Program()
    with _fails("d"):
        p.einsum("..d.., d; d, e => ..d.., e", p.input("x", "2,3"), p.input("y", "3,4"))


def test_28_wrong_number_of_operands() -> None:
    p = Program()
    with _fails("one argument"):
        p.einsum("i;j=>ij", p.input("x", "2"))


def test_29_a_contradiction_after_closing_tells_the_history() -> None:
    p = Program()
    x, y = p.input("x", "?"), p.input("y", "3")
    p.pointwise(x)
    p.inference.close("printing @x", origin="model.py:7")
    assert p.shape(x) == "|->1:bcast_if_1"
    with _fails("mismatch", "printing @x", "model.py:7"):
        p.einsum("i;i=>i", x, y)


def test_30_logics_with_a_wrong_number_of_operands() -> None:
    p = Program()
    operands = p.input("a", "2"), p.input("b", "2"), p.input("c", "2")
    with _fails("The composition `@` takes 2 operands, but 3 were given"):
        p.compose(*operands)


def test_43_nested_stacks_of_different_depth() -> None:
    p = Program()
    tc = p.input("tc")
    result = p.stack("output", p.stack("output", p.input("ta", "3"), p.input("tb", "3")), tc)
    p.inference.close()
    assert (p.shape(tc), p.shape(result)) == ("|->2,3", "|->2,2,3")


@pytest.mark.parametrize(("spec", "sizes", "text"), [
    ("2*o=+k; k => o", ("5", "3"), "not divisible by its stride 2"),
    ("2*o<+k; k => o", ("5", "2"), "incompatible stride"),
    ("o<+k; k => o", ("2", "3"), "spans 3 positions"),
])  # fmt: skip
def test_60_61_strides_that_do_not_fit(spec: str, sizes: tuple[str, str], text: str) -> None:
    p = Program()
    with _fails(text):
        p.einsum(spec, p.input("x", sizes[0]), p.input("k", sizes[1]))


def test_captured_numbers_of_set_equal_sizes() -> None:
    p = Program()
    p.captures(a=None, b=None)
    p.einsum("i;j=>ij", p.input("x", "3"), p.input("y", "?"), captures={"i": "a", "j": "b"})
    p.inference.set_equal(CaptureTarget("a"), CaptureTarget("b"))
    assert p.inference.capture("b") == 3
