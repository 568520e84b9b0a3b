"""Questions about a parsed spec: labels, row variables, discardable labels, captures, arity (spec c.6, d.8 to d.10)."""

from __future__ import annotations

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import (
    NamedRow,
    ReservedRow,
    check_arity,
    check_captures,
    contracted_labels,
    contracted_row_variables,
    discardable_labels,
    labels,
    name_spans,
    parse,
    result_labels,
    row_variables,
)

CONVOLUTION = parse("...|2*oh<+wh, ow=+3*ww, ..ic..; |wh, ww, ..ic.. -> ..oc.. => ...|oh, ow, ..oc..")


def test_labels_in_order_of_first_occurrence() -> None:
    assert labels(CONVOLUTION) == ("oh", "wh", "ow", "ww")
    assert labels(parse("3^b^a, _, 2; c => c, d")) == ("b", "a", "c", "d")


def test_result_labels_and_contracted_labels() -> None:
    assert result_labels(CONVOLUTION) == ("oh", "ow")
    assert contracted_labels(CONVOLUTION) == ("wh", "ww")
    assert contracted_labels(parse("ij; jk => ik")) == ("j",)
    assert contracted_labels(parse("i => ij")) == ()
    assert result_labels(parse("i => jij")) == ("j", "i")


def test_row_variables() -> None:
    batch, input_ = ReservedRow("batch"), ReservedRow("input")
    assert row_variables(CONVOLUTION) == (batch, input_, NamedRow("ic"), NamedRow("oc"))
    assert contracted_row_variables(CONVOLUTION) == (NamedRow("ic"),)
    assert contracted_row_variables(parse("... => |->0")) == (batch, input_, ReservedRow("output"))
    assert contracted_row_variables(parse("..v..|... => ..v..")) == (ReservedRow("output"),)


def test_name_spans() -> None:
    text = "a^b, ..r..; 2*a => a, ..r.."
    spec = parse(text)
    assert name_spans(spec, "a") == ((0, 1), (14, 15), (19, 20))
    assert [text[slice(*span)] for span in name_spans(spec, "r")] == ["..r..", "..r.."]
    assert name_spans(spec, "c") == ()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("a^b => a", ("b",)),
        ("a^b => b", ("a",)),
        ("a => a^b", ("b",)),
        ("b => a^b", ("a",)),
        ("a^b^c => b", ("a", "c")),
        ("a^b^c => a^c", ("b",)),
        ("a^b^c => a^b", ("c",)),
        ("a^b => a^b", ()),
        ("b^c => a", ()),
        ("a; b => a^b", ()),
        ("a; b => a^c", ()),  # pitfall 22: the second operand is not covered without c
        ("a; a => a^c", ("c",)),
        ("a, x; y, a => a^c", ("c",)),
        ("a^b => a^3", ()),  # no label covers the component of size 3
        ("3^a => a", ()),
        ("a^b => 2*a", ("b",)),
        ("a^b, c^d => a, c", ("b", "d")),
        ("a^b|c^d->x => a, c", ("b", "d")),
        ("a^b => ...", ()),
        ("ab => a", ()),
        ("a^a^b => a", ("a", "b")),
    ],
)
def test_discardable(spec: str, expected: tuple[str, ...]) -> None:
    assert discardable_labels(parse(spec)) == expected


def test_arity() -> None:
    check_arity(parse("i;j;k => ijk"), 3)
    with pytest.raises(ShapeError) as caught:
        check_arity(parse("i;j => ij"), 1)
    assert str(caught.value).splitlines()[0] == "The spec is for 2 arguments, but one argument was given."
    assert caught.value.spans == [(0, 1), (2, 3)]
    with pytest.raises(ShapeError) as caught:
        check_arity(parse("ij => ij"), 2)
    assert str(caught.value).splitlines()[0] == "The spec is for one argument, but 2 arguments were given."


def test_captures_are_labels_and_row_variables() -> None:
    check_captures(CONVOLUTION, ["wh", "ic", "oh"], declared=["w"])


def capture_error(captures: list[str], declared: tuple[str, ...] = ()) -> SpecSyntaxError:
    with pytest.raises(SpecSyntaxError) as caught:
        check_captures(parse("s*h, ..c..; h => h", coefficients={"s": 2}), captures, declared=declared)
    return caught.value


def test_repeated_capture() -> None:
    error = capture_error(["h", "c", "h"])
    assert str(error).splitlines()[0] == "The capture `h` is repeated."
    assert error.spans == [(2, 3), (12, 13), (17, 18)]


def test_capture_that_is_not_in_the_spec() -> None:
    error = capture_error(["w"])
    assert str(error).splitlines()[0] == "The capture `w` is not a label or row variable of the spec."
    assert error.suggestion == "It has `h`, `c`."
    assert "It has none." in str(_no_names())


def _no_names() -> SpecSyntaxError:
    with pytest.raises(SpecSyntaxError) as caught:
        check_captures(parse("... => |->0"), ["w"])
    return caught.value


def test_a_coefficient_is_no_capture() -> None:
    assert "`s` is not a label or row variable" in str(capture_error(["s"]))


def test_capture_that_clashes_with_a_declaration() -> None:
    error = capture_error(["c"], declared=("b", "c"))
    assert str(error).splitlines()[0] == "Name clash: the capture `c` has the name of an inline declaration."
    assert error.spans == [(5, 10)]


def test_a_capture_is_a_string() -> None:
    with pytest.raises(TypeError, match="A capture is the name of a label or row variable, not int"):
        check_captures(CONVOLUTION, [1])  # pyright: ignore[reportArgumentType]
