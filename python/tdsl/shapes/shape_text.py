"""Reading the written form of shapes, ``batch|input->output``: the same text that the dialect's attributes use."""

from __future__ import annotations

import re
from typing import NoReturn

from tdsl.errors import SpecSyntaxError
from tdsl.shapes.lattice import DEFAULT
from tdsl.shapes.terms import Axis, Row, Shape

_TOKEN = re.compile(
    r"\s*(?:(?P<axis>(?:\d+|\?)(?:\s*:\s*[A-Za-z_]\w*)?)|(?P<variable>\.\.\.|\.\.[A-Za-z_]\w*\.\.)|(?P<mark>->|\||,))",
    re.ASCII,
)
_LARGEST_SIZE = 2**63 - 1


def parse_shape(text: str) -> Shape:
    """Read a shape such as ``"2|3->4"``; a bare list of axes is an output row, rows not written are closed and empty.

    An axis is a size, or ``?``, with an optional basis: ``16:rgb``. Raises SpecSyntaxError with the position of the
    first mistake.
    """
    return _ShapeReader(text).shape()


def parse_row(text: str) -> Row:
    """Read one row such as ``"3,..r..,4"``. Raises SpecSyntaxError."""
    return _ShapeReader(text).only_row()


def parse_axis(text: str) -> Axis:
    """Read one axis such as ``"16:rgb"``. Raises SpecSyntaxError."""
    return _ShapeReader(text).only_axis()


class _ShapeReader:
    """A recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: tuple[str, str, int] = ("end", "", 0)
        self._position = 0
        self._advance()

    def shape(self) -> Shape:
        batch = input_ = Row()
        row = self._row()
        if self._take("|"):
            batch, row = row, self._row()
        if self._take("->"):
            input_, row = row, self._row()
        if self._next[1] in ("|", "->"):
            self._fail("A shape is written `batch|input->output`, each separator at most once and in this order.")
        self._finish()
        return Shape(batch, input_, row)

    def only_row(self) -> Row:
        row = self._row()
        self._finish()
        return row

    def only_axis(self) -> Axis:
        if self._next[0] != "axis":
            self._fail("Expected the size of an axis or `?`.")
        axis = self._axis()
        self._finish()
        return axis

    def _row(self) -> Row:
        leading = self._axes()
        if self._next[0] != "variable":
            return Row(trailing=leading)
        variable = self._next[1].strip(".")
        self._advance()
        if self._take(",") and self._next[0] != "axis":
            self._fail("Expected another axis after `,`.")
        trailing = self._axes()
        if self._next[0] == "variable":
            self._fail("A row has at most one row variable.")
        return Row(leading, variable, trailing)

    def _axes(self) -> tuple[Axis, ...]:
        axes: list[Axis] = []
        while self._next[0] == "axis":
            axes.append(self._axis())
            if self._next[0] == "axis":
                self._fail("Axes are separated by commas.")
            if not self._take(","):
                break
            if self._next[0] not in ("axis", "variable"):
                self._fail("Expected another axis after `,`.")
        return tuple(axes)

    def _axis(self) -> Axis:
        digits, _, basis = (part.strip() for part in self._next[1].partition(":"))
        size = None if digits == "?" else int(digits)
        if size is not None and size > _LARGEST_SIZE:
            self._fail(f"The size {digits} does not fit in 64 bits.")
        self._advance()
        return Axis(size, basis or (None if size is None else DEFAULT))

    def _take(self, mark: str) -> bool:
        if self._next[:2] != ("mark", mark):
            return False
        self._advance()
        return True

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            start = self._position + len(self._text[self._position :]) - len(self._text[self._position :].lstrip())
            self._next = ("end" if start == len(self._text) else "unknown", self._text[start : start + 1], start)
            return
        kind = match.lastgroup or "end"
        self._next = (kind, match[kind], match.start(kind))
        self._position = match.end()

    def _finish(self) -> None:
        if self._next[0] != "end":
            self._fail(f"Unexpected `{self._next[1]}` in a shape.")

    def _fail(self, message: str) -> NoReturn:
        start = self._next[2]
        raise SpecSyntaxError(message, spec=self._text, spans=[(start, start + max(len(self._next[1]), 1))])
