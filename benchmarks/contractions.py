"""Matrix products, interleaved with NumPy and with the peak of the FMA units of this machine.

Run ``python benchmarks/contractions.py``. One thread, or ``--threads 2``. The peak is measured in the same rounds, by a
loop of independent FMAs that the same code generator compiled; minima and medians over all rounds. Each case is checked
against NumPy first. ``--only TEXT`` selects cases.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import time
from collections.abc import Callable

_THREADS = argparse.ArgumentParser(add_help=False)
_THREADS.add_argument("--threads", type=int, default=1)
_threads = _THREADS.parse_known_args()[0].threads
# NumPy's library reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", str(_threads))

import mlir.ir as ir  # noqa: E402
import numpy as np  # noqa: E402

import tdsl  # noqa: E402
from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit  # noqa: E402
from tdsl.codegen.pipelines import LOOPS_TO_LLVM, register_pipelines  # noqa: E402
from tdsl.codegen.schedules.target_facts import TargetFacts  # noqa: E402
from tdsl.ir import create_context  # noqa: E402
from tdsl.passes import run_pipeline  # noqa: E402

# Name, spec, and the shapes of the operands.
CASES: list[tuple[str, str, tuple[int, ...], tuple[int, ...]]] = [
    ("256", "ij; jk => ik", (256, 256), (256, 256)),
    ("512", "ij; jk => ik", (512, 512), (512, 512)),
    ("1024", "ij; jk => ik", (1024, 1024), (1024, 1024)),
    ("2048", "ij; jk => ik", (2048, 2048), (2048, 2048)),
    ("512 A^T", "ji; jk => ik", (512, 512), (512, 512)),
    ("512 B^T", "ij; kj => ik", (512, 512), (512, 512)),
    ("512 A^T B^T", "ji; kj => ik", (512, 512), (512, 512)),
    ("512 C^T", "ij; jk => ki", (512, 512), (512, 512)),
    ("1000", "ij; jk => ik", (1000, 1000), (1000, 1000)),
    ("1023x1017x1024", "ij; jk => ik", (1023, 1024), (1024, 1017)),
    ("64x1024x1024", "ij; jk => ik", (64, 1024), (1024, 1024)),
    ("1024x64x1024", "ij; jk => ik", (1024, 1024), (1024, 64)),
    ("16 of 128x128x64", "bij; bjk => bik", (16, 128, 64), (16, 64, 128)),
    ("heads of attention", "bihc; bjhc => bhij", (4, 256, 4, 64), (4, 256, 4, 64)),
]

_PEAK_STEPS = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], parents=[_THREADS])
    parser.add_argument("--only", default="", help="run the cases whose name contains this")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each case, contestant and round")
    arguments = parser.parse_args()
    cases = [case for case in CASES if arguments.only in case[0]]
    contestants = {case[0]: _contestants(*case[1:], arguments.threads) for case in cases}
    peak = _peak()
    seconds: dict[tuple[str, str], list[float]] = {}
    for _ in range(arguments.rounds):
        for name, functions in contestants.items():
            for who, function in [("peak", peak[0]), *functions.items()]:
                seconds.setdefault((name, who), []).extend(_measure(function, arguments.seconds))
    print(f"{arguments.threads} thread(s); GFLOP/s by the minimum (median), percent of the FMA peak of one core")
    print(f"{'case':>20} {'tdsl':>16} {'numpy':>16} {'tdsl of peak':>14} {'tdsl / numpy':>20}")
    for name, spec, first, second in cases:
        flops = 2 * _work(spec, first, second)
        ours, numpy, peaks = (seconds[name, who] for who in ("tdsl", "numpy", "peak"))
        best = [peak[1] / f(peaks) / 1e9 for f in (min, statistics.median)]
        rates = [[flops / f(times) / 1e9 for f in (min, statistics.median)] for times in (ours, numpy)]
        print(
            f"{name:>20} {rates[0][0]:8.1f} ({rates[0][1]:5.1f}) {rates[1][0]:8.1f} ({rates[1][1]:5.1f}) "
            f"{100 * rates[0][0] / best[0]:7.1f} ({100 * rates[0][1] / best[1]:4.1f}) "
            f"{rates[0][0] / rates[1][0]:10.2f}x ({rates[0][1] / rates[1][1]:.2f}x)"
        )


def _work(spec: str, first: tuple[int, ...], second: tuple[int, ...]) -> int:
    labels = spec.split("=>")[0].replace(" ", "").split(";")
    return math.prod(dict(zip("".join(labels), (*first, *second), strict=True)).values())


def _contestants(
    spec: str, first: tuple[int, ...], second: tuple[int, ...], threads: int
) -> dict[str, Callable[[], object]]:
    generator = np.random.default_rng(0)
    a, b = generator.standard_normal(first, np.float32), generator.standard_normal(second, np.float32)
    program = f"""
    tdsl.program @contraction {{
      tdsl.node @a : f32 "|->{",".join(map(str, first))}" input
      tdsl.node @b : f32 "|->{",".join(map(str, second))}" input
      tdsl.node @c : f32 "|->..." result
      tdsl.projections @p "{spec}" (@a, @b) -> @c
      tdsl.routine @run {{ tdsl.assign @c reset add = mul(@a, @b) by @p }}
    }}"""
    with tdsl.knobs.scope(num_threads=threads):
        context = tdsl.Context(tdsl.compile(program), {"a": a, "b": b})
    numpy_spec = spec.replace("; ", ",").replace(" => ", "->")
    context.run("run")
    expected = np.einsum(numpy_spec, a.astype(np.float64), b.astype(np.float64), optimize=True)
    error = abs(context["c"] - expected).max() / abs(expected).max()
    assert error < 1e-5, f"{spec}: relative error {error}"
    operands, numpy = _numpy(spec, a, b)
    np.testing.assert_allclose(numpy(*operands), expected, rtol=1e-3, atol=1e-3)
    return {"tdsl": lambda: context.run("run"), "numpy": lambda: numpy(*operands)}


def _numpy(spec: str, a: np.ndarray, b: np.ndarray) -> tuple[tuple[np.ndarray, ...], Callable[..., np.ndarray]]:
    """NumPy's fastest spelling: its product of matrices on views."""
    if spec == "bihc; bjhc => bhij":
        return (a.transpose(0, 2, 1, 3), b.transpose(0, 2, 3, 1)), np.matmul
    first, second = (part.strip() for part in spec.split("=>")[0].split(";"))
    a = a.T if first == "ji" else a
    b = b.T if second == "kj" else b
    if spec.endswith("ki"):
        return (b.T, a.T), np.matmul
    return (a, b), np.matmul


def _peak() -> tuple[Callable[[], object], int]:
    """A function that only does FMAs, and how many operations that is."""
    facts = TargetFacts.of(TargetDescription.host())
    lanes, chains = facts.vector_bytes // 4, 12
    vector = f"vector<{lanes}xf32>"
    names = [f"%v{i}" for i in range(chains)]
    text = f"""
    func.func @peak(%x: memref<{lanes}xf32>) {{
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %end = arith.constant {_PEAK_STEPS} : index
      %f = vector.load %x[%zero] : memref<{lanes}xf32>, {vector}
      %r:{chains} = scf.for %i = %zero to %end step %one iter_args({", ".join(f"{n} = %f" for n in names)})
          -> ({", ".join([vector] * chains)}) {{
        {" ".join(f"%n{i} = math.fma {n}, %f, %f : {vector}" for i, n in enumerate(names))}
        scf.yield {", ".join(f"%n{i}" for i in range(chains))} : {", ".join([vector] * chains)}
      }}
      %s0 = arith.addf %r#0, %r#0 : {vector}
      {" ".join(f"%s{i} = arith.addf %s{i - 1}, %r#{i} : {vector}" for i in range(1, chains))}
      vector.store %s{chains - 1}, %x[%zero] : memref<{lanes}xf32>, {vector}
      return
    }}"""
    register_pipelines()
    with create_context():
        module = ir.Module.parse(text)
        run_pipeline(module, f"builtin.module({LOOPS_TO_LLVM})")
        code = emit(module, TargetDescription.host(), optimization_level=0)
    return _peak_caller(LoadedObject(code), lanes), 2 * lanes * chains * _PEAK_STEPS


def _peak_caller(loaded: LoadedObject, lanes: int) -> Callable[[], object]:
    import ctypes

    x = np.full(lanes, 0.5, np.float32)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(loaded.lookup("peak"))

    def call(keep: object = (loaded, x)) -> None:
        x.fill(0.5)
        function(x.ctypes.data)

    return call


def _measure(function: Callable[[], object], budget: float) -> list[float]:
    function()
    times: list[float] = []
    end = time.perf_counter() + budget
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return times


if __name__ == "__main__":
    main()
