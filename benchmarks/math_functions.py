"""Time of mathematical functions per number, against NumPy and libm.

Run ``python benchmarks/math_functions.py``. Every function is applied to 4096 numbers in the first-level cache: by code
of `tdsl-expand-math`, by the same loop with calls of libm, and by NumPy's function with ``out=``. The three take turns,
so that whatever else the machine does meets all of them. Prints nanoseconds per number, the minimum and the median of
all turns.

``--errors`` instead compares the functions of f32 with NumPy's f64 on every one of the 2^32 numbers (minutes).
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import time
from collections.abc import Callable

import mlir.ir as ir
import numpy as np
from mlir.runtime import get_ranked_memref_descriptor

from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit
from tdsl.ir import create_context
from tdsl.passes import run_pipeline

NUMBER = 4096
TURNS = 25
CALLS = 40

TO_LLVM = (
    "builtin.module({expansion},convert-math-to-libm,convert-vector-to-llvm,convert-scf-to-cf,expand-strided-metadata,"
    "finalize-memref-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts,"
    "canonicalize,cse)"
)

LOOP = """
func.func @loop(%x: memref<{size}x{type}>, %y: memref<{size}x{type}>) attributes {{llvm.emit_c_interface}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {size} : index
  scf.for %i = %c0 to %n step %c1 {{
    %v = memref.load %x[%i] : memref<{size}x{type}>
    %w = math.{function} %v : {type}
    memref.store %w, %y[%i] : memref<{size}x{type}>
  }}
  return
}}
"""

DTYPES = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}

#: Ends of the intervals that arguments are drawn from.
ARGUMENTS = {
    "exp": (-20, 20),
    "exp2": (-20, 20),
    "tanh": (-4, 4),
    "log": (1e-3, 1e3),
    "log2": (1e-3, 1e3),
    "sin": (-10, 10),
    "cos": (-10, 10),
}

WITHOUT_FMA = TargetDescription("x86_64-unknown-linux-gnu", "x86-64")


def compiled(
    function: str, type_name: str, size: int, *, libm: bool = False, target: TargetDescription | None = None
) -> Callable[[np.ndarray, np.ndarray], Callable[[], None]]:
    """A loop over ``size`` numbers, to be bound to its two arrays."""
    expansion = "tdsl-expand-math{libm=true}" if libm else "tdsl-expand-math"
    with create_context():
        module = ir.Module.parse(LOOP.format(function=function, type=type_name, size=size))
        run_pipeline(module, TO_LLVM.format(expansion=expansion))
        loaded = LoadedObject(emit(module, target or TargetDescription.host(), optimization_level=3))
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.lookup("_mlir_ciface_loop"))

    def bind(x: np.ndarray, y: np.ndarray) -> Callable[[], None]:
        arguments = [ctypes.byref(get_ranked_memref_descriptor(array)) for array in (x, y)]

        def run() -> None:
            assert loaded is not None  # The code lives as long as this function.
            call(*arguments)

        return run

    return bind


def measure(competitors: dict[str, Callable[[], None]]) -> dict[str, tuple[float, float]]:
    """Nanoseconds per number of each, minimum and median; in turns."""
    times: dict[str, list[float]] = {name: [] for name in competitors}
    for _ in range(TURNS):
        for name, run in competitors.items():
            run()
            start = time.perf_counter()
            for _ in range(CALLS):
                run()
            times[name].append((time.perf_counter() - start) / CALLS / NUMBER * 1e9)
    return {name: (min(turns), statistics.median(turns)) for name, turns in times.items()}


def report_times() -> None:
    print(f"{'function':8} {'type':4}   {'tdsl min':>8} {'median':>7}   {'libm min':>8} {'median':>7}   ", end="")
    print(f"{'numpy min':>9} {'median':>7}")
    for type_name, dtype in DTYPES.items():
        for function, ends in ARGUMENTS.items():
            x = np.random.default_rng(0).uniform(*ends, NUMBER).astype(dtype)
            y = np.empty_like(x)
            numpy_function = getattr(np, function)
            results = measure(
                {
                    "tdsl": compiled(function, type_name, NUMBER)(x, y),
                    "libm": compiled(function, type_name, NUMBER, libm=True)(x, y),
                    "numpy": lambda f=numpy_function, x=x, y=y: f(x, out=y),
                }
            )
            cells = "   ".join(f"{least:8.3f} {median:7.3f}" for least, median in results.values())
            print(f"{function:8} {type_name:4}   {cells}")


def largest_error(function: str, target: TargetDescription) -> tuple[float, float]:
    """Of all 2^32 numbers of f32: the largest error in ulp, and where it is."""
    size = 1 << 22
    bind = compiled(function, "f32", size, target=target)
    y = np.empty(size, np.float32)
    worst = (0.0, 0.0)
    for first in range(0, 1 << 32, size):
        x = np.arange(first, first + size, dtype=np.uint32).view(np.float32)
        bind(x, y)()
        with np.errstate(all="ignore"):
            exact = getattr(np, function)(x.astype(np.float64))
            rounded = exact.astype(np.float32)
        regular = np.isfinite(rounded) & np.isfinite(y)
        others = ~regular
        same = (y[others] == rounded[others]) | (np.isnan(y[others]) & np.isnan(rounded[others]))
        if not same.all() or (np.signbit(y[regular]) != np.signbit(rounded[regular])).any():
            raise SystemExit(f"{function} is wrong between {x[0]} and {x[-1]}")
        if not regular.any():
            continue
        exponent = np.maximum(np.frexp(exact[regular])[1] - 1, -126)
        error = np.ldexp(np.abs(y[regular].astype(np.float64) - exact[regular]), 23 - exponent)
        position = int(error.argmax())
        worst = max(worst, (float(error[position]), float(x[regular][position])))
    return worst


def report_errors(functions: list[str]) -> None:
    for function in functions:
        for name, target in (("host", TargetDescription.host()), ("x86-64 without fma", WITHOUT_FMA)):
            error, where = largest_error(function, target)
            print(f"{function:8} {name:20} {error:.4f} ulp at {where!r}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", nargs="*", metavar="FUNCTION", help="compare these, or all, on every number of f32")
    options = parser.parse_args()
    if options.errors is None:
        report_times()
    else:
        report_errors(options.errors or list(ARGUMENTS))


if __name__ == "__main__":
    main()
