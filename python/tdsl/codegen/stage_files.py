"""The IR after every stage as files: written for somebody to read, and replaced by what somebody wrote."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import mlir.ir as ir

from tdsl.errors import CompileError, TdslError
from tdsl.ir import create_context
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics
from tdsl.session import knobs

__all__ = ["StageFiles"]

#: The files of a program, by stage, in the order of compilation.
_FILES = {
    "input": "0-input.mlir",
    "inferred": "1-inferred.mlir",
    "linalg": "2-linalg.mlir",
    "scheduled": "3-scheduled.mlir",
    "llvm": "4-llvm.mlir",
    "asm": "5-asm.s",
}


class StageFiles:
    """The files of one program below the folders that the knobs ``dump_dir`` and ``override_dir`` name.

    The folder of a program has its name and a part of the hash of its text, so that programs of one name stay apart and
    a replacement is never taken for a program that has changed.
    """

    def __init__(self, name: str, module: ir.Module, variant: str = "") -> None:
        self._name = name
        self._dump, self._override = knobs.dump_dir, knobs.override_dir
        self._folder = ""
        self._replaced: list[str] = []
        if self.is_active:
            digest = hashlib.sha256(f"{variant}\n{module}".encode()).hexdigest()
            self._folder = f"{re.sub('[^A-Za-z0-9_.-]', '_', name)[:80]}-{digest[:8]}"

    @property
    def is_active(self) -> bool:
        """Whether any stage is written or may be replaced."""
        return self._dump is not None or self._override is not None

    def finish(self, stage: str, module: ir.Module) -> ir.Module:
        """Writes a module that a stage has made. Returns it, or the one that replaces it.

        Raises:
            CompileError: The file that replaces it cannot be parsed.
            TdslError: The file cannot be written.
        """
        if not self.is_active:
            return module
        replaced = self._replacement(stage)
        self.dump(stage, lambda: str(replaced or module))
        return replaced or module

    def dump(self, stage: str, text: str | Callable[[], str]) -> None:
        """Writes the text of a stage. Raises TdslError if that cannot be done."""
        if self._dump is None:
            return
        path = self._dump / self._folder / _FILES[stage]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if isinstance(text, str) else text(), encoding="utf-8")
        except OSError as error:
            raise TdslError(f"cannot write {path}, below the folder that dump_dir names: {error.strerror}") from None

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Errors inside say which stages were replaced: the program is then not the only place to look at."""
        try:
            yield
        except (TdslError, MLIRError, LookupError, TypeError, ValueError) as error:
            if not self._replaced:
                raise
            shown = str(error) if isinstance(error, TdslError) else f"{type(error).__name__}: {error}"
            diagnostics = error.diagnostics if isinstance(error, CompileError) else ()
            reproducer = error.reproducer if isinstance(error, CompileError) else None
            text = "\n".join([shown, *(line for line in self._replaced if line not in shown)])
            raise CompileError(text, diagnostics, reproducer) from error

    def _replacement(self, stage: str) -> ir.Module | None:
        if self._override is None:
            return None
        path: Path = self._override / self._folder / _FILES[stage]
        if not path.is_file():
            return None
        try:
            text = path.read_text(encoding="utf-8")
            with create_context():
                module = ir.Module.parse(text)
        except (OSError, UnicodeDecodeError) as error:
            raise CompileError(f"{path} should replace stage '{stage}', but cannot be read: {error}") from None
        except MLIRError as error:
            diagnostics = verification_diagnostics(error)
            lines = "\n".join(map(str, diagnostics))
            raise CompileError(
                f"{path} should replace stage '{stage}' of program '{self._name}', but is not valid:\n{lines}",
                diagnostics,
            ) from None
        print(f"tdsl: {self._name}: stage '{stage}' is replaced by {path}", file=sys.stderr)
        self._replaced.append(f"Stage '{stage}' was replaced by {path}.")
        return module
