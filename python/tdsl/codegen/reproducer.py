"""Running the stages of a compilation, so that a failure of the compiler can be repeated.

A mistake in a program is found by the parser, by inference or by the conversion to linalg, and is an error at its
place. Whatever fails else is a failure of the compiler: a later pass, a Python exception, a crash. It leaves a
reproducer, a file with the IR before the stage and the passes of the stage, which ``tdsl-opt --run-reproducer`` runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

import mlir.ir as ir

from tdsl.errors import CompileError, TdslError
from tdsl.passes.pipeline import run_pipeline
from tdsl.session import knobs, report

__all__ = ["run_stage", "with_reproducer", "write_reproducer"]

#: How many reproducers a folder keeps.
_LIMIT = 20

_NAME = "reproducer-"


def run_stage(module: ir.Module, pipeline: str, *, finds_mistakes: bool = False) -> None:
    """Runs a pipeline on a module, in place.

    Args:
        module: The module.
        pipeline: The pipeline, anchored on ``builtin.module``.
        finds_mistakes: Whether diagnostics of this pipeline are about the user's program.

    Raises:
        CompileError: A pass failed; with a reproducer if that was the compiler's fault.
    """
    before = module.operation.clone()
    try:
        run_pipeline(module, pipeline, verify_each=False, survive_crashes=not finds_mistakes)
    except CompileError as error:
        if finds_mistakes and _is_about_the_program(error):
            raise
        raise with_reproducer(error, before, pipeline) from error.__cause__


def with_reproducer(error: CompileError, module: ir.OpView | ir.Operation, pipeline: str) -> CompileError:
    """The error of a pipeline that failed on ``module``, with a file that repeats it."""
    path = write_reproducer(module, pipeline)
    hint = f"\nThe compiler failed. To repeat it: tdsl-opt --run-reproducer {path}" if path else ""
    return CompileError(f"{error}{hint}", error.diagnostics, path)


def _is_about_the_program(error: CompileError) -> bool:
    is_ours = error.__cause__ is None or isinstance(error.__cause__, TdslError)
    return is_ours and any(diagnostic.severity == "error" for diagnostic in error.diagnostics)


def write_reproducer(module: ir.OpView | ir.Operation, pipeline: str) -> str | None:
    """Writes a file that ``tdsl-opt --run-reproducer`` runs ``pipeline`` on ``module`` from.

    It lies in the folder that the knob ``dump_dir`` names, else in a private temporary folder. One failure has one
    file, and the oldest of more than 20 files is removed.

    Returns:
        The path, or None if nothing could be written.
    """
    text = str(module.operation.get_asm(enable_debug_info=True))
    quoted = pipeline.replace("\\", "\\\\").replace('"', '\\"')
    text = f"""{text.rstrip()}

{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "{quoted}",
      disable_threading: true,
      verify_each: false
    }}
  }}
#-}}
"""
    name = f"{_NAME}{hashlib.sha256(text.encode()).hexdigest()[:12]}.mlir"
    try:
        folder = knobs.dump_dir or _private_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text(text, encoding="utf-8")
        _remove_oldest(folder)
    except OSError as error:
        report(1, f"no reproducer was written: {error}")
        return None
    return str(path.absolute())


def _private_folder() -> Path:
    """One folder for each user, since the temporary folder is shared."""
    owner = os.geteuid() if hasattr(os, "geteuid") else ""
    folder = Path(tempfile.gettempdir()) / f"tdsl-reproducers-{owner}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    is_private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if is_private and (not hasattr(os, "geteuid") or found.st_uid == os.geteuid()):
        return folder
    return Path(tempfile.mkdtemp(prefix="tdsl-reproducers-"))


def _remove_oldest(folder: Path) -> None:
    files = sorted(folder.glob(f"{_NAME}*.mlir"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[_LIMIT:]:
        with contextlib.suppress(OSError):
            path.unlink()
