"""The operation classes, found by MLIR when it wraps an operation of the dialect."""

from tdsl.ir import _tdsl_ops_gen as _tdsl_ops_gen
