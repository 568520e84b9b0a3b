"""Passes over the tdsl dialect that are written in Python, and the runner for pipelines.

A pass is a class; see :class:`tdsl.passes.Pass`. Once registered it is an ordinary MLIR pass: it nests in textual
pipelines beside upstream's, and ``--help``, ``--mlir-print-ir-after-all``, ``--mlir-timing`` and crash reproducers know
it.
"""

from tdsl.passes.base import NoOptions, Pass
from tdsl.passes.diagnostics import emit_error, emit_remark, emit_warning
from tdsl.passes.options import pipeline_text
from tdsl.passes.pipeline import PipelineResult, normalize_pipeline, run_pipeline
from tdsl.passes.registry import register, register_all

__all__ = [
    "NoOptions",
    "Pass",
    "PipelineResult",
    "emit_error",
    "emit_remark",
    "emit_warning",
    "normalize_pipeline",
    "pipeline_text",
    "register",
    "register_all",
    "run_pipeline",
]
