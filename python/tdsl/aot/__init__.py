"""Compilation ahead of time: object files, libraries and C headers that need no Python, MLIR or LLVM at run time.

    code = tdsl.aot.compile(program, target="aarch64-linux-gnu")
    code.write("affine.o")
    code.write("affine.h")

The command line has the same as ``tdsl-compile``.
"""

from tdsl.aot.output import BINARY_KINDS, OUTPUT_KINDS, OutputKind, kind_of_path, replace_file
from tdsl.aot.program import AotProgram, target_description
from tdsl.aot.program import compile_ahead_of_time as compile

__all__ = [
    "BINARY_KINDS",
    "OUTPUT_KINDS",
    "AotProgram",
    "OutputKind",
    "compile",
    "kind_of_path",
    "replace_file",
    "target_description",
]
