"""The programs in C and C++, built as their pages say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("c++") is None,
    reason="needs a C and a C++ compiler: install gcc or clang",
)


def build_and_run(language: str, folder: Path) -> list[str]:
    """Runs the commands of the page in a copy of the examples; returns the lines that the program prints."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    [commands] = re.findall(
        r"^```sh\n(.*?)^```$", (ROOT / "examples" / language / "README.md").read_text(), re.M | re.S
    )
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["/bin/sh", "-euc", commands], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def numbers(line: str, name: str) -> list[float]:
    found, *cells = line.split()
    assert found == name
    return [float(cell) for cell in cells]


def test_c(tmp_path: Path) -> None:
    lines = build_and_run("c", tmp_path)
    signals = (np.arange(40) * 7 % 11).astype(np.float64).reshape(4, 10)
    smooth = signals[:, :-2] * 0.25 + signals[:, 1:-1] * 0.5 + signals[:, 2:] * 0.25
    for row, line in zip(smooth, lines[:4], strict=True):
        np.testing.assert_allclose(numbers(line, "smooth"), row, rtol=1e-5)
    np.testing.assert_allclose(numbers(lines[4], "mean"), signals.mean(1), rtol=1e-5)
    assert len(lines) == 5


def test_cpp(tmp_path: Path) -> None:
    lines = build_and_run("cpp", tmp_path)
    points = ((np.arange(8 * 16 * 5) * 5 % 17) / 16 - 0.5).reshape(8, 16, 5)
    values = (np.arange(8 * 16 * 3) * 3 % 13 / 13).reshape(8, 16, 3)
    for start, (loss, weights) in zip((0.0, 0.5), zip(lines[::2], lines[1::2], strict=True), strict=True):
        w = np.full((3, 5), start)
        for batch in list(range(8)) * 20:
            error = points[batch] @ w.T - values[batch]
            w -= 0.01 * error.T @ points[batch]
        np.testing.assert_allclose(numbers(weights, "w"), w.ravel(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(numbers(loss, "loss"), [np.square(points @ w.T - values).sum()], rtol=1e-4)
    needed = subprocess.run(["ldd", tmp_path / "build/cpp/libmodel.so"], capture_output=True, text=True, check=True)
    libraries = {line.split()[0].rpartition("/")[2] for line in needed.stdout.splitlines()}
    assert all(re.match(r"(linux-vdso|linux-gate|libc|libm|ld-linux.*|statically)(\.|$)", name) for name in libraries)
