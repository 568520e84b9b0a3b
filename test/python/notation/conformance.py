"""The conformance cases of the repository (test/cases), for the tests of this folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_CASES = Path(__file__).parents[2] / "cases" / "tensor-dsl.json"


def cases(*kinds: str) -> list[dict[str, Any]]:
    """The cases of these kinds, or all of them."""
    everything = json.loads(_CASES.read_text(encoding="utf-8"))["cases"]
    return [case for case in everything if not kinds or case["kind"] in kinds]


def scope(case: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``parse`` that the case's scope stands for."""
    coefficients = dict(case.get("scope", {}))
    use_padding = coefficients.pop("use_padding", None)
    return {"coefficients": coefficients, "use_padding": use_padding}
