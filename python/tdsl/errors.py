"""The errors that TDSL raises. Each also is the built-in exception that a Python programmer would expect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "AxesError",
    "CompileError",
    "Diagnostic",
    "DtypeError",
    "KernelError",
    "KnobError",
    "ShapeError",
    "SpecSyntaxError",
    "TdslError",
    "UnsupportedError",
    "underline",
]


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


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler about a place in the user's program.

    Attributes:
        severity: ``"error"``, ``"warning"``, ``"remark"`` or ``"note"``.
        message: The text, which may have several lines.
        file: The file, or None where the program has no position.
        line: The line, counted from 1; 0 if unknown.
        column: The column, counted from 1; 0 if unknown.
        notes: What belongs to the message, each at a place of its own.
    """

    severity: str
    message: str
    file: str | None = None
    line: int = 0
    column: int = 0
    notes: tuple[Diagnostic, ...] = ()

    @classmethod
    def from_native(cls, raw: tuple[str, str, tuple[str, int, int] | None, list[Any]]) -> Diagnostic:
        """The diagnostic that the native part describes as (severity, message, position or None, notes)."""
        severity, message, position, notes = raw
        file, line, column = position or (None, 0, 0)
        return cls(severity, message, file, line, column, tuple(map(cls.from_native, notes)))

    def __str__(self) -> str:
        """The form that compilers print: ``file:line:column: severity: message``, then the notes."""
        place = "unknown position" if self.file is None else f"{self.file}:{self.line}:{self.column}"
        return "\n".join([f"{place}: {self.severity}: {self.message}", *map(str, self.notes)])


class TdslError(Exception):
    """The base of every error that TDSL raises on purpose."""


class _SpecError(TdslError):
    """An error that points into an einsum spec.

    Attributes:
        message: The first line.
        spec: The text, or None for an error that is not about one.
        spans: A (start, end) pair of character offsets into the spec for each clashing spot.
        suggestion: How to repair it, or None where there is no obvious repair.
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
    """An einsum spec or a shape does not follow the grammar (spec section c)."""


class ShapeError(_SpecError, ValueError):
    """Shapes contradict each other, or cannot be determined (spec section d)."""


class DtypeError(TdslError, TypeError):
    """Element types do not fit together, or an operation does not take them."""


class AxesError(TdslError, ValueError):
    """An axes expression is wrong or does not fit the array it is applied to."""


class KernelError(TdslError):
    """A kernel failed while it ran, for example on a read out of range."""


class KnobError(TdslError, ValueError):
    """A knob (``tdsl.knobs``) was given a value that it does not take, or does not exist.

    Attributes:
        name: The environment variable, or the knob, that was given the value.
        value: The value.
        allowed: What it may be, in words; None where there is no such knob.
    """

    def __init__(self, name: str, value: object, allowed: str | None, message: str | None = None) -> None:
        super().__init__(message or f"{name} is {value!r}, but must be {allowed}")
        self.name = name
        self.value = value
        self.allowed = allowed


class UnsupportedError(TdslError, NotImplementedError):
    """A program is right, but this version of TDSL or its target cannot compile it."""


class CompileError(TdslError, RuntimeError):
    """A compiler pipeline failed.

    Attributes:
        diagnostics: All diagnostics of the run, in order.
        reproducer: The path of a file with which ``tdsl-opt --run-reproducer`` repeats the failure, or None.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = (), reproducer: str | None = None) -> None:
        super().__init__(message)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self.reproducer: str | None = reproducer
