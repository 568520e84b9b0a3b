"""The folder of the cache: files by key, trusted only if nobody else can have written them, bounded in size.

Nothing here fails a compilation. What goes wrong with files is reported if the knob ``debug`` asks for it, and nothing
more.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tdsl.session import report

__all__ = ["CacheFolder", "StoredFile"]

_SUFFIX = ".tdsl"
_TEMPORARY = ".tmp-"

#: After this many seconds, a temporary file was left behind by a process that died.
_ABANDONED_AFTER = 3600

#: Eviction makes room for more than one file, so that it does not happen each time.
_KEPT_SHARE = 0.9


@dataclass(frozen=True)
class StoredFile:
    """One file of the cache.

    Attributes:
        path: Where it is.
        size: How many bytes it has.
        used: When it was last written or read, in seconds since the epoch.
    """

    path: Path
    size: int
    used: float


class CacheFolder:
    """Files named by keys below ``root / version``. ``limit`` bounds the size of all versions, in bytes."""

    def __init__(self, root: Path, version: str, limit: int) -> None:
        self.root = root
        self.limit = limit
        self._folder = root / version

    def read(self, key: str, *, touch: bool = True) -> bytes | None:
        """The bytes stored under a key; None if there are none that can be read and trusted.

        With ``touch``, this counts as use of the file.
        """
        if not self._is_trusted():
            return None
        path = self._path(key)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            report(1, f"cache: cannot read {path}: {error.strerror}")
            return None
        try:
            with open(descriptor, "rb") as file:
                found = os.fstat(descriptor)
                if problem := _distrust(found) or ("it is not a file" if not stat.S_ISREG(found.st_mode) else None):
                    report(1, f"cache: {path} is not used: {problem}")
                    return None
                if found.st_size > self.limit:
                    return None
                data = file.read()
        except OSError as error:
            report(1, f"cache: cannot read {path}: {error.strerror}")
            return None
        if touch:
            with contextlib.suppress(OSError):  # the folder may be read-only
                os.utime(path, follow_symlinks=False)
        return data

    def write(self, key: str, data: bytes) -> bool:
        """Stores bytes under a key, all at once: readers see the old file or the new one. Returns whether it worked."""
        if len(data) > self.limit:
            report(1, f"cache: {len(data)} bytes are more than its limit of {self.limit}")
            return False
        temporary = None
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._is_trusted():
                return False
            descriptor, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=self._folder)  # mode 0600
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(temporary, self._path(key))
        except OSError as error:
            report(1, f"cache: cannot write to {self._folder}: {error.strerror}")
            if temporary is not None:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            return False
        self._evict(len(data))
        return True

    def remove(self, key: str) -> None:
        """Removes what is stored under a key, if it is there."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def keys(self) -> Iterator[str]:
        """The keys of this version, those used last first."""
        for file in sorted(_files(self._folder), key=lambda f: f.used, reverse=True):
            if file.path.suffix == _SUFFIX:
                yield file.path.stem

    def files(self) -> list[StoredFile]:
        """All files of all versions, those used longest ago first."""
        found: list[StoredFile] = []
        with contextlib.suppress(OSError), os.scandir(self.root) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found += _files(Path(entry.path))
        return sorted(found, key=lambda file: (file.used, file.path))

    def clear(self) -> list[StoredFile]:
        """Removes all files of all versions, and the folders. Returns what was removed."""
        removed = [file for file in self.files() if _unlink(file.path)]
        with contextlib.suppress(OSError):
            for folder in list(self.root.iterdir()):
                with contextlib.suppress(OSError):
                    folder.rmdir()  # those that hold something else stay
        return removed

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}{_SUFFIX}"

    def _is_trusted(self) -> bool:
        try:
            problem = _distrust(os.stat(self._folder))
        except FileNotFoundError:
            return False
        except OSError as error:
            problem = error.strerror
        if problem:
            report(1, f"cache: {self._folder} is not used: {problem}")
        return not problem

    def _evict(self, last: int) -> None:
        """Removes what was used longest ago if all versions together are too large; not the ``last`` bytes written."""
        files = self.files()
        abandoned = time.time() - _ABANDONED_AFTER
        total = sum(file.size for file in files)
        goal = self.limit if total <= self.limit else max(self.limit * _KEPT_SHARE, last)
        count = 0
        for file in files:
            is_left_behind = file.path.name.startswith(_TEMPORARY) and file.used < abandoned
            if (total > goal or is_left_behind) and _unlink(file.path):
                total -= file.size
                count += 1
        if count:
            report(1, f"cache: removed {count} files that were used longest ago")


def _files(folder: Path) -> list[StoredFile]:
    """The files of ours in a folder; what else lies there is left alone."""
    found: list[StoredFile] = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIX) or entry.name.startswith(_TEMPORARY):
                with contextlib.suppress(OSError):  # another process removes files, too
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        found.append(StoredFile(Path(entry.path), status.st_size, status.st_mtime))
    return found


def _unlink(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _distrust(status: os.stat_result) -> str | None:
    """Why somebody else may have written a file, or to a folder; None if nobody can."""
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return "it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "other users can write to it"
    return None
