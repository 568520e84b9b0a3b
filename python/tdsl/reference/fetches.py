"""The cells of fetches: what nodes are filled with from outside the language of assignments (spec b.1)."""

from __future__ import annotations

from collections.abc import Mapping

import mlir.ir as ir
import numpy as np

from tdsl.errors import ShapeError
from tdsl.ir import FetchKind, FetchOp, SymbolIndexType, enumerator
from tdsl.reference.arithmetic import Array
from tdsl.reference.declarations import Declarations
from tdsl.reference.storage import Node, Storage

__all__ = ["fetched_cells"]


def fetched_cells(fetch: FetchOp, storage: Storage, declarations: Declarations, symbols: Mapping[str, int]) -> Array:
    """All cells of the node of a fetch, new."""
    node = storage.node(fetch.node.value)
    kind = enumerator(FetchKind, fetch.kind)
    arithmetic = node.arithmetic
    if kind == FetchKind.Constant:
        return _everywhere(node, arithmetic.store(arithmetic.constant(ir.FloatAttr(_payload(fetch)).value)))
    if kind == FetchKind.Bits:
        return _everywhere(node, arithmetic.bits(ir.IntegerAttr(_payload(fetch)).value))
    if kind == FetchKind.Fill:
        return _fill(node, [float(number) for number in ir.DenseF64ArrayAttr(_payload(fetch))])
    if kind == FetchKind.Range:
        return arithmetic.store(arithmetic.integers(np.arange(len(node.cells))))
    if kind == FetchKind.Slice:
        return _slice(node, fetch, storage, _symbol_value(fetch, symbols))
    if kind == FetchKind.Symbol:
        number = _symbol_value(fetch, symbols)
    elif kind == FetchKind.SelfId:
        number = storage.self_id(node.name)
    else:
        number = declarations.capture(_source(fetch), storage.shape)
    return _everywhere(node, arithmetic.store(arithmetic.integers(np.array([number]))))


def _payload(fetch: FetchOp) -> ir.Attribute:
    assert fetch.value is not None, "the verifier of fetches demands a value"
    return fetch.value


def _source(fetch: FetchOp) -> str:
    assert fetch.source is not None, "the verifier of fetches demands another symbol"
    return fetch.source.value


def _everywhere(node: Node, cell: Array) -> Array:
    return np.broadcast_to(cell, node.cells.shape).astype(node.arithmetic.storage)


def _symbol_value(fetch: FetchOp, symbols: Mapping[str, int]) -> int:
    assert fetch.symbol is not None, "the verifier of fetches demands the value of a symbol"
    return symbols[SymbolIndexType(fetch.symbol.type).symbol]


def _fill(node: Node, numbers: list[float]) -> Array:
    if len(numbers) != len(node.cells):
        raise ShapeError(f"@{node.name} is filled with {len(numbers)} cells, but has {len(node.cells)} (spec b.1).")
    cells = [node.arithmetic.store(node.arithmetic.constant(number)) for number in numbers]
    return np.concatenate(cells) if cells else node.cells.copy()


def _slice(node: Node, fetch: FetchOp, storage: Storage, position: int) -> Array:
    """The cells at one position of the leftmost batch axis."""
    name = _source(fetch)
    source = storage.node(name)
    shape, whole = node.shape, source.shape
    if not whole.batch or (whole.batch[1:], whole.output, whole.input) != (shape.batch, shape.output, shape.input):
        raise ShapeError(
            f"@{node.name} is a slice of @{name}, so @{name} has its shape with one more batch axis at the left."
        )
    number = len(node.cells)
    if not 0 <= position < whole.batch[0][0]:
        raise ShapeError(f"The slice of @{name} at {position} is outside its batch axis of size {whole.batch[0][0]}.")
    cells = storage.read(name)[position * number : (position + 1) * number].copy()
    return node.arithmetic.store(node.arithmetic.convert(source.arithmetic.load(cells), source.arithmetic))
