"""The cases of kinds ``inference``, ``capture`` and ``stack``, which describe programs in prose: translated by hand.

The name of each test carries the id of its case. cap-16 and cap-19 are about the frontend's syntax, not about shapes.
"""

from __future__ import annotations

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import check_captures, parse
from tdsl.shapes import CaptureTarget, Inference

from .program import Program


def _error(program: Program, *texts: str) -> None:
    with pytest.raises(ShapeError) as caught:
        program.inference.close()
    for text in texts:
        assert text in str(caught.value)


def test_inf_2_hidden_dimension() -> None:
    p = Program()
    p.compose(p.param("w"), p.input("x", "3"))
    _error(p, "You forgot to specify the hidden dimension(s) of the parameter @w: nothing determines its output row.")


def test_inf_6_captures_determine_everything() -> None:
    p = Program()
    p.captures(a=6, b=8, c=10)
    t = p.einsum("ab=>ba", p.input("base"))
    f = p.einsum("ba;bc=>ac", t, p.param("m"), captures={"a": "a", "b": "b", "c": "c"})
    p.inference.close()
    assert [p.shape(name) for name in ("base", t, "m", f)] == ["|->6,8", "|->8,6", "|->8,10", "|->6,10"]


def test_inf_7_sizes_of_five_labels() -> None:
    p = Program()
    p.captures(p=4, q=5, r=6, s=5, t=4)
    result = p.einsum("pqr;rst=>pqst", p.input("c1"), p.input("c2"), captures={name: name for name in "pqrst"})
    p.inference.close()
    assert [p.shape(name) for name in ("c1", "c2", result)] == ["|->4,5,6", "|->6,5,4", "|->4,5,5,4"]


def test_inf_8_layer_of_a_perceptron() -> None:
    p = Program()
    u = p.compose(p.param("w"), p.input("x", "5|->3"))
    r = p.pointwise(p.pointwise(u, p.param("b", "|...->8")))
    p.inference.close()
    assert [p.shape(name) for name in ("w", "b", r)] == ["|3->8", "|->8", "5|->8"]


def test_inf_9_parameters_of_a_normalisation() -> None:
    p = Program()
    scaled = p.pointwise(p.param("gamma"), p.input("x", "2,8|->100"))
    result = p.pointwise(scaled, p.param("beta"))
    p.inference.close()
    assert [p.shape(name) for name in ("gamma", "beta", result)] == ["|->100", "|->100", "2,8|->100"]


def test_inf_10_rotation_of_a_known_row() -> None:
    p = Program()
    x = p.input("x", "3,5,3")
    y = p.pointwise(x, p.einsum("a,b,..r.. => ..r..,b,a", x))
    p.inference.close()
    assert p.shape(y) == "|->3,5,3"


def test_inf_11_rotation_of_an_open_row() -> None:
    p = Program()
    p.captures(a=3, b=5)
    x = p.input("x")
    p.pointwise(x, p.einsum("a,b,..r.. => ..r..,b,a", x, captures={"a": "a", "b": "b"}))
    _error(p, "mismatch")


def test_inf_13_a_stretched_window() -> None:
    p = Program()
    p.captures(wh=2, ww=2)
    kernel = p.stretch(p.number())
    spec = "2*oh<+wh, 2*ow<+ww; |->wh, ww => oh, ow"
    result = p.einsum(spec, p.input("x", "4,4"), kernel, captures={"wh": "wh", "ww": "ww"})
    p.inference.close()
    assert (p.shape(kernel), p.shape(result)) == ("|->2,2", "|->2,2")


def test_inf_16_kernel_from_input_and_output() -> None:
    p = Program()
    p.input("x", "9")
    p.param("k")
    p.inference.add_node("y", "4", "result")
    p.inference.relate("spec", ["x", "k"], "y", spec="2*o<+k; k => o")
    p.inference.close()
    assert p.shape("k") == "|->3"


def test_stack_11_component_from_the_whole() -> None:
    p = Program()
    parts = p.input("a", "2"), p.input("b", "3"), p.param("c")
    result = p.pointwise(p.einsum("ii; jj; kk => ii^jj^kk", *parts), p.input("fixed", "7"))
    p.inference.close()
    assert (p.shape("c"), p.shape(result)) == ("|->2", "|->7")


def test_stack_12_middle_component() -> None:
    p = Program()
    parts = p.input("a", "2"), p.input("b", "3"), p.input("c", "2")
    result = p.pointwise(p.einsum("ii; mm; kk => ii^mm^kk", *parts), p.input("zeros", "7"))
    p.inference.close()
    assert p.shape(result) == "|->7"


def test_stack_13_sum_of_concatenations() -> None:
    p = Program()
    first = p.einsum("i; m; k => i^m^k", p.input("a", "2"), p.input("b", "3"), p.input("c", "2"))
    second = p.einsum("i; m; k => i^m^k", p.input("d", "2"), p.input("e", "3"), p.input("f", "2"))
    result = p.pointwise(first, second)
    p.inference.close()
    assert p.shape(result) == "|->7"


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("stack-1", "output", "|->2,3"),
        ("stack-2", "batch", "2|->3"),
        ("stack-3", "input", "|2->3"),
    ],
)
def test_stack_1_2_3_of_two(name: str, kind: str, expected: str) -> None:
    p = Program()
    result = p.stack(kind, p.input("x1", "3"), p.input("x2", "3"))
    p.inference.close()
    assert p.shape(result) == expected, name


def test_stack_4_of_one() -> None:
    p = Program()
    result = p.stack("output", p.input("x1", "3"))
    p.inference.close()
    assert p.shape(result) == "|->1,3"


def test_stack_5_of_stacks() -> None:
    p = Program()
    x1, x2 = p.input("x1", "3"), p.input("x2", "3")
    result = p.stack("output", p.stack("output", x1, x2), p.stack("output", x1, x2))
    p.inference.close()
    assert p.shape(result) == "|->2,2,3"


def test_stack_9_of_three_kinds() -> None:
    p = Program()
    x1, x2 = p.input("x1", "3"), p.input("x2", "3")
    rows = [p.stack("output", p.stack("input", x1, x2), p.stack("input", x1, x2)) for _ in range(2)]
    result = p.stack("batch", *rows)
    p.inference.close()
    assert p.shape(result) == "2|2->2,3"


def test_cap_2_different_values() -> None:
    inference = Inference()
    inference.add_capture("u", value=50)
    inference.add_capture("v", value=75)
    with pytest.raises(ShapeError, match="different values, 50 and 75"):
        inference.set_equal(CaptureTarget("u"), CaptureTarget("v"))


def test_cap_4_nothing_known() -> None:
    inference = Inference()
    inference.add_capture("u")
    inference.add_capture("v")
    inference.set_equal(CaptureTarget("u"), CaptureTarget("v"))
    with pytest.raises(ShapeError, match="insufficient information"):
        inference.close()


def test_cap_5_row_equals_dimension() -> None:
    p = Program()
    p.inference.add_capture("s", row=True)
    p.inference.add_capture("d")
    p.einsum("a..s..;..s..b=>ab", p.input("x", "2,6"), p.input("y", "6,3"), captures={"s": "s"})
    p.inference.set_equal(CaptureTarget("s"), CaptureTarget("d"))
    p.inference.close()
    assert (p.inference.capture("s"), p.inference.capture("d")) == (6, 6)


def test_cap_6_scale() -> None:
    inference = Inference()
    inference.add_capture("input", value=8)
    inference.add_capture("hidden")
    inference.set_scale("hidden", 2, "input")
    assert inference.capture("hidden") == 16


def test_cap_9_not_divisible() -> None:
    inference = Inference()
    inference.add_capture("input")
    inference.add_capture("hidden", value=17)
    with pytest.raises(ShapeError, match=r"The scaled size 17 is not divisible by the factor 2"):
        inference.set_scale("hidden", 2, "input")


def test_cap_11_scale_between_operands() -> None:
    p = Program()
    p.captures(i=None, k=None)
    p.einsum("i;k=>ik", p.param("a"), p.param("b"), captures={"i": "i", "k": "k"})
    p.inference.set_scale("k", 2, "i")
    p.inference.set_dim("i", 4)
    p.inference.close()
    assert (p.inference.capture("i"), p.inference.capture("k")) == (4, 8)
    assert (p.shape("a"), p.shape("b")) == ("|->4", "|->8")


def test_cap_12_scale_contradicts() -> None:
    inference = Inference()
    inference.add_capture("i", value=8)
    inference.add_capture("k", value=15)
    with pytest.raises(ShapeError, match="mismatch"):
        inference.set_scale("k", 2, "i")


def test_cap_13_scale_of_a_row() -> None:
    inference = Inference()
    inference.add_capture("r", row=True)
    inference.add_capture("k")
    with pytest.raises(ShapeError, match="row variable"):
        inference.set_scale("r", 2, "k")


def test_cap_15_capture_of_a_declared_name() -> None:
    with pytest.raises(SpecSyntaxError, match="Name clash: the capture `b`"):
        check_captures(parse("ab=>a"), ["b"], declared=["b"])


def test_cap_18_captures_are_per_call() -> None:
    p = Program()
    found = []
    for number, shape in enumerate(["4,4,2", "6,6,2"]):
        names = {name: f"{name}{number}" for name in "hw"}
        p.captures(**dict.fromkeys(names.values()))
        p.einsum("...|h, w, ..c.. => ...|..c..", p.input(f"x{number}", shape), captures=names)
        found.append({name: p.inference.capture(capture) for name, capture in names.items()})
    assert found == [{"h": 4, "w": 4}, {"h": 6, "w": 6}]


def test_cap_20_captured_dimensions_and_row() -> None:
    p = Program()
    p.captures(a=None, j=None)
    p.inference.add_capture("r", row=True)
    p.einsum("a..r..j=>a", p.input("x", "2,3,4,7"), captures={"a": "a", "r": "r", "j": "j"})
    assert sum(p.inference.capture(name) for name in "ajr") == 21
