"""Running a routine on arrays, straight from the meaning of its statements (spec b)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mlir.ir as ir
import numpy as np

from tdsl.errors import DtypeError, ShapeError, UnsupportedError
from tdsl.ir import (
    AccessAttr,
    Accumulator,
    AssignOp,
    FetchOp,
    FillOp,
    NodeOp,
    Primitive,
    ProgramOp,
    ProjectionsOp,
    RoutineOp,
    SetVecOp,
    StaticSymbolOp,
    SymbolIndexType,
    enumerator,
)
from tdsl.ir.traversal import statements
from tdsl.reference import primitives
from tdsl.reference.accumulation import accumulate
from tdsl.reference.arithmetic import Arithmetic, ArithmeticFamily, Array
from tdsl.reference.declarations import Declarations
from tdsl.reference.families import machine
from tdsl.reference.fetches import fetched_cells
from tdsl.reference.index_space import Segment, Slot, locate, product_space_slot, scalar_slot
from tdsl.reference.storage import Storage, ValuesError

__all__ = ["run_routine"]

#: How many points are evaluated together; it bounds the memory of a run.
_POINTS_AT_ONCE = 1 << 20


def run_routine(
    program: ProgramOp,
    routine: str,
    values: Mapping[str, Any],
    *,
    symbols: Mapping[str, int] | None = None,
    merge_buffers: Mapping[str, Any] | None = None,
    arithmetic: ArithmeticFamily = machine,
    seed: int = 42,
) -> dict[str, Array]:
    """Run a routine of a program on concrete values, in any stage of compilation after shapes are closed.

    Args:
        program: The program.
        routine: The name of one of its routines.
        values: Cells of nodes before the run, by name, in memory order: the axes are batch, output, input (spec a.3);
            ``uint4x32`` has one more axis of four words. NumPy arrays must have the dtype of the node; lists of
            numbers take it. All other nodes begin as what the program says, or poisoned (NaN, or an integer 0xBD..BD),
            so that reading what was never written shows.
        symbols: The value of each static symbol that the routine takes.
        merge_buffers: The cells of merge buffers, by the name of their node (spec b.1).
        arithmetic: What floats compute: :func:`tdsl.reference.machine` rounds as each precision does,
            :func:`tdsl.reference.rational` does not round at all and returns arrays of ``fractions.Fraction``.
        seed: What the node ``random_seed`` holds, where the program has one without initial cells (spec b.6).

    Returns the cells of every node with a closed shape after the run. Points are visited in product order, and every
    accumulation happens in that order, rounded in the precision of its node.

    Raises :class:`ValuesError` for unknown names and missing values, :class:`tdsl.errors.ShapeError` for shapes that
    are open or do not fit, :class:`tdsl.errors.DtypeError` for precisions that are open, do not fit or lack an
    operation.
    """
    run = _Run(program, routine, values, symbols or {}, merge_buffers or {}, arithmetic, seed)
    with np.errstate(all="ignore"):
        run.execute()
    return {node.name: node.array.copy() for node in run.storage.solved()}


class _Run:
    """The state of one run."""

    def __init__(
        self,
        program: ProgramOp,
        routine: str,
        values: Mapping[str, Any],
        symbols: Mapping[str, int],
        merge_buffers: Mapping[str, Any],
        arithmetic: ArithmeticFamily,
        seed: int,
    ) -> None:
        self.declarations = Declarations(program)
        self.routine = self.declarations.find(RoutineOp, routine, "routine")
        self.symbols = _symbol_values(self.declarations, self.routine, symbols)
        self.arithmetic_of = arithmetic
        nodes = self.declarations.all(NodeOp)
        self.storage = Storage(nodes, values, merge_buffers, arithmetic, seed)
        self._segments: dict[str, list[Segment]] = {}

    def execute(self) -> None:
        for statement in statements(self.routine):
            try:
                self._execute(statement)
            except DtypeError as error:
                # Arithmetic knows its numbers, not the nodes that they come from.
                raise DtypeError(f"{error}\n  in {statement}") from None

    def _execute(self, statement: ir.OpView) -> None:
        if isinstance(statement, AssignOp):
            self._assign(statement)
        elif isinstance(statement, FetchOp):
            self._write(statement.node.value, fetched_cells(statement, self.storage, self.declarations, self.symbols))
        elif isinstance(statement, FillOp):
            self._fill(statement.node.value, enumerator(Accumulator, statement.accumulator))
        elif isinstance(statement, SetVecOp):
            self._unpack(statement)
        else:
            raise UnsupportedError(f"The reference interpreter does not know {statement.operation.name}.")

    def _write(self, name: str, cells: Array) -> None:
        node = self.storage.node(name)
        node.cells, node.has_cells = cells, True

    def _fill(self, name: str, accumulator: Accumulator) -> None:
        node = self.storage.node(name)
        cell = node.arithmetic.store(primitives.neutral(accumulator, node.arithmetic))
        self._write(name, np.broadcast_to(cell, node.cells.shape).astype(node.arithmetic.storage))

    def _unpack(self, statement: SetVecOp) -> None:
        """Words become cells in memory order; lanes that the last word has beyond the last cell are dropped (k.14)."""
        source, destination = AccessAttr(statement.source), AccessAttr(statement.destination)
        words = self.storage.read(source.node, merge=source.is_merge)
        node, words_node = self.storage.node(destination.node), self.storage.node(source.node)
        if len(words_node.shape.memory_order_sizes) != 1:
            raise ShapeError(
                f"@{source.node} has to be one axis of words (spec b.6), but is {list(words_node.array.shape)}."
            )
        cells = node.arithmetic.uniform(words)
        number = len(node.cells)
        if len(words) != -(-number // cells.shape[1]):
            raise ShapeError(
                f"@{destination.node} has {number} cells, which {-(-number // cells.shape[1])} words of "
                f"{cells.shape[1]} cells fill, but @{source.node} has {len(words)} (spec b.6)."
            )
        self._write(destination.node, cells.ravel()[:number].copy())

    def _assign(self, statement: AssignOp) -> None:
        destinations = [AccessAttr(access) for access in statement.destinations]
        accumulator = enumerator(Accumulator, statement.accumulator)
        if statement.reset:
            for name in dict.fromkeys(access.node for access in destinations):
                self._fill(name, accumulator)
        projections = self.declarations.find(ProjectionsOp, statement.projections.value, "index space")
        for segment in self._segments_of(projections):
            self._assign_segment(statement, destinations, accumulator, segment, projections)
        for access in destinations:
            self.storage.node(access.node).has_cells = True

    def _segments_of(self, projections: ProjectionsOp) -> list[Segment]:
        name = projections.sym_name.value
        if name not in self._segments:
            self._segments[name] = self.declarations.segments(projections, self.storage.shape, self.symbols)
        return self._segments[name]

    def _assign_segment(
        self,
        statement: AssignOp,
        destinations: list[AccessAttr],
        accumulator: Accumulator,
        segment: Segment,
        projections: ProjectionsOp,
    ) -> None:
        """The contributions of one piece of the product space, to each destination that has cells in it."""
        sources = [
            (access, self._slot(access, f"rhs{number}", segment, projections))
            for number, access in enumerate((AccessAttr(access) for access in statement.sources), start=1)
        ]
        if statement.block:
            sources = [source for source in sources if source[1] is not None]
            if len(sources) > 1:
                names = " and ".join(f"@{access.node}" for access, _ in sources)
                raise ShapeError(
                    f"The block form reads one source for each cell, but {names} both are sources of the same cells of "
                    f"@{destinations[0].node} (@{projections.sym_name.value})."
                )
        located = [(access, slot) for access, slot in sources if slot is not None]
        if not located or len(located) < len(sources):
            return
        targets = [(access, self._slot(access, "lhs", segment, projections)) for access in destinations]
        for access, slot in targets:
            if slot is not None:
                _Accumulation(self, statement, accumulator, segment, (access, slot), located).run()

    def _slot(self, access: AccessAttr, default: str, segment: Segment, projections: ProjectionsOp) -> Slot | None:
        """The index map of an access; None where it has no cells in this piece. Raises ShapeError if it cannot fit."""
        name = access.slot or default
        sizes = self.storage.shape(access.node).memory_order_sizes
        if name == "scalar":
            return scalar_slot(sizes)
        if name == "pspace":
            return product_space_slot(segment, sizes, access.node)
        number = 0 if name == "lhs" else int(name.removeprefix("rhs"))
        if number >= len(segment.slots):
            raise ShapeError(f"@{projections.sym_name.value} has no slot {name} for @{access.node} (spec e.5).")
        slot = segment.slots[number]
        if slot is not None and slot.sizes != sizes:
            raise ShapeError(
                f"@{access.node} has axes {list(sizes)} in memory order, but slot {name} of "
                f"@{projections.sym_name.value} is made for {list(slot.sizes)} (spec e.5)."
            )
        return slot


class _Accumulation:
    """One statement, one piece of its product space, one destination."""

    def __init__(
        self,
        run: _Run,
        statement: AssignOp,
        accumulator: Accumulator,
        segment: Segment,
        target: tuple[AccessAttr, Slot],
        sources: list[tuple[AccessAttr, Slot]],
    ) -> None:
        self.segment, self.sources = segment, sources
        self.access, self.slot = target
        self.node = run.storage.node(self.access.node)
        self.primitive = enumerator(Primitive, statement.primitive)
        self.accumulating = primitives.accumulating_primitive(accumulator)
        self.neutral = primitives.neutral(accumulator, self.node.arithmetic)
        self.arithmetic_of = run.arithmetic_of
        self.inputs: list[tuple[Array, Arithmetic]] = [
            (run.storage.read(access.node, merge=access.is_merge), run.storage.node(access.node).arithmetic)
            for access, _ in sources
        ]
        if self.accumulating != Primitive.Snd:
            run.storage.read(self.access.node)

    def run(self) -> None:
        step = _POINTS_AT_ONCE if self._points_are_independent() else 1
        for start in range(0, self.segment.number_of_points, step):
            self._visit(start, min(start + step, self.segment.number_of_points))

    def _points_are_independent(self) -> bool:
        """Whether no point reads what another one writes; otherwise points run one by one, so that each sees it."""
        own = [slot for access, slot in self.sources if access.node == self.access.node and not access.is_merge]
        if not own:
            return True
        number = self.segment.number_of_points
        if number > _POINTS_AT_ONCE:
            return False
        point = self.segment.points(0, number)
        targets, _ = locate(self.slot, point, number)
        same_cell = all(np.array_equal(locate(slot, point, number)[0], targets) for slot in own)
        return same_cell and len(np.unique(targets)) == number

    def _visit(self, start: int, stop: int) -> None:
        point, number = self.segment.points(start, stop), stop - start
        targets, written = self._cells(self.access, self.slot, point, number)
        reads = [self._cells(access, slot, point, number) for access, slot in self.sources]
        # One read outside makes the whole contribution neutral, not only the operand (spec e.4).
        complete = np.logical_and.reduce([inside for _, inside in reads]) & written
        shape = (number, *self.node.arithmetic.cell_shape)
        contributions = np.broadcast_to(self.neutral, shape).copy()
        if complete.any():
            operands = [
                (arithmetic.load(cells[offsets[complete]]), arithmetic)
                for (cells, arithmetic), (offsets, _) in zip(self.inputs, reads, strict=True)
            ]
            contributions[complete] = primitives.apply(
                self.primitive, self.node.arithmetic, operands, self.arithmetic_of
            )
        # A write outside is skipped (spec e.4).
        accumulate(self.node.cells, targets[written], contributions[written], self.accumulating, self.node.arithmetic)

    def _cells(self, access: AccessAttr, slot: Slot, point: list[Array], number: int) -> tuple[Array, Array]:
        offsets, inside = locate(slot, point, number)
        if not slot.guarded and not inside.all():
            raise ShapeError(
                f"An index of @{access.node} leaves the node, whose axes in memory order are {list(slot.sizes)}, "
                "and its map is not guarded (spec e.4)."
            )
        return offsets, inside


def _symbol_values(declarations: Declarations, routine: RoutineOp, given: Mapping[str, int]) -> dict[str, int]:
    """The values of the static symbols that the routine takes; ValuesError unless exactly those are given, in range."""
    taken = [SymbolIndexType(argument.type).symbol for argument in routine.body.blocks[0].arguments]
    name = routine.sym_name.value
    for symbol in given:
        if symbol not in taken:
            raise ValuesError(f"The routine @{name} takes no symbol @{symbol}.")
    for symbol in taken:
        if symbol not in given:
            raise ValuesError(f"The routine @{name} needs a value of the symbol @{symbol}.")
        declaration = declarations.find(StaticSymbolOp, symbol, "static symbol")
        lower, upper = declaration.lower.value, declaration.upper.value
        if not lower <= given[symbol] < upper:
            raise ValuesError(f"The symbol @{symbol} is {given[symbol]}, but its range is {lower} to {upper - 1}.")
    return {symbol: int(given[symbol]) for symbol in taken}
