"""Kinds of files that compiled programs are written to, and how."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Literal, get_args

from tdsl.errors import TdslError

__all__ = ["BINARY_KINDS", "OUTPUT_KINDS", "OutputKind", "kind_of_path", "replace_file"]

OutputKind = Literal["object", "shared-library", "llvm-ir", "assembly", "header", "mlir"]
OUTPUT_KINDS: tuple[OutputKind, ...] = get_args(OutputKind)
BINARY_KINDS: frozenset[OutputKind] = frozenset({"object", "shared-library"})
_SUFFIXES: dict[str, OutputKind] = {
    ".o": "object",
    ".so": "shared-library",
    ".ll": "llvm-ir",
    ".s": "assembly",
    ".h": "header",
    ".mlir": "mlir",
}


def kind_of_path(path: str | os.PathLike[str]) -> OutputKind:
    """What a file holds by its suffix. Raises TdslError for a suffix that says nothing."""
    suffix = Path(path).suffix
    if suffix not in _SUFFIXES:
        raise TdslError(
            f"'{os.fspath(path)}' does not say what to write: end it with {', '.join(_SUFFIXES)}, or name the kind"
        )
    return _SUFFIXES[suffix]


def replace_file(path: Path, contents: bytes, *, executable: bool = False) -> None:
    """Writes a file beside ``path``, which then takes its place: readers see the old one or all of the new one.

    Devices and pipes are written to directly. Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(contents)
        return
    # With the rights that any new file gets, which those of the module tempfile do not have.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777 if executable else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
