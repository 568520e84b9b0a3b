"""C programs that call compiled code, and the tools they are built with."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import llvm
import pytest

from tdsl import aot

__all__ = ["LLVM_TOOLS", "compile_header", "needs_cc", "run_c"]

LLVM_TOOLS = Path(next(iter(llvm.__path__))) / "bin"

needs_cc = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("c++") is None,
    reason="needs a C and a C++ compiler: install gcc or clang",
)

_STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]


def compile_header(header: str, folder: Path) -> None:
    """Compiles nothing but the header, twice included, as C99 and as C++17, with every warning an error."""
    (folder / "program.h").write_text(header)
    text = '#include "program.h"\n#include "program.h"\nint unused;\n'
    for compiler, standard, name in (("cc", "c99", "use.c"), ("c++", "c++17", "use.cpp")):
        (folder / name).write_text(text)
        done = subprocess.run(
            [compiler, f"-std={standard}", *_STRICT, "-c", name, "-o", "use.o"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def run_c(
    program: aot.AotProgram,
    main: str,
    folder: Path,
    *more_objects: Path,
    compiler: Sequence[str] = ("cc",),
    runner: Sequence[str] = (),
) -> str:
    """Builds and runs a C program with the header ``program.h`` and the object; returns what it prints."""
    program.write(folder / "program.o")
    program.write(folder / "program.h")
    (folder / "main.c").write_text(f'#include "program.h"\n#include <stdio.h>\nint main(void) {{\n{main}\n}}\n')
    build = subprocess.run(
        [*compiler, "-std=c99", *_STRICT, "main.c", "program.o", *more_objects, "-lm", "-o", "main"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert build.returncode == 0, build.stderr
    done = subprocess.run([*runner, folder / "main"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
