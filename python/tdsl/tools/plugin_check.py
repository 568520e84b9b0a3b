"""Checks of the plugins that tdsl-opt is asked to load. LLVM's loader aborts the process on a bad one."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

import mlir._mlir_libs

__all__ = ["check_plugin", "prepare_plugins"]

_ENTRY_POINTS = {"load-pass-plugin": "mlirGetPassPluginInfo", "load-dialect-plugin": "mlirGetDialectPluginInfo"}

# MLIR_PLUGIN_API_VERSION of mlir/Tools/Plugins/*.h.
_API_VERSION = 1


class _PluginInfo(ctypes.Structure):
    # PassPluginLibraryInfo and DialectPluginLibraryInfo have the same layout.
    _fields_ = [
        ("api_version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("register", ctypes.c_void_p),
    ]


def prepare_plugins(arguments: Sequence[str]) -> str | None:
    """Checks each plugin that the command line names, and lets plugins see MLIR's symbols.

    Returns:
        What is wrong with the first bad plugin, or None.
    """
    plugins = list(_plugins(arguments))
    if not plugins:
        return None
    _export_mlir_symbols()
    for flag, path in plugins:
        if error := check_plugin(path, _ENTRY_POINTS[flag]):
            return f"--{flag}: {error}"
    return None


def _plugins(arguments: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for position, argument in enumerate(arguments):
        flag, has_value, value = argument.lstrip("-").partition("=")
        if argument.startswith("-") and flag in _ENTRY_POINTS:
            if not has_value:
                value = arguments[position + 1] if position + 1 < len(arguments) else ""
            if value:  # LLVM's command line complains about a missing value itself.
                found.append((flag, value))
    return found


def check_plugin(path: str, entry_point: str) -> str | None:
    """Tells why the shared library at ``path`` is no plugin with ``entry_point``, or returns None."""
    if not os.path.isfile(path):
        return f"there is no file '{path}'"
    # A bare name would be searched on the library path, here and by LLVM.
    try:
        library = ctypes.CDLL(path if os.sep in path else os.path.join(os.curdir, path))
    except OSError as error:
        return f"cannot load '{path}': {error}"
    try:
        get_info = getattr(library, entry_point)
    except AttributeError:
        return f"'{path}' is not such a plugin: it does not define {entry_point}"
    get_info.restype = _PluginInfo
    version = get_info().api_version
    if version != _API_VERSION:
        return f"'{path}' was built for version {version} of the plugin interface, not {_API_VERSION}"
    return None


def _export_mlir_symbols() -> None:
    # A plugin names no MLIR library. Python loaded ours privately; opening them again as global makes them findable.
    folder = Path(mlir._mlir_libs.__file__).parent
    for name in ("libMLIRPythonCAPI.so", "libMLIRPythonCAPI.dylib"):
        if (folder / name).exists():
            ctypes.CDLL(str(folder / name), mode=ctypes.RTLD_GLOBAL)
