"""The one road to machine code: a module in the LLVM dialect becomes an object file in memory.

Loading that object is just-in-time compilation, writing it to a file is ahead-of-time compilation, and storing it is
the cache.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import mlir.ir as ir

from tdsl import _tdsl
from tdsl.errors import CompileError, Diagnostic

__all__ = ["LoadedObject", "StageTimes", "TargetDescription", "emit"]

CodeKind = Literal["object", "assembly", "llvm-ir"]


@dataclass(frozen=True)
class TargetDescription:
    """What code is generated for, in LLVM's words. :func:`emit` checks the names.

    Attributes:
        triple: Such as ``"x86_64-unknown-linux-gnu"`` or ``"nvptx64-nvidia-cuda"``.
        cpu: Such as ``"znver4"`` or ``"sm_90"``; empty for the oldest CPU of the architecture.
        features: What differs from the CPU, such as ``"+avx512f,-sse4a"``.
    """

    triple: str
    cpu: str = ""
    features: str = ""

    @classmethod
    def host(cls) -> TargetDescription:
        """The machine that this process runs on, with all that its CPU can do."""
        return cls(*_tdsl.host_target())

    def has_feature(self, name: str) -> bool:
        """Whether the CPU has a feature, such as ``"avx512f"``. False for what LLVM does not know."""
        return _tdsl.target_has_feature(self.triple, self.cpu, self.features, name)

    def __str__(self) -> str:
        """All parts on one line, which is also a key for caches."""
        parts = [self.triple, self.cpu and f"cpu={self.cpu}", self.features and f"features={self.features}"]
        return " ".join(part for part in parts if part)


@dataclass
class StageTimes:
    """How long the stages of :func:`emit` took, in seconds.

    Attributes:
        translate: Verifying the module and translating it to LLVM IR.
        optimize: LLVM's optimizer.
        emit: LLVM's code generator, or the printer of LLVM IR.
    """

    translate: float = 0.0
    optimize: float = 0.0
    emit: float = 0.0


def emit(
    module_op: ir.Module | ir.Operation | ir.OpView,
    target: TargetDescription,
    *,
    kind: CodeKind = "object",
    optimization_level: int = 2,
    times: StageTimes | None = None,
) -> bytes:
    """Generates position-independent code for a module in the LLVM dialect, which stays as it is.

    The same module, target and options give the same bytes. The GIL is released meanwhile; other threads may emit other
    modules of the same context, and must not change this one.

    Args:
        module_op: The module. Its own target triple and data layout are replaced by those of ``target``.
        target: What to generate code for.
        kind: ``"object"`` for a relocatable object file, ``"assembly"`` for its text (PTX for NVPTX), or ``"llvm-ir"``
            for the optimized LLVM IR.
        optimization_level: 1 to 3 are LLVM's levels. 0 leaves out its optimizer, not its code generator: right for code
            that a schedule has optimized.
        times: If given, is set to the time that each stage took, up to the one that failed.

    Raises:
        CompileError: The module is not in the LLVM dialect or has global constructors, the target has an unknown
            architecture, CPU or feature or no such kind of code, or LLVM failed or crashed.
        ValueError: ``kind`` or ``optimization_level`` is none of the above.
    """
    if optimization_level not in (0, 1, 2, 3):
        raise ValueError(f"optimization_level must be 0, 1, 2 or 3, not {optimization_level!r}")
    operation = module_op.operation if isinstance(module_op, ir.Module) else module_op
    code, raw, seconds = _tdsl.emit_code(
        operation, target.triple, target.cpu, target.features, kind, optimization_level
    )
    if times is not None:
        times.translate, times.optimize, times.emit = seconds
    if code is not None:
        return code
    diagnostics = tuple(map(Diagnostic.from_native, raw))
    errors = [_describe(diagnostic) for diagnostic in diagnostics if diagnostic.severity == "error"]
    raise CompileError("\n".join(errors) or "code generation failed", diagnostics)


class LoadedObject:
    """The code of one object file, linked into this process.

    Every object is on its own: it sees its libraries, the C library, libm and libgcc, but no other object and
    nothing else of the process. The code is unloaded when this value dies, so keep it as long as a function of it may
    be called.
    """

    def __init__(self, object_bytes: bytes, libraries: Sequence[str | os.PathLike[str]] = ()) -> None:
        """Links an object file of this machine's architecture.

        Args:
            object_bytes: What :func:`emit` returned. It may come from a file, and is checked.
            libraries: Paths or names of dynamic libraries, searched in order, before the C library, libm and libgcc.

        Raises:
            CompileError: The bytes are no object file for this machine, a library cannot be loaded, or a symbol that
                the object uses is in no library; the message names all of those.
        """
        try:
            self._object = _tdsl.LoadedObject(object_bytes, [os.fspath(library) for library in libraries])
        except ValueError as error:
            raise CompileError(str(error)) from None

    @property
    def defined_symbols(self) -> tuple[str, ...]:
        """The names that :meth:`lookup` takes, sorted."""
        return tuple(self._object.defined_symbols)

    @property
    def required_symbols(self) -> tuple[str, ...]:
        """The names that were found in libraries, sorted."""
        return tuple(self._object.required_symbols)

    def lookup(self, name: str) -> int:
        """Returns the address of a function or variable of the object. May be called from any thread.

        Raises:
            CompileError: The object defines no such symbol.
        """
        try:
            return self._object.lookup(name)
        except ValueError as error:
            raise CompileError(str(error)) from None


def _describe(diagnostic: Diagnostic) -> str:
    # What is wrong with the target has no position in the program, and a module without a text has none in it.
    return str(diagnostic) if diagnostic.line else diagnostic.message
