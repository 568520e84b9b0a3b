"""A cache of compiled programs: bounded, thread-safe, and able to forget."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tdsl.errors import TdslError

__all__ = ["CacheInfo", "ProgramCache"]

_Program = TypeVar("_Program")


@dataclass(frozen=True)
class CacheInfo:
    """Counts of a cache since it was made or cleared.

    Attributes:
        hits: How often a program was found.
        misses: How often one had to be compiled.
        size: How many programs it holds.
        limit: How many it can hold.
    """

    hits: int
    misses: int
    size: int
    limit: int


@dataclass
class _Entry(Generic[_Program]):
    """A program, or None until the thread that holds the lock has compiled it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    program: _Program | None = None


class ProgramCache(Generic[_Program]):
    """Compiled programs by what determines them. The one used longest ago goes first when it is full.

    Threads that ask for one program at the same time compile it once; different programs are compiled side by side.
    """

    def __init__(self, limit: int = 256) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry[_Program]] = OrderedDict()
        self._hits = self._misses = 0
        self._limit = _checked(limit)

    @property
    def limit(self) -> int:
        """How many programs it can hold, at least 1. Lowering it lets go of those used longest ago."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        with self._lock:
            self._limit = _checked(limit)
            self._shrink()

    def info(self) -> CacheInfo:
        """What the cache has done so far."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, len(self._entries), self._limit)

    def clear(self) -> None:
        """Let go of all programs, and start counting at 0."""
        with self._lock:
            self._entries.clear()
            self._hits = self._misses = 0

    def get(self, key: Hashable, compile: Callable[[], _Program]) -> _Program:
        """The program of ``key``, which ``compile`` makes if there is none. An error of it is passed on, not kept."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            self._shrink()
        with entry.lock:
            if entry.program is not None:
                with self._lock:
                    self._hits += 1
                return entry.program
            try:
                program = entry.program = compile()
            except BaseException:
                with self._lock:
                    if self._entries.get(key) is entry:
                        del self._entries[key]
                raise
            with self._lock:
                self._misses += 1
            return program

    def _shrink(self) -> None:
        while len(self._entries) > self._limit:
            self._entries.popitem(last=False)


def _checked(limit: int) -> int:
    if limit < 1:
        raise TdslError(f"a cache holds at least 1 program, not {limit}")
    return limit
