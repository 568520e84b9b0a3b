"""What specs mean: modes, readings of rows, axes, spans, printing (spec c.1 to c.5)."""

from __future__ import annotations

import pytest

from tdsl.notation import (
    LARGEST_INTEGER,
    Affine,
    Axis,
    Coefficient,
    Concat,
    Fixed,
    Kernel,
    Label,
    NamedRow,
    Placeholder,
    ReservedRow,
    RowSpec,
    Size,
    parse,
    to_text,
)

ONE = Coefficient()


def axes(spec: str, **scope: object) -> tuple[Axis, ...]:
    """The output axes of the first operand."""
    return parse(spec, **scope).operands[0].output.axes  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("spec", ["a, => a", "2*i => i", "i => 2*i+1", "a^b => a", "o<+k; k => o", "o=+k; k => o"])
def test_each_selector_selects_multichar_mode(spec: str) -> None:
    assert parse(spec).multichar


@pytest.mark.parametrize("spec", ["ab|c->d => d", "...a=>a", "..row.. 0 _ => ->0", "a;b=>ab"])
def test_other_specs_are_in_single_char_mode(spec: str) -> None:
    assert not parse(spec).multichar


@pytest.mark.parametrize(
    ("spec", "written", "closed"),
    [
        ("x", (False, False, True), (False, False, True)),
        ("|x", (True, False, True), (True, False, True)),
        ("->x", (False, True, True), (False, True, True)),
        ("|->x", (True, True, True), (True, True, True)),
        ("...|...->x", (True, True, True), (False, False, True)),
        ("|->...", (True, True, True), (True, True, False)),
        ("|->", (True, True, True), (True, True, True)),
        ("", (False, False, True), (False, False, True)),
    ],
)
def test_rows_are_omitted_closed_or_open(spec: str, written: tuple[bool, ...], closed: tuple[bool, ...]) -> None:
    rows = [row for _, row in parse(f"{spec} => {spec}").result.rows()]
    assert tuple(row.written for row in rows) == written
    assert tuple(row.variable is None for row in rows) == closed


def test_an_omitted_row_is_the_same_variable_as_an_ellipsis() -> None:
    terse, written = parse("x => x").result, parse("...|...->x => x").operands[0]
    assert terse.batch.variable == written.batch.variable == ReservedRow("batch")
    assert terse.input.variable == written.input.variable == ReservedRow("input")


def test_a_row_has_leading_and_trailing_axes() -> None:
    row = parse("a 1 ..rest.. b c => a").operands[0].output
    assert row == RowSpec((Label("a"), Fixed(1)), NamedRow("rest"), (Label("b"), Label("c")))


def test_batch_input_and_output_are_ordinary_names() -> None:
    assert parse("..batch..|x => x").operands[0].batch.variable == NamedRow("batch")
    assert axes("batch, input, => output,") == (Label("batch"), Label("input"))


def test_row_variables_have_whole_names_in_both_modes() -> None:
    for spec in ("..rows.. a => a", ".. rows ..a=>a", "..rows.. a, => a"):
        assert parse(spec).operands[0].output.variable == NamedRow("rows")


def test_two_row_variables_side_by_side_in_different_rows() -> None:
    shape = parse("..v..|..w..->..v.. => a").operands[0]
    assert [str(row.variable) for _, row in shape.rows()] == ["..v..", "..w..", "..v.."]


def test_commas_beside_a_row_variable_are_optional() -> None:
    trees = [parse(f"{row} => a") for row in ("a, ..r.., b,", "a..r..b,", "a ..r.., b,", "a, ..r.. b,")]
    assert all(tree == trees[0] for tree in trees)


def test_an_integer_is_one_index_in_multichar_mode_and_one_index_per_digit_otherwise() -> None:
    assert axes("a, 10 => a") == (Label("a"), Fixed(10))
    assert axes("a10 => a") == (Label("a"), Fixed(1), Fixed(0))
    assert axes("a, 007 => a") == (Label("a"), Fixed(7))


def test_labels_are_letters_or_identifiers() -> None:
    assert axes("_ab => a") == (Placeholder(), Label("a"), Label("b"))
    assert axes("_, a_1 => a_1") == (Placeholder(), Label("a_1"))


def affine(text: str, **scope: object) -> Axis:
    (axis,) = axes(f"{text}, => x", **scope)
    return axis


def kernel(padded: bool, dilation: Coefficient = ONE) -> Kernel:
    return Kernel(dilation, Label("k"), padded)


def test_affine_axes() -> None:
    o = Label("o")
    assert affine("1*o") == Affine(ONE, o)
    assert affine("2*o") == Affine(Coefficient(2), o)
    assert affine("2*o+1") == Affine(Coefficient(2), o, 1)
    assert affine("o+0") == Affine(ONE, o)
    assert affine("o=+k") == Affine(ONE, o, 0, kernel(True))
    assert affine("o< + k") == Affine(ONE, o, 0, kernel(False))
    assert affine("2*o<+1+3*k") == Affine(Coefficient(2), o, 1, kernel(False, Coefficient(3)))


def test_use_padding_decides_a_plain_plus() -> None:
    assert affine("o+k", use_padding=True) == affine("o=+k")
    assert affine("o+k", use_padding=False) == affine("o<+k")
    assert affine("o=+k", use_padding=False) == affine("o=+k")


def test_coefficients_are_resolved_and_keep_their_names() -> None:
    scope = {"stride": 2, "dilation": 3}
    axis = affine("stride*o<+1+dilation*k", coefficients=scope)
    assert axis == Affine(Coefficient(2, "stride"), Label("o"), 1, kernel(False, Coefficient(3, "dilation")))
    spec = parse("stride*o<+dilation*k; k => o", coefficients=scope)
    assert to_text(spec) == "stride*o<+dilation*k; k => o"
    assert to_text(spec, resolved=True) == "2*o<+3*k; k => o"
    assert parse(to_text(spec), coefficients={"stride": 1, "dilation": 3}) != spec


def test_concatenations() -> None:
    assert affine("a^b^a") == Concat((Label("a"), Label("b"), Label("a")))
    assert affine("3^a^0") == Concat((Size(3), Label("a"), Size(0)))


def test_the_largest_integer() -> None:
    assert affine(f"{LARGEST_INTEGER}*o") == Affine(Coefficient(LARGEST_INTEGER), Label("o"))


def test_spans_are_the_text_of_each_symbol() -> None:
    text = " a, ..row..|  s * o <+ 1+d*k -> a ^3, _, 7; => ..row.."
    spec = parse(text, coefficients={"s": 2, "d": 1})
    shape = spec.operands[0]
    axis = shape.input.axes[0]
    concat = shape.output.axes[0]
    assert isinstance(axis, Affine)
    assert axis.kernel is not None
    assert isinstance(concat, Concat)
    assert shape.batch.variable is not None
    assert spec.result.output.variable is not None
    nodes = [
        (shape, "a, ..row..|  s * o <+ 1+d*k -> a ^3, _, 7"),
        (shape.batch, "a, ..row.."),
        (shape.batch.axes[0], "a"),
        (shape.batch.variable, "..row.."),
        (axis, "s * o <+ 1+d*k"),
        (axis.stride, "s"),
        (axis.over, "o"),
        (axis.kernel, "d*k"),
        (axis.kernel.dilation, "d"),
        (axis.kernel.label, "k"),
        (concat, "a ^3"),
        (concat.components[1], "3"),
        (shape.output.axes[1], "_"),
        (shape.output.axes[2], "7"),
        (spec.operands[1], ";"),
        (spec.operands[1].output, ";"),
        (spec.result, "..row.."),
        (spec.result.batch, "..row.."),
        (spec.result.output.variable, "..row.."),
    ]
    assert [text[slice(*node.span)] for node, _ in nodes] == [expected for _, expected in nodes]


def test_rows_that_are_written_empty_point_at_their_separators() -> None:
    shape = parse("a => |->").result
    assert [row.span for _, row in shape.rows()] == [(5, 6), (6, 8), (6, 8)]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("ij;|jk=>ik", "ij; |jk => ik"),
        (" a ... b=>a b", "a...b => ab"),
        ("abc, => abc", "abc, => abc"),
        ("...,|... => ...", "...,|... => ..."),
        ("ab,| => c", "ab,| => c"),
        (" => ab,", "=> ab,"),
        ("=>", "=>"),
        ("|-> => |->", "|-> => |->"),
        ("a,..r..b => 1 * a , b", "a, ..r.., b => 1*a, b"),
        ("2*o<+1+k, b; k => o,b", "2*o<+1+k, b; k => o, b"),
        ("a ^ 3=>a", "a^3 => a"),
    ],
)
def test_printing(text: str, printed: str) -> None:
    assert str(parse(text)) == printed
    assert parse(printed) == parse(text)


def test_a_row_of_ten_thousand_axes() -> None:
    row = ", ".join(f"axis{number}" for number in range(10_000))
    spec = parse(f"{row} => {row}")
    assert len(spec.result.output.axes) == 10_000
    assert parse(to_text(spec)) == spec
