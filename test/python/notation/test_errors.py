"""One mistake per test: the outline of a spec, its separators, rows, commas and characters (spec c.6)."""

from __future__ import annotations

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import parse

from .mistakes import Mistake, check

MISTAKES = [
    # the spec as a whole
    Mistake("empty", "", "The spec is empty.", [], "Write operands and a result, as in `ij; jk => ik`."),
    Mistake("blank", " \t", "The spec is empty.", [], "Write operands and a result, as in `ij; jk => ik`."),
    Mistake(
        "no-arrow",
        "ab",
        "The spec has no `=>` between its operands and its result.",
        [(2, 3)],
        "Write the shape of the result after `=>`, as in `ij; jk => ik`.",
    ),
    Mistake(
        "no-arrow-row",
        "..v",
        "The spec has no `=>` between its operands and its result.",
        [(3, 4)],
        "Write the shape of the result after `=>`, as in `ij; jk => ik`.",
    ),
    Mistake(
        "two-arrows",
        "a=>b=>c",
        "The spec has 2 `=>`; it has one, before the result.",
        [(1, 3), (4, 6)],
        "Separate operands with `;`, as in `ij; jk => ik`.",
    ),
    Mistake(
        "second-result",
        "a => b; c; d",
        "A spec has one result; `;` separates operands, before `=>`.",
        [(6, 7), (9, 10)],
        None,
    ),
    # other notations
    Mistake(
        "numpy", "ij,jk->ik", "The spec has no `=>`; it looks like NumPy's notation.", [(5, 7)], "Write `ij; jk => ik`."
    ),
    Mistake(
        "numpy-ellipsis",
        " ...ij, ...jk -> ...ik",
        "The spec has no `=>`; it looks like NumPy's notation.",
        [(14, 16)],
        "Write `...ij; ...jk => ...ik`.",
    ),
    Mistake(
        "numpy-scalar", "ij->", "The spec has no `=>`; it looks like NumPy's notation.", [(2, 4)], "Write `ij => |->0`."
    ),
    Mistake(
        "numpy-implicit",
        "ij,jk",
        "The spec has no `=>`; it looks like NumPy's notation with an implicit output.",
        [(0, 5)],
        "Write `ij; jk => ik`, if that is what is meant.",
    ),
    Mistake(
        "numpy-implicit-ellipsis",
        "...b,...a",
        "The spec has no `=>`; it looks like NumPy's notation with an implicit output.",
        [(0, 9)],
        "Write `...b; ...a => ...ab`, if that is what is meant.",
    ),
    Mistake(
        "einops-letters",
        "b h w c -> b c h w",
        "The spec has no `=>`; it looks like einops' notation.",
        [(8, 10)],
        "Write `b h w c => b c h w`.",
    ),
    Mistake(
        "einops-names",
        "batch height -> height batch",
        "The spec has no `=>`; it looks like einops' notation.",
        [(13, 15)],
        "Write `batch, height => height, batch`.",
    ),
    Mistake(
        "einops-one-name",
        "x_ -> x_",
        "The spec has no `=>`; it looks like einops' notation.",
        [(3, 5)],
        "Write `x_ => x_,`.",
    ),
    Mistake(
        "einops-unit-axes",
        "b 1 () c -> b c",
        "The spec has no `=>`; it looks like einops' notation.",
        [(9, 11)],
        "Write `b 0 0 c => b c`.",
    ),
    Mistake(
        "einops-group",
        "b (h w) c -> b h w c",
        "The spec has no `=>`; it looks like einops' notation.",
        [(2, 7)],
        "Write `b, w_size*h<+w, c => b, h, w, c` with coefficients={'w_size': ...}.",
    ),
    Mistake(
        "einops-group-of-three",
        "b (h w c) -> b",
        "The spec has no `=>`; it looks like einops' notation.",
        [(2, 9)],
        "An axis cannot be a group of three or more; split it in two steps, or use tdsl.axes.",
    ),
    Mistake(
        "einops-operands",
        "batch i, batch j -> i j",
        "The spec has no `=>`; it looks like einops' notation.",
        [(17, 19)],
        "Write `batch, i; batch, j => i, j`.",
    ),
    Mistake(
        "einops-with-our-arrow",
        "(h w); c => h w c",
        "Axes are not grouped by parentheses in this notation.",
        [(0, 5)],
        "Write `w_size*h<+w; c => h, w, c` with coefficients={'w_size': ...}.",
    ),
    Mistake(
        "einops-parentheses",
        "f (x) => f x",
        "Axes are not grouped by parentheses in this notation.",
        [(2, 5)],
        "Write `f x => f x`.",
    ),
    Mistake(
        "inner-arrow",
        "b|i->h; b|h->o -> b|i->o",
        "The spec has no `=>`, and `->` does not stand for it: it separates an input row from an output row.",
        [(15, 17)],
        "Write `b|i->h; b|h->o => b|i->o`.",
    ),
    Mistake(
        "unicode-arrow",
        "ij; jk ⇒ ik",
        "The spec has no `=>`, and `⇒` does not stand for it.",
        [(7, 8)],
        "Write `ij; jk => ik`.",
    ),
    Mistake(
        "split-arrow",
        "a, b = > b",
        "The spec has no `=>`, and `= >` does not stand for it.",
        [(5, 8)],
        "Write `a, b => b`.",
    ),
    Mistake(
        "less-equal", "a <= b", "The spec has no `=>`, and `<=` does not stand for it.", [(2, 4)], "Write `a => b`."
    ),
    # separators
    Mistake(
        "repeated-bar",
        "a| b|c => a",
        "A shape has `|` 2 times.",
        [(1, 2), (4, 5)],
        "Write the rows as `batch|input->output`.",
    ),
    Mistake(
        "repeated-arrow",
        "a->b->c => a",
        "A shape has `->` 2 times.",
        [(1, 3), (4, 6)],
        "Write the rows as `batch|input->output`.",
    ),
    Mistake(
        "out-of-order",
        "a->b|c => a",
        "The separators of a shape are out of order: `|` must be written before `->`.",
        [(1, 3), (4, 5)],
        "Write the rows as `batch|input->output`.",
    ),
    # row variables
    Mistake(
        "two-ellipses",
        "a......b => a",
        "A row has two row variables; it can have one.",
        [(1, 4), (4, 7)],
        "Keep one of them, and write out the axes that the other stands for.",
    ),
    Mistake(
        "two-named",
        "..v..a..w.. => a",
        "A row has two row variables; it can have one.",
        [(0, 5), (6, 11)],
        "Keep one of them, and write out the axes that the other stands for.",
    ),
    Mistake(
        "ellipsis-and-named",
        "...a..v.. => a",
        "A row has two row variables; it can have one.",
        [(0, 3), (4, 9)],
        "Keep one of them, and write out the axes that the other stands for.",
    ),
    Mistake(
        "unterminated",
        "ab..v|a => a",
        "The row variable `..v` is not terminated: `..` must follow its name.",
        [(2, 5)],
        "Write `..v..`.",
    ),
    Mistake(
        "unterminated-end",
        "a => ..v",
        "The row variable `..v` is not terminated: `..` must follow its name.",
        [(5, 8)],
        "Write `..v..`.",
    ),
    Mistake(
        "nameless",
        ".. |a => a",
        "`..` opens a row variable, but no name follows.",
        [(0, 2)],
        "Write `..name..`, or `...` for the row variable of the context.",
    ),
    Mistake(
        "empty-name",
        "....|a => a",
        "A row variable has no name between its dots.",
        [(0, 4)],
        "Write `..name..`, or `...` for the row variable of the context.",
    ),
    Mistake("one-dot", "a.b => a", "A single `.` means nothing in a spec.", [(1, 2)], "Write `...` or `..name..`."),
    Mistake(
        "three-dots-before",
        "...batch..|x => x",
        "`...batch..` is not a row variable: it has three dots before the name and two after it.",
        [(0, 10)],
        "Write `..batch..` for a row variable of that name, or `...` for the row variable of the context.",
    ),
    Mistake(
        "three-dots-after",
        "..batch...|x => x",
        "The row variable `..batch..` is closed by three dots.",
        [(0, 10)],
        "Write `..batch..` (two dots on each side), or `...` for the row variable of the context.",
    ),
    Mistake(
        "three-dots-multichar",
        "a, ... batch .. => a",
        "`...batch..` is not a row variable: it has three dots before the name and two after it.",
        [(3, 15)],
        "Write `..batch..` for a row variable of that name, or `...` for the row variable of the context.",
    ),
    Mistake(
        "clash",
        "..d.., d; d, e => ..d.., e",
        "`d` is both a dimension variable and a row variable in one spec.",
        [(0, 5), (7, 8), (10, 11), (18, 23)],
        "Write `..d..` everywhere for the row variable, or give one of the two another name.",
        ShapeError,
    ),
    # commas
    Mistake(
        "missing",
        "s a; s b => s a^b",
        "Axes need a comma between them: `^` selects the mode in which names have several characters.",
        [(1, 2), (6, 7), (13, 14)],
        "Write `s, a; s, b => s, a^b`.",
    ),
    Mistake(
        "missing-one",
        "a,b c => a",
        "Axes need a comma between them: `,` selects the mode in which names have several characters.",
        [(3, 4)],
        "Write `a,b, c => a`.",
    ),
    Mistake(
        "missing-touching",
        "2oh, k => k",
        "Axes need a comma between them: `,` selects the mode in which names have several characters.",
        [(1, 2)],
        "Write `2, oh, k => k`.",
    ),
    Mistake(
        "missing-placeholder",
        "_a, b => b",
        "Axes need a comma between them: `,` selects the mode in which names have several characters.",
        [(1, 2)],
        "Write `_, a, b => b`.",
    ),
    Mistake(
        "missing-lines",
        "a,\n  b c\n=> a",
        "Axes need a comma between them: `,` selects the mode in which names have several characters.",
        [(6, 7)],
        "Write `a, b, c => a`.",
    ),
    Mistake(
        "doubled",
        "a,, b => a",
        "Two commas have no axis between them.",
        [(1, 2), (2, 3)],
        "Leave out one comma, or write `_` for an axis that nothing is said about.",
    ),
    Mistake("leading", ", a => a", "A comma has no axis before it.", [(0, 1)], "Leave out the comma."),
    Mistake(
        "lone-beside-row",
        "a, ..., , b => a",
        "Two commas have no axis between them.",
        [(6, 7), (8, 9)],
        "Leave out one comma, or write `_` for an axis that nothing is said about.",
    ),
    # characters
    Mistake("reserved", "a & b => a", "`&` is reserved and has no meaning yet.", [(2, 3)], None),
    Mistake("unknown", "a ? b => a", "`?` is not part of the notation.", [(2, 3)], None),
    Mistake(
        "letter",
        "a, é => a",
        "`é` is not part of the notation: names consist of the letters a-z, A-Z, digits and `_`.",
        [(3, 4)],
        None,
    ),
    Mistake("control", "a\x00 => a", "U+0000 is not part of the notation.", [(1, 2)], None),
    Mistake("bracket", "b[h] => b", "`[` is not part of the notation: axes are not grouped.", [(1, 2)], None),
    Mistake("minus", "a - b => a", "`-` is not part of the notation unless it begins the arrow `->`.", [(2, 3)], None),
    Mistake(
        "dash",
        "a –> b => a",
        "`–` is not part of the notation unless it begins the arrow `->`.",
        [(2, 3)],
        "Write `->`.",
    ),
    Mistake("greater", "a > b => a", "`>` is not part of the notation unless it ends `->` or `=>`.", [(2, 3)], None),
    Mistake(
        "split-inner-arrow",
        "a - > b => a",
        "`-` is not part of the notation unless it begins the arrow `->`.",
        [(2, 3)],
        None,
    ),
    Mistake("times", "2×a => a", "`×` is not part of the notation.", [(1, 2)], "Write `*`."),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_mistake(mistake: Mistake) -> None:
    check(mistake)


def test_every_mistake_has_its_own_name() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("spec", [None, 3, b"a => a", ["a => a"]])
def test_a_spec_is_a_string(spec: object) -> None:
    expected = f"An einsum spec is a string such as 'ij; jk => ik', not {type(spec).__name__}."
    with pytest.raises(TypeError) as caught:
        parse(spec)  # pyright: ignore[reportArgumentType]
    assert str(caught.value) == expected


def test_arguments_of_the_wrong_type() -> None:
    with pytest.raises(TypeError, match="coefficients maps names to integers; it is not list"):
        parse("a => a", coefficients=["s"])  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="use_padding is True, False or None, not 1"):
        parse("a => a", use_padding=1)  # pyright: ignore[reportArgumentType]


def test_layout() -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("s a; s b => s a^b")
    assert str(caught.value) == (
        "Axes need a comma between them: `^` selects the mode in which names have several characters.\n"
        "  s a; s b => s a^b\n"
        "   ^    ^      ^\n"
        "Write `s, a; s, b => s, a^b`."
    )


def test_layout_of_a_spec_of_several_lines() -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse("a->b|c;\n\td^\n=> d")
    assert str(caught.value) == (
        "The separators of a shape are out of order: `|` must be written before `->`.\n"
        "  a->b|c;\n"
        "   ^^ ^\n"
        "  \td^\n"
        "  => d\n"
        "Write the rows as `batch|input->output`."
    )


@pytest.mark.parametrize(
    ("spec", "coefficients"),
    [
        ("b (h w) c -> b h w c", {"w_size": 4}),
        ("(h w); c => h w c", {"w_size": 4}),
    ],
)
def test_the_translation_of_a_group_parses(spec: str, coefficients: dict[str, int]) -> None:
    with pytest.raises(SpecSyntaxError) as caught:
        parse(spec)
    assert caught.value.suggestion is not None
    ours = caught.value.suggestion.split("`")[1]
    assert parse(ours, coefficients=coefficients).multichar
