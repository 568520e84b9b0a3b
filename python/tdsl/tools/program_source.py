"""Programs that are named on a command line: a file of MLIR, ``-``, or an object of Python code."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import mlir.ir as ir

from tdsl.errors import CompileError, TdslError
from tdsl.ir import create_context
from tdsl.ir.builder import ProgramBuilder
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics

__all__ = ["load_program"]


def load_program(source: str) -> ProgramBuilder | str:
    """The program that ``source`` names; as text, its operations carry their places in the file.

    Args:
        source: The path of a file of MLIR (text or bytecode), ``-`` for text on the standard input, or
            ``module:object`` or ``file.py:object``. The object is a ProgramBuilder, or a function that returns one.

    Raises:
        OSError: The file cannot be read.
        CompileError: The file is not valid MLIR; with the diagnostics.
        TdslError: There is no such module or object, it is no program, or the Python code failed.
    """
    if source == "-":
        return _text_with_places(sys.stdin.read())
    module, colon, name = source.rpartition(":")
    if colon and not Path(source).exists():
        if not module or not name or module.endswith((".mlir", ".mlirbc")):
            raise TdslError(f"'{source}' is neither a file nor of the form 'module:object' or 'file.py:object'")
        return _python_program(module, name, source)
    if source.endswith(".py"):
        raise TdslError(f"say which object of '{source}' is the program: '{source}:name'")
    return _text_with_places(Path(source))


def _text_with_places(program: str | Path) -> str:
    if isinstance(program, Path):
        # MLIR says what is wrong with a file as if its text were wrong.
        with program.open("rb"):
            pass
    try:
        with create_context():
            parsed = ir.Module.parse(program) if isinstance(program, str) else ir.Module.parseFile(str(program))
            return str(parsed.operation.get_asm(enable_debug_info=True))
    except MLIRError as error:
        diagnostics = verification_diagnostics(error)
        raise CompileError("\n".join(map(str, diagnostics)), diagnostics) from None


def _python_program(module: str, name: str, source: str) -> ProgramBuilder:
    found: Any = _import(module)
    for part in name.split("."):
        if not hasattr(found, part):
            raise TdslError(f"'{module}' has no object '{name}'")
        found = getattr(found, part)
    if callable(found):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise _failure(source, error) from error
    if not isinstance(found, ProgramBuilder):
        raise TdslError(f"'{source}' is {type(found).__name__}, not a ProgramBuilder or a function that returns one")
    return found


def _import(module: str) -> ModuleType:
    try:
        if not module.endswith(".py"):
            # As `python -m` has it: modules in the current folder can be named.
            if "" not in sys.path:
                sys.path.insert(0, "")
            return importlib.import_module(module)
        path = Path(module)
        with path.open("rb"):
            pass
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None, "the suffix is that of a Python file"
        assert spec.loader is not None, "the suffix is that of a Python file"
        loaded = importlib.util.module_from_spec(spec)
        # Where dataclasses and pickle look for it; its folder, where its own imports are.
        sys.modules.setdefault(spec.name, loaded)
        sys.path.insert(0, str(path.parent.resolve()))
        spec.loader.exec_module(loaded)
        return loaded
    except ModuleNotFoundError as error:
        if error.name == module or (error.name and module.startswith(f"{error.name}.")):
            raise TdslError(f"there is no Python module '{error.name}'") from None
        raise _failure(module, error) from error
    except OSError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure(module, error) from error


def _failure(source: str, error: BaseException) -> TdslError:
    """What the user's own code raised, at the user's line."""
    if isinstance(error, TdslError):
        return error
    if isinstance(error, SyntaxError) and error.filename:
        return TdslError(f"{error.filename}:{error.lineno}: SyntaxError: {error.msg}")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if len(frames) > 1 else source
    said = str(error)
    return TdslError(f"{place}: {type(error).__name__}{': ' if said else ''}{said}")
