"""Keys: what determines the machine code of a program."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import mlir._mlir_libs

import tdsl
from tdsl import _tdsl
from tdsl.cache.record import FORMAT_VERSION
from tdsl.codegen.object_code import TargetDescription

__all__ = ["VERSION", "Key", "host", "program_key"]

#: The folder of the cache that this version writes to.
VERSION = f"{tdsl.__version__}-mlir{_tdsl.BUILT_FOR_MLIR}-{FORMAT_VERSION}"


@dataclass(frozen=True)
class Key:
    """The parts that determine a program, each as a text, by name. Long texts count by their digests."""

    parts: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """A name for files: the same parts have the same digest in every process."""
        return hashlib.sha256(json.dumps(sorted(self.parts.items())).encode()).hexdigest()

    def with_ir(self, text: str) -> Key:
        """The key of the IR after inference, in which all that ``keep`` and the like say is done."""
        parts = {name: part for name, part in self.parts.items() if name != "keep"}
        return Key({**parts, "kind": "ir", "program": hashlib.sha256(text.encode()).hexdigest()})

    def differences(self, other: Mapping[str, str]) -> list[str]:
        """The names of the parts in which this key and the parts of another differ."""
        names = dict.fromkeys([*self.parts, *other])
        return [name for name in names if self.parts.get(name) != other.get(name)]


def program_key(kind: str, program: str, target: TargetDescription, **options: object) -> Key:
    """The key of a program.

    Args:
        kind: What ``program`` is. Keys of different kinds are different.
        program: Its text, or what else determines it.
        target: What code is generated for.
        options: What the code depends on beside these and the compiler, such as the level of optimization.
    """
    parts = {
        "kind": kind,
        "program": hashlib.sha256(program.encode()).hexdigest(),
        "target": str(target),
        "compiler": _compiler_fingerprint(),
    }
    return Key({**parts, **{name: repr(value) for name, value in options.items()}})


@cache
def host() -> TargetDescription:
    """This machine, which does not change while the process runs."""
    return TargetDescription.host()


@cache
def _compiler_fingerprint() -> str:
    """What tells this compiler from any other: names, sizes and times of change of its files, and of MLIR's and LLVM's.

    Their contents would take too long to read at each start.
    """
    package = Path(tdsl.__file__).parent
    folders = [package, Path(_tdsl.__file__).parent, Path(mlir._mlir_libs.__file__).parent]
    llvm = importlib.util.find_spec("llvm")
    folders += [Path(folder) / "lib" for folder in (llvm and llvm.submodule_search_locations) or ()]
    digest = hashlib.sha256()
    for folder in dict.fromkeys(folders):
        for name, status in sorted(_sources(str(folder), "")):
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _sources(folder: str, prefix: str) -> list[tuple[str, os.stat_result]]:
    found: list[tuple[str, os.stat_result]] = []
    if not os.path.isdir(folder):
        return found
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".so", ".dylib")) or ".so." in entry.name:
                found.append((prefix + entry.name, entry.stat()))
            elif entry.is_dir() and entry.name not in ("__pycache__", "tools", "examples", "reference"):
                found += _sources(entry.path, f"{prefix}{entry.name}/")
    return found
