"""Compiled programs on disk, by two kinds of keys.

The front key is made of what a caller has in hand, and is known before anything is compiled. It leads to the key of the
program's IR after inference, under which the machine code is stored: programs that differ in their text alone share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tdsl.cache.entry import Entry, from_record, to_record
from tdsl.cache.folder import CacheFolder
from tdsl.cache.key import VERSION, Key
from tdsl.cache.record import DamagedRecordError, decode, encode
from tdsl.session import knobs, report

__all__ = ["DiskCache", "open_cache"]

#: How many keys are looked at to explain why a program was not found.
_EXPLAINED_FROM = 1000


def open_cache() -> DiskCache | None:
    """The cache as the knobs say; None if it is off, or if every stage is to run, since somebody looks at them."""
    if not knobs.cache or knobs.dump_dir is not None or knobs.override_dir is not None:
        return None
    root = knobs.cache_dir
    if root is None:
        report(1, "cache: off, since there is no home folder; TDSL_CACHE_DIR names another place")
        return None
    return DiskCache(CacheFolder(root.absolute(), VERSION, knobs.cache_size))


class DiskCache:
    """Programs in a folder. Nothing here raises because of what the folder holds or is."""

    def __init__(self, folder: CacheFolder) -> None:
        self._folder = folder

    def find(self, name: str, front: Key) -> tuple[Entry, Mapping[str, Any]] | None:
        """The program of a front key, and the notes that were stored with it. ``name`` is for reports."""
        record = self._read(front)
        if record is None:
            report(1, lambda: f"{name}: not in the cache: {self._explain(front)}")
            return None
        header, _ = record
        entry = self._entry(str(header.get("program")))
        if entry is None:
            report(1, f"{name}: its code was removed from the cache")
            return None
        notes = header.get("notes")
        report(1, f"{name}: found in the cache ({front.digest[:12]}, {len(entry.code)} bytes of code)")
        return entry, notes if isinstance(notes, dict) else {}

    def find_ir(self, name: str, key: Key) -> Entry | None:
        """The program of a key made of its IR."""
        entry = self._entry(key.digest)
        if entry is not None:
            report(1, f"{name}: its IR was found in the cache ({key.digest[:12]}, {len(entry.code)} bytes of code)")
        return entry

    def add(self, key: Key, entry: Entry) -> None:
        """Stores a program under the key of its IR."""
        header, body = to_record(entry)
        self._folder.write(key.digest, encode({"parts": dict(key.parts), **header}, body))

    def add_front(self, front: Key, key: Key, notes: Mapping[str, Any] | None = None) -> None:
        """Lets a front key lead to the program of ``key``, with notes that JSON can hold."""
        header = {"parts": dict(front.parts), "program": key.digest, "notes": dict(notes or {})}
        self._folder.write(front.digest, encode(header))

    def _entry(self, digest: str) -> Entry | None:
        data = self._folder.read(digest) if len(digest) == 64 and digest.isalnum() else None
        if data is None:
            return None
        try:
            return from_record(*decode(data))
        except DamagedRecordError as error:
            self._discard(digest, error)
            return None

    def _read(self, key: Key) -> tuple[dict[str, Any], bytes] | None:
        data = self._folder.read(key.digest)
        if data is None:
            return None
        try:
            return decode(data)
        except DamagedRecordError as error:
            self._discard(key.digest, error)
            return None

    def _discard(self, digest: str, error: DamagedRecordError) -> None:
        report(1, f"cache: removed a file that is damaged: {error}")
        self._folder.remove(digest)

    def _explain(self, key: Key) -> str:
        """In which parts of its key the nearest program of the same kind differs."""
        nearest: list[str] | None = None
        for number, digest in enumerate(self._folder.keys()):
            data = self._folder.read(digest, touch=False) if number < _EXPLAINED_FROM else None
            if data is None:
                continue
            try:
                parts = decode(data)[0].get("parts")
            except DamagedRecordError:
                continue
            if not isinstance(parts, dict) or parts.get("kind") != key.parts["kind"]:
                continue
            different = key.differences(parts)
            if nearest is None or len(different) < len(nearest):
                nearest = different
        if nearest is None:
            return "there is nothing like it"
        return f"the nearest entry differs in {', '.join(nearest) or 'nothing, and is damaged'}"
