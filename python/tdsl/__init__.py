"""TDSL: a compiler for tensor programs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tdsl.errors import (
    AxesError,
    CompileError,
    Diagnostic,
    DtypeError,
    KernelError,
    ShapeError,
    SpecSyntaxError,
    TdslError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from tdsl.ir.builder import ProgramBuilder
    from tdsl.runtime import CompiledProgram, Context, Routine
    from tdsl.runtime import compile_program as compile

__version__ = "0.1.0"

__all__ = [
    "AxesError",
    "CompileError",
    "CompiledProgram",
    "Context",
    "Diagnostic",
    "DtypeError",
    "KernelError",
    "ProgramBuilder",
    "Routine",
    "ShapeError",
    "SpecSyntaxError",
    "TdslError",
    "UnsupportedError",
    "__version__",
    "compile",
]

#: Names that are imported when they are first used, so that ``import tdsl`` stays cheap.
_LAZY = {
    "CompiledProgram": ("tdsl.runtime", "CompiledProgram"),
    "Context": ("tdsl.runtime", "Context"),
    "ProgramBuilder": ("tdsl.ir.builder", "ProgramBuilder"),
    "Routine": ("tdsl.runtime", "Routine"),
    "compile": ("tdsl.runtime", "compile_program"),
}


def __getattr__(name: str) -> Any:
    # `from tdsl import _tdsl` comes here. Its first use loads MLIR, so that `tdsl doctor` can run where that fails. The
    # order matters: libMLIRPythonCAPI.so and libLLVM.so must be in the process first, because the RPATH of tdsl._tdsl
    # finds them only if both packages lie in one site-packages folder.
    if name == "_tdsl":
        importlib.import_module("mlir.ir")
        return importlib.import_module("tdsl._tdsl")
    if name in _LAZY:
        module, attribute = _LAZY[name]
        return getattr(importlib.import_module(module), attribute)
    raise AttributeError(f"module 'tdsl' has no attribute '{name}'")
