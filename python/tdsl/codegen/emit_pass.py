"""Code generation as a pass, so that reproducers can repeat its failures."""

from __future__ import annotations

from dataclasses import dataclass, field

import mlir.ir as ir

from tdsl.codegen.object_code import TargetDescription, emit
from tdsl.codegen.reproducer import with_reproducer
from tdsl.errors import CompileError
from tdsl.ir import create_context
from tdsl.passes.base import Pass
from tdsl.passes.options import pipeline_text

__all__ = ["EmitCode", "explain_failure"]


@dataclass(frozen=True)
class EmitOptions:
    """What code is generated for."""

    triple: str = field(default="", metadata={"description": "the target; the host by default"})
    cpu: str = field(default="", metadata={"description": "the CPU of the target"})
    features: str = field(default="", metadata={"description": "what differs from the CPU"})
    optimization_level: int = field(default=3, metadata={"description": "the level of LLVM's optimizer"})


class EmitCode(Pass):
    """Generates object code, and throws it away."""

    name = "tdsl-emit-code"
    description = "Generate object code from the LLVM dialect, to see whether that works; the module stays as it is"
    anchor = "builtin.module"
    Options = EmitOptions

    def run(self, op: ir.OpView) -> None:
        """Generates code. Raises CompileError if that fails."""
        options: EmitOptions = self.options
        host = TargetDescription.host()
        target = TargetDescription(options.triple, options.cpu, options.features) if options.triple else host
        # Emission adds interfaces to the context, which is not allowed while passes run in it.
        with create_context():
            copy = ir.Module.parse(str(op.operation.get_asm(enable_debug_info=True)))
        emit(copy, target, optimization_level=options.optimization_level)


def explain_failure(
    error: CompileError, module: ir.Module, target: TargetDescription, optimization_level: int
) -> CompileError:
    """An error of :func:`emit`, with a reproducer if it is the compiler's failure and no mistake about the target."""
    with create_context():
        empty = ir.Module.parse("")
    try:
        emit(empty, target)
    except CompileError:
        return error  # no code can be generated for such a target
    options = EmitOptions(target.triple, target.cpu, target.features, optimization_level)
    return with_reproducer(error, module.operation, f"builtin.module({pipeline_text(EmitCode, options)})")
