"""From the text of a spec to tokens (spec c.1, c.2). The two modes differ in what a label and an integer are.

There is no state between calls and no buffering, so a spec that fails leaves nothing behind for the next one.
"""

from __future__ import annotations

import re
import string
from typing import Literal, NamedTuple, NoReturn, TypeAlias, cast

from tdsl.errors import SpecSyntaxError
from tdsl.notation.tree import Span

TokenKind: TypeAlias = Literal[
    "label", "integer", "_", "...", "..name..", "|", "->", ";", "=>", ",", "*", "+", "^", "<", "=", "end"
]

LARGEST_INTEGER = 2**48
"""The largest integer a spec may contain: more positions than a 64-bit machine can address."""

_BLANKS = frozenset(string.whitespace)
_LETTERS = frozenset(string.ascii_letters)
_DIGITS = frozenset(string.digits)
_NAME = _LETTERS | _DIGITS | {"_"}
_OPERATORS = frozenset("|;,*+^<=")
_SELECTS_MULTICHAR = re.compile(r"[,*+^<&]|=(?!>)")
_LOOKALIKES = {
    "→": "->",
    "⟶": "->",
    "⇒": "=>",
    "⟹": "=>",
    "…": "...",
    "×": "*",
    "·": "*",
    "∗": "*",
    "；": ";",
    "，": ",",
}


class Token(NamedTuple):
    """One token; ``text`` is the label, the digits or the name of the row variable, otherwise as written."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The character offsets of the token."""
        return (self.start, self.end)


def is_multichar(text: str) -> bool:
    """Whether the spec is in multichar mode: it contains one of ``, * + ^ < &`` or an ``=`` that is not of ``=>``."""
    return _SELECTS_MULTICHAR.search(text) is not None


def tokenize(text: str) -> list[Token]:
    """Split ``text`` into tokens, closed by one token of kind ``end``.

    Raises SpecSyntaxError for characters that are no part of the notation, for dots that are neither ``...`` nor
    ``..name..``, and for integers above LARGEST_INTEGER (spec c.6).
    """
    multichar = is_multichar(text)
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character in _BLANKS:
            position += 1
            continue
        if character == ".":
            token = _row_variable(text, position)
        elif character in _LETTERS:
            end = _skip(text, position, _NAME) if multichar else position + 1
            token = Token("label", text[position:end], position, end)
        elif character in _DIGITS:
            end = _skip(text, position, _DIGITS) if multichar else position + 1
            token = Token("integer", text[position:end], position, end)
            integer_value(text, token)
        elif text.startswith(("=>", "->"), position):
            arrow = text[position : position + 2]
            token = Token("=>" if arrow == "=>" else "->", arrow, position, position + 2)
        elif character == "_":
            token = Token("_", "_", position, position + 1)
        elif character in _OPERATORS:
            token = Token(cast(TokenKind, character), character, position, position + 1)
        else:
            _unknown_character(text, position)
        tokens.append(token)
        position = token.end
    tokens.append(Token("end", "", len(text), len(text)))
    return tokens


def integer_value(text: str, token: Token) -> int:
    """The value of an integer token of the spec ``text``; SpecSyntaxError when it is above LARGEST_INTEGER."""
    digits = token.text.lstrip("0") or "0"
    # Length first: converting very long runs of digits is slow, and Python refuses the longest.
    if len(digits) > len(str(LARGEST_INTEGER)) or int(digits) > LARGEST_INTEGER:
        shown = (
            token.text if len(token.text) <= 24 else f"{token.text[:12]}...{token.text[-6:]} ({len(token.text)} digits)"
        )
        raise SpecSyntaxError(
            f"The integer {shown} is too large: the largest a spec may contain is {LARGEST_INTEGER}.",
            spec=text,
            spans=[token.span],
        )
    return int(digits)


def _skip(text: str, position: int, characters: frozenset[str]) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def _name_end(text: str, position: int) -> int:
    """The end of the identifier at ``position``, or ``position`` when there is none."""
    if position < len(text) and text[position] in _LETTERS:
        return _skip(text, position, _NAME)
    return position


def _dots(text: str, position: int) -> int:
    """How many dots there are at ``position``, counting to 5 at most, so that long runs are not counted repeatedly."""
    count = 0
    while count < 5 and text.startswith(".", position + count):
        count += 1
    return count


def _row_variable(text: str, start: int) -> Token:
    """The token ``...`` or ``..name..`` at ``start``; the name is a whole identifier in both modes (spec k.6)."""
    dots = _dots(text, start)
    if dots == 1:
        _fail(text, (start, start + 1), "A single `.` means nothing in a spec.", "Write `...` or `..name..`.")
    if dots == 4:
        _fail(
            text,
            (start, start + 4),
            "A row variable has no name between its dots.",
            "Write `..name..`, or `...` for the row variable of the context.",
        )
    if dots >= 3:
        _check_three_dots(text, start)
        return Token("...", "...", start, start + 3)
    name_start = _skip(text, start + 2, _BLANKS)
    name_end = _name_end(text, name_start)
    name = text[name_start:name_end]
    if not name:
        _fail(
            text,
            (start, start + 2),
            "`..` opens a row variable, but no name follows.",
            "Write `..name..`, or `...` for the row variable of the context.",
        )
    closing = _skip(text, name_end, _BLANKS)
    closing_dots = _dots(text, closing)
    if closing_dots == 3:
        _fail(
            text,
            (start, closing + 3),
            f"The row variable `..{name}..` is closed by three dots.",
            f"Write `..{name}..` (two dots on each side), or `...` for the row variable of the context.",
        )
    if closing_dots < 2:
        _fail(
            text,
            (start, name_end),
            f"The row variable `..{name}` is not terminated: `..` must follow its name.",
            f"Write `..{name}..`.",
        )
    return Token("..name..", name, start, closing + 2)


def _skip_name_and_dots(text: str, position: int) -> int | None:
    """The end of ``name..`` at ``position``, or None when something else is there."""
    name_start = _skip(text, position, _BLANKS)
    name_end = _name_end(text, name_start)
    dots = _skip(text, name_end, _BLANKS)
    return dots + 2 if name_end > name_start and text.startswith("..", dots) else None


def _check_three_dots(text: str, start: int) -> None:
    """Refuse ``...name..``, which is neither ``...`` nor ``..name..`` (spec c.6, pitfall 35)."""
    end = _skip_name_and_dots(text, start + 3)
    if end is None or text.startswith(".", end):
        return
    if _skip_name_and_dots(text, end) is not None:
        return  # `...a..v..` is the ellipsis, the axis a and the row variable v.
    name = text[start + 3 : end - 2].strip()
    _fail(
        text,
        (start, end),
        f"`...{name}..` is not a row variable: it has three dots before the name and two after it.",
        f"Write `..{name}..` for a row variable of that name, or `...` for the row variable of the context.",
    )


def _unknown_character(text: str, position: int) -> NoReturn:
    character = text[position]
    suggestion = None
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    message = f"{shown} is not part of the notation."
    if character == "&":
        message = "`&` is reserved and has no meaning yet."
    elif character == "-" and text[position + 1 : position + 2].isdigit():
        message = "`-` is not part of the notation: indices, sizes and coefficients are not negative."
    elif character in "-–−":
        message = f"{shown} is not part of the notation unless it begins the arrow `->`."
        if character != "-":
            suggestion = "Write `->`."
    elif character == ">":
        message = "`>` is not part of the notation unless it ends `->` or `=>`."
        before = text[:position].rstrip()[-1:]
        suggestion = f"Write `{before}>` without a blank." if before and before in "-=" else None
    elif character in _LOOKALIKES:
        suggestion = f"Write `{_LOOKALIKES[character]}`."
    elif character.isalnum():
        message = f"{shown} is not part of the notation: names consist of the letters a-z, A-Z, digits and `_`."
    elif character in "()[]{}":
        message = f"{shown} is not part of the notation: axes are not grouped."
    _fail(text, (position, position + 1), message, suggestion)


def _fail(text: str, span: Span, message: str, suggestion: str | None) -> NoReturn:
    raise SpecSyntaxError(message, spec=text, spans=[span], suggestion=suggestion)
