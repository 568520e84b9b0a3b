"""Shared libraries, made by the C compiler of the system: LLVM's wheels have no linker."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from tdsl.codegen.object_code import TargetDescription
from tdsl.errors import CompileError

__all__ = ["link_shared_library"]


def link_shared_library(object_code: bytes, name: str, target: TargetDescription, linker: str | None = None) -> bytes:
    """Links an object file into a shared library that needs only the C library and libm.

    Args:
        object_code: The object file.
        name: The name that the library is known by to programs that are linked with it.
        target: What the object file is for.
        linker: A command that links like ``cc``; by default ``cc``, or, for another architecture than this machine's,
            the GCC of its triple.

    Raises:
        CompileError: There is no such command, or it failed; with what it said.
    """
    try:
        command = shlex.split(linker) if linker else [_default_linker(target)]
    except ValueError as error:
        raise CompileError(f"{linker!r} is not a command: {error}") from None
    if not command or shutil.which(command[0]) is None:
        wanted = command[0] if command else linker
        raise CompileError(
            f"there is no '{wanted}' to link a shared library with: install a C compiler, name another linker, or "
            "write an object file (.o) and link that"
        )
    with tempfile.TemporaryDirectory(prefix="tdsl-link-") as folder:
        source, result = Path(folder, "program.o"), Path(folder, "program.so")
        source.write_bytes(object_code)
        arguments = ["-shared", "-o", str(result), str(source), f"-Wl,-soname,{name}", "-Wl,-z,noexecstack"]
        try:
            done = subprocess.run(
                [*command, *arguments, "-Wl,--no-undefined", "-Wl,--as-needed", "-lm"],
                capture_output=True,
                text=True,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise CompileError(f"'{command[0]}' cannot be run: {error.strerror}") from None
        if done.returncode != 0 or not result.exists():
            said = (done.stderr or done.stdout).strip().replace(f"{folder}{os.sep}", "")
            raise CompileError(f"'{command[0]}' cannot link the shared library for {target.triple}:\n{said}")
        return result.read_bytes()


def _default_linker(target: TargetDescription) -> str:
    architecture, _, rest = target.triple.partition("-")
    if architecture == TargetDescription.host().triple.partition("-")[0]:
        return "cc"
    system = rest.removeprefix("unknown-").removeprefix("pc-")
    return f"{architecture}-{system}-gcc"
