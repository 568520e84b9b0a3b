"""Fixtures of all Python tests."""

from __future__ import annotations

from collections.abc import Iterator

import mlir.ir as ir
import pytest

from tdsl import _tdsl


@pytest.fixture
def context() -> Iterator[ir.Context]:
    """An MLIR context with the tdsl dialect, entered, with threading on as Python makes it."""
    context = ir.Context()
    _tdsl.register_dialects(context)
    with context:
        yield context
