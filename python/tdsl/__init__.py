"""TDSL: a compiler for tensor programs."""

from __future__ import annotations

import importlib
from typing import Any

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

__version__ = "0.1.0"

__all__ = [
    "AxesError",
    "CompileError",
    "Diagnostic",
    "DtypeError",
    "KernelError",
    "ShapeError",
    "SpecSyntaxError",
    "TdslError",
    "UnsupportedError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    # `from tdsl import _tdsl` comes here. Its first use loads MLIR, so that `tdsl doctor` can run where that fails. The
    # order matters: libMLIRPythonCAPI.so and libLLVM.so must be in the process first, because the RPATH of tdsl._tdsl
    # finds them only if both packages lie in one site-packages folder.
    if name == "_tdsl":
        importlib.import_module("mlir.ir")
        return importlib.import_module("tdsl._tdsl")
    raise AttributeError(f"module 'tdsl' has no attribute '{name}'")
