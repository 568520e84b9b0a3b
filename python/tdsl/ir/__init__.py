"""The tdsl dialect in Python: operations, attributes, enumerations."""

from __future__ import annotations

import mlir.ir as _ir
from mlir._mlir_libs import _mlir

from tdsl import _tdsl
from tdsl.ir._tdsl_enum_gen import (
    Accumulator,
    FetchKind,
    IteratorKind,
    LogicKind,
    NodeRole,
    Precision,
    Primitive,
    RowKind,
)
from tdsl.ir._tdsl_ops_gen import (
    AssignOp,
    AtLeastOp,
    BroadcastOp,
    CloseOp,
    CommentOp,
    DimOp,
    FetchOp,
    FillOp,
    NodeOp,
    ProgramOp,
    ProjectionsOp,
    RoutineOp,
    RowOp,
    SameShapeOp,
    SetDimOp,
    SetEqualOp,
    SetScaleOp,
    SetVecOp,
    StaticSymbolOp,
    TotalElementsOp,
)
from tdsl.ir.attributes import (
    OPEN_SIZE,
    AccessAttr,
    AxisAttr,
    IteratorAttr,
    LogicAttr,
    RowAttr,
    ShapeAttr,
    SpaceAttr,
    SymbolIndexType,
    TermAttr,
)
from tdsl.ir.enums import enumerator

__all__ = [
    "OPEN_SIZE",
    "AccessAttr",
    "Accumulator",
    "AssignOp",
    "AtLeastOp",
    "AxisAttr",
    "BroadcastOp",
    "CloseOp",
    "CommentOp",
    "DimOp",
    "FetchKind",
    "FetchOp",
    "FillOp",
    "IteratorAttr",
    "IteratorKind",
    "LogicAttr",
    "LogicKind",
    "NodeOp",
    "NodeRole",
    "Precision",
    "Primitive",
    "ProgramOp",
    "ProjectionsOp",
    "RoutineOp",
    "RowAttr",
    "RowKind",
    "RowOp",
    "SameShapeOp",
    "SetDimOp",
    "SetEqualOp",
    "SetScaleOp",
    "SetVecOp",
    "ShapeAttr",
    "SpaceAttr",
    "StaticSymbolOp",
    "SymbolIndexType",
    "TermAttr",
    "TotalElementsOp",
    "create_context",
    "enumerator",
]


# MLIR wraps an operation in the class that the dialect's module registers, once it knows where that module is.
_mlir.globals.append_dialect_search_prefix("tdsl.ir.dialects")


def create_context() -> _ir.Context:
    """An MLIR context in which the dialect is loaded.

    The other dialects are known to it: parsers and passes load those that they need, which takes less time than loading
    all. Who builds operations of one in Python loads it by name, ``context.dialects["func"]``.

    It is not threaded: MLIR verifies routines in parallel, and where a thread finds a mistake, the bindings touch
    Python objects without the GIL, which ends the process. Pipelines do not have this problem; call
    ``context.enable_multithreading(True)`` for the time of one.
    """
    # The bindings add the parameter at run time.
    context = _ir.Context(load_on_create_dialects=[])  # pyright: ignore[reportCallIssue]
    context.enable_multithreading(False)
    _tdsl.register_dialects(context)
    return context
