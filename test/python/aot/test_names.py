"""Names of a program as C identifiers."""

from __future__ import annotations

import re

import pytest

from tdsl.aot.names import check_prefix, identifier, routine_names, unique_identifiers
from tdsl.errors import TdslError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("forward", "forward"),
        ("w.grad", "w_grad"),
        ("3d", "n3d"),
        ("_private", "n_private"),
        ("é", "n_"),
        ("", "n"),
        ("a b*/c", "a_b__c"),
    ],
)
def test_identifiers(name: str, expected: str) -> None:
    assert identifier(name) == expected
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", identifier(name))


def test_routines_get_the_prefix() -> None:
    assert routine_names(["forward", "2nd", "w.update"], "net_") == {
        "forward": "net_forward",
        "2nd": "net_2nd",
        "w.update": "net_w_update",
    }
    assert routine_names(["forward", "2nd"], "") == {"forward": "forward", "2nd": "n2nd"}


@pytest.mark.parametrize(
    ("routines", "message"),
    [
        (["a.b", "a_b"], "routines 'a.b' and 'a_b' would both be called 'net_a_b' in C: rename one of them"),
        (
            ["Run", "run"],
            "routines 'Run' and 'run' would both be called 'net_run' in C in capitals: rename one of them",
        ),
    ],
)
def test_routines_with_one_name(routines: list[str], message: str) -> None:
    with pytest.raises(TdslError, match=f"^{re.escape(message)}$"):
        routine_names(routines, "net_")


@pytest.mark.parametrize("routine", ["int", "class", "exp", "expf", "main", "memcpy", "malloc", "sqrtf", "restrict"])
def test_names_of_c_are_refused(routine: str) -> None:
    with pytest.raises(TdslError, match=f"routine '{routine}' would be called '{routine}' in C, which C, C"):
        routine_names([routine], "")
    assert routine_names([routine], "net_") == {routine: f"net_{routine}"}


def test_prefixes() -> None:
    for prefix in ("", "net_", "n2"):
        check_prefix(prefix)
    for prefix in ("2net", "_net", "net-", "nét"):
        with pytest.raises(TdslError, match="names in C cannot start with"):
            check_prefix(prefix)


def test_names_in_declarations_are_made_unique() -> None:
    names = unique_identifiers(["w.grad", "w_grad", "W", "w", "int", "workspace"], taken=["workspace"])
    assert names == {
        "w.grad": "w_grad",
        "w_grad": "w_grad_2",
        "W": "W",
        "w": "w_2",
        "int": "int_",
        "workspace": "workspace_2",
    }
