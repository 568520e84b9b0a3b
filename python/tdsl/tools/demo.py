"""tdsl demo: softmax regression on handwritten digits."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the example."""
    importlib.import_module("tdsl.examples.digits_softmax").add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Trains and reports; 1 if the accuracy is too low, 2 if scikit-learn, which has the images, is not installed."""
    if importlib.util.find_spec("sklearn") is None:
        print("tdsl demo: the handwritten digits come with scikit-learn: pip install scikit-learn", file=sys.stderr)
        return 2
    return importlib.import_module("tdsl.examples.digits_softmax").run(arguments)
