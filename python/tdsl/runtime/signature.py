"""What a compiled routine takes, read from the attributes that the conversion to linalg leaves on its function."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import mlir.ir as ir
import numpy as np
from mlir.dialects import func

from tdsl.errors import UnsupportedError
from tdsl.ir import NodeOp, Precision, ProgramOp, StaticSymbolOp, enumerator
from tdsl.ir.precision import numpy_dtype
from tdsl.ir.traversal import declarations

__all__ = ["Argument", "ProgramFacts", "Signature", "read_signature"]


@dataclass(frozen=True)
class Argument:
    """The memory of one node, or of its merge buffer.

    Attributes:
        name: The node.
        access: ``"in"``, ``"out"`` or ``"inout"``.
        shape: The sizes of its axes in memory order: batch, output, input.
        dtype: The NumPy type of its cells.
        is_merge: Whether this is the merge buffer of the node.
    """

    name: str
    access: str
    shape: tuple[int, ...]
    dtype: np.dtype
    is_merge: bool = False

    @property
    def key(self) -> str:
        """The name under which callers give it."""
        return f"{self.name}.merge" if self.is_merge else self.name

    @property
    def is_read(self) -> bool:
        return self.access != "out"

    @property
    def is_written(self) -> bool:
        return self.access != "in"


@dataclass(frozen=True)
class Signature:
    """How a routine is called.

    Attributes:
        routine: Its name.
        function: The name of its function in the object code.
        arguments: Its arguments, in the order of its function.
        symbols: The static symbols that follow, each with its range.
    """

    routine: str
    function: str
    arguments: tuple[Argument, ...]
    symbols: tuple[tuple[str, range], ...]


@dataclass(frozen=True)
class ProgramFacts:
    """What the functions no longer say about the program that they come from."""

    precisions: dict[str, Precision]
    ranges: dict[str, range]
    public: frozenset[str]
    #: The cells that nodes are declared with.
    initial: dict[str, np.ndarray]

    @staticmethod
    def of(program: ProgramOp) -> ProgramFacts:
        """The facts of a program whose precisions are closed."""
        nodes = list(declarations(program, NodeOp))
        hidden = {
            n.sym_name.value for n in nodes if n.sym_visibility is not None and n.sym_visibility.value != "public"
        }
        return ProgramFacts(
            {n.sym_name.value: enumerator(Precision, n.precision) for n in nodes if n.precision is not None},
            {s.sym_name.value: range(s.lower.value, s.upper.value) for s in declarations(program, StaticSymbolOp)},
            frozenset(n.sym_name.value for n in nodes) - hidden,
            dict(_initial_cells(nodes)),
        )


def _initial_cells(nodes: Iterable[NodeOp]) -> Iterator[tuple[str, np.ndarray]]:
    """The cells that nodes are declared with, in memory order, by name; without those that NumPy or MLIR cannot read.

    Compiled code has the cells of nodes that no routine writes. Of the others, callers give what is not here.
    """
    for node in nodes:
        dtype = None if node.precision is None else numpy_dtype(enumerator(Precision, node.precision))
        elements = node.value
        if dtype is None or not isinstance(elements, (ir.DenseFPElementsAttr, ir.DenseIntElementsAttr)):
            continue
        shape = tuple(ir.ShapedType(elements.type).shape)
        splat = elements.get_splat_value() if elements.is_splat else None
        try:
            cells = [splat.value] * math.prod(shape) if isinstance(splat, ir.FloatAttr) else list(elements)
        except TypeError:  # MLIR gives access to bf16 only where all cells are one.
            continue
        # In two steps: MLIR reads unsigned cells as signed ones.
        yield node.sym_name.value, np.array(cells).astype(dtype).reshape(shape)


def read_signature(function: func.FuncOp, facts: ProgramFacts) -> Signature:
    """The signature of the function of a routine.

    Raises:
        UnsupportedError: NumPy has no type for the cells of an argument.
    """
    arguments: list[Argument] = []
    symbols: list[tuple[str, range]] = []
    with function.context:
        described = list(zip(function.type.inputs, function.arg_attrs, strict=True))
    for type_, attributes in described:
        entries = {entry.name: ir.StringAttr(entry.attr).value for entry in ir.DictAttr(attributes)}
        if "tdsl.symbol" in entries:
            name = entries["tdsl.symbol"]
            symbols.append((name, facts.ranges[name]))
            continue
        is_merge = "tdsl.merge" in entries
        name = entries["tdsl.merge" if is_merge else "tdsl.node"]
        dtype = numpy_dtype(facts.precisions[name])
        if dtype is None:
            raise UnsupportedError(f"node '{name}' is {facts.precisions[name]}, which NumPy arrays cannot hold")
        shape = tuple(ir.MemRefType(type_).shape)
        arguments.append(Argument(name, entries["tdsl.access"], shape, dtype, is_merge))
    for argument in arguments:
        if [a.key for a in arguments].count(argument.key) > 1:
            raise UnsupportedError(
                f"'{argument.key}' names both a node and the merge buffer of a node: rename the node"
            )
    name = function.name.value
    return Signature(name, f"tdsl.routine.{name}", tuple(arguments), tuple(symbols))
