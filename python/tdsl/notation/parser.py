"""Parsing a generalized einsum spec (spec section c): shapes and rows; axes are in axis_parser.py.

A hand-written recursive descent over a list of tokens, linear in the length of the spec. It holds no state between
calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation.axis_parser import BEGINS_AXIS, AxisParser, TokenStream
from tdsl.notation.repairs import missing_commas, translation
from tdsl.notation.tokens import Token, TokenKind, is_multichar, tokenize
from tdsl.notation.tree import (
    Axis,
    NamedRow,
    ReservedRow,
    RowKind,
    RowSpec,
    RowVariable,
    ShapeSpec,
    Span,
    Spec,
    axis_labels,
)

_NO_COEFFICIENTS: Mapping[str, int] = MappingProxyType({})
_ENDS_ROW: frozenset[TokenKind] = frozenset({"|", "->", ";", "=>", "end"})
_SEPARATORS: Mapping[tuple[TokenKind, ...], tuple[RowKind, ...]] = MappingProxyType(
    {
        (): ("output",),
        ("|",): ("batch", "output"),
        ("->",): ("input", "output"),
        ("|", "->"): ("batch", "input", "output"),
    }
)
_ROW_ORDER = "Write the rows as `batch|input->output`."


def parse(spec: str, *, coefficients: Mapping[str, int] | None = None, use_padding: bool | None = None) -> Spec:
    """Parse a generalized einsum spec, such as ``"ij; jk => ik"`` (spec section c).

    ``coefficients`` are the integers in scope, by name, that a stride or a dilation may be written as.
    ``use_padding`` decides what a plain ``+`` before a kernel means: padded (True) or valid (False).

    Raises SpecSyntaxError, with carets under the clashing spots, for everything that the grammar does not allow (spec
    c.6); ShapeError when one name is both a label and a row variable; TypeError when ``spec`` is not a string,
    ``coefficients`` is not a mapping or ``use_padding`` is not a bool.
    """
    if not isinstance(spec, str):
        raise TypeError(f"An einsum spec is a string such as 'ij; jk => ik', not {type(spec).__name__}.")
    if coefficients is None:
        coefficients = _NO_COEFFICIENTS
    elif not isinstance(coefficients, Mapping):
        raise TypeError(f"coefficients maps names to integers; it is not {type(coefficients).__name__}.")
    if use_padding is not None and not isinstance(use_padding, bool):
        raise TypeError(f"use_padding is True, False or None, not {use_padding!r}.")
    _check_outline(spec)
    tree = _SpecParser(spec, coefficients, use_padding).spec()
    _check_names(tree)
    return tree


def _check_outline(text: str) -> None:
    """Report what a whole spec lacks before looking at its tokens: text, the arrow, our notation."""
    if not text.strip():
        raise SpecSyntaxError(
            "The spec is empty.", spec=text, spans=[], suggestion="Write operands and a result, as in `ij; jk => ik`."
        )
    translated = translation(text)
    if translated is not None:
        raise SpecSyntaxError(translated.message, spec=text, spans=[translated.span], suggestion=translated.suggestion)
    if "=>" not in text:
        end = len(text.rstrip())
        raise SpecSyntaxError(
            "The spec has no `=>` between its operands and its result.",
            spec=text,
            spans=[(end, end + 1)],
            suggestion="Write the shape of the result after `=>`, as in `ij; jk => ik`.",
        )


class _SpecParser:
    def __init__(self, text: str, coefficients: Mapping[str, int], use_padding: bool | None) -> None:
        self.multichar = is_multichar(text)
        self.stream = TokenStream(text, tokenize(text))
        self.axes = AxisParser(self.stream, coefficients, use_padding)

    def spec(self) -> Spec:
        """``shape { ';' shape } '=>' shape``"""
        stream = self.stream
        arrows = [token.span for token in stream.tokens if token.kind == "=>"]
        if len(arrows) > 1:
            stream.fail(
                f"The spec has {len(arrows)} `=>`; it has one, before the result.",
                *arrows,
                suggestion="Separate operands with `;`, as in `ij; jk => ik`.",
            )
        operands = [self._shape()]
        while stream.current.kind == ";":
            stream.advance()
            operands.append(self._shape())
        # The outline was checked, so a shape that is not followed by `;` is followed by the one `=>`.
        stream.advance()
        result = self._shape()
        if stream.current.kind == ";":
            stream.fail(
                "A spec has one result; `;` separates operands, before `=>`.",
                *(token.span for token in stream.tokens[stream.position :] if token.kind == ";"),
            )
        return Spec(stream.text, self.multichar, tuple(operands), result)

    def _shape(self) -> ShapeSpec:
        """``[ row '|' ] [ row '->' ] row``"""
        stream = self.stream
        start = stream.current.start
        rows = [self._row()]
        separators: list[Token] = []
        while stream.current.kind in ("|", "->"):
            separators.append(stream.advance())
            rows.append(self._row())
        kinds = _SEPARATORS.get(tuple(separator.kind for separator in separators))
        if kinds is None:
            self._misplaced_separators(separators)
        span = stream.span_from(start)
        if span[0] == span[1] and stream.previous is not None:
            span = stream.previous.span  # An empty shape has no text: point at the `;` or `=>` before it.
        written: dict[RowKind, RowSpec] = {}
        for position, (kind, row) in enumerate(zip(kinds, rows, strict=True)):
            beside = separators[min(position, len(separators) - 1)].span if separators else span
            written[kind] = row.of_kind(kind, beside)
        return ShapeSpec(
            batch=written.get("batch") or _omitted("batch", span),
            input=written.get("input") or _omitted("input", span),
            output=written["output"],
            span=span,
        )

    def _misplaced_separators(self, separators: list[Token]) -> NoReturn:
        for kind in ("|", "->"):
            repeated = [separator.span for separator in separators if separator.kind == kind]
            if len(repeated) > 1:
                self.stream.fail(f"A shape has `{kind}` {len(repeated)} times.", *repeated, suggestion=_ROW_ORDER)
        self.stream.fail(
            "The separators of a shape are out of order: `|` must be written before `->`.",
            *(separator.span for separator in separators),
            suggestion=_ROW_ORDER,
        )

    def _row(self) -> _Row:
        """``axes [ rowvar axes ]``, up to a separator; commas as spec c.2 says: required between axes in multichar
        mode, optional beside the row variable, one may trail."""
        stream = self.stream
        start = stream.current.start
        leading: list[Axis] = []
        trailing: list[Axis] = []
        variable: Token | None = None
        previous: Token | None = None
        axis_before = False
        while stream.current.kind not in _ENDS_ROW:
            token = stream.current
            if token.kind == ",":
                if previous is None or previous.kind == ",":
                    self._stray_comma(token, previous)
                stream.advance()
                axis_before = False
            elif token.kind in ("...", "..name.."):
                if variable is not None:
                    stream.fail(
                        "A row has two row variables; it can have one.",
                        variable.span,
                        token.span,
                        suggestion="Keep one of them, and write out the axes that the other stands for.",
                    )
                variable = stream.advance()
                axis_before = False
            else:
                if axis_before and self.multichar and token.kind in BEGINS_AXIS:
                    raise missing_commas(stream.text, stream.tokens)
                (leading if variable is None else trailing).append(self.axes.axis())
                axis_before = True
            previous = stream.previous
        if variable is None:
            leading, trailing = [], leading
        return _Row(tuple(leading), variable, tuple(trailing), stream.span_from(start))

    def _stray_comma(self, comma: Token, previous: Token | None) -> NoReturn:
        if previous is None:
            self.stream.fail("A comma has no axis before it.", comma.span, suggestion="Leave out the comma.")
        self.stream.fail(
            "Two commas have no axis between them.",
            previous.span,
            comma.span,
            suggestion="Leave out one comma, or write `_` for an axis that nothing is said about.",
        )


class _Row(NamedTuple):
    """A row before the separator after it has told its kind."""

    leading: tuple[Axis, ...]
    variable: Token | None
    trailing: tuple[Axis, ...]
    span: Span

    def of_kind(self, kind: RowKind, beside: Span) -> RowSpec:
        """The row of the tree; ``beside`` is where an empty row is pointed at."""
        variable: RowVariable | None = None
        if self.variable is not None and self.variable.kind == "...":
            variable = ReservedRow(kind, self.variable.span)
        elif self.variable is not None:
            variable = NamedRow(self.variable.text, self.variable.span)
        empty = variable is None and not self.trailing
        return RowSpec(self.leading, variable, self.trailing, True, beside if empty else self.span)


def _omitted(kind: RowKind, span: Span) -> RowSpec:
    """A row whose separator is not written: the reserved row variable of its kind (spec c.3)."""
    return RowSpec((), ReservedRow(kind, span), (), False, span)


def _check_names(spec: Spec) -> None:
    """Refuse a name that is both a label and a row variable (pitfall 27)."""
    labels: dict[str, list[Span]] = {}
    rows: dict[str, list[Span]] = {}
    for shape in spec.shapes():
        for _, row in shape.rows():
            if isinstance(row.variable, NamedRow):
                rows.setdefault(row.variable.name, []).append(row.variable.span)
            for axis in row.axes:
                for label in axis_labels(axis):
                    labels.setdefault(label.name, []).append(label.span)
    for name, spans in labels.items():
        if name in rows:
            raise ShapeError(
                f"`{name}` is both a dimension variable and a row variable in one spec.",
                spec=spec.text,
                spans=sorted(spans + rows[name]),
                suggestion=f"Write `..{name}..` everywhere for the row variable, or give one of the two another name.",
            )
