"""``tdsl-schedule``: plans each linalg operation that a family knows."""

from __future__ import annotations

from dataclasses import replace
from math import copysign, prod

import mlir.ir as ir
from mlir.dialects.transform import interpreter

from tdsl.codegen.schedules.accesses import FLOAT_BYTES, inner_operations, operations_on_rows, producers
from tdsl.codegen.schedules.contraction import Contraction, recognize_contraction
from tdsl.codegen.schedules.elementwise import recognize_elementwise, schedule_elementwise
from tdsl.codegen.schedules.normal_form import MARK, normal_form
from tdsl.codegen.schedules.options import FULLY_SCHEDULED, ScheduleOptions
from tdsl.codegen.schedules.plan import plan_contraction
from tdsl.codegen.schedules.row_reduction import recognize_row_reduction, schedule_row_reduction
from tdsl.codegen.schedules.script import Script
from tdsl.codegen.schedules.target_facts import TargetFacts
from tdsl.passes.base import Pass

__all__ = ["Schedule"]

_FEW_ITERATIONS = 1 << 12
_MANY_ITERATIONS = 1 << 30


class Schedule(Pass):
    """Brings contractions to their normal form, which ``tdsl-outline-contractions`` knows, and tiles other operations.

    The tiles are marked for ``tdsl-vectorize-tiles``, which makes vectors of them.
    """

    name = "tdsl-schedule"
    description = "Prepare linalg operations on tensors for the registers and caches of a target"
    anchor = "builtin.module"
    dependent_dialects = ("affine", "arith", "bufferization", "linalg", "scf", "tdsl", "tensor", "transform")
    Options = ScheduleOptions

    def run(self, op: ir.OpView) -> None:
        functions = [f for f in inner_operations(op) if f.name == "func.func" and len(f.regions[0].blocks)]
        facts = self.options.facts()
        plain = sum(_schedule_function(function, facts, strict=self.options.strict) for function in functions)
        if plain <= _FEW_ITERATIONS:
            op.operation.attributes[FULLY_SCHEDULED] = ir.UnitAttr.get()


def _schedule_function(function: ir.Operation, facts: TargetFacts, *, strict: bool) -> int:
    """Schedule what can be, and return the number of iterations of all that becomes plain loops."""
    _prepare_contractions(function, facts)
    plain = 0
    script = Script()
    alone = replace(facts, threads=1)
    for op in inner_operations(function):
        on_rows = operations_on_rows(op)
        for inner in on_rows or [op]:
            if MARK in inner.attributes:
                continue
            if not _schedule_loops(script, inner, alone if on_rows else facts, strict=strict):
                plain += _iterations(inner) * (_FEW_ITERATIONS if on_rows else 1)
    if script:
        module = ir.Module.parse(str(script))
        [sequence] = inner_operations(module.operation)
        interpreter.apply_named_sequence(function, sequence, module)
    return plain


def _schedule_loops(script: Script, op: ir.Operation, facts: TargetFacts, *, strict: bool) -> bool:
    """Append the steps for an operation whose loops are tiled, if a family knows it."""
    elementwise = recognize_elementwise(op)
    row_reduction = None if strict else recognize_row_reduction(op)
    if elementwise is None and row_reduction is None:
        return False
    attribute = script.new_attribute()
    op.attributes[attribute] = ir.UnitAttr.get()
    if elementwise is not None:
        schedule_elementwise(script, elementwise, facts, attribute)
    elif row_reduction is not None:
        schedule_row_reduction(script, row_reduction, facts, attribute)
    return True


def _prepare_contractions(function: ir.Operation, facts: TargetFacts) -> None:
    operations = inner_operations(function)
    producer = producers(operations)
    for op in operations:
        contraction = recognize_contraction(op)
        if contraction is None or not _pays(contraction, facts):
            continue
        memory = op.operands[2]
        fill = producer.get(memory)
        starts_at_zero = fill is not None and fill.name == "linalg.fill" and _is_zero(producer.get(fill.operands[0]))
        if fill is not None and starts_at_zero:
            memory = fill.operands[1]
        empty = producer.get(memory)
        is_fresh = empty is not None and empty.name == "tensor.empty"
        text = normal_form(contraction, starts_at_zero=starts_at_zero, is_fresh=is_fresh)
        _replace(op, text, [op.operands[contraction.first], op.operands[contraction.second], memory])
        if fill is not None and starts_at_zero and not any(True for _ in fill.results[0].uses):
            fill.erase()


def _pays(contraction: Contraction, facts: TargetFacts) -> bool:
    a, b = contraction.a.strides, contraction.b.strides
    return plan_contraction(contraction.sizes, FLOAT_BYTES[contraction.element], facts, a, b) is not None


def _is_zero(op: ir.Operation | None) -> bool:
    """Whether an operation is the constant 0.0, and not -0.0, to which adding 0.0 would make a difference."""
    if op is None or op.name != "arith.constant":
        return False
    value = op.attributes["value"]
    return isinstance(value, ir.FloatAttr) and value.value == 0 and copysign(1, value.value) > 0


def _iterations(op: ir.Operation) -> int:
    """How often the body of an operation runs, as far as that is known."""
    if op.name == "linalg.generic":
        sizes: dict[int, int] = {}
        for attribute, operand in zip(ir.ArrayAttr(op.attributes["indexing_maps"]), op.operands, strict=True):
            if isinstance(operand.type, ir.RankedTensorType):
                results = ir.AffineMapAttr(attribute).value.results
                for result, size in zip(results, ir.RankedTensorType(operand.type).shape, strict=True):
                    if isinstance(result, ir.AffineDimExpr):
                        sizes[result.position] = max(size, 1)
        return prod(sizes.values())
    if op.name == "linalg.fill" and len(op.results):
        return prod(ir.RankedTensorType(op.results[0].type).shape)
    # Loops that the conversion has written have bounds that can only be guessed.
    return _MANY_ITERATIONS if len(op.regions) else 0


def _replace(op: ir.Operation, text: str, operands: list[ir.Value]) -> None:
    """Replace an operation by the body of a function of its operands, given as text."""
    module = ir.Module.parse(text)
    [function] = inner_operations(module.operation)
    for argument, operand in zip(function.regions[0].blocks[0].arguments, operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, end = inner_operations(function)
    result = end.operands[0]
    end.erase()
    for inner in body:
        inner.move_before(op)
    op.results[0].replace_all_uses_with(result)
    op.erase()
