"""How compiled routines are called, read from the attributes that the passes leave on their functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import mlir.ir as ir
import numpy as np
from mlir.dialects import func, llvm

from tdsl.errors import UnsupportedError
from tdsl.ir import NodeOp, Precision, ProgramOp, ShapeAttr, StaticSymbolOp, enumerator
from tdsl.ir.precision import numpy_dtype
from tdsl.ir.traversal import declarations

__all__ = [
    "Argument",
    "ProgramFacts",
    "Signature",
    "is_routine",
    "jit_symbol",
    "packed_symbol",
    "read_signature",
    "rename_functions",
    "with_workspaces",
]

_ROUTINE = "tdsl.routine"
_WORKSPACE = "tdsl.workspace"


@dataclass(frozen=True)
class Argument:
    """The memory of one node, or of its merge buffer.

    Attributes:
        name: The node.
        access: ``"in"``, ``"out"`` or ``"inout"``.
        shape: The shape of its array: the axes of the node in memory order (batch, output, input), then `cell_shape`.
        dtype: The NumPy type of its cells, or of the parts of one.
        is_merge: Whether this is the merge buffer of the node.
        cell_shape: Empty for numbers; `(4,)` for uint4x32, whose cells are four 32-bit words.
    """

    name: str
    access: str
    shape: tuple[int, ...]
    dtype: np.dtype
    is_merge: bool = False
    cell_shape: tuple[int, ...] = ()

    @property
    def cell_bytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.cell_shape)

    @property
    def alignment(self) -> int:
        """What the address of the array has to be a multiple of, in bytes: words are read as vectors."""
        return self.cell_bytes if self.cell_shape else self.dtype.alignment

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
    """How a routine is called: ``void function(<pointers>, <symbols, int64_t each>, void *workspace)``.

    Every pointer is that of a contiguous array of the shape and alignment of its argument. Arrays that are written
    overlap no other. The workspace is memory for the duration of the call, aligned to 64 bytes; it may be null if it
    has no bytes.

    Attributes:
        routine: Its name.
        function: The name of its function in the object code.
        arguments: Its arguments, in the order of its function.
        symbols: The static symbols that follow, each with its range.
        workspace_bytes: The size of the workspace.
    """

    routine: str
    function: str
    arguments: tuple[Argument, ...]
    symbols: tuple[tuple[str, range], ...]
    workspace_bytes: int = 0


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
        if node.value is None and node.sym_name.value == "random_seed" and ShapeAttr(node.shape).is_solved:
            yield node.sym_name.value, _default_seed(node)
        dtype = None if node.precision is None else numpy_dtype(enumerator(Precision, node.precision))
        elements = node.value
        if dtype is None or not isinstance(elements, (ir.DenseFPElementsAttr, ir.DenseIntElementsAttr)):
            continue
        shape = tuple(ir.ShapedType(elements.type).shape)
        splat = elements.get_splat_value() if elements.is_splat else None
        try:
            # Indexing is all that the type hints of both classes know.
            count = math.prod(shape)
            uniform = isinstance(splat, ir.FloatAttr)
            cells = [splat.value] * count if uniform else [elements[i] for i in range(count)]
        except TypeError:  # MLIR gives access to bf16 only where all cells are one.
            continue
        # In two steps: MLIR reads unsigned cells as signed ones.
        yield node.sym_name.value, np.array(cells).astype(dtype).reshape(shape)


def _default_seed(node: NodeOp) -> np.ndarray:
    """42 in every cell; as words, a 64-bit number (spec b.6)."""
    sizes = ShapeAttr(node.shape).memory_order_sizes
    assert node.precision is not None, "the precisions are closed"
    dtype, cell_shape = _array_type(enumerator(Precision, node.precision), node.sym_name.value)
    cells = np.zeros((*sizes, *cell_shape), dtype)
    cells[(..., 0) if cell_shape else ...] = 42
    return cells


def _array_type(precision: Precision, name: str) -> tuple[np.dtype, tuple[int, ...]]:
    """The NumPy type of arrays of a node, and the axes inside one of its cells."""
    if precision == Precision.UInt4x32:
        return np.dtype(np.uint32), (4,)
    dtype = numpy_dtype(precision)
    if dtype is None:
        raise UnsupportedError(f"node '{name}' is {precision}, which NumPy arrays cannot hold")
    return dtype, ()


def jit_symbol(routine: str) -> str:
    """The symbol of a routine that is loaded into this process.

    No library has it: a routine @exp must not take the place of the C function.
    """
    return f"tdsl.routine.{routine}"


def packed_symbol(symbol: str) -> str:
    """The symbol of the function that calls ``symbol`` with arguments from arrays.

    It is ``void packed(void *const *pointers, const int64_t *symbols, void *workspace)``.
    """
    return f"{symbol}.packed"


def is_routine(function: func.FuncOp | llvm.LLVMFuncOp) -> bool:
    """Whether a function is a routine, and not one of the compiler's own."""
    return _ROUTINE in function.attributes


def read_signature(
    function: func.FuncOp, facts: ProgramFacts, symbol_of: Callable[[str], str] = jit_symbol
) -> Signature:
    """The signature of the function of a routine, as long as its arguments are memrefs. Its workspace is not known yet.

    Raises:
        UnsupportedError: NumPy has no type for the cells of an argument.
    """
    arguments: list[Argument] = []
    symbols: list[tuple[str, range]] = []
    with function.context:
        described = list(zip(function.type.inputs, function.arg_attrs, strict=True))
    for type_, attributes in described:
        entries = {e.name: e.attr.value for e in ir.DictAttr(attributes) if isinstance(e.attr, ir.StringAttr)}
        if not entries:  # The workspace, once it is planned.
            continue
        if "tdsl.symbol" in entries:
            name = entries["tdsl.symbol"]
            symbols.append((name, facts.ranges[name]))
            continue
        is_merge = "tdsl.merge" in entries
        name = entries["tdsl.merge" if is_merge else "tdsl.node"]
        dtype, cell_shape = _array_type(facts.precisions[name], name)
        shape = (*ir.MemRefType(type_).shape, *cell_shape)
        arguments.append(Argument(name, entries["tdsl.access"], shape, dtype, is_merge, cell_shape))
    for argument in arguments:
        if [a.key for a in arguments].count(argument.key) > 1:
            raise UnsupportedError(
                f"'{argument.key}' names both a node and the merge buffer of a node: rename the node"
            )
    name = ir.StringAttr(function.attributes[_ROUTINE]).value
    return Signature(name, symbol_of(name), tuple(arguments), tuple(symbols))


def rename_functions(functions: Iterable[func.FuncOp], signatures: Iterable[Signature]) -> None:
    """Gives the functions of routines their symbols."""
    for function, signature in zip(functions, signatures, strict=True):
        with function.context:
            function.attributes["sym_name"] = ir.StringAttr.get(signature.function)


def with_workspaces(signatures: Iterable[Signature], module: ir.Module) -> tuple[Signature, ...]:
    """The signatures with the sizes that `tdsl-plan-workspace` has left on the functions of a module."""
    sizes = {
        ir.StringAttr(op.attributes["sym_name"]).value: ir.IntegerAttr(op.attributes[_WORKSPACE]).value
        for op in module.body.operations
        if isinstance(op, (func.FuncOp, llvm.LLVMFuncOp)) and _WORKSPACE in op.attributes
    }
    return tuple(replace(signature, workspace_bytes=sizes[signature.function]) for signature in signatures)
