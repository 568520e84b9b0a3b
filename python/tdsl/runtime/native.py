"""Calls of native functions."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from tdsl.codegen.object_code import LoadedObject
from tdsl.codegen.signature import Signature

__all__ = ["BoundCall", "NativeFunction"]

_WORKSPACE_ALIGNMENT = 64


class NativeFunction:
    """One routine in machine code. Keeps the object that it is part of loaded."""

    def __init__(self, loaded: LoadedObject, signature: Signature) -> None:
        self.signature = signature
        self._loaded = loaded
        types = [ctypes.c_void_p] * len(signature.arguments) + [ctypes.c_int64] * len(signature.symbols)
        self._function = ctypes.CFUNCTYPE(None, *types, ctypes.c_void_p)(loaded.lookup(signature.function))
        # As many as there were calls at the same time.
        self._workspaces: list[np.ndarray] = []

    def bind(self, arrays: Sequence[np.ndarray]) -> BoundCall:
        """A call with these arrays, which must be contiguous and aligned."""
        return BoundCall(self, arrays)

    def __call__(self, addresses: Sequence[int], symbols: Sequence[int]) -> None:
        """Runs the routine; other Python threads run meanwhile."""
        if not self.signature.workspace_bytes:
            self._function(*addresses, *symbols, None)
            return
        try:
            workspace = self._workspaces.pop()
        except IndexError:
            workspace = np.empty(self.signature.workspace_bytes + _WORKSPACE_ALIGNMENT, np.uint8)
        address = workspace.ctypes.data
        self._function(*addresses, *symbols, address + -address % _WORKSPACE_ALIGNMENT)
        self._workspaces.append(workspace)


class BoundCall:
    """A routine with the memory of its nodes; only symbols are left open."""

    def __init__(self, function: NativeFunction, arrays: Sequence[np.ndarray]) -> None:
        self._function = function
        self._arrays = tuple(arrays)
        self._addresses = [array.ctypes.data for array in arrays]

    def __call__(self, symbols: Sequence[int] = ()) -> None:
        self._function(self._addresses, symbols)
