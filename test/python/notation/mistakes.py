"""What a test of an error states: a spec with one mistake, and all that the user is told about it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tdsl.errors import ShapeError, SpecSyntaxError, TdslError
from tdsl.notation import parse


class Mistake(NamedTuple):
    """A spec with one mistake, and all that the user is told about it."""

    name: str
    spec: str
    message: str
    spans: list[tuple[int, int]]
    suggestion: str | None
    error: type[TdslError] = SpecSyntaxError


def check(mistake: Mistake) -> None:
    """Parse the spec of the mistake, and compare all that the error says."""
    with pytest.raises(mistake.error) as caught:
        parse(mistake.spec)
    error = caught.value
    assert isinstance(error, SpecSyntaxError | ShapeError)
    assert str(error).splitlines()[0] == mistake.message
    assert error.spans == mistake.spans
    assert error.suggestion == mistake.suggestion
    assert error.spec == mistake.spec
