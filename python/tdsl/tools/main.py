"""tdsl: one command with subcommands."""

from __future__ import annotations

import argparse
import importlib
import sys
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import tdsl
from tdsl.errors import KnobError
from tdsl.session import knobs

__all__ = ["main"]


class _Subcommand(NamedTuple):
    # The module has add_arguments(parser) and run(arguments) -> exit code, and is imported only if it is asked for.
    module: str
    summary: str


_SUBCOMMANDS = {
    "cache": _Subcommand("tdsl.tools.cache", "report on the cache of compiled programs, or empty it"),
    "demo": _Subcommand("tdsl.tools.demo", "train a softmax regression on handwritten digits, and report"),
    "doctor": _Subcommand("tdsl.tools.doctor", "check the installation, and say what to install"),
    "explain": _Subcommand("tdsl.tools.explain", "say what fixed the sizes of a node of a program"),
    "knobs": _Subcommand("tdsl.tools.knobs", "list what environment variables or Python can set, and what is in force"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand and returns its exit code; wrong usage ends the process with 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="tdsl", description="The TDSL compiler's tools.")
    parser.add_argument("--version", action="version", version=f"tdsl {tdsl.__version__}")
    subparsers = parser.add_subparsers(dest="subcommand", metavar="subcommand", required=True)
    modules = {}
    for name, subcommand in _SUBCOMMANDS.items():
        subparser = subparsers.add_parser(name, help=subcommand.summary, description=subcommand.summary)
        if name in arguments:
            modules[name] = importlib.import_module(subcommand.module)
            modules[name].add_arguments(subparser)
    parsed = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        knobs.warn_of_unknown_variables()
    try:
        knobs.check_environment()
        return modules[parsed.subcommand].run(parsed)
    except KnobError as error:
        print(f"tdsl: error: {error}", file=sys.stderr)
        return 1


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"tdsl: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
