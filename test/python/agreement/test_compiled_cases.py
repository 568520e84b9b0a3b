"""Every conformance case that has values, compiled and run."""

from __future__ import annotations

from typing import Any

import pytest

from agreement.compiled_cases import CHECKS, compiled_cases


@pytest.mark.parametrize("case", compiled_cases(), ids=lambda case: case["id"])
def test_compiled(case: dict[str, Any]) -> None:
    CHECKS[case["kind"]](case)
