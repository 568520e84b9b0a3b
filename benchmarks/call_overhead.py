"""What a call costs besides its work: a sum of four cells, called by tdsl, jax.jit and numba.

Run it with ``python benchmarks/call_overhead.py``. All peers that are installed take turns, so that whatever else the
machine does meets all of them; the minimum and the median are of rounds of 2000 calls each.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tdsl

PROGRAM = """tdsl.program @sum {
  tdsl.node @x : f32 "->4" input
  tdsl.node @w : f32 "->4" input
  tdsl.node @y : f32 "->4" result
  tdsl.projections @p "." (@x, @w) -> @y
  tdsl.routine @run { tdsl.assign @y overwrite = add(@x, @w) by @p }
}"""
CALLS = 2000


def _contenders() -> dict[str, Callable[[], Any]]:
    routine = tdsl.compile(PROGRAM)["run"]
    x, w, y = (np.ones(4, np.float32) for _ in range(3))
    bound = routine.bind(x=x, w=w, y=y)
    context = tdsl.Context(tdsl.compile(PROGRAM), {"x": x, "w": w})
    contenders: dict[str, Callable[[], Any]] = {
        "an empty Python function": lambda: None,
        "tdsl, three arrays": lambda: routine(x=x, w=w, y=y),
        "tdsl, two arrays and a new result": lambda: routine(x=x, w=w),
        "tdsl, bound": bound,
        "tdsl, context": lambda: context.run("run"),
        "tdsl.add": lambda: tdsl.add(x, w),
        "numpy, x + w": lambda: x + w,
    }
    for name, make in {"numba": _numba, "jax": _jax}.items():
        try:
            contenders |= make(x, w, y)
        except ImportError:
            print(f"{name} is not installed: left out")
    return contenders


# Peers are no dependencies, so neither are their types.
def _numba(x: np.ndarray, w: np.ndarray, y: np.ndarray) -> dict[str, Callable[[], Any]]:
    numba: Any = importlib.import_module("numba")

    @numba.njit
    def add(x, w, y):
        for i in range(4):
            y[i] = x[i] + w[i]

    @numba.njit
    def add_new(x, w):
        return x + w

    add(x, w, y)
    add_new(x, w)
    return {"numba, three arrays": lambda: add(x, w, y), "numba, two arrays and a new result": lambda: add_new(x, w)}


def _jax(x: np.ndarray, w: np.ndarray, y: np.ndarray) -> dict[str, Callable[[], Any]]:
    jax: Any = importlib.import_module("jax")
    add = jax.jit(lambda x, w: x + w)
    on_device = jax.device_put(x), jax.device_put(w)
    add(x, w)
    add(*on_device)
    return {
        "jax.jit, two NumPy arrays": lambda: add(x, w).block_until_ready(),
        "jax.jit, two jax arrays": lambda: add(*on_device).block_until_ready(),
    }


def _measure(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _memory() -> None:
    """10,000 calls of a routine that needs a workspace, from one thread and from four."""
    text = """tdsl.program @two {
      tdsl.node @a : f32 "->64,64" input
      tdsl.node private @t : f32 "...|...->..." result
      tdsl.node @y : f32 "...|...->..." result
      tdsl.projections @p "ij; jk => ik" (@a, @a) -> @t
      tdsl.projections @q "ij; jk => ik" (@t, @a) -> @y
      tdsl.routine @run {
        tdsl.assign @t reset add = mul(@a, @a) by @p
        tdsl.assign @y reset add = mul(@t, @a) by @q
      }
    }"""
    routine = tdsl.compile(text)["run"]
    a = np.ones((64, 64), np.float32)

    def calls(number: int) -> None:
        for _ in range(number):
            routine(a=a)

    calls(100)
    before = _resident()
    calls(10_000)
    after = _resident()
    threads = [threading.Thread(target=calls, args=(2500,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"workspace of {routine.signature.workspace_bytes} bytes; resident memory {before / 2**20:.1f} MiB,")
    print(f"after 10,000 calls {after / 2**20:.1f} MiB, after 10,000 more in 4 threads {_resident() / 2**20:.1f} MiB")


def main() -> None:
    """Prints one line for each contender."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    rounds = parser.parse_args().rounds
    contenders = _contenders()
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, call in contenders.items():
            seconds[name].append(_measure(call))
    print(f"{'':40} {'min':>9} {'median':>9}   (microseconds, {rounds} rounds of {CALLS} calls)")
    for name, times in seconds.items():
        print(f"{name:40} {min(times) * 1e6:9.3f} {statistics.median(times) * 1e6:9.3f}")
    if Path("/proc/self/statm").exists():
        _memory()


if __name__ == "__main__":
    main()
