"""LLVM's OpenMP runtime, which loops that several threads share are compiled to."""

from __future__ import annotations

import ctypes
import functools
import os
import sys

from tdsl.codegen.object_code import LoadedObject
from tdsl.session import knobs

__all__ = ["load", "openmp_library", "usable_threads"]

_NAMES = ("libomp.so", "libomp.dylib")
# All that the runtime is called by.
_PREFIX = b"__kmpc_"


@functools.cache
def openmp_library() -> str | None:
    """The path of the runtime in the package ``cmeel-libomp``; None where it is not installed."""
    for folder in sys.path:
        for name in _NAMES:
            path = os.path.join(os.path.abspath(folder), "cmeel.prefix", "lib", name)
            if os.path.isfile(path):
                return path
    return None


def usable_threads() -> int:
    """How many threads code for this process may share its loops among: the knob, but 1 without the runtime."""
    return knobs.num_threads if openmp_library() else 1


def load(code: bytes) -> LoadedObject:
    """Loads an object file, with the runtime where the code calls it.

    Raises:
        CompileError: As :class:`LoadedObject`; also where the runtime is needed and is not installed.
    """
    library = openmp_library() if _PREFIX in code else None
    if library is not None:
        _keep_forked_processes_serial(library)
    return LoadedObject(code, [library] if library else [])


@functools.cache
def _keep_forked_processes_serial(library: str) -> None:
    """Has processes that are forked from this one run everything on one thread.

    The runtime can start threads there, too, but was seen to wait for some that it had not started.
    """
    runtime = ctypes.CDLL(library)
    if hasattr(os, "register_at_fork"):
        # No level of parallel regions has more than one thread.
        os.register_at_fork(after_in_child=lambda: runtime.omp_set_max_active_levels(0))
