"""The arrays of nodes while a routine runs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mlir.ir as ir
import numpy as np

from tdsl.errors import DtypeError, ShapeError, TdslError, UnsupportedError
from tdsl.ir import NodeOp, NodeRole, Precision, RowAttr, ShapeAttr, enumerator
from tdsl.reference.arithmetic import Arithmetic, ArithmeticFamily, Array
from tdsl.reference.families import machine
from tdsl.reference.spec_space import NodeShape

__all__ = ["Node", "Storage", "ValuesError"]


class ValuesError(TdslError, ValueError):
    """The values given to a run do not belong to its program, or an input is missing."""


@dataclass
class Node:
    """A node during a run: ``cells`` in memory order, on one axis."""

    shape: NodeShape
    arithmetic: Arithmetic
    role: NodeRole
    cells: Array
    #: Whether anything but poison is in it.
    has_cells: bool

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def array(self) -> Array:
        return self.cells.reshape(self.shape.memory_order_sizes + self.arithmetic.cell_shape)


class Storage:
    """The nodes of a program, made when they are first needed, and the merge buffers of a run."""

    def __init__(
        self,
        declarations: Mapping[str, NodeOp],
        values: Mapping[str, Any],
        merge_buffers: Mapping[str, Any],
        arithmetic_of: ArithmeticFamily,
        seed: int,
    ) -> None:
        """Takes copies of ``values`` and ``merge_buffers``; raises what :func:`tdsl.reference.run_routine` does."""
        self._declarations = declarations
        self._arithmetic_of = arithmetic_of
        self._seed = seed
        self._nodes: dict[str, Node] = {}
        for name, value in values.items():
            self._require(name)
            node = self.node(name)
            node.cells, node.has_cells = _cells_given(value, node, f"the value of @{name}"), True
        self._merge_buffers: dict[str, Array] = {}
        for name, value in merge_buffers.items():
            self._require(name)
            self._merge_buffers[name] = _cells_given(value, self.node(name), f"the merge buffer of @{name}")

    def _require(self, name: str) -> None:
        if name not in self._declarations:
            known = ", ".join(f"@{known}" for known in self._declarations) or "none"
            raise ValuesError(f"The program has no node @{name}; its nodes are: {known}.")

    def node(self, name: str) -> Node:
        """The node; poisoned when nothing was given and nothing is written. Raises for an open shape or precision."""
        if name not in self._nodes:
            self._nodes[name] = self._make(self._declarations[name])
        return self._nodes[name]

    def shape(self, name: str) -> NodeShape:
        return self.node(name).shape

    def self_id(self, name: str) -> int:
        """The number of a node that decorrelates its random streams."""
        number = self._declarations[name].id
        assert number is not None, "the verifier of fetches demands an id"
        return number.value

    def read(self, name: str, *, merge: bool = False) -> Array:
        """The cells of a node, or of its merge buffer; ValuesError when the host should have given them."""
        node = self.node(name)
        if merge:
            if name not in self._merge_buffers:
                raise ValuesError(f"The merge buffer of @{name} is read, but was not given; pass merge_buffers.")
            return self._merge_buffers[name]
        if not node.has_cells and node.role in (NodeRole.Input, NodeRole.Param):
            kind = "input" if node.role == NodeRole.Input else "parameter"
            raise ValuesError(f"The {kind} @{name} is read, but it was neither given nor written before.")
        return node.cells

    def solved(self) -> list[Node]:
        """All nodes whose shape and precision are closed, in the order of the program."""
        return [
            self.node(name)
            for name, declaration in self._declarations.items()
            if declaration.precision is not None and ShapeAttr(declaration.shape).is_solved
        ]

    def _make(self, declaration: NodeOp) -> Node:
        name = declaration.sym_name.value
        shape = ShapeAttr(declaration.shape)
        if not shape.is_solved:
            raise ShapeError(f'The shape "{shape.text}" of @{name} is still open; run tdsl-infer-shapes first.')
        if declaration.precision is None:
            raise DtypeError(f"The precision of @{name} is still open; run tdsl-infer-precision first.")
        arithmetic = self._arithmetic_of(enumerator(Precision, declaration.precision))
        rows = NodeShape(name, _row(shape.batch), _row(shape.input), _row(shape.output))
        number = math.prod(rows.memory_order_sizes)
        cells = np.full((number, *arithmetic.cell_shape), arithmetic.poison, dtype=arithmetic.storage)
        node = Node(rows, arithmetic, enumerator(NodeRole, declaration.role), cells, False)
        if declaration.value is not None:
            node.cells, node.has_cells = _initial_cells(declaration.value, node), True
        elif name == "random_seed":
            node.cells, node.has_cells = _seed_cells(self._seed, node), True
        return node


def _row(row: RowAttr) -> tuple[tuple[int, bool], ...]:
    return tuple((axis.size, axis.basis == "bcast_if_1") for axis in row.leading)


def _seed_cells(seed: int, node: Node) -> Array:
    """The seed in every cell; as words, 64 bits (spec b.6)."""
    if node.arithmetic.cell_shape:
        cell = node.arithmetic.bits(seed)
    else:
        cell = node.arithmetic.store(node.arithmetic.integers(np.array([seed])))
    return np.broadcast_to(cell, node.cells.shape).astype(node.arithmetic.storage)


def _initial_cells(value: ir.Attribute, node: Node) -> Array:
    """The elements after ``=``; MLIR lends Python those of the usual types, and prints the others."""
    written = machine(node.arithmetic.precision)
    if not isinstance(value, ir.DenseElementsAttr) or written.cell_shape:
        raise UnsupportedError(f"The reference interpreter cannot read the initial cells of @{node.name}.")
    try:
        elements = np.array(value)
    except (TypeError, BufferError):
        elements = _printed_elements(str(value), written)
    # MLIR's integers have no sign: unsigned cells keep their bits.
    cells = np.broadcast_to(elements.astype(written.storage).ravel(), node.cells.shape)
    return node.arithmetic.store(node.arithmetic.convert(written.load(cells), written))


def _printed_elements(text: str, arithmetic: Arithmetic) -> Array:
    body = text[len("dense<") : text.rindex("> : ")]
    if body.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(body[3:-1]), dtype=arithmetic.storage)
    # A number that has no decimal form, such as an infinity, is printed as its bits.
    body = re.sub(r"0x([0-9A-F]+)", lambda bits: json.dumps(float(arithmetic.bits(int(bits[1], 16))[0])), body)
    return np.array(json.loads(body or "[]"), dtype=np.float64)


def _cells_given(value: Any, node: Node, what: str) -> Array:
    """A copy of what a user gave, as cells; raises ShapeError, DtypeError."""
    arithmetic = node.arithmetic
    expected = node.shape.memory_order_sizes + arithmetic.cell_shape
    exact_dtype = isinstance(value, (np.ndarray, np.generic))
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"In {what}: {error}.") from None
    if array.shape != expected:
        raise ShapeError(
            f"In {what}: the array has shape {list(array.shape)}, but the axes of the node in memory order "
            f"(batch, output, input) are {list(expected)}."
        )
    flat = array.reshape(node.cells.shape)
    if arithmetic.storage.kind == "O":
        return _rationals_given(flat, arithmetic, what)
    if array.dtype == arithmetic.storage:
        return flat.copy()
    if exact_dtype:
        raise DtypeError(
            f"In {what}: the array holds {array.dtype}, but the node holds {arithmetic.storage}; "
            f"convert it with .astype({str(arithmetic.storage)!r})."
        )
    return _numbers_given(flat, arithmetic, what)


def _rationals_given(flat: Array, arithmetic: Arithmetic, what: str) -> Array:
    numbers = (int, float, Fraction, np.integer, np.floating, np.bool_)
    if flat.dtype.kind not in "biufV" and not all(isinstance(number, numbers) for number in flat):
        raise DtypeError(f"In {what}: {flat.dtype} does not hold numbers.")
    return arithmetic.convert(flat.astype(object), arithmetic)


def _numbers_given(flat: Array, arithmetic: Arithmetic, what: str) -> Array:
    """Plain Python numbers take the precision of the node, where they are numbers of it."""
    if flat.size and flat.dtype.kind not in "biuf":
        raise DtypeError(f"In {what}: {flat.dtype} does not hold numbers.")
    if flat.dtype.kind == "f" and arithmetic.storage.kind in "biu":
        if flat.size:
            raise DtypeError(f"In {what}: the numbers have fractions, but the node holds {arithmetic.storage}.")
        return flat.astype(arithmetic.storage)
    with np.errstate(all="ignore"):
        cells = flat.astype(arithmetic.storage)
    if arithmetic.storage.kind in "biu" and not (cells == flat).all():
        raise DtypeError(f"In {what}: a number is outside the range of {arithmetic.name}.")
    return cells
