"""One mistake per test: integers, concatenations, affine axes and their coefficients (spec c.6)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tdsl.errors import SpecSyntaxError
from tdsl.notation import parse

from .mistakes import Mistake, check

MISTAKES = [
    # integers
    Mistake(
        "too-large",
        "9999999999999999999, => a",
        "The integer 9999999999999999999 is too large: the largest a spec may contain is 281474976710656.",
        [(0, 19)],
        None,
    ),
    Mistake(
        "far-too-large",
        "a, " + "9" * 5000 + " => a",
        "The integer 999999999999...999999 (5000 digits) is too large: "
        "the largest a spec may contain is 281474976710656.",
        [(3, 5003)],
        None,
    ),
    Mistake(
        "size-too-large",
        "a^281474976710657 => a",
        "The integer 281474976710657 is too large: the largest a spec may contain is 281474976710656.",
        [(2, 17)],
        None,
    ),
    Mistake(
        "iterated",
        "3+k; k => k",
        "3 is an integer, and an integer cannot be iterated: a label must stand here.",
        [(0, 1)],
        None,
    ),
    Mistake(
        "iterated-scaled",
        "2*3 => a",
        "3 is an integer, and an integer cannot be iterated: a label must stand here.",
        [(2, 3)],
        None,
    ),
    Mistake(
        "negative-coefficient",
        "-2*a => a",
        "`-` is not part of the notation: indices, sizes and coefficients are not negative.",
        [(0, 1)],
        None,
    ),
    # concatenations
    Mistake("dangling", "a^ => a", "`^` has no component after it: `^` concatenates two components.", [(0, 2)], None),
    Mistake("dangling-before", "^a => a", "`^` has nothing before it.", [(0, 1)], None),
    Mistake(
        "dangling-twice", "a^^b => a", "`^` has no component after it: `^` concatenates two components.", [(0, 2)], None
    ),
    Mistake(
        "placeholder",
        "a^_ => a",
        "`_` cannot be a component of a concatenation, since it has no size.",
        [(2, 3)],
        "Write a label, or the size of the part as an integer.",
    ),
    Mistake(
        "placeholder-first",
        "_^a => a",
        "`_` binds nothing, so it cannot stand before `^`.",
        [(0, 2)],
        "Give the axis a label of its own.",
    ),
    Mistake(
        "affine-component",
        "2*a^b => a",
        "A component of a concatenation is a label or a size, not an affine axis.",
        [(0, 4)],
        None,
    ),
    Mistake(
        "scaled-component",
        "a^2*b => a",
        "A component of a concatenation is a label or a size; `*` cannot follow it.",
        [(2, 4)],
        None,
    ),
    Mistake(
        "offset-component",
        "a^b+1 => a",
        "A component of a concatenation is a label or a size; `+` cannot follow it.",
        [(2, 4)],
        None,
    ),
    # affine axes
    Mistake("dangling-star", "2* => a", "`*` has no label after it.", [(0, 2)], None),
    Mistake("dangling-star-before", "*a => a", "`*` has nothing before it.", [(0, 1)], None),
    Mistake("dangling-plus", "o<+ => o", "`+` has no kernel or offset after it.", [(0, 3)], None),
    Mistake("dangling-plus-before", "+k => k", "`+` has nothing before it.", [(0, 1)], None),
    Mistake(
        "no-kernel",
        "o< => o",
        "`<` marks a kernel, but no `+` with a kernel label follows it.",
        [(1, 2)],
        "Write `o<+k` with the label of the kernel for `k`, or leave out the `<`.",
    ),
    Mistake(
        "no-kernel-but-offset",
        "2*o=+1 => o",
        "`=` marks a kernel, but no `+` with a kernel label follows it.",
        [(3, 4)],
        "Write `2*o=+1+k` with the label of the kernel for `k`, or leave out the `=`.",
    ),
    Mistake("two-kernels", "o<+k+l => o", "An axis has two kernels; it can have one.", [(3, 4), (5, 6)], None),
    Mistake("two-kernels-marked", "o<+k<+l => o", "An axis has two kernels; it can have one.", [(3, 4), (4, 5)], None),
    Mistake("two-kernels-plain", "o+k<+l => o", "An axis has two kernels; it can have one.", [(2, 3), (3, 4)], None),
    Mistake(
        "two-markers",
        "o=<+k => o",
        "An axis has two padding markers; it can have one of `=` and `<`.",
        [(1, 2), (2, 3)],
        None,
    ),
    Mistake(
        "marker-after-offset",
        "2*o+1<+k; k => o",
        "`<` stands in the wrong place: it follows the first label of the axis.",
        [(5, 6)],
        "Write `2*o<+k`, or with an offset `2*o<+1+k`.",
    ),
    Mistake(
        "offset-after-kernel",
        "2*o<+k+1; k => o",
        "The offset of an axis must be written before its kernel.",
        [(7, 8)],
        "Write `2*o<+1+k`.",
    ),
    Mistake("two-offsets", "3*o+1+1 => o", "An axis has two offsets.", [(4, 5), (6, 7)], None),
    Mistake(
        "offset-not-below-stride",
        "2*i+2 => i",
        "The offset 2 must be less than the stride, which is 2 here.",
        [(0, 1), (4, 5)],
        None,
    ),
    Mistake(
        "offset-without-stride",
        "i+1 => i",
        "The offset 1 must be less than the stride, which is 1 here.",
        [(0, 1), (2, 3)],
        None,
    ),
    Mistake(
        "star-after",
        "2*o*3 => o",
        "`*` stands in the wrong place: it joins one coefficient to the label after it.",
        [(2, 4)],
        "Write the coefficient first, as in `2*i`.",
    ),
    Mistake("coefficient-after", "a*3 => a", "The stride must be written before its label.", [(0, 3)], "Write `3*a`."),
    Mistake(
        "dilation-after", "o<+k*2; k => o", "The dilation must be written before its label.", [(3, 6)], "Write `2*k`."
    ),
    Mistake(
        "placeholder-iterated",
        "2*_ => o",
        "`_` binds nothing, so it cannot be iterated: a label must stand here.",
        [(2, 3)],
        None,
    ),
    Mistake(
        "placeholder-coefficient",
        "_*o => o",
        "`_` binds nothing, so it cannot stand before `*`.",
        [(0, 2)],
        "Give the axis a label of its own.",
    ),
    Mistake("zero-stride", "0*o => o", "The stride 0 must be at least 1.", [(0, 1)], None),
    Mistake("zero-dilation", "o<+0*k => o", "The dilation 0 must be at least 1.", [(3, 4)], None),
    Mistake(
        "no-use-padding",
        "o+k; k => o",
        "`+` before the kernel `k` does not say whether the axis is padded, and no use_padding is in scope.",
        [(1, 2)],
        "Write `=+` for padded or `<+` for valid, or pass use_padding.",
    ),
    Mistake("placeholder-dilation", "o<+_*k; k => o", "`_` cannot be a coefficient.", [(3, 4)], None),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_mistake(mistake: Mistake) -> None:
    check(mistake)


def test_every_mistake_has_its_own_name() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


class BadCoefficient(NamedTuple):
    """A value of the coefficient ``s`` in ``s*o => o``."""

    given: object
    message: str


@pytest.mark.parametrize(
    "case",
    [
        BadCoefficient(0, "The stride `s`, which is 0, must be at least 1."),
        BadCoefficient(-2, "The stride `s`, which is -2, must be at least 1."),
        BadCoefficient(2**60, "The coefficient `s` is too large: the largest integer is 281474976710656."),
        BadCoefficient(10**5000, "The coefficient `s` is too large: the largest integer is 281474976710656."),
        BadCoefficient(-(10**5000), "The coefficient `s` is too large: the largest integer is 281474976710656."),
        BadCoefficient(2.0, "The coefficient `s` must be an integer, not float."),
        BadCoefficient("2", "The coefficient `s` must be an integer, not str."),
        BadCoefficient(True, "The coefficient `s` must be an integer, not bool."),
    ],
    ids=lambda case: type(case.given).__name__,
)
def test_bad_coefficient(case: BadCoefficient) -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("s*o => o", coefficients={"s": case.given})  # pyright: ignore[reportArgumentType]
    assert str(caught.value).splitlines()[0] == case.message
    assert caught.value.spans == [(0, 1)]


def test_coefficient_out_of_scope() -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("o<+dilation*k; k => o", coefficients={"stride": 2})
    assert str(caught.value).splitlines()[0] == "The coefficient `dilation` is not in scope."
    assert caught.value.spans == [(3, 11)]
    assert caught.value.suggestion == ("Pass coefficients={'dilation': ...}, or write an integer. In scope: `stride`.")


def test_offset_is_compared_with_the_resolved_stride() -> None:
    assert parse("s*i+2 => i", coefficients={"s": 3})
    with pytest.raises(SpecSyntaxError, match="The offset 2 must be less than the stride, which is 2 here"):
        parse("s*i+2 => i", coefficients={"s": 2})
