"""The registry of knobs, and where their values come from."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from tdsl.errors import KnobError
from tdsl.session.knob import Boolean, Folder, Integer, Knob, KnobWarning, Setting, Size, Text

__all__ = ["TEST_PREFIX", "Knobs", "knobs"]

_Value = TypeVar("_Value")

#: Variables that start so belong to tests, and are never taken for misspelled knobs.
TEST_PREFIX = "TDSL_TEST_"


def _usable_processors() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 1024)


def _default_cache_folder() -> Path | None:
    """``$XDG_CACHE_HOME/tdsl``, or ``~/.cache/tdsl``; None where there is no home folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification of these folders says that a path that is not absolute is to be ignored.
    if os.path.isabs(base):
        return Path(base) / "tdsl"
    home = os.path.expanduser("~")
    return Path(home) / ".cache" / "tdsl" if os.path.isabs(home) else None


class Knobs:
    """What can be set for a session: ``knobs.debug`` is the value in force of the knob ``debug``.

    A value comes from the innermost ``with knobs.scope(...)`` of the current thread or task, else from
    ``knobs.set(...)``, which counts for the whole process, else from the environment variable, else it is the default.
    """

    debug = Integer(
        0,
        "what to report on stderr: 1 compilations and what the cache does, 2 also the time of every stage",
        lowest=0,
        highest=2,
    )
    optimization_level = Integer(
        3,
        "the level of LLVM's optimizer where no schedule has optimized",
        lowest=0,
        highest=3,
        affects_code=True,
    )
    strict = Boolean(
        False, "keep the written order of sums and other reductions, at the price of speed", affects_code=True
    )
    libm = Boolean(
        False, "call the C library for exp, log, tanh and the like, at the price of speed", affects_code=True
    )
    num_threads = Integer(
        _usable_processors,
        "how many threads a routine may use",
        lowest=1,
        highest=1024,
        default_text="the processors that the process may use",
        affects_code=True,
    )
    target = Text("", "the triple that ahead-of-time compilation generates code for", default_text="this machine")
    target_cpu = Text("", "the CPU of that target", default_text="this CPU; for another target, its oldest CPU")
    target_features = Text("", "what differs from that CPU, such as +avx512f,-sse4a", default_text="nothing")
    cache = Boolean(True, "keep compiled programs on disk")
    cache_dir = Folder(
        _default_cache_folder,
        "where compiled programs are kept",
        default_text="$XDG_CACHE_HOME/tdsl or ~/.cache/tdsl",
    )
    cache_size = Size(512 * 10**6, "how large that folder may become; what was used longest ago goes first")
    dump_dir = Folder(
        None, "where to write the IR after each stage, and reproducers of failures", default_text="nowhere"
    )
    dump_asm = Boolean(False, "write the assembly there, too")
    override_dir = Folder(
        None, "where to look for files that replace the IR after a stage, named as dumped ones", default_text="nowhere"
    )

    def __init__(self) -> None:
        self._set: dict[str, Any] = {}
        self._scoped: ContextVar[Mapping[str, Any]] = ContextVar("tdsl.knobs")
        self._looked_for_unknown = False

    @classmethod
    def all(cls) -> list[Knob[Any]]:
        """Every knob, in the order of this class."""
        return [knob for knob in vars(cls).values() if isinstance(knob, Knob)]

    def set(self, **values: object) -> None:
        """Sets knobs for the whole process. Inside of a scope, what the scope says still wins.

        Raises:
            KnobError: There is no such knob, or a value is not allowed. Nothing is set then.
        """
        self._set.update(self._checked(values))

    @contextmanager
    def scope(self, **values: object) -> Iterator[None]:
        """``with knobs.scope(strict=True):`` sets knobs for its body, and only for the current thread or task.

        Raises:
            KnobError: There is no such knob, or a value is not allowed.
        """
        checked = self._checked(values)
        token = self._scoped.set({**self._scoped.get({}), **checked})
        try:
            yield
        finally:
            self._scoped.reset(token)

    def reset(self, *names: str) -> None:
        """Forgets what `set` said of these knobs, or of all. Scopes stay. Raises KnobError for unknown ones."""
        for name in names:
            self._knob(name)
        for name in names or list(self._set):
            self._set.pop(name, None)

    def read(self, knob: Knob[_Value]) -> tuple[_Value, str]:
        """The value of a knob and its source. Raises KnobError if the environment has a value that is not allowed."""
        if not self._looked_for_unknown:
            self.warn_of_unknown_variables()
        scoped = self._scoped.get({})
        if knob.name in scoped:
            return scoped[knob.name], "scope"
        if knob.name in self._set:
            return self._set[knob.name], "set"
        value = knob.from_environment()
        return (knob.default, "default") if value is None else (value, "environment")

    def settings(self) -> list[Setting]:
        """The state of every knob. Raises KnobError if the environment has a value that is not allowed."""
        settings = []
        for k in self.all():
            value, source = self.read(k)
            settings.append(
                Setting(k.name, k.variable, value, k.show(value), source, k.default_text, k.allowed, k.description)
            )
        return settings

    def code_settings(self) -> tuple[tuple[str, Any], ...]:
        """Name and value of each knob that machine code depends on, for the keys of caches."""
        return tuple((knob.name, self.read(knob)[0]) for knob in self.all() if knob.affects_code)

    def check_environment(self) -> None:
        """Reads all variables. Tools do so first, so that a mistake is reported before anything happens.

        Raises:
            KnobError: A variable has a value that is not allowed.
        """
        for knob in self.all():
            self.read(knob)

    def warn_of_unknown_variables(self) -> None:
        """Once in a process, a :class:`KnobWarning` for each variable ``TDSL_*`` that is no knob's."""
        self._looked_for_unknown = True
        known = [knob.variable for knob in self.all()]
        for variable in sorted(os.environ):
            if variable.startswith("TDSL_") and not variable.startswith(TEST_PREFIX) and variable not in known:
                hint = _nearest(variable, known) or "`tdsl knobs` lists those that do"
                warnings.warn(f"{variable} means nothing to TDSL: {hint}", KnobWarning, stacklevel=_users_level())

    def _knob(self, name: str) -> Knob[Any]:
        knob = vars(type(self)).get(name)
        if not isinstance(knob, Knob):
            known = [knob.name for knob in self.all()]
            hint = _nearest(name, known) or f"there are {', '.join(known)}"
            raise KnobError(f"knob '{name}'", None, None, f"there is no knob '{name}': {hint}")
        return knob

    def _checked(self, values: Mapping[str, object]) -> dict[str, Any]:
        return {name: self._knob(name).from_python(value) for name, value in values.items()}


def _nearest(name: str, known: list[str]) -> str | None:
    import difflib  # costs more to import than all the rest

    matches = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {matches[0]}?" if matches else None


def _users_level() -> int:
    """How far up the stack the caller of TDSL is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    package = str(Path(__file__).parents[1])
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level


#: The knobs of this process.
knobs = Knobs()
