"""Programs built from Python, one method per construct of the dialect.

    program = ProgramBuilder("affine")
    x = program.node("x", "8|->3", role="input", precision="f32")
    w = program.node("w", "|3->4", role="param")
    h = program.node("h", "8|->4")
    product = program.projections("product", "@", [w, x], h)
    with program.routine("forward") as code:
        code.assign(h, "add", "mul", [w, x], product, reset=True)

Every operation carries the line of the user's code that made it.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, TypeVar

import mlir.ir as ir

from tdsl.errors import CompileError, TdslError
from tdsl.ir._tdsl_enum_gen import Accumulator, FetchKind, NodeRole, Precision, Primitive
from tdsl.ir._tdsl_ops_gen import (
    AssignOp,
    CommentOp,
    DimOp,
    FetchOp,
    FillOp,
    NodeOp,
    ProgramOp,
    ProjectionsOp,
    RoutineOp,
    SetDimOp,
    StaticSymbolOp,
)
from tdsl.ir.attributes import AccessAttr, LogicAttr, SymbolIndexType
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics

__all__ = [
    "Capture",
    "CodeBuilder",
    "IndexSpace",
    "Node",
    "ProgramBuilder",
    "SlotAccess",
    "StaticSymbol",
]

_Enumeration = TypeVar("_Enumeration", bound=IntEnum)
_NOT_THE_USER = (str(Path(__file__).parents[1]), contextlib.__file__)


@dataclass(frozen=True)
class SlotAccess:
    """A node used through a named slot of an index space (spec e.5), or its merge buffer."""

    node: Node
    slot: str = ""
    is_merge: bool = False


@dataclass(frozen=True)
class Node:
    """A declared node."""

    name: str

    def __getitem__(self, slot: str) -> SlotAccess:
        """``node["rhs1"]``: the node through a slot other than the obvious one."""
        return SlotAccess(self, slot)

    @property
    def merge(self) -> SlotAccess:
        """The merge buffer of the node, which can only be read (spec b.1)."""
        return SlotAccess(self, is_merge=True)


@dataclass(frozen=True)
class IndexSpace:
    """A declared index space."""

    name: str


@dataclass(frozen=True)
class Capture:
    """A captured dimension."""

    name: str


@dataclass(frozen=True)
class StaticSymbol:
    """A static symbol."""

    name: str


def _enumerator(enumeration: type[_Enumeration], keyword: str, what: str) -> _Enumeration:
    for value in enumeration:
        if str(value) == keyword:
            return value
    raise TdslError(f"'{keyword}' is not {what}; expected one of {', '.join(map(str, enumeration))}")


def _user_location(context: ir.Context) -> ir.Location:
    """The innermost frame outside of this package and of ``with`` statements."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_NOT_THE_USER):
        frame = frame.f_back
    return ir.Location.file(frame.f_code.co_filename, frame.f_lineno, 1, context)


class _Builder:
    """What programs and routines share: a place to insert at."""

    def __init__(self, context: ir.Context, block: ir.Block) -> None:
        self._context = context
        self._block = block

    @contextmanager
    def _inserting(self) -> Iterator[None]:
        """The user's line and the end of the block; errors of the dialect become ours."""
        try:
            with self._context, _user_location(self._context), ir.InsertionPoint(self._block):
                yield
        except MLIRError as error:
            raise CompileError(str(error)) from None


class ProgramBuilder(_Builder):
    """Builds one ``tdsl.program`` in a module of its own."""

    def __init__(self, name: str, context: ir.Context | None = None) -> None:
        from tdsl.ir import create_context

        context = context or create_context()
        with context, _user_location(context):
            self.module = ir.Module.create()
            with ir.InsertionPoint(self.module.body):
                self.op = ProgramOp(name)
            block = self.op.body.blocks.append()
        super().__init__(context, block)

    def node(
        self,
        name: str,
        shape: str,
        *,
        precision: str | None = None,
        role: str = "result",
        private: bool = False,
        grad_of: Node | None = None,
        id: int | None = None,
        label: Sequence[str] = (),
    ) -> Node:
        """Declares a node; see the reference of ``tdsl.node`` for the meaning of roles and of open shapes.

        Raises:
            SpecSyntaxError: The shape is not of the form ``batch|input->output``.
            TdslError: There is no such role or precision.
        """
        stored = None if precision is None else _enumerator(Precision, precision, "a precision (spec a.8)")
        with self._inserting():
            NodeOp(
                name,
                shape,
                _enumerator(NodeRole, role, "a role"),
                sym_visibility="private" if private else None,
                precision=stored,
                grad_of=grad_of.name if grad_of is not None else None,
                id=id,
                label=list(label) or None,
            )
        return Node(name)

    def dim(self, name: str, size: int | None = None) -> Capture:
        """Declares a captured dimension, whose number ``size`` gives if it is known (spec d.9)."""
        with self._inserting():
            DimOp(name)
            if size is not None:
                SetDimOp(name, size)
        return Capture(name)

    def symbol(self, name: str, lower: int, upper: int) -> StaticSymbol:
        """Declares a static symbol with the values from ``lower`` to ``upper``, the latter excluded."""
        with self._inserting():
            StaticSymbolOp(name, lower, upper)
        return StaticSymbol(name)

    def projections(
        self,
        name: str,
        logic: str,
        operands: Sequence[Node],
        result: Node,
        *,
        captures: Mapping[str, Capture] | None = None,
        coefficients: Mapping[str, int] | None = None,
        use_padding: bool | None = None,
    ) -> IndexSpace:
        """Relates nodes by a shape logic: ``"."``, ``"@"``, ``"T"`` or an einsum specification (spec d.4)."""
        options: dict[str, Any] = {}
        with self._inserting():
            if captures:
                options["captures"] = {
                    label: ir.FlatSymbolRefAttr.get(capture.name) for label, capture in captures.items()
                }
            if coefficients:
                integer = ir.IntegerType.get_signless(64)
                options["coefficients"] = {c: ir.IntegerAttr.get(integer, value) for c, value in coefficients.items()}
            ProjectionsOp(
                name, logic, [node.name for node in operands], result.name, use_padding=use_padding, **options
            )
        return IndexSpace(name)

    def slice(self, name: str, symbol: StaticSymbol, operand: Node, result: Node) -> IndexSpace:
        """Relates a node to its elements along the leftmost batch axis, one for each value of a symbol (spec d.4)."""
        with self._inserting():
            ProjectionsOp(name, LogicAttr.get("slice", symbol=symbol.name), [operand.name], result.name)
        return IndexSpace(name)

    @contextmanager
    def routine(self, name: str, symbols: Sequence[StaticSymbol] = ()) -> Iterator[CodeBuilder]:
        """A routine; its statements are those made inside the ``with``. ``symbols`` are bound at each run."""
        with self._inserting():
            op = RoutineOp(name)
            types = [SymbolIndexType.get(symbol.name) for symbol in symbols]
            block = op.body.blocks.append(*types, arg_locs=[op.location] * len(types))
        values = {symbol.name: value for symbol, value in zip(symbols, block.arguments, strict=True)}
        yield CodeBuilder(self._context, block, values)

    def verify(self) -> None:
        """Checks the whole program.

        Raises:
            CompileError: With the diagnostics, each at the user's line.
        """
        try:
            self.module.operation.verify()
        except MLIRError as error:
            diagnostics = verification_diagnostics(error)
            raise CompileError("\n".join(map(str, diagnostics)), diagnostics) from None

    def text_with_locations(self) -> str:
        """The program as MLIR text in which every operation names the user's line."""
        return str(self.module.operation.get_asm(enable_debug_info=True))

    def __str__(self) -> str:
        """The program as MLIR text; in MLIR's generic form while it is not valid."""
        return str(self.module)


class CodeBuilder(_Builder):
    """Builds the statements of a routine."""

    def __init__(self, context: ir.Context, block: ir.Block, symbols: Mapping[str, ir.Value]) -> None:
        super().__init__(context, block)
        self._symbols = symbols

    def assign(
        self,
        destination: Node | SlotAccess | Sequence[Node | SlotAccess],
        accumulator: str,
        primitive: str,
        sources: Sequence[Node | SlotAccess],
        projections: IndexSpace,
        *,
        reset: bool = False,
        block: bool = False,
        symbols: Sequence[StaticSymbol] = (),
    ) -> None:
        """``destination accumulator= primitive(sources)`` over an index space (spec b.2).

        Raises:
            TdslError: There is no such accumulator or primitive.
        """
        destinations = [destination] if isinstance(destination, (Node, SlotAccess)) else list(destination)
        accumulate = _enumerator(Accumulator, accumulator, "an accumulator (spec b.4)")
        operation = _enumerator(Primitive, primitive, "a primitive operation (spec b.5)")
        with self._inserting():
            AssignOp(
                [_access(access) for access in destinations],
                accumulate,
                operation,
                [_access(access) for access in sources],
                projections.name,
                [self._value(symbol) for symbol in symbols],
                reset=reset,
                block=block,
            )

    def fill(self, node: Node, accumulator: str) -> None:
        """Sets every cell of a node to the neutral element of an accumulator (spec b.3)."""
        with self._inserting():
            FillOp(node.name, _enumerator(Accumulator, accumulator, "an accumulator (spec b.4)"))

    def constant(self, node: Node, value: float) -> None:
        """Sets every cell of a node to a number."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Constant, value=ir.FloatAttr.get_f64(float(value)))

    def cells(self, node: Node, values: Sequence[float]) -> None:
        """Sets the cells of a node, in memory order."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Fill, value=ir.DenseF64ArrayAttr.get([float(v) for v in values]))

    def range(self, node: Node) -> None:
        """Numbers the cells of a node in memory order."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Range)

    def slice(self, node: Node, source: Node, symbol: StaticSymbol) -> None:
        """Reads the leftmost batch axis of ``source`` at the value of a static symbol."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Slice, source=source.name, symbol=self._value(symbol))

    def embed_symbol(self, node: Node, symbol: StaticSymbol) -> None:
        """Sets every cell of a node to the value of a static symbol."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Symbol, symbol=self._value(symbol))

    def embed_dim(self, node: Node, capture: Capture) -> None:
        """Sets every cell of a node to the solved number of a captured dimension."""
        with self._inserting():
            FetchOp(node.name, FetchKind.Dim, source=capture.name)

    @contextmanager
    def comment(self, text: str) -> Iterator[CodeBuilder]:
        """Names the statements made inside the ``with`` (spec b.7)."""
        with self._inserting():
            op = CommentOp(text)
            block = op.body.blocks.append()
        yield CodeBuilder(self._context, block, self._symbols)

    def _value(self, symbol: StaticSymbol) -> ir.Value:
        if symbol.name not in self._symbols:
            raise TdslError(
                f"static symbol '{symbol.name}' is not bound in this routine: give it in `symbols` of the routine"
            )
        return self._symbols[symbol.name]


def _access(access: Node | SlotAccess) -> AccessAttr:
    if isinstance(access, Node):
        return AccessAttr.get(access.name)
    return AccessAttr.get(access.node.name, access.slot, merge=access.is_merge)
