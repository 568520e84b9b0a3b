"""Options of Python passes: declaration, pipeline text, and the way through MLIR's parser and printer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import mlir.ir as ir
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tdsl.passes import Pass, normalize_pipeline, pipeline_text, register, run_pipeline
from tdsl.passes.options import option_specs

SEEN: list[Any] = []


@register
class RecordOptions(Pass):
    """Records its options."""

    name = "test-record-options"
    description = "record the options"
    anchor = "builtin.module"

    @dataclass(frozen=True)
    class Options:
        """One option of each kind."""

        count: int = 7
        scale_factor: float = 0.5
        flag: bool = False
        text: str = "plain"
        names: list[str] = field(default_factory=lambda: ["a", "b"])

    def run(self, op: ir.OpView) -> None:
        """Records."""
        SEEN.append(self.options)


def run_and_see(module: ir.Module, pass_text: str) -> Any:
    SEEN.clear()
    run_pipeline(module, f"builtin.module({pass_text})")
    (options,) = SEEN
    return options


def test_defaults(context: ir.Context) -> None:
    module = ir.Module.parse("module {}")
    assert run_and_see(module, "test-record-options") == RecordOptions.Options()


def test_every_kind_is_parsed(context: ir.Context) -> None:
    module = ir.Module.parse("module {}")
    text = "test-record-options{count=-3 scale-factor=1e-3 flag text={two words} names=x,{y z},w}"
    assert run_and_see(module, text) == RecordOptions.Options(-3, 1e-3, True, "two words", ["x", "y z", "w"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count=x", "'x' value invalid for"),
        ("count=9223372036854775808", "value invalid for"),
        ("scale-factor=much", "'much' value invalid for floating point argument"),
        ("flag=maybe", "'maybe' is invalid value for boolean argument"),
        ("no-such=1", "no such option no-such"),
    ],
)
def test_bad_values_are_refused(
    context: ir.Context, capfd: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    # LLVM's command line writes what is wrong with a value to the standard error stream of the process.
    with pytest.raises(ValueError, match=r"test-record-options|no-such") as error:
        normalize_pipeline(f"builtin.module(test-record-options{{{text}}})")
    assert message in str(error.value) + capfd.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        RecordOptions.Options(),
        RecordOptions.Options(count=-(1 << 63), scale_factor=1e300, flag=True),
        RecordOptions.Options(scale_factor=0.1 + 0.2),
        RecordOptions.Options(text="two words"),
        RecordOptions.Options(text=""),
        RecordOptions.Options(names=[]),
        RecordOptions.Options(names=["c", "d"]),
        RecordOptions.Options(names=["a", "c", "two words"]),
        RecordOptions.Options(text="a,b"),
        RecordOptions.Options(text="x=y"),
    ],
    ids=str,
)
def test_text_round_trips(context: ir.Context, options: Any) -> None:
    module = ir.Module.parse("module {}")
    text = pipeline_text(RecordOptions, options)
    assert run_and_see(module, text) == options
    # And MLIR's printer writes what its parser reads, which is what reproducers rely on.
    printed = normalize_pipeline(f"builtin.module({text})")
    SEEN.clear()
    run_pipeline(module, printed)
    assert [options] == SEEN


word = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)


@given(st.integers(-(1 << 63), (1 << 63) - 1), st.floats(allow_nan=False, allow_infinity=False), word, st.lists(word))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_round_trips_or_is_refused(
    context: ir.Context, count: int, scale_factor: float, text: str, names: list[str]
) -> None:
    options = RecordOptions.Options(count, scale_factor, True, text, names)
    special = "{}()[]<>'\""
    values = [text, *names]
    if (
        any(character in special for value in values for character in value)
        or "" in names
        or any(value != value.strip() for value in values)
    ):
        with pytest.raises(ValueError, match="a pipeline cannot express the text"):
            pipeline_text(RecordOptions, options)
        return
    written = pipeline_text(RecordOptions, options)
    assert run_and_see(ir.Module.parse("module {}"), written) == options


def pass_with(**fields: Any) -> type[Pass]:
    annotations = {name: annotation for name, (annotation, _) in fields.items()}
    defaults = {name: default for name, (_, default) in fields.items() if default is not ...}
    options = dataclass(type("Options", (), {"__annotations__": annotations, **defaults}))
    return type("Bad", (Pass,), {"name": "test-bad", "description": "", "Options": options})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"a": (int, ...)},
            "pass 'test-bad', option 'a': an option needs a default, since a pipeline may leave it out",
        ),
        (
            {"a": (dict, None)},
            "pass 'test-bad', option 'a': the type must be int, float, bool, str or list[str], not dict",
        ),
        (
            {"a": (list[int], ())},
            "pass 'test-bad', option 'a': the type must be int, float, bool, str or list[str], not list[int]",
        ),
        ({"a": (int, "3")}, "pass 'test-bad', option 'a': '3' is not a 64-bit int"),
        ({"a": (int, True)}, "pass 'test-bad', option 'a': True is not a 64-bit int"),
        ({"a": (float, float("nan"))}, "pass 'test-bad', option 'a': nan is not a finite float"),
    ],
)
def test_bad_declarations(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as error:
        option_specs(pass_with(**fields))
    assert str(error.value) == message


def test_options_must_be_a_dataclass() -> None:
    bad = type("Bad", (Pass,), {"name": "test-bad", "description": "", "Options": dict})
    with pytest.raises(TypeError, match="pass 'test-bad': Options must be a dataclass"):
        register(bad)
