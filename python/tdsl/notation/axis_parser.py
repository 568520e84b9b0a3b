"""Parsing one axis of a spec: placeholders, fixed indices, labels, affine axes and concatenations (spec c.2).

Every method consumes tokens from a TokenStream and returns a node of the tree, or raises SpecSyntaxError (spec c.6).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import NoReturn

from tdsl.errors import SpecSyntaxError
from tdsl.notation.tokens import LARGEST_INTEGER, Token, TokenKind, integer_value
from tdsl.notation.tree import Affine, Axis, Coefficient, Concat, Fixed, Kernel, Label, Placeholder, Size, Span

BEGINS_AXIS: frozenset[TokenKind] = frozenset({"label", "integer", "_"})
JOINS_AXIS: frozenset[TokenKind] = frozenset({"*", "+", "^", "<", "="})


class TokenStream:
    """The tokens of one spec and a position in them."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0

    @property
    def current(self) -> Token:
        """The token at the position; the ``end`` token is never passed."""
        return self.tokens[self.position]

    @property
    def previous(self) -> Token | None:
        """The token consumed last."""
        return self.tokens[self.position - 1] if self.position else None

    @property
    def following(self) -> Token:
        """The token after the current one."""
        return self.tokens[min(self.position + 1, len(self.tokens) - 1)]

    def advance(self) -> Token:
        """Consume and return the current token."""
        token = self.current
        if token.kind != "end":
            self.position += 1
        return token

    def span_from(self, start: int) -> Span:
        """The span from the offset ``start`` to the end of the token consumed last."""
        previous = self.previous
        return (start, max(start, previous.end if previous else 0))

    def fail(self, message: str, *spans: Span, suggestion: str | None = None) -> NoReturn:
        """Raise the SpecSyntaxError of this spec with carets under ``spans``."""
        raise SpecSyntaxError(message, spec=self.text, spans=spans, suggestion=suggestion)


class AxisParser:
    """Parses axes; ``coefficients`` and ``use_padding`` are what the scope of the spec provides."""

    def __init__(self, stream: TokenStream, coefficients: Mapping[str, int], use_padding: bool | None) -> None:
        self.stream = stream
        self.coefficients = coefficients
        self.use_padding = use_padding

    def axis(self) -> Axis:
        """Parse ``'_' | INT | affine | concat | ID``; the current token begins an axis or joins one."""
        stream = self.stream
        token = stream.current
        if token.kind in JOINS_AXIS:
            stream.fail(f"`{token.text}` has nothing before it.", token.span)
        joint = stream.following
        if token.kind == "_":
            stream.advance()
            if joint.kind in JOINS_AXIS:
                stream.fail(
                    f"`_` binds nothing, so it cannot stand before `{joint.text}`.",
                    (token.start, joint.end),
                    suggestion="Give the axis a label of its own.",
                )
            return Placeholder(token.span)
        if joint.kind == "^":
            return self._concat()
        if joint.kind in JOINS_AXIS:
            return self._affine()
        stream.advance()
        if token.kind == "integer":
            return Fixed(self._integer(token), token.span)
        return Label(token.text, token.span)

    def _integer(self, token: Token) -> int:
        return integer_value(self.stream.text, token)

    # Concatenations ------------------------------------------------------------------------------------------------

    def _concat(self) -> Concat:
        stream = self.stream
        start = stream.current.start
        components = [self._component()]
        while stream.current.kind == "^":
            stream.advance()
            if stream.current.kind not in BEGINS_AXIS:
                stream.fail("`^` has no component after it: `^` concatenates two components.", stream.span_from(start))
            components.append(self._component())
        return Concat(tuple(components), stream.span_from(start))

    def _component(self) -> Label | Size:
        stream = self.stream
        token = stream.advance()
        joint = stream.current
        if token.kind == "_":
            stream.fail(
                "`_` cannot be a component of a concatenation, since it has no size.",
                token.span,
                suggestion="Write a label, or the size of the part as an integer.",
            )
        if joint.kind in JOINS_AXIS and joint.kind != "^":
            stream.fail(
                f"A component of a concatenation is a label or a size; `{joint.text}` cannot follow it.",
                (token.start, joint.end),
            )
        if token.kind == "integer":
            return Size(self._integer(token), token.span)
        return Label(token.text, token.span)

    # Affine axes ---------------------------------------------------------------------------------------------------

    def _affine(self) -> Affine:
        """``[ coef '*' ] ID [ '=' | '<' ] [ '+' INT ] [ '+' [ coef '*' ] ID ]``, with at least one of the options."""
        stream = self.stream
        start = stream.current.start
        stride, over = self._scaled_label("stride")
        marker = stream.advance() if stream.current.kind in ("=", "<") else None
        offset: Token | None = None
        kernel: Kernel | None = None
        while stream.current.kind in JOINS_AXIS:
            joint = stream.current
            if joint.kind != "+":
                self._misplaced_joint(start, joint, marker, kernel)
            stream.advance()
            if stream.current.kind == "integer" and stream.following.kind != "*":
                offset = self._offset(start, offset, kernel)
            else:
                kernel = self._kernel(start, joint, marker, kernel)
        if marker is not None and kernel is None:
            stream.fail(
                f"`{marker.text}` marks a kernel, but no `+` with a kernel label follows it.",
                marker.span,
                suggestion=f"Write `{stream.text[slice(*stream.span_from(start))]}+k` with the label of the kernel for "
                f"`k`, or leave out the `{marker.text}`.",
            )
        offset_value = self._integer(offset) if offset is not None else 0
        if offset is not None and offset_value >= stride.value:
            stream.fail(
                f"The offset {offset_value} must be less than the stride, which is {stride.value} here.",
                stride.span if stride.span[1] > stride.span[0] else over.span,
                offset.span,
            )
        return Affine(stride, over, offset_value, kernel, stream.span_from(start))

    def _offset(self, start: int, offset: Token | None, kernel: Kernel | None) -> Token:
        stream = self.stream
        token = stream.advance()
        if offset is not None:
            stream.fail("An axis has two offsets.", offset.span, token.span)
        if kernel is not None:
            before_kernel = stream.text[start : kernel.span[0]].rstrip()  # It ends with the `+`.
            stream.fail(
                "The offset of an axis must be written before its kernel.",
                token.span,
                suggestion=f"Write `{before_kernel}{token.text}+{stream.text[slice(*kernel.span)]}`.",
            )
        return token

    def _kernel(self, start: int, plus: Token, marker: Token | None, kernel: Kernel | None) -> Kernel:
        stream = self.stream
        if stream.current.kind not in BEGINS_AXIS:
            stream.fail("`+` has no kernel or offset after it.", stream.span_from(start))
        begin = stream.current.start
        dilation, label = self._scaled_label("dilation")
        span = stream.span_from(begin)
        if kernel is not None:
            stream.fail("An axis has two kernels; it can have one.", kernel.span, span)
        if marker is not None:
            return Kernel(dilation, label, marker.kind == "=", span)
        if stream.current.kind in ("=", "<"):
            # A clearer report than the missing use_padding: the marker is there, in the wrong place.
            self._misplaced_joint(start, stream.current, None, Kernel(dilation, label, False, span))
        if self.use_padding is None:
            stream.fail(
                f"`+` before the kernel `{label}` does not say whether the axis is padded, and no use_padding is in "
                "scope.",
                plus.span,
                suggestion="Write `=+` for padded or `<+` for valid, or pass use_padding.",
            )
        return Kernel(dilation, label, self.use_padding, span)

    def _misplaced_joint(self, start: int, joint: Token, marker: Token | None, kernel: Kernel | None) -> NoReturn:
        """Report `=`, `<`, `*` or `^` where an affine axis can only go on with `+`, or end."""
        stream = self.stream
        if joint.kind == "^":
            stream.fail("A component of a concatenation is a label or a size, not an affine axis.", (start, joint.end))
        if joint.kind == "*":
            previous = stream.previous
            assert previous is not None
            stream.fail(
                "`*` stands in the wrong place: it joins one coefficient to the label after it.",
                (previous.start, joint.end),
                suggestion="Write the coefficient first, as in `2*i`.",
            )
        if kernel is not None and (marker is not None or stream.following.kind == "+"):
            stream.fail("An axis has two kernels; it can have one.", kernel.span, joint.span)
        if marker is not None:
            stream.fail("An axis has two padding markers; it can have one of `=` and `<`.", marker.span, joint.span)
        stream.fail(
            f"`{joint.text}` stands in the wrong place: it follows the first label of the axis.",
            joint.span,
            suggestion=f"Write `2*o{joint.text}+k`, or with an offset `2*o{joint.text}+1+k`.",
        )

    def _scaled_label(self, role: str) -> tuple[Coefficient, Label]:
        """``[ coef '*' ] ID``; ``role`` says what the coefficient is, stride or dilation."""
        stream = self.stream
        coefficient = Coefficient(span=(stream.current.start, stream.current.start))
        if stream.following.kind == "*":
            token = stream.advance()
            star = stream.advance()
            factor = stream.current
            if factor.kind not in BEGINS_AXIS:
                stream.fail("`*` has no label after it.", (token.start, star.end))
            if token.kind == "label" and factor.kind == "integer":
                stream.fail(
                    f"The {role} must be written before its label.",
                    (token.start, factor.end),
                    suggestion=f"Write `{factor.text}*{token.text}`.",
                )
            coefficient = self._coefficient(token, role)
        token = stream.advance()
        if token.kind == "integer":
            stream.fail(
                f"{token.text} is an integer, and an integer cannot be iterated: a label must stand here.", token.span
            )
        if token.kind == "_":
            stream.fail("`_` binds nothing, so it cannot be iterated: a label must stand here.", token.span)
        return coefficient, Label(token.text, token.span)

    def _coefficient(self, token: Token, role: str) -> Coefficient:
        stream = self.stream
        if token.kind == "_":
            stream.fail("`_` cannot be a coefficient.", token.span)
        if token.kind == "integer":
            value, name = self._integer(token), None
        else:
            value, name = self._named_coefficient(token), token.text
        if value < 1:
            shown = f"`{name}`, which is {value}," if name is not None else f"{value}"
            stream.fail(f"The {role} {shown} must be at least 1.", token.span)
        return Coefficient(value, name, token.span)

    def _named_coefficient(self, token: Token) -> int:
        stream = self.stream
        if token.text not in self.coefficients:
            known = _one_of(self.coefficients)
            stream.fail(
                f"The coefficient `{token.text}` is not in scope.",
                token.span,
                suggestion=f"Pass coefficients={{{token.text!r}: ...}}, or write an integer.{known}",
            )
        given = self.coefficients[token.text]
        try:
            value = operator.index(given)
        except TypeError:
            value = None
        if value is None or isinstance(given, bool):
            stream.fail(f"The coefficient `{token.text}` must be an integer, not {type(given).__name__}.", token.span)
        if abs(value) > LARGEST_INTEGER:  # The value is not printed: Python refuses to print the longest.
            stream.fail(
                f"The coefficient `{token.text}` is too large: the largest integer is {LARGEST_INTEGER}.", token.span
            )
        return value


def _one_of(names: Iterable[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    return f" In scope: {listed}." if listed else ""
