"""Calls of native functions with descriptors of arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from tdsl.codegen.object_code import LoadedObject
from tdsl.runtime.signature import Argument, Signature

__all__ = ["BoundCall", "NativeFunction"]


class NativeFunction:
    """One routine in machine code. Keeps the object that it is part of loaded."""

    def __init__(self, loaded: LoadedObject, signature: Signature) -> None:
        self.signature = signature
        self._loaded = loaded
        # MLIR's interface for C: a pointer to the descriptor of each memref, then the symbols by value.
        address = loaded.lookup(f"_mlir_ciface_{signature.function}")
        types = [ctypes.c_void_p] * len(signature.arguments) + [ctypes.c_int64] * len(signature.symbols)
        self._function = ctypes.CFUNCTYPE(None, *types)(address)

    def bind(self, arrays: Sequence[np.ndarray]) -> BoundCall:
        """A call with these arrays, which must be contiguous and aligned."""
        return BoundCall(self, arrays)

    def __call__(self, descriptors: Sequence[int], symbols: Sequence[int]) -> None:
        """Runs the routine; other Python threads run meanwhile."""
        self._function(*descriptors, *symbols)


class BoundCall:
    """A routine with the memory of its nodes; only symbols are left open."""

    def __init__(self, function: NativeFunction, arrays: Sequence[np.ndarray]) -> None:
        self._function = function
        self._arrays = tuple(arrays)
        self._descriptors = [
            _descriptor(array, argument) for array, argument in zip(arrays, function.signature.arguments, strict=True)
        ]
        self._addresses = [descriptor.ctypes.data for descriptor in self._descriptors]

    def __call__(self, symbols: Sequence[int] = ()) -> None:
        self._function(self._addresses, symbols)


def _descriptor(array: np.ndarray, argument: Argument) -> np.ndarray:
    """A memref descriptor: allocated pointer, aligned pointer, offset, sizes, strides in cells; 64 bits each."""
    address = array.ctypes.data
    axes = array.ndim - len(argument.cell_shape)
    strides = [stride // argument.cell_bytes for stride in array.strides[:axes]]
    return np.array([address, address, 0, *array.shape[:axes], *strides], dtype=np.int64)
