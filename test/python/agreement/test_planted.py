"""Every planted bug is noticed by its probe, and the probe passes without it."""

from __future__ import annotations

import pytest

from agreement.planted import BUGS, Bug, notices


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_planted_bug_is_noticed(bug: Bug) -> None:
    bug.probe()
    assert notices(bug), f"the planted bug survives: {bug.name} (pitfall {bug.pitfall})"
    bug.probe()


def test_there_are_enough() -> None:
    assert len(BUGS) >= 25
