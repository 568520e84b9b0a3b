"""The pass sample-count-assignments."""

from __future__ import annotations

from dataclasses import dataclass, field

import mlir.ir as ir

from tdsl.passes import Pass, emit_error, emit_remark

__all__ = ["CountAssignments"]


class CountAssignments(Pass):
    """Says how many assignments each program has, and refuses programs with too many."""

    name = "sample-count-assignments"
    description = "Emit a remark on each program with its number of assignments"

    @dataclass(frozen=True)
    class Options:
        """The options of the pass."""

        label: str = field(default="assignments", metadata={"description": "what the remark calls them"})
        limit: int = field(default=-1, metadata={"description": "fail above this number; -1 for no limit"})
        weight: float = field(default=1.0, metadata={"description": "factor on the number in the remark"})
        quiet: bool = field(default=False, metadata={"description": "emit no remark"})
        skip: list[str] = field(default_factory=list, metadata={"description": "names of programs to leave out"})

    def run(self, op: ir.OpView) -> bool:
        """Counts the assignments in a ``tdsl.program``."""
        if ir.StringAttr(op.attributes["sym_name"]).value in self.options.skip:
            return True
        assignments: list[ir.OpView] = []

        def visit(nested: ir.Operation) -> ir.WalkResult:
            if nested.name == "tdsl.assign":
                assignments.append(nested.opview)
            return ir.WalkResult.ADVANCE

        op.operation.walk(visit)
        count = len(assignments)
        if 0 <= self.options.limit < count:
            first_over = assignments[self.options.limit]
            emit_error(
                op,
                f"{count} {self.options.label}, but at most {self.options.limit} are allowed",
                notes=[(first_over, "this is the first above the limit")],
            )
            return False
        if not self.options.quiet:
            emit_remark(op, f"{count * self.options.weight:g} {self.options.label}")
        return True
