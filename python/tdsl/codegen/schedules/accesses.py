"""What recognisers ask of operations.

They see ``ir.Operation``, and never operations, attributes or types as classes of their dialects: that would import the
Python modules of the dialects, which takes 50 ms for linalg.
"""

from __future__ import annotations

import re

import mlir.ir as ir

__all__ = [
    "ELEMENT_BYTES",
    "FLOAT_BYTES",
    "VECTOR_OPERATIONS",
    "accesses_of",
    "inner_operations",
    "operations_on_rows",
    "parallel_iterators",
    "producers",
]

#: The floats that schedules know, with their sizes in bytes.
FLOAT_BYTES = {"f32": 4, "f64": 8}
#: The element types of vectors.
ELEMENT_BYTES = {**FLOAT_BYTES, "i32": 4, "i64": 8}

#: What has vector instructions. Division of integers, for example, does not.
# fmt: off
VECTOR_OPERATIONS = frozenset((
    "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.negf", "arith.maximumf", "arith.minimumf",
    "arith.maxnumf", "arith.minnumf", "arith.cmpf", "arith.cmpi", "arith.select", "arith.bitcast", "arith.constant",
    "arith.andi", "arith.ori", "arith.xori", "arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minsi",
    "arith.maxui", "arith.minui", "arith.shli", "arith.shrsi", "arith.shrui", "arith.sitofp", "arith.uitofp",
    "arith.extui", "arith.extsi", "arith.trunci", "math.fma", "math.sqrt", "math.absf", "math.copysign", "math.floor",
    "math.ceil", "math.round", "math.roundeven", "math.trunc", "linalg.yield",
))
# fmt: on


def inner_operations(op: ir.OpView | ir.Operation) -> list[ir.Operation]:
    """The operations directly inside an operation, in their order."""
    found: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        if inner == op.operation:
            return ir.WalkResult.ADVANCE
        found.append(inner)
        return ir.WalkResult.SKIP

    op.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def operations_on_rows(loop: ir.Operation) -> list[ir.Operation]:
    """The linalg operations at any depth of a loop that ``tdsl-fuse-rows`` has made; none of another operation."""
    found: list[ir.Operation] = []
    if "tdsl.rows" not in loop.attributes:
        return found

    def visit(op: ir.Operation) -> ir.WalkResult:
        if not op.name.startswith("linalg."):
            return ir.WalkResult.ADVANCE
        found.append(op)
        return ir.WalkResult.SKIP

    loop.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def producers(operations: list[ir.Operation]) -> dict[ir.Value, ir.Operation]:
    """Which of the operations a value is the result of."""
    return {result: op for op in operations for result in op.results}


def parallel_iterators(op: ir.Operation) -> list[bool]:
    """Which of the iterators of a ``linalg.generic`` are parallel; the others are reductions."""
    return [kind == "parallel" for kind in re.findall(r"iterator_type<(\w+)>", str(op.attributes["iterator_types"]))]


def accesses_of(op: ir.Operation) -> tuple[list[tuple[int, ...]], list[int]] | None:
    """The iterators that index each operand of a ``linalg.generic``, and the sizes of all iterators.

    None if an index is no iterator, one iterator indexes two axes of an operand, or a size is not known.
    """
    sizes = [0] * len(ir.ArrayAttr(op.attributes["iterator_types"]))
    accesses: list[tuple[int, ...]] = []
    for attribute, operand in zip(ir.ArrayAttr(op.attributes["indexing_maps"]), op.operands, strict=True):
        map_ = ir.AffineMapAttr(attribute).value
        access = tuple(
            ir.AffineDimExpr(result).position for result in map_.results if isinstance(result, ir.AffineDimExpr)
        )
        if not map_.is_projected_permutation or len(access) != len(map_.results):
            return None
        if isinstance(operand.type, ir.RankedTensorType):
            if not operand.type.has_static_shape:
                return None
            for iterator, size in zip(access, operand.type.shape, strict=True):
                sizes[iterator] = size
        elif not isinstance(operand.type, ir.FloatType):
            return None
        accesses.append(access)
    return accesses, sizes
