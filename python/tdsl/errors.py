"""The errors that TDSL raises because of what a user wrote (DESIGN §7)."""

from __future__ import annotations

from collections.abc import Iterable


def underline(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return ``text``, indented, with carets under each span of character offsets.

    A span that is empty (something is missing there) gets one caret. Each line of a text of several lines is followed
    by its own line of carets.
    """
    marks = [" "] * (len(text) + 1)
    for start, end in spans:
        for position in range(start, min(max(end, start + 1), len(text) + 1)):
            marks[position] = "^"
    rendered: list[str] = []
    offset = 0
    for line in text.split("\n"):
        rendered.append(f"  {line}".rstrip())
        # A tab in the text stays a tab under it, so that the carets stay aligned.
        below = marks[offset : offset + len(line) + 1]
        carets = "".join("\t" if c == "\t" and m == " " else m for c, m in zip(line + " ", below, strict=True)).rstrip()
        if carets:
            rendered.append(f"  {carets}")
        offset += len(line) + 1
    return "\n".join(rendered)


class TdslError(Exception):
    """Base of every error that TDSL raises on purpose."""


class _SpecError(TdslError):
    """An error that points into an einsum spec.

    ``spec`` is the text, ``spans`` are (start, end) character offsets into it, one for each clashing spot, and
    ``suggestion`` says how to repair it, or is None when there is no obvious repair.
    """

    def __init__(
        self,
        message: str,
        *,
        spec: str | None = None,
        spans: Iterable[tuple[int, int]] = (),
        suggestion: str | None = None,
    ) -> None:
        self.message = message
        self.spec = spec
        self.spans = list(spans)
        self.suggestion = suggestion
        super().__init__(message)

    def __str__(self) -> str:
        parts = [self.message]
        if self.spec:
            parts.append(underline(self.spec, self.spans))
        if self.suggestion:
            parts.append(self.suggestion)
        return "\n".join(parts)


class SpecSyntaxError(_SpecError, ValueError):
    """A generalized einsum spec that does not follow the grammar (spec section c)."""


class ShapeError(_SpecError, ValueError):
    """Shapes that contradict each other or the spec they are used with (spec section d)."""
