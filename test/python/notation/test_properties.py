"""Properties of the grammar on random specs: printing round-trips, mutations are reported, time stays linear."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import (
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
    RowKind,
    RowSpec,
    ShapeSpec,
    Size,
    Spec,
    axis_labels,
    discardable_labels,
    labels,
    parse,
    to_text,
)
from tdsl.notation.tokens import is_multichar

from .conformance import cases, scope

COEFFICIENTS = {"stride": 2, "d": 3}

# Labels are in lower case and row variables in upper case, so that no name is both.
_letters = st.sampled_from("abcdijk").map(Label)
_identifiers = st.sampled_from(["a", "b", "height", "w_2", "k9", "i"]).map(Label)
_coefficients = st.integers(1, 12).map(Coefficient) | st.sampled_from(
    [Coefficient(value, name) for name, value in COEFFICIENTS.items()]
)


@st.composite
def _affine(draw: st.DrawFn) -> Affine:
    stride = draw(_coefficients)
    kernel = draw(st.none() | st.builds(Kernel, _coefficients, _identifiers, st.booleans()))
    return Affine(stride, draw(_identifiers), draw(st.integers(0, stride.value - 1)), kernel)


_components = _identifiers | st.integers(0, 20).map(Size)
_concats = st.lists(_components, min_size=2, max_size=4).map(lambda parts: Concat(tuple(parts)))
_plain_axes = st.just(Placeholder()) | st.integers(0, 9).map(Fixed) | _letters
_named_axes = st.just(Placeholder()) | st.integers(0, 120).map(Fixed) | _identifiers | _affine() | _concats


@st.composite
def _rows(draw: st.DrawFn, kind: RowKind, axes: st.SearchStrategy[Axis]) -> RowSpec:
    if kind != "output" and draw(st.booleans()):
        return RowSpec((), ReservedRow(kind), (), written=False)
    some_axes = st.lists(axes, max_size=3).map(tuple)
    variable = draw(st.none() | st.just(ReservedRow(kind)) | st.sampled_from(["V", "W", "ROWS"]).map(NamedRow))
    return RowSpec(draw(some_axes) if variable is not None else (), variable, draw(some_axes))


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    multichar = draw(st.booleans())
    axes: st.SearchStrategy[Axis] = _named_axes if multichar else _plain_axes
    shapes = st.builds(ShapeSpec, _rows("batch", axes), _rows("input", axes), _rows("output", axes))
    operands = draw(st.lists(shapes, min_size=1, max_size=3))
    spec = Spec("", multichar, tuple(operands), draw(shapes))
    bare = not any(row.axes or (row.written and row.variable) for s in spec.shapes() for _, row in s.rows())
    # Nothing can select multichar mode in a spec that consists of separators only.
    return Spec("", False, spec.operands, spec.result) if bare else spec


@given(specs())
@settings(max_examples=500)
def test_printing_round_trips(spec: Spec) -> None:
    text = to_text(spec)
    parsed = parse(text, coefficients=COEFFICIENTS)
    assert parsed == spec
    assert to_text(parsed) == text == str(parsed)
    for shape in parsed.shapes():
        assert 0 <= shape.span[0] <= shape.span[1] <= len(text)


@given(specs())
@settings(max_examples=200)
def test_resolved_printing_needs_no_scope(spec: Spec) -> None:
    resolved = parse(to_text(spec, resolved=True))
    assert labels(resolved) == labels(spec)
    assert to_text(resolved, resolved=True) == to_text(spec, resolved=True)


@given(specs(), st.data())
@settings(max_examples=200)
def test_blanks_around_symbols_change_nothing(spec: Spec, data: st.DataObject) -> None:
    text = to_text(spec)
    for symbol in ("=>", ";", "|", ",", "^", "*", "<"):
        blanks = data.draw(st.sampled_from(["", " ", "\n\t"]))
        text = text.replace(symbol, blanks + symbol + blanks)
    assert parse(text, coefficients=COEFFICIENTS) == spec


@given(specs())
@settings(max_examples=200)
def test_every_span_is_the_text_of_its_label(spec: Spec) -> None:
    text = to_text(spec)
    for shape in parse(text, coefficients=COEFFICIENTS).shapes():
        for _, row in shape.rows():
            for axis in row.axes:
                for label in axis_labels(axis):
                    assert text[slice(*label.span)] == label.name


def _discardable_by_definition(spec: Spec) -> set[str]:
    """Spec d.8 word by word."""
    found = set()
    for one_side, other_side in [(spec.operands, [spec.result]), ([spec.result], spec.operands)]:
        concats = [a for s in one_side for _, r in s.rows() for a in r.axes if isinstance(a, Concat)]
        for concat in concats:
            for position, component in enumerate(concat.components):
                rest = concat.components[:position] + concat.components[position + 1 :]
                complement = {other.name for other in rest if isinstance(other, Label)}
                if isinstance(component, Label) and all(
                    any(_covers(complement, axis) for _, row in shape.rows() for axis in row.axes)
                    for shape in other_side
                ):
                    found.add(component.name)
    return found


def _covers(complement: set[str], axis: Axis) -> bool:
    components = axis.components if isinstance(axis, Concat) else [axis]
    return all(
        not isinstance(component, Size) and any(label.name in complement for label in axis_labels(component))
        for component in components
    )


@given(specs())
@settings(max_examples=500)
def test_discardable_labels_are_those_of_the_definition(spec: Spec) -> None:
    assert set(discardable_labels(spec)) == _discardable_by_definition(spec)


_SEEDS = [(case["spec"], scope(case)["coefficients"]) for case in cases() if "spec" in case]
_PIECES = [*"abk_ 0193,;|*+^<=>-.&()\n\t\x00é→", "=>", "->", "...", "..v..", "99999999999999999999", "2*", "=+", "<+"]


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    text, coefficients = draw(st.sampled_from(_SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 3)))
        piece = draw(st.sampled_from([*_PIECES, "", text[start:end] * 2]))
        text = text[:start] + piece + text[end:]
    return text, coefficients


def _check_report(text: str, coefficients: dict[str, int], use_padding: bool | None) -> None:
    try:
        spec = parse(text, coefficients=coefficients, use_padding=use_padding)
    except (SpecSyntaxError, ShapeError) as error:
        report = error
    else:
        assert parse(to_text(spec), coefficients=coefficients) == spec
        assert spec.multichar == is_multichar(text)
        return
    if isinstance(report, ShapeError):
        assert "both a dimension variable and a row variable" in str(report)
    assert report.spec == text
    assert report.spans or not text.strip()
    assert all(0 <= start < end <= len(text) + 1 for start, end in report.spans)
    assert str(report)


@given(mutations(), st.sampled_from([None, True, False]))
@settings(max_examples=2000)
def test_mutated_specs_parse_or_are_reported(mutation: tuple[str, dict[str, int]], use_padding: bool | None) -> None:
    _check_report(*mutation, use_padding)


@given(st.text(max_size=40), st.sampled_from([None, True]))
@settings(max_examples=500)
def test_any_text_parses_or_is_reported(text: str, use_padding: bool | None) -> None:
    _check_report(text, {}, use_padding)
    _check_report(f"{text} => a", {}, use_padding)


@st.composite
def numpy_specs(draw: st.DrawFn) -> tuple[list[str], str, str]:
    operands = draw(st.lists(st.text("ijkl", min_size=1, max_size=3), min_size=1, max_size=3))
    known = sorted(set("".join(operands)))
    output = draw(st.lists(st.sampled_from(known), unique=True, min_size=1))
    return operands, "".join(output), draw(st.sampled_from(["", " "]))


@given(numpy_specs())
def test_numpy_specs_are_translated(example: tuple[list[str], str, str]) -> None:
    operands, output, blank = example
    with pytest.raises(SpecSyntaxError) as caught:
        parse(f",{blank}".join(operands) + f"{blank}->{blank}{output}")
    assert caught.value.suggestion is not None
    assert parse(caught.value.suggestion.split("`")[1]) == parse(f"{';'.join(operands)} => {output}")


_MANY = 20_000
_LONG = {
    "axes": ", ".join(["axis"] * _MANY) + " => axis",
    "letters": "a" * _MANY + " => a",
    "letters without arrow": "a" * _MANY + "1",
    "blanks": " " * _MANY + "x",
    "blanks after equals": "=" + " " * _MANY + "x",
    "blanks in rows": "..." + " " * _MANY + "a" + " " * _MANY + ".. => a",
    "names of axes": "a " * _MANY + ", => a",
    "missing commas without arrow": "ab " * _MANY,
    "parentheses": "(" * _MANY,
    "parentheses with names": "(a" * _MANY + " => a",
    "dots": "." * _MANY + " => a",
    "ellipses": "...a" * _MANY + " => a",
    "operands": "a;" * _MANY + "a => a",
    "results": "a => a" + ";a" * _MANY,
    "arrows": "=>" * _MANY,
    "inner arrows": "a->" * _MANY,
    "separators": "a|" * _MANY + " => a",
    "carets": "a^" * _MANY + "a => a",
    "carets only": "^" * _MANY + " => a",
    "operators": "a" + "+1" * _MANY + " => a",
    "equals": "=" * _MANY,
    "digits": "9" * _MANY + ", => a",
    "zeros": "0" * _MANY + ", => a",
    "commas": "," * _MANY,
    "newlines": "\n" * _MANY + "a -> b; c",
    "name": "..." + "v" * _MANY + ".. => a",
}


# Each takes about 0.3 s; quadratic time would be minutes.
@pytest.mark.usefixtures("ends_soon")
@pytest.mark.parametrize("text", _LONG.values(), ids=_LONG)
def test_time_is_linear(text: str) -> None:
    _check_report(text, {}, None)


@pytest.mark.usefixtures("ends_soon")
def test_discardable_labels_of_a_long_concatenation() -> None:
    names = [f"part{number}" for number in range(2_000)]
    spec = parse(f"{'; '.join(names)} => {'^'.join(names)}")
    assert discardable_labels(spec) == ()
