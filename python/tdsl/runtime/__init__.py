"""Compiled programs: loading, calling, contexts."""

from tdsl.codegen.signature import Argument, Signature
from tdsl.runtime.compilation import compile_program
from tdsl.runtime.compiled import CompiledProgram
from tdsl.runtime.context import Context
from tdsl.runtime.routine import BoundCall, Results, Routine

__all__ = ["Argument", "BoundCall", "CompiledProgram", "Context", "Results", "Routine", "Signature", "compile_program"]
