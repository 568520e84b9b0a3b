"""The cases of kind ``solver``: raw constraints."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tdsl.errors import ShapeError
from tdsl.shapes import Axis, Inference

from .conformance import by_id, cases, mentions
from .store import Store

_CONSTRAINTS = [case for case in cases("solver") if isinstance(case["constraints"][0], str)]
_BETWEEN_ATOMS = [case for case in cases("solver") if not isinstance(case["constraints"][0], str)]


def _atom(entry: Any) -> Axis:
    return Axis(entry, "default") if isinstance(entry, int) else Axis(*entry)


@by_id(_BETWEEN_ATOMS)
def test_broadcast_order(case: dict[str, Any]) -> None:
    [constraint] = case["constraints"]
    narrow, wide = _atom(constraint["dim_leq"]["opnd"]), _atom(constraint["dim_leq"]["res"])
    if case["expect"]["ok"]:
        Inference().set_broadcast(narrow, wide)
    else:
        with pytest.raises(ShapeError):
            Inference().set_broadcast(narrow, wide)


@by_id(_CONSTRAINTS)
def test_constraints_in_every_order(case: dict[str, Any]) -> None:
    for order in itertools.permutations(case["constraints"]):
        _check(list(order), case["expect"])


def _solve(constraints: list[str]) -> Store:
    store = Store()
    for constraint in constraints:
        store.add(constraint)
    store.close()
    return store


def _check(constraints: list[str], expected: dict[str, Any]) -> None:
    if "error" in expected:
        with pytest.raises(ShapeError) as caught:
            _solve(constraints)
        mentions(caught.value, expected)
        return
    store = _solve(constraints)
    for name in store.axes.keys() & expected.keys():
        size = expected[name]
        assert store.atom(name) == (tuple(size) if isinstance(size, list) else (size, "default"))
    for link in filter(None, expected.get("links", "").split(", ")):
        first, second = link.split("=")
        if second.isdigit():
            assert store.atom(first)[0] == int(second)
        else:
            assert store.axes[first].find() is store.axes[second].find()
