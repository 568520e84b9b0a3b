"""The passes that come with TDSL."""

from __future__ import annotations

#: ``module:class`` of each pass, in the order of a usual pipeline. Text, so that this list imports nothing.
BUILTIN_PASSES: tuple[str, ...] = (
    "tdsl.passes.infer_precision:InferPrecision",
    "tdsl.passes.infer_shapes:InferShapes",
    "tdsl.passes.derive_projections:DeriveProjections",
    "tdsl.passes.invert_scatter:InvertScatter",
    "tdsl.codegen.schedules.schedule_pass:Schedule",
    "tdsl.codegen.schedules.outline_pass:OutlineContractions",
    "tdsl.codegen.share_loops:ShareLoops",
)
