"""``tdsl-share-loops``: parallel loops as regions of OpenMP in which each of n threads takes every n-th iteration."""

from __future__ import annotations

from dataclasses import dataclass, field

import mlir.ir as ir

from tdsl.codegen.schedules.accesses import inner_operations
from tdsl.errors import TdslError
from tdsl.passes.base import Pass

__all__ = ["ShareLoops"]

_DECLARATIONS = """
llvm.func @omp_get_thread_num() -> i32
llvm.func @omp_get_num_threads() -> i32
"""
# There may be fewer threads than were asked for.
_REGION = """
func.func @region{number}(%lower: index, %upper: index, %step: index) {{
  %threads = arith.constant {threads} : i32
  omp.parallel num_threads(%threads : i32) {{
    %number = llvm.call @omp_get_thread_num() : () -> i32
    %count = llvm.call @omp_get_num_threads() : () -> i32
    %number_index = arith.index_cast %number : i32 to index
    %count_index = arith.index_cast %count : i32 to index
    %offset = arith.muli %number_index, %step : index
    %first = arith.addi %lower, %offset : index
    %stride = arith.muli %count_index, %step : index
    scf.for %i = %first to %upper step %stride {{
    }}
    omp.terminator
  }}
  return
}}
"""


@dataclass(frozen=True)
class ShareOptions:
    """How loops are shared."""

    threads: int = field(default=1, metadata={"description": "number of threads to ask for"})


class ShareLoops(Pass):
    """Replaces parallel loops of one dimension; schedules make them with as many iterations as there are threads.

    Upstream's conversion makes a worksharing loop inside of the region, which asks the runtime for its share: half as
    much code again for each loop.
    """

    name = "tdsl-share-loops"
    description = "Run the iterations of one-dimensional parallel loops by the threads of a parallel region of OpenMP"
    anchor = "builtin.module"
    dependent_dialects = ("arith", "llvm", "omp", "scf")
    Options = ShareOptions

    def run(self, op: ir.OpView) -> None:
        if self.options.threads < 1:
            raise TdslError(f"the number of threads is at least 1, not {self.options.threads}")
        # A loop has its lower bound, upper bound and step as operands, and more for results.
        loops = [loop for loop in _find(op.operation, "scf.parallel") if len(loop.operands) == 3]
        if not loops:
            return
        regions = (_REGION.format(number=number, threads=self.options.threads) for number in range(len(loops)))
        module = ir.Module.parse(_DECLARATIONS + "".join(regions))
        added = inner_operations(module.operation)
        present = inner_operations(op)
        symbols = [o.attributes["sym_name"] for o in present if "sym_name" in o.attributes]
        for function in added[:2]:
            if function.attributes["sym_name"] not in symbols:
                function.move_before(present[0])
        for loop, function in zip(loops, added[2:], strict=True):
            _replace(loop, function)


def _find(op: ir.Operation, name: str) -> list[ir.Operation]:
    """The operations of a name at any depth, inner ones first."""
    found: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        if inner.name == name:
            found.append(inner)
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.POST_ORDER)
    return found


def _replace(loop: ir.Operation, function: ir.Operation) -> None:
    """Replace a parallel loop by the body of a function of its bounds, whose own loop has an empty body."""
    for argument, operand in zip(function.regions[0].blocks[0].arguments, loop.operands, strict=True):
        argument.replace_all_uses_with(operand)
    [inner] = _find(function, "scf.for")
    [end] = inner_operations(inner)
    *body, _ = inner_operations(loop)
    for op in body:
        op.move_before(end)
    loop.regions[0].blocks[0].arguments[0].replace_all_uses_with(inner.regions[0].blocks[0].arguments[0])
    *region, _ = inner_operations(function)
    for op in region:
        op.move_before(loop)
    loop.erase()
