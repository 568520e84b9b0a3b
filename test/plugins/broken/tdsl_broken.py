"""Plugins that must not keep tdsl-opt from working."""

import sys

from tdsl.passes import Pass


class TakenName(Pass):
    """Wants the name of an upstream pass."""

    name = "cse"
    description = "not the real one"


def __getattr__(name: str) -> object:
    sys.exit(f"no {name} today")
