"""Fixtures of all Python tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import mlir.ir as ir
import pytest

from tdsl import _tdsl

# Also for processes that tests start: what an earlier run left in the user's cache, or another test in any, must not
# decide what a test sees. Tests of the cache turn it on, with a folder of their own.
os.environ["TDSL_CACHE"] = "off"


@pytest.fixture
def ends_soon() -> Iterator[None]:
    """Fails a test that does not end: on no machine may what takes less than a second take minutes."""

    def give_up(signal_number: int, frame: object) -> None:
        raise TimeoutError("the test did not end within 60 seconds")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.fixture
def context() -> Iterator[ir.Context]:
    """An MLIR context with the tdsl dialect, entered, with threading on as Python makes it."""
    context = ir.Context()
    _tdsl.register_dialects(context)
    with context:
        yield context
