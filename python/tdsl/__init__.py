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
    KnobError,
    ShapeError,
    SpecSyntaxError,
    TdslError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from tdsl.eager.arrays import Array, asarray
    from tdsl.eager.compute import eager_cache
    from tdsl.eager.einsum import concat, einmax1, einsum, einsum1, outer_sum, stack, tropical, where_einsum
    from tdsl.eager.literals import basis, batch, literal
    from tdsl.eager.pointwise import (
        add,
        and_,
        cos,
        div,
        eq,
        exp,
        exp2,
        fma,
        ge,
        gt,
        le,
        log,
        log2,
        lt,
        matmul,
        maximum,
        minimum,
        mod,
        mul,
        ne,
        neg,
        not_,
        or_,
        pow,
        recip,
        recip_sqrt,
        relu,
        relu_gate,
        sat01,
        sat01_gate,
        sin,
        sqrt,
        sub,
        tanh,
        transpose,
        where,
    )
    from tdsl.ir.builder import ProgramBuilder
    from tdsl.runtime import CompiledProgram, Context, Routine
    from tdsl.runtime import compile_program as compile
    from tdsl.session import KnobWarning, knobs

__version__ = "0.1.0"

__all__ = [
    "Array",
    "AxesError",
    "CompileError",
    "CompiledProgram",
    "Context",
    "Diagnostic",
    "DtypeError",
    "KernelError",
    "KnobError",
    "KnobWarning",
    "ProgramBuilder",
    "Routine",
    "ShapeError",
    "SpecSyntaxError",
    "TdslError",
    "UnsupportedError",
    "__version__",
    "add",
    "and_",
    "asarray",
    "basis",
    "batch",
    "compile",
    "concat",
    "cos",
    "div",
    "eager_cache",
    "einmax1",
    "einsum",
    "einsum1",
    "eq",
    "exp",
    "exp2",
    "fma",
    "ge",
    "gt",
    "knobs",
    "le",
    "literal",
    "log",
    "log2",
    "lt",
    "matmul",
    "maximum",
    "minimum",
    "mod",
    "mul",
    "ne",
    "neg",
    "not_",
    "or_",
    "outer_sum",
    "pow",
    "recip",
    "recip_sqrt",
    "relu",
    "relu_gate",
    "sat01",
    "sat01_gate",
    "sin",
    "sqrt",
    "stack",
    "sub",
    "tanh",
    "transpose",
    "tropical",
    "where",
    "where_einsum",
]

#: Names that are imported when they are first used, so that ``import tdsl`` stays cheap.
_LAZY = {
    "Array": ("tdsl.eager.arrays", "Array"),
    "CompiledProgram": ("tdsl.runtime", "CompiledProgram"),
    "Context": ("tdsl.runtime", "Context"),
    "KnobWarning": ("tdsl.session", "KnobWarning"),
    "ProgramBuilder": ("tdsl.ir.builder", "ProgramBuilder"),
    "Routine": ("tdsl.runtime", "Routine"),
    "asarray": ("tdsl.eager.arrays", "asarray"),
    "compile": ("tdsl.runtime", "compile_program"),
    "eager_cache": ("tdsl.eager.compute", "eager_cache"),
    "knobs": ("tdsl.session", "knobs"),
    **{name: ("tdsl.eager.literals", name) for name in ("basis", "batch", "literal")},
    **{
        name: ("tdsl.eager.einsum", name)
        for name in ("concat", "einmax1", "einsum", "einsum1", "outer_sum", "stack", "tropical", "where_einsum")
    },
    **{
        name: ("tdsl.eager.pointwise", name)
        for name in (
            "add",
            "and_",
            "cos",
            "div",
            "eq",
            "exp",
            "exp2",
            "fma",
            "ge",
            "gt",
            "le",
            "log",
            "log2",
            "lt",
            "matmul",
            "maximum",
            "minimum",
            "mod",
            "mul",
            "ne",
            "neg",
            "not_",
            "or_",
            "pow",
            "recip",
            "recip_sqrt",
            "relu",
            "relu_gate",
            "sat01",
            "sat01_gate",
            "sin",
            "sqrt",
            "sub",
            "tanh",
            "transpose",
            "where",
        )
    },
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
