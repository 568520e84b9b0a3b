"""``tdsl-outline-contractions``: makes each contraction a call of a function that computes it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import mlir.ir as ir

from tdsl.codegen.schedules.accesses import FLOAT_BYTES, inner_operations
from tdsl.codegen.schedules.normal_form import MARK
from tdsl.codegen.schedules.options import FULLY_SCHEDULED, ScheduleOptions
from tdsl.codegen.schedules.packed_contraction import CACHE_LINE, PackedContraction
from tdsl.codegen.schedules.plan import plan_contraction
from tdsl.codegen.schedules.target_facts import TargetFacts
from tdsl.passes.base import Pass

__all__ = ["OutlineContractions"]

# What may stand between a contraction and the fill that it makes superfluous.
_WITHOUT_EFFECT = ("memref.alloc", "memref.collapse_shape", "memref.expand_shape", "arith.constant")


class OutlineContractions(Pass):
    """Replaces the contractions that ``tdsl-schedule`` has brought to their normal form, after bufferization.

    Contractions of one shape and layout share one function, and all share kernels. The caller allocates scratch memory,
    so that ``tdsl-plan-workspace`` finds it.
    """

    name = "tdsl-outline-contractions"
    description = "Compute contractions on memrefs by functions of loops around kernels that keep a tile in registers"
    anchor = "builtin.module"
    dependent_dialects = ("arith", "func", "llvm", "memref", "scf", "vector")
    Options = ScheduleOptions

    def run(self, op: ir.OpView) -> None:
        present = inner_operations(op)
        marked = [found for function in present if function.name == "func.func" for found in _marked(function)]
        if not marked:
            return
        facts = self.options.facts()
        symbols = {ir.StringAttr(o.attributes["sym_name"]).value for o in present if "sym_name" in o.attributes}
        fresh = (name for name in (f"tdsl.contraction_{i}" for i in count()) if name not in symbols)
        names: dict[str, str] = {}
        texts: dict[str, str] = {}
        for contraction, fill in marked:
            del contraction.attributes[MARK]
            packed = _recognize(contraction, fill is not None, facts)
            if packed is None:
                # Its loops are plain ones, which LLVM's optimizer has something to add to.
                if FULLY_SCHEDULED in op.operation.attributes:
                    del op.operation.attributes[FULLY_SCHEDULED]
                continue
            key = repr(packed)
            if key not in names:
                names[key] = next(fresh)
                packed.write_functions(names[key], texts)
            _replace_by_call(contraction, packed, names[key])
            if fill is not None:
                fill.erase()
        added = ir.Module.parse("\n".join(text for name, text in texts.items() if name not in symbols))
        last = present[-1]
        for function in inner_operations(added.operation):
            function.move_after(last)
            last = function


def _marked(function: ir.Operation) -> Iterator[tuple[ir.Operation, ir.Operation | None]]:
    """The contractions of a function, each with the operation that fills its result with zeros just before."""
    fill = None
    for op in inner_operations(function):
        if MARK in op.attributes and op.name == "linalg.generic":
            yield op, fill if fill is not None and fill.operands[1] == op.operands[2] else None
        elif MARK in op.attributes:
            fill = op
        elif op.name not in _WITHOUT_EFFECT:
            fill = None


def _recognize(op: ir.Operation, sets: bool, facts: TargetFacts) -> PackedContraction | None:
    """The contraction that a marked operation is, or None where it is better left to plain loops."""
    accesses = [
        [ir.AffineDimExpr(result).position for result in ir.AffineMapAttr(attribute).value.results]
        for attribute in ir.ArrayAttr(op.attributes["indexing_maps"])
    ]
    first, second, result = accesses
    roles = {axis: f"b{axis}" for axis in result}
    roles |= {axis: "m" for axis in first if axis not in second}
    roles |= {axis: "n" for axis in second if axis not in first}
    roles |= {axis: "k" for axis in first if axis not in result}
    sizes: dict[str, int] = {}
    strides_of: list[dict[str, int]] = []
    for access, value in zip(accesses, op.operands, strict=True):
        type_ = ir.MemRefType(value.type)
        strides, _ = type_.get_strides_and_offset()
        if not type_.has_static_shape or ir.ShapedType.get_dynamic_stride_or_offset() in strides:
            return None
        names = [roles[axis] for axis in access]
        sizes |= dict(zip(names, type_.shape, strict=True))
        strides_of.append(dict(zip(names, strides, strict=True)))
    a, b, c = strides_of
    if 1 not in (a["m"], a["k"]) or 1 not in (b["n"], b["k"]) or c["n"] != 1:
        return None
    element = str(ir.MemRefType(op.operands[0].type).element_type)
    plan = plan_contraction(sizes, FLOAT_BYTES[element], facts, a, b)
    return None if plan is None else PackedContraction(element, sizes, a, b, c, sets, plan)


def _replace_by_call(op: ir.Operation, contraction: PackedContraction, name: str) -> None:
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
        "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), CACHE_LINE),
    }
    with ir.InsertionPoint(op), op.location:
        type_ = ir.MemRefType.get([contraction.scratch_bytes], ir.IntegerType.get_signless(8))
        scratch = ir.Operation.create("memref.alloc", [type_], attributes=attributes)
        arguments = [argument for operand in op.operands for argument in _place(operand)]
        callee = ir.FlatSymbolRefAttr.get(name)
        ir.Operation.create("func.call", [], [*arguments, scratch.result], {"callee": callee})
    op.erase()


def _place(memory: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The memory that a view is of, and how many elements after its beginning the view begins.

    A view that begins at a place known at run time only cannot be an argument: bare pointers say no more than its type.
    """
    type_ = ir.MemRefType(memory.type)
    index = ir.IndexType.get()
    whole = ir.MemRefType.get([], type_.element_type)
    metadata = ir.Operation.create(
        "memref.extract_strided_metadata", [whole, index, *[index] * (2 * type_.rank)], [memory]
    )
    return metadata.results[0], metadata.results[1]
