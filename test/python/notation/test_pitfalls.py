"""Pitfalls 31 to 38 (and 22, 27 elsewhere): traps in the syntax of specs that systems of this kind fell into."""

from __future__ import annotations

import contextlib

import pytest

from tdsl.errors import SpecSyntaxError
from tdsl.notation import Concat, Fixed, Label, Size, parse


def test_pitfall_31_digit_runs_are_separate_axes() -> None:
    assert parse("bhwc => b00c").result.output.axes == (Label("b"), Fixed(0), Fixed(0), Label("c"))


def test_pitfall_32_an_operator_switches_the_mode() -> None:
    spec = parse("sa; sb => sa^b")
    assert spec.operands[0].output.axes == (Label("sa"),)
    assert spec.result.output.axes == (Concat((Label("sa"), Label("b"))),)
    with pytest.raises(SpecSyntaxError) as caught:
        parse("s a; s b => s a^b")
    assert caught.value.suggestion == "Write `s, a; s, b => s, a^b`."


@pytest.mark.parametrize("failing", ["..v", "..v => a", "a, b c => a", "a => b => c", "2* => a", "a =>", "x => ..v"])
def test_pitfall_33_a_failed_parse_leaves_nothing_behind(failing: str) -> None:
    expected = parse("ab => ba")
    with contextlib.suppress(SpecSyntaxError):  # `a =>` is legal: a result without output axes
        parse(failing)
    assert parse("ab => ba") == expected
    assert str(parse("ab => ba")) == "ab => ba"


def test_pitfall_33_parsing_twice_is_equal_and_shares_nothing() -> None:
    first, second = parse("2*o<+k; k => o"), parse("2*o<+k; k => o")
    assert first == second
    assert hash(first) == hash(second)
    assert first is not second


def test_pitfall_34_an_integer_in_a_concatenation_is_a_size() -> None:
    spec = parse("3^a => a")
    assert spec.operands[0].output.axes == (Concat((Size(3), Label("a"))),)
    assert parse("3, a => a").operands[0].output.axes == (Fixed(3), Label("a"))


def test_pitfall_35_three_dots_before_a_name() -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("...batch..|x => x")
    assert "`..batch..`" in str(caught.value)
    assert "`...`" in str(caught.value)


def test_pitfall_36_blanks_do_not_join_names() -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("a,b c => a")
    assert caught.value.spans == [(3, 4)]
    assert parse("a, b , c => a").operands[0].output.axes == (Label("a"), Label("b"), Label("c"))


def test_pitfall_37_a_plain_plus_needs_use_padding() -> None:
    with pytest.raises(SpecSyntaxError, match="no use_padding is in scope"):
        parse("o+k; k => o")
    assert parse("o+k; k => o", use_padding=True) == parse("o=+k; k => o")
    assert parse("o+k; k => o", use_padding=False) == parse("o<+k; k => o")


def test_pitfall_38_one_comma_may_trail() -> None:
    assert parse("a, b, => a") == parse("a, b => a")
    assert parse("a,|b,->c, => a,") == parse("a,|b->c => a")
    for spec in ("a,, b => a", "a, b,, => a", ", a, => a", ",=>a"):
        with pytest.raises(SpecSyntaxError):
            parse(spec)
