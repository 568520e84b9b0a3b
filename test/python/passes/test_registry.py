"""Registration: what is refused, and how."""

from __future__ import annotations

import pytest

from tdsl import _tdsl
from tdsl.passes import Pass, register, register_all


def make_pass(name: object, **attributes: object) -> type[Pass]:
    return type("MadePass", (Pass,), {"name": name, "description": "made by a test", **attributes})


@pytest.mark.parametrize("name", ["cse", "canonicalize", "tdsl-internalize", "gpu-lower-to-nvvm-pipeline"])
def test_taken_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^a pass or pipeline named '{name}' is already registered$"):
        register(make_pass(name))


def test_a_python_name_is_refused_the_second_time() -> None:
    register(make_pass("test-registered-twice"))
    with pytest.raises(ValueError, match=r"^a pass or pipeline named 'test-registered-twice' is already registered$"):
        register(make_pass("test-registered-twice"))


@pytest.mark.parametrize("name", ["", "two words", "a,b", "a{b}", "a(b)"])
def test_malformed_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a pass name: use letters, digits"):
        register(make_pass(name))


def test_duplicate_options_are_refused_by_the_native_part() -> None:
    options = [("same", "", "int", "1"), ("same", "", "bool", "true")]
    with pytest.raises(ValueError, match=r"^pass 'test-same' has two options named 'same'$"):
        _tdsl.register_pass("test-same", "", "", [], options, lambda op, values: None, str)
    assert not _tdsl.is_pass_registered("test-same")


def test_a_name_is_required() -> None:
    with pytest.raises(TypeError, match="pass class MadePass needs a text as its 'name'"):
        register(make_pass(None))


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("int", "x", "the default of option 'o' is 'x', which is not a 64-bit integer"),
        ("float", "x", "the default of option 'o' is 'x', which is not a number"),
        ("bool", "yes", "the default of option 'o' is 'yes', which is not true or false"),
    ],
)
def test_bad_defaults_are_refused_by_the_native_part(kind: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _tdsl.register_pass("test-default", "", "", [], [("o", "", kind, text)], lambda op, values: None, str)


def test_not_a_pass() -> None:
    with pytest.raises(TypeError, match=r"is not a subclass of tdsl\.passes\.Pass"):
        register(int)  # pyright: ignore[reportArgumentType]


def test_register_all_may_be_called_often() -> None:
    register_all()
    register_all()
