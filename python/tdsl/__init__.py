"""TDSL: a compiler for tensor programs."""

from __future__ import annotations

# The order matters. libMLIRPythonCAPI.so and libLLVM.so must be in the process before tdsl._tdsl, whose RPATH finds them
# only if both packages lie in one site-packages folder.
import mlir.ir  # noqa: F401  # isort: skip
import tdsl._tdsl  # noqa: F401  # isort: skip

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
