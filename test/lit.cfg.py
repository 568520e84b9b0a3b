# ruff: noqa: F821
"""Configuration of lit. `lit test` needs nothing but an environment where tdsl is installed: tools are taken from it.

lit provides the names `config` and `lit_config`.
"""

import ctypes.util
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from pathlib import Path

import lit.formats

config.name = "TDSL"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "plugins", "python"]
config.test_source_root = str(Path(__file__).parent)
# Outside the checkout, one folder for each checkout.
checkout = hashlib.sha256(config.test_source_root.encode()).hexdigest()[:12]
config.test_exec_root = str(Path(tempfile.gettempdir()) / f"tdsl-lit-{checkout}")


def wheel_folder(module: str) -> Path | None:
    """Returns the folder of a package of the wheels, all of which are namespace packages or have no __file__ of use."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


tdsl_folder, llvm_folder, mlir_folder = map(wheel_folder, ("tdsl", "llvm", "mlir"))
if tdsl_folder is None or llvm_folder is None or mlir_folder is None:
    lit_config.fatal("install tdsl into the environment of this lit first: pip install '.[test]'")

search_path = [Path(sys.executable).parent, llvm_folder / "bin", mlir_folder / "bin"]
config.environment["PATH"] = os.pathsep.join([*map(str, search_path), os.environ.get("PATH", "")])
# No test sees what an earlier run has compiled.
config.environment["TDSL_CACHE"] = "off"

for tool in ("tdsl-opt", "tdsl-compile", "tdsl", "FileCheck", "not", "split-file", "mlir-opt"):
    found = shutil.which(tool, path=config.environment["PATH"])
    if found:
        config.available_features.add(tool)
        # A word of its own: not the "tdsl" of "tdsl-opt", nor the "not" of a file name.
        config.substitutions.append((rf"(?<![\w./%-]){tool}(?![\w./-])", found.replace("\\", r"\\")))

# An editable install has the native part elsewhere than the Python part.
native = importlib.util.find_spec("tdsl._tdsl")
if native is not None and native.origin:
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    config.substitutions.append(("%tdsl_library", str(Path(native.origin).parent / f"libTdsl{suffix}")))
config.substitutions.append(("%python", sys.executable))

# Plugins that are found like installed ones, without being installed.
plugins = Path(__file__).parent / "plugins"
for name, folders in {
    "%with_sample_plugin": [plugins / "sample_plugin", plugins / "entry_points"],
    "%with_test_passes": [plugins / "test_passes"],
    "%with_broken_plugins": [plugins / "broken"],
}.items():
    config.substitutions.append((name, f"env PYTHONPATH={os.pathsep.join(map(str, folders))}"))

if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
if ctypes.util.find_library("cuda") and Path("/dev/nvidia0").exists():
    config.available_features.add("gpu")
