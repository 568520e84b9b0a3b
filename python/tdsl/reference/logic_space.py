"""The product spaces of the logics that are not einsum specifications (spec d.4)."""

from __future__ import annotations

from collections.abc import Sequence

from tdsl.errors import ShapeError
from tdsl.ir import LogicAttr
from tdsl.reference.index_space import Index, Iterator, LinearIndex, Segment, Slot
from tdsl.reference.spec_space import NodeShape

__all__ = ["segment_of_logic"]

_Row = Sequence[tuple[int, bool]]


class _Space:
    """Iterators as they are made: the axes of the result in memory order, then what is contracted."""

    def __init__(self, result: NodeShape) -> None:
        self.iterators: list[Iterator] = []
        self.result = result
        self.rows = {kind: self.add(kind, getattr(result, kind)) for kind in ("batch", "output", "input")}

    def add(self, kind: str, row: _Row) -> list[int]:
        """An iterator for each axis of a row; their numbers."""
        first = len(self.iterators)
        self.iterators += [Iterator(f"{kind}{number}", size) for number, (size, _) in enumerate(row)]
        return list(range(first, len(self.iterators)))

    def align(self, node: NodeShape, kind: str, iterators: Sequence[int]) -> list[Index]:
        """The indices of a row of an operand, aligned at the right with iterators that it broadcasts into."""
        row: _Row = getattr(node, kind)
        sizes = [self.iterators[number].size for number in iterators]
        if len(row) > len(sizes):
            raise ShapeError(f"The {kind} row of @{node.name} has {len(row)} axes, but is read with {len(sizes)}.")
        indices: list[Index] = []
        for (size, broadcasts), number in zip(row, iterators[len(sizes) - len(row) :], strict=True):
            wide = self.iterators[number].size
            if size == wide:
                indices.append(LinearIndex(0, ((1, number),)))
            elif size == 1 and broadcasts:
                indices.append(LinearIndex())
            else:
                raise ShapeError(
                    f"An axis of the {kind} row of @{node.name} has size {size}, but is read with {wide}; "
                    "only 1:bcast_if_1 broadcasts (spec d.2)."
                )
        return indices

    def slot(self, node: NodeShape, batch: Sequence[int], output: Sequence[int], input: Sequence[int]) -> Slot:
        rows = (("batch", batch), ("output", output), ("input", input))
        indices = [index for kind, iterators in rows for index in self.align(node, kind, iterators)]
        return Slot(node.memory_order_sizes, tuple(indices))

    def segment(self, *operands: Slot) -> Segment:
        result = self.slot(self.result, self.rows["batch"], self.rows["output"], self.rows["input"])
        return Segment(tuple(self.iterators), (result, *operands))


def segment_of_logic(logic: LogicAttr, result: NodeShape, operands: Sequence[NodeShape], symbol_value: int) -> Segment:
    """The product space of a logic that is no specification.

    ``symbol_value`` is the position of a slice. Raises ShapeError when a row of an operand does not broadcast into
    the row that it is read with, or an operation cannot be written over a product space.
    """
    space = _Space(result)
    batch, output, input = space.rows["batch"], space.rows["output"], space.rows["input"]
    if logic.kind == "pointwise":
        return space.segment(*(space.slot(node, batch, output, input) for node in operands))
    if logic.kind == "transpose":
        return space.segment(space.slot(operands[0], batch, input, output))
    if logic.kind in ("compose", "compose_accumulate"):
        contracted = space.add("contracted", operands[0].input)
        first = space.slot(operands[0], batch, output, contracted)
        second = space.slot(operands[1], batch, contracted, input)
        return space.segment(first, second, *(space.slot(node, batch, output, input) for node in operands[2:]))
    if logic.kind == "slice":
        return space.segment(_slice(space, operands[0], symbol_value))
    raise ShapeError(f"The logic {logic.kind} has no product space.")


def _slice(space: _Space, node: NodeShape, position: int) -> Slot:
    rest = NodeShape(node.name, node.batch[1:], node.input, node.output)
    if not node.batch or rest.memory_order_sizes != space.result.memory_order_sizes:
        raise ShapeError(
            f"@{space.result.name} is a slice of @{node.name}, so @{node.name} has its shape with one more batch axis "
            "at the left (spec d.4)."
        )
    whole = space.slot(rest, space.rows["batch"], space.rows["output"], space.rows["input"])
    return Slot(node.memory_order_sizes, (LinearIndex(position), *whole.indices))
