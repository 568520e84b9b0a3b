"""tdsl knobs: what can be set, by environment variables or from Python, and what is in force."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from tdsl.session import knobs

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the subcommand."""
    parser.add_argument("--json", action="store_true", help="write the list as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Writes name, value, source, default and description of every knob. Raises KnobError."""
    settings = knobs.settings()
    if arguments.json:
        print(json.dumps([asdict(setting) for setting in settings], indent=2, default=str))
        return 0
    for setting in settings:
        print(f"{setting.name} = {setting.text or '-'}  [{setting.source}]")
        print(f"    {setting.description} ({setting.variable}; default: {setting.default})")
    return 0
