"""Knobs: values, their order, their checks, and what is said about mistakes."""

from __future__ import annotations

import contextvars
import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest

import tdsl
from tdsl.session import Knobs, knobs, report


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for knob in Knobs.all():
        monkeypatch.delenv(knob.variable, raising=False)
    monkeypatch.setattr(knobs, "_set", {})


def test_tdsl_knobs_is_the_registry() -> None:
    assert tdsl.knobs is knobs


def test_scope_wins_over_set_over_environment_over_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert knobs.debug == 0
    monkeypatch.setenv("TDSL_DEBUG", "1")
    assert knobs.debug == 1
    knobs.set(debug=2)
    assert knobs.debug == 2
    with knobs.scope(debug=0):
        assert knobs.debug == 0
        knobs.set(debug=1)
        assert knobs.debug == 0
        with knobs.scope(strict=True):
            assert (knobs.debug, knobs.strict) == (0, True)
    assert (knobs.debug, knobs.strict) == (1, False)
    monkeypatch.setenv("TDSL_DEBUG", "2")
    knobs.reset()
    assert knobs.debug == 2
    monkeypatch.setenv("TDSL_DEBUG", "")
    assert knobs.debug == 0


def test_reset_takes_names() -> None:
    knobs.set(debug=1, strict=True)
    knobs.reset("debug")
    assert (knobs.debug, knobs.strict) == (0, True)
    with pytest.raises(tdsl.KnobError, match=r"^there is no knob 'strickt': did you mean strict\?$"):
        knobs.reset("strickt")


def test_a_scope_ends_with_an_exception() -> None:
    with pytest.raises(RuntimeError), knobs.scope(debug=2):
        raise RuntimeError
    assert knobs.debug == 0


def test_a_scope_is_of_one_thread_and_set_of_the_process() -> None:
    seen: list[int] = []

    def look() -> None:
        seen.append(knobs.debug)

    with knobs.scope(debug=2):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        knobs.set(debug=1)
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        contextvars.copy_context().run(look)
    assert seen == [0, 1, 2]


def test_one_wrong_value_sets_nothing() -> None:
    with pytest.raises(tdsl.KnobError):
        knobs.set(strict=True, debug=9)
    assert not knobs.strict


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("debug", 3, "knob 'debug' is 3, but must be an integer from 0 to 2"),
        ("debug", True, "knob 'debug' is True, but must be an integer from 0 to 2"),
        ("debug", "1", "knob 'debug' is '1', but must be an integer from 0 to 2"),
        ("num_threads", 0, "knob 'num_threads' is 0, but must be an integer from 1 to 1024"),
        ("strict", 1, "knob 'strict' is 1, but must be on or off (1 or 0, true or false)"),
        ("dump_dir", 7, "knob 'dump_dir' is 7, but must be the path of a folder"),
        ("dump_dir", "", "knob 'dump_dir' is '', but must be the path of a folder"),
        ("dump_dir", "a\0b", r"knob 'dump_dir' is 'a\x00b', but must be the path of a folder"),
        ("cache_size", -1, "knob 'cache_size' is -1, but must be a number of bytes, such as 500000, '64MB' or '2GB'"),
        ("target", None, "knob 'target' is None, but must be a text"),
        ("num_thread", 1, "there is no knob 'num_thread': did you mean num_threads?"),
        ("read", 1, "there is no knob 'read': there are " + ", ".join(knob.name for knob in Knobs.all())),
    ],
)
def test_wrong_values_from_python(name: str, value: object, message: str) -> None:
    with pytest.raises(tdsl.KnobError) as caught:
        knobs.set(**{name: value})
    assert str(caught.value) == message
    with pytest.raises(tdsl.KnobError), knobs.scope(**{name: value}):
        pass


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("TDSL_NUM_THREADS", "many", "TDSL_NUM_THREADS is 'many', but must be an integer from 1 to 1024"),
        ("TDSL_DEBUG", "3", "TDSL_DEBUG is '3', but must be an integer from 0 to 2"),
        ("TDSL_STRICT", "maybe", "TDSL_STRICT is 'maybe', but must be on or off (1 or 0, true or false)"),
        (
            "TDSL_CACHE_SIZE",
            "1TB",
            "TDSL_CACHE_SIZE is '1TB', but must be a number of bytes, such as 500000, '64MB' or '2GB'",
        ),
    ],
)
def test_wrong_values_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, message: str
) -> None:
    monkeypatch.setenv(variable, text)
    for _ in range(2):
        with pytest.raises(tdsl.KnobError) as caught:
            knobs.check_environment()
        assert str(caught.value) == message
    # What Python says wins, so that the variable does not matter.
    knob = next(knob for knob in Knobs.all() if knob.variable == variable)
    with knobs.scope(**{knob.name: knob.default}):
        knobs.check_environment()


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("TDSL_STRICT", "on", True),
        ("TDSL_STRICT", "FALSE", False),
        ("TDSL_CACHE_SIZE", "64MB", 64_000_000),
        ("TDSL_CACHE_SIZE", " 2 gb", 2_000_000_000),
        ("TDSL_CACHE_SIZE", "17", 17),
        ("TDSL_DUMP_DIR", "~/dump", Path("/home/somebody/dump")),
        ("TDSL_CACHE_DIR", "relative/cache", Path("relative/cache")),
        ("TDSL_TARGET", " aarch64-linux-gnu ", "aarch64-linux-gnu"),
    ],
)
def test_texts(monkeypatch: pytest.MonkeyPatch, variable: str, text: str, value: object) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv(variable, text)
    setting = next(setting for setting in knobs.settings() if setting.variable == variable)
    assert (setting.value, setting.source) == (value, "environment")
    monkeypatch.setenv(variable, setting.text)
    assert next(s for s in knobs.settings() if s.variable == variable).value == value


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert knobs.cache_dir == Path("/caches/tdsl")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert knobs.cache_dir == Path("/home/somebody/.cache/tdsl")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # no HOME, and no entry in the list of users
    assert knobs.cache_dir is None


def test_assignment_says_what_to_write() -> None:
    with pytest.raises(AttributeError, match=r"^write knobs.set\(debug=1\), or `with knobs.scope\(debug=1\):`$"):
        knobs.debug = 1


def test_keys_of_caches_name_what_code_depends_on() -> None:
    before = knobs.code_settings()
    with knobs.scope(strict=True):
        assert knobs.code_settings() != before
    with knobs.scope(debug=2, cache=False):
        assert knobs.code_settings() == before


def test_reports_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    report(1, "unseen")
    with knobs.scope(debug=1):
        report(1, "seen")
        report(2, lambda: pytest.fail("a text that nobody reads is not made"))
    assert capsys.readouterr().err == "tdsl: seen\n"


def test_unknown_variables_warn_once_at_the_users_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TDSL_NUM_THREAD", "3")
    monkeypatch.setenv("TDSL_XYZZY", "3")
    monkeypatch.setenv("TDSL_TEST_NEW_SPECS", "3")
    monkeypatch.setattr(knobs, "_looked_for_unknown", False)
    with pytest.warns(tdsl.KnobWarning) as caught:
        assert knobs.debug == 0
    assert [str(warning.message) for warning in caught] == [
        "TDSL_NUM_THREAD means nothing to TDSL: did you mean TDSL_NUM_THREADS?",
        "TDSL_XYZZY means nothing to TDSL: `tdsl knobs` lists those that do",
    ]
    assert {warning.filename for warning in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert knobs.debug == 0


def _run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_import_reads_no_knob() -> None:
    script = "import sys, tdsl; assert 'tdsl.session' not in sys.modules and 'mlir.ir' not in sys.modules"
    done = _run("-W", "error", "-c", script, TDSL_NUM_THREAD="3", TDSL_DEBUG="loud")
    assert (done.returncode, done.stderr) == (0, "")


def test_tools_check_the_environment_first() -> None:
    for module in ("tdsl.tools.main", "tdsl.tools.opt"):
        arguments = ["doctor"] if module == "tdsl.tools.main" else ["--version"]
        done = _run("-m", module, *arguments, TDSL_NUM_THREAD="3", TDSL_DEBUG="loud")
        assert done.returncode == 1
        name = {"tdsl.tools.main": "tdsl", "tdsl.tools.opt": "tdsl-opt"}[module]
        assert done.stderr == (
            f"{name}: warning: TDSL_NUM_THREAD means nothing to TDSL: did you mean TDSL_NUM_THREADS?\n"
            f"{name}: error: TDSL_DEBUG is 'loud', but must be an integer from 0 to 2\n"
        )


def test_tdsl_knobs_lists_everything() -> None:
    done = _run("-m", "tdsl.tools.main", "knobs", TDSL_STRICT="1")
    assert done.returncode == 0, done.stderr
    assert "strict = on  [environment]\n" in done.stdout
    assert "debug = 0  [default]\n" in done.stdout
    for knob in Knobs.all():
        assert f"    {knob.description} ({knob.variable}; default: {knob.default_text})\n" in done.stdout
