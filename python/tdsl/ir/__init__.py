"""The tdsl dialect in Python."""

from tdsl.ir._tdsl_ops_gen import *  # noqa: F403  # pyright: ignore[reportMissingImports]
