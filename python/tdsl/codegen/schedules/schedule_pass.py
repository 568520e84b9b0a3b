"""``tdsl-schedule``: plans each linalg operation that a family knows, and tiles it by a transform script."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod

import mlir.ir as ir
from mlir.dialects import func
from mlir.dialects.transform import interpreter

from tdsl.codegen.object_code import TargetDescription
from tdsl.codegen.schedules.contraction import recognize_contraction
from tdsl.codegen.schedules.contraction_script import schedule_contraction
from tdsl.codegen.schedules.elementwise import recognize_elementwise, schedule_elementwise
from tdsl.codegen.schedules.packed_contraction import packed_contraction, regions
from tdsl.codegen.schedules.plan import plan_contraction
from tdsl.codegen.schedules.row_reduction import recognize_row_reduction, schedule_row_reduction
from tdsl.codegen.schedules.script import Script
from tdsl.codegen.schedules.target_facts import TargetFacts
from tdsl.passes.base import Pass

__all__ = ["FULLY_SCHEDULED", "Schedule", "ScheduleOptions"]

#: An attribute of modules whose loops are all tiled, but for a few iterations: LLVM's optimizer has nothing to add.
FULLY_SCHEDULED = "tdsl.fully_scheduled"
_FEW_ITERATIONS = 1 << 12
_MANY_ITERATIONS = 1 << 30


@dataclass(frozen=True)
class ScheduleOptions:
    """Options of :class:`Schedule`: facts about the target, those of this machine by default."""

    vector_bytes: int = field(default=0, metadata={"description": "size of a vector register; 0 for this machine's"})
    vector_registers: int = field(default=0, metadata={"description": "number of vector registers"})
    threads: int = field(default=1, metadata={"description": "number of threads that share the work"})
    strict: bool = field(default=False, metadata={"description": "keep the written order of sums"})


class Schedule(Pass):
    """Tiles the operations of every function, and marks the tiles that ``tdsl-vectorize-tiles`` makes vectors of."""

    name = "tdsl-schedule"
    description = "Tile linalg operations on tensors for the registers and caches of a target"
    anchor = "builtin.module"
    dependent_dialects = ("affine", "arith", "linalg", "scf", "tdsl", "tensor", "transform")
    Options = ScheduleOptions

    def run(self, op: ir.OpView) -> None:
        facts = replace(TargetFacts.of(TargetDescription.host()), threads=max(1, self.options.threads))
        if self.options.vector_bytes:
            registers = self.options.vector_registers or facts.vector_registers
            facts = replace(facts, vector_bytes=self.options.vector_bytes, vector_registers=registers)
        plain = 0
        for function in list(op.regions[0].blocks[0].operations):
            if isinstance(function, func.FuncOp) and not function.is_external:
                plain += _schedule_function(function, facts, strict=self.options.strict)
        if plain <= _FEW_ITERATIONS:
            op.operation.attributes[FULLY_SCHEDULED] = ir.UnitAttr.get()


def _schedule_function(function: func.FuncOp, facts: TargetFacts, *, strict: bool) -> int:
    """Schedule what can be, and return the number of iterations of all that becomes plain loops."""
    plain = 0
    number = 0
    contractions = Script()
    for op in list(function.entry_block.operations):
        contraction = recognize_contraction(op)
        plan = plan_contraction(contraction, facts) if contraction else None
        if contraction is None or plan is None:
            continue
        operands = [op.operands[i] for i in (contraction.first, contraction.second, 2)]
        _replace(op, packed_contraction(contraction, plan, number), operands)
        schedule_contraction(contractions, contraction, plan, facts, number)
        number += len(regions(contraction, plan))
    script = Script()
    for op in list(function.entry_block.operations):
        if any(name.startswith("tdsl.pack") or name == "tdsl.product" for name in _attribute_names(op)):
            continue
        elementwise = recognize_elementwise(op)
        row_reduction = None if strict else recognize_row_reduction(op)
        if elementwise is None and row_reduction is None:
            plain += _iterations(op)
            continue
        op.attributes["tdsl.loops"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
        attribute = f"tdsl.loops = {number} : i64"
        number += 1
        if elementwise is not None:
            schedule_elementwise(script, elementwise, facts, attribute)
        elif row_reduction is not None:
            schedule_row_reduction(script, row_reduction, facts, attribute)
    for steps in (contractions, script):
        if steps:
            module = ir.Module.parse(str(steps))
            interpreter.apply_named_sequence(function, module.body.operations[0], module)
    return plain


def _iterations(op: ir.OpView) -> int:
    """How often the body of an operation runs, as far as that is known."""
    if op.operation.name == "linalg.generic":
        sizes: dict[int, int] = {}
        for attribute, operand in zip(ir.ArrayAttr(op.attributes["indexing_maps"]), op.operands, strict=True):
            if isinstance(operand.type, ir.RankedTensorType):
                results = ir.AffineMapAttr(attribute).value.results
                for result, size in zip(results, ir.RankedTensorType(operand.type).shape, strict=True):
                    if isinstance(result, ir.AffineDimExpr):
                        sizes[result.position] = max(size, 1)
        return prod(sizes.values())
    # Loops that the conversion has written have bounds that can only be guessed.
    return _MANY_ITERATIONS if len(op.regions) else 0


def _attribute_names(op: ir.OpView) -> list[str]:
    return [attribute.name if hasattr(attribute, "name") else attribute for attribute in op.attributes]


def _replace(op: ir.OpView, text: str, operands: list[ir.Value]) -> None:
    """Replace an operation by the body of a function of its operands, given as text."""
    module = ir.Module.parse(text)
    function = module.body.operations[0]
    block = function.regions[0].blocks[0]
    for argument, operand in zip(block.arguments, operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, end = block.operations
    result = end.operands[0]
    end.operation.erase()
    for inner in body:
        inner.operation.move_before(op.operation)
    op.results[0].replace_all_uses_with(result)
    op.operation.erase()
