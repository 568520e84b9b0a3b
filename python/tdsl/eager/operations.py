"""The operations that can be computed on their own: how each relates its nodes, and what it assigns (spec g.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tdsl.errors import ShapeError
from tdsl.shapes import Logic

__all__ = ["COMPOSE", "SPEC_OPERATIONS", "TRANSPOSE", "WHERE_EINSUM", "Operation"]


@dataclass(frozen=True)
class Operation:
    """One assignment ``result accumulator= primitive(operands)`` over the space of a shape logic (spec b.2).

    Attributes:
        name: How users call it.
        logic: How it relates the shapes of its nodes (spec d.4).
        accumulator: Its accumulator; every one but ``overwrite`` starts from its neutral element.
        primitives: The primitive operation by the number of operands.
        block: Whether the operands are the segments of a concatenation.
        is_truth: Whether the results are truth values.
        has_condition: Whether the first operand is a condition, whose precision says nothing about the result.
        needs_floats: Whether results rounded to integers would be useless.
    """

    name: str
    logic: Logic
    accumulator: str
    primitives: Mapping[int, str] = field(default_factory=dict)
    block: bool = False
    is_truth: bool = False
    has_condition: bool = False
    needs_floats: bool = False

    @property
    def reset(self) -> bool:
        """Whether the result starts from the neutral element of the accumulator."""
        return self.accumulator != "overwrite"

    def primitive(self, operands: int) -> str:
        """The primitive for this number of operands.

        Raises:
            ShapeError: The operation does not take so many.
        """
        if self.block:
            return "id"
        if operands not in self.primitives:
            *others, last = map(str, self.primitives)
            counts = f"{', '.join(others)} or {last}" if others else last
            plural = "operand" if counts == "1" else "operands"
            raise ShapeError(f"{self.name} takes {counts} {plural}, but was given {operands}.")
        return self.primitives[operands]


#: The operations that take an einsum spec, by name.
SPEC_OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("einsum", "spec", "add", {1: "id", 2: "mul", 3: "mul3"}),
        Operation("einsum1", "spec", "add", {1: "id"}),
        Operation("outer_sum", "spec", "add", {2: "add"}),
        Operation("tropical", "spec", "max", {2: "add"}),
        Operation("einmax1", "spec", "max", {1: "id"}),
        Operation("concat", "spec", "add", block=True),
    )
}

WHERE_EINSUM = Operation("where_einsum", "spec", "add", {3: "where"}, has_condition=True)
COMPOSE = Operation("matmul", "compose", "add", {2: "mul"})
TRANSPOSE = Operation("transpose", "transpose", "overwrite", {1: "id"})
