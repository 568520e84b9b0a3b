"""Wrong code as a pass makes it: rewrites of the linalg stage that a test inserts into the pipeline.

They stand for mistakes of the C++ lowering, which Python cannot patch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from unittest import mock

import mlir.ir as ir
from mlir.dialects import arith, math

from tdsl.codegen import lowering
from tdsl.passes import Pass, register

__all__ = ["native_bug", "rewrites"]

#: Changes one operation, or leaves it.
Rewrite = Callable[[ir.OpView], None]

#: The predicates of arith.cmpf.
FALSE, OLT, OLE, ONE, ULE, UNE, UNO = 0, 4, 5, 6, 12, 13, 14


@register
class _Rewrite(Pass):
    """Applies the rewrite that is planted to every operation of the module, in their order."""

    name = "test-plant-a-bug"
    description = "Apply a wrong rewrite"
    anchor = "builtin.module"
    dependent_dialects = ("arith", "math")
    rewrite: ClassVar[Rewrite | None] = None

    def run(self, op: ir.OpView) -> None:
        """Applies it."""
        found: list[ir.OpView] = []

        def visit(nested: ir.Operation) -> ir.WalkResult:
            found.append(nested.opview)
            return ir.WalkResult.ADVANCE

        op.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
        assert type(self).rewrite is not None
        for nested in found:
            type(self).rewrite(nested)


@contextmanager
def native_bug(rewrite: Rewrite, before: str = "bufferization") -> Iterator[None]:
    """Compiles with the rewrite at the end of the linalg stage, or just after the conversion to it."""
    text = lowering.TO_LINALG_AFTER_INFERENCE
    if before == "fusion":
        text = text.replace("convert-tdsl-to-linalg", f"convert-tdsl-to-linalg,{_Rewrite.name}")
    else:
        text = f"{text},{_Rewrite.name}"
    with (
        mock.patch.object(lowering, "TO_LINALG_AFTER_INFERENCE", text),
        mock.patch.object(_Rewrite, "rewrite", staticmethod(rewrite)),
    ):
        yield


def _replace(op: ir.OpView, make: Callable[[], Any]) -> None:
    with op.location, ir.InsertionPoint(op):
        new = make()
    op.operation.results[0].replace_all_uses_with(new.result if isinstance(new, ir.OpView) else new)
    op.operation.erase()


def _named(op: ir.OpView, name: str) -> bool:
    return op.operation.name == name


def _defining(value: ir.Value, name: str) -> ir.OpView | None:
    owner = value.owner
    found = owner.opview if isinstance(owner, ir.Operation) else owner
    return found if isinstance(found, ir.OpView) and _named(found, name) else None


def _constant(value: ir.Value) -> float | None:
    constant = _defining(value, "arith.constant")
    if constant is None:
        return None
    attribute = constant.operation.attributes["value"]
    return attribute.value if isinstance(attribute, ir.FloatAttr) else None


def _predicate(old: int, new: int) -> Rewrite:
    def rewrite(op: ir.OpView) -> None:
        if _named(op, "arith.cmpf") and ir.IntegerAttr(op.operation.attributes["predicate"]).value == old:
            op.operation.attributes["predicate"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), new)

    return rewrite


def _remainder_of_c(op: ir.OpView) -> None:
    """The selections after fmod are what makes its sign that of the divisor."""
    if not _named(op, "arith.remf"):
        return
    block = op.operation.block
    for later in list(block.operations):
        if _named(later, "arith.select"):
            later.operation.results[0].replace_all_uses_with(op.operation.results[0])


def _power_by_logarithm(op: ir.OpView) -> None:
    if _named(op, "func.call") and "tdsl.pow" in str(op.operation.attributes["callee"]):
        base, exponent = op.operation.operands
        _replace(op, lambda: math.ExpOp(arith.MulFOp(exponent, math.LogOp(base).result).result))


def _single_tanh(op: ir.OpView) -> None:
    if _named(op, "math.tanh") and isinstance(op.operation.results[0].type, ir.F64Type):
        operand, double = op.operation.operands[0], op.operation.results[0].type
        narrow = ir.F32Type.get()
        _replace(op, lambda: arith.ExtFOp(double, math.TanhOp(arith.TruncFOp(narrow, operand).result).result))


def _product_with_zero(op: ir.OpView) -> None:
    if _named(op, "arith.mulf"):
        for operand in op.operation.operands:
            if _constant(operand) == 0:
                op.operation.results[0].replace_all_uses_with(operand)


def _cancelled_sum(op: ir.OpView) -> None:
    """(x + c) - c is x."""
    if _named(op, "arith.subf"):
        total = _defining(op.operation.operands[0], "arith.addf")
        if total is not None and total.operation.operands[1] == op.operation.operands[1]:
            op.operation.results[0].replace_all_uses_with(total.operation.operands[0])


def _zero_for_infinity(op: ir.OpView) -> None:
    if _named(op, "arith.constant") and _constant(op.operation.results[0]) in (float("inf"), float("-inf")):
        op.operation.attributes["value"] = ir.FloatAttr.get(op.operation.results[0].type, 0.0)


def _maximum_of_numbers(op: ir.OpView) -> None:
    if _named(op, "arith.maximumf"):
        with ir.InsertionPoint(op):
            other = ir.Operation.create(
                "arith.maxnumf", [op.operation.results[0].type], list(op.operation.operands), loc=op.operation.location
            )
        op.operation.results[0].replace_all_uses_with(other.results[0])


def _no_fill(op: ir.OpView) -> None:
    if _named(op, "linalg.fill"):
        op.operation.results[0].replace_all_uses_with(op.operation.operands[1])


def _same_sums() -> Rewrite:
    """Unifies sums that read the same tensor, through whatever maps."""
    first: dict[tuple[str, str], ir.Value] = {}

    def rewrite(op: ir.OpView) -> None:
        if not _named(op, "linalg.generic"):
            return
        body = "".join(o.operation.name for o in op.operation.regions[0].blocks[0].operations)
        result = op.operation.results[0]
        source = op.operation.operands[0].get_name().split(" ")[0]
        known = first.setdefault((source + body, str(result.type)), result)
        if known != result and "addf" in body:
            result.replace_all_uses_with(known)

    return rewrite


def rewrites() -> dict[str, tuple[Callable[[], Rewrite], str]]:
    """Each wrong rewrite by name, and where it is inserted."""
    return {
        "maximum that drops NaN": (lambda: _maximum_of_numbers, "bufferization"),
        "strict comparison in relu": (lambda: _predicate(OLE, OLT), "bufferization"),
        "le as the negation of lt": (lambda: _predicate(OLE, ULE), "bufferization"),
        "ordered truth": (lambda: _predicate(UNE, ONE), "bufferization"),
        "gates that let their ends pass": (lambda: _predicate(OLT, OLE), "bufferization"),
        "remainder of C": (lambda: _remainder_of_c, "bufferization"),
        "power by logarithm": (lambda: _power_by_logarithm, "bufferization"),
        "tanh in single precision": (lambda: _single_tanh, "bufferization"),
        "product with zero is zero": (lambda: _product_with_zero, "bufferization"),
        "sums reassociated": (lambda: _cancelled_sum, "bufferization"),
        "finite neutral of max": (lambda: _zero_for_infinity, "bufferization"),
        "fills removed": (lambda: _no_fill, "bufferization"),
        "CSE that forgets the maps": (_same_sums, "fusion"),
    }
