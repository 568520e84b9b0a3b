"""Passes that fail in each of the ways a pass can, for the tests of the pass framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import mlir.ir as ir
from mlir.dialects import func

from tdsl import ShapeError
from tdsl.ir import Accumulator, AssignOp, enumerator
from tdsl.passes import Pass


class Raise(Pass):
    """Raises a ValueError, or an error of TDSL's own."""

    name = "test-raise"
    description = "Raise an exception"

    @dataclass(frozen=True)
    class Options:
        """The options of the pass."""

        text: str = "something went wrong"
        own: bool = False

    def run(self, op: ir.OpView) -> None:
        """Raises."""
        raise ShapeError(self.options.text) if self.options.own else ValueError(self.options.text)


class ReturnFalse(Pass):
    """Fails without a reason."""

    name = "test-return-false"
    description = "Return False without a diagnostic"

    def run(self, op: ir.OpView) -> bool:
        """Fails."""
        return False


class ReturnText(Pass):
    """Returns what no pass may return."""

    name = "test-return-text"
    description = "Return a text"

    def run(self, op: ir.OpView) -> bool:
        """Breaks the protocol."""
        return cast(Any, "done")


class Interrupt(Pass):
    """Is interrupted, as by Ctrl-C."""

    name = "test-interrupt"
    description = "Raise KeyboardInterrupt"

    def run(self, op: ir.OpView) -> None:
        """Raises KeyboardInterrupt."""
        raise KeyboardInterrupt


class ChangeResult(Pass):
    """Is wrong: turns every sum into a maximum."""

    name = "test-change-result"
    description = "Replace the accumulator add by max"

    def run(self, op: ir.OpView) -> None:
        """Replaces it in every assignment."""
        largest = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), int(Accumulator.Max))

        def visit(nested: ir.Operation) -> ir.WalkResult:
            if (
                isinstance(nested.opview, AssignOp)
                and enumerator(Accumulator, nested.opview.accumulator) == Accumulator.Add
            ):
                nested.attributes["accumulator"] = largest
            return ir.WalkResult.ADVANCE

        op.operation.walk(visit)


class MakeFunction(Pass):
    """Creates an operation of a dialect that the input does not use."""

    name = "test-make-function"
    description = "Append a declaration of a function to the module"
    anchor = "builtin.module"
    dependent_dialects = ("func",)

    def run(self, op: ir.OpView) -> None:
        """Appends ``func.func private @made()``."""
        with ir.InsertionPoint(op.regions[0].blocks[0]):
            func.FuncOp("made", ([], []), visibility="private")
