"""What TDSL says on stderr while it works, if the knob ``debug`` asks for it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tdsl.session.registry import knobs

__all__ = ["report"]


def report(level: int, text: str | Callable[[], str]) -> None:
    """Writes ``tdsl: text`` if the knob ``debug`` is at least ``level``. A text that costs something is a function."""
    if knobs.debug >= level and sys.stderr is not None:
        print(f"tdsl: {text if isinstance(text, str) else text()}", file=sys.stderr)
