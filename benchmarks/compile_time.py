"""Time from Python call to the first result, against the first call of ``jax.jit`` for the same computation.

Run ``python benchmarks/compile_time.py --peers PYTHON``, where PYTHON is an interpreter that has JAX; without it, only
tdsl is measured. Every round starts fresh processes, in turn. In each, the first compilation is the one that is
compared with JAX's first call; those after it are called warm. Imports and inputs are not counted, nor
what JAX needs to start its backend. Results are checked against NumPy. The disk cache is off.

Times are milliseconds, minimum and median of the rounds; ``cpu`` is the time of all threads of the process, which says
more than the clock where other programs run. ``total`` is building the program, compiling it and calling it
once; ``callable`` ends before that call. ``infer`` is inference and derivation, ``lower`` the rest up to the LLVM
dialect; ``translate``, ``optimize`` and ``emit`` are LLVM's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from programs import PROGRAMS, check_results

HERE = Path(__file__).parent
#: Milliseconds from the call to the callable, on the machine that the project is measured on.
TARGETS = {"contraction": 60, "softmax": 60, "attention": 150, "mlp_step": 300}
STAGES = ("callable", "cpu", "build", "infer", "lower", "translate", "optimize", "emit", "load", "run")


def measure_ours(name: str, repetitions: int) -> list[dict[str, float]]:
    """The seconds of each stage, for several compilations in this process."""
    import tdsl
    from tdsl.passes import register_all

    # Imports what is imported when it is first used.
    compile_program = tdsl.compile
    register_all()
    program = PROGRAMS[name]
    inputs = program.inputs()
    measured = []
    for _ in range(repetitions):
        arrays = {key: array.copy() for key, array in inputs.items()}
        start, cpu = time.perf_counter(), time.process_time()
        builder = program.build()
        built = time.perf_counter()
        compiled = compile_program(builder, keep=program.keep)
        routine = compiled[program.routine]
        done, cpu = time.perf_counter(), time.process_time() - cpu
        results = routine(arrays)
        end = time.perf_counter()
        check_results(program, inputs, dict(results))
        times = compiled.times
        measured.append(
            {
                "total": end - start,
                "callable": done - start,
                "cpu": cpu,
                "build": built - start,
                "infer": times.infer,
                "lower": times.lower,
                "translate": times.code.translate,
                "optimize": times.code.optimize,
                "emit": times.code.emit,
                "load": times.load,
                "run": end - done,
            }
        )
    return measured


def run_ours(name: str, repetitions: int) -> list[dict[str, float]]:
    """The same in a fresh process."""
    command = [sys.executable, __file__, "--measure", name, "--repetitions", str(repetitions)]
    # BLAS is for the check only; its threads would go on waiting for work while the next compilation is measured.
    environment = {**os.environ, "TDSL_CACHE": "off", "OPENBLAS_NUM_THREADS": "1"}
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def run_jax(python: str, name: str, repetitions: int, folder: Path) -> list[dict[str, float]]:
    """The seconds of first calls of ``jax.jit`` in a fresh process, by the clock and of its threads; checks results."""
    program = PROGRAMS[name]
    inputs = program.inputs()
    np.savez(folder / "inputs.npz", **inputs)
    command = [python, HERE / "jax_programs.py", name, folder / "inputs.npz", folder / "results.npz", str(repetitions)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with np.load(folder / "results.npz") as results:
        check_results(program, inputs, dict(results))
    return json.loads(output)


def report(name: str, ours: list[list[dict[str, float]]], theirs: list[list[dict[str, float]]]) -> None:
    """Prints what was measured of one program: for each round, one entry for each repetition."""
    first, warm = [run[0] for run in ours], [entry for run in ours for entry in run[1:]]
    callable_ms = 1e3 * min(entry["callable"] for entry in first)
    print(f"{name}: callable after {callable_ms:.0f} ms, target {TARGETS[name]} ms")
    for label, entries in (("tdsl, fresh process", first), ("tdsl, warm", warm)):
        stages = "  ".join(f"{s} {1e3 * min(entry[s] for entry in entries):.1f}" for s in STAGES)
        print(f"  {label:20} {summary(entries, 'total')}   minima: {stages}")
    if not theirs:
        return
    firsts, warms = [run[0] for run in theirs], [entry for run in theirs for entry in run[1:]]
    for label, entries in (("jax.jit, fresh", firsts), ("jax.jit, warm", warms)):
        cpu = 1e3 * min(entry["cpu"] for entry in entries)
        print(f"  {label:20} {summary(entries, 'total')}   minima: cpu {cpu:.1f}")
    limit = 1.0 if PROGRAMS[name].is_block else 1.5
    for part, of in (("total", "total"), ("callable", "total"), ("cpu", "cpu")):
        print(
            f"  {part} / {of} of jax.jit: fresh {ratio(first, part, firsts, of)}, warm {ratio(warm, part, warms, of)}"
            f" (minimum, median); limit {limit}"
        )


Entries = list[dict[str, float]]


def summary(entries: Entries, part: str) -> str:
    seconds = [entry[part] for entry in entries]
    return f"{1e3 * min(seconds):6.0f} {1e3 * statistics.median(seconds):6.0f}"


def ratio(ours: Entries, part: str, theirs: Entries, of: str) -> str:
    mine, others = [entry[part] for entry in ours], [entry[of] for entry in theirs]
    return f"{min(mine) / min(others):.2f} {statistics.median(mine) / statistics.median(others):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}; all by default")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has JAX")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=4, help="compilations in each process")
    parser.add_argument("--measure", metavar="PROGRAM", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure_ours(options.measure, options.repetitions)))
        return
    for name in options.programs or PROGRAMS:
        if name not in PROGRAMS:
            parser.error(f"there is no program '{name}'; there are {', '.join(PROGRAMS)}")
    ours: dict[str, list[list[dict[str, float]]]] = {}
    theirs: dict[str, list[list[dict[str, float]]]] = {}
    names = options.programs or list(PROGRAMS)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name in names:
                ours.setdefault(name, []).append(run_ours(name, options.repetitions))
                if options.peers:
                    theirs.setdefault(name, []).append(run_jax(options.peers, name, options.repetitions, Path(folder)))
    for name in names:
        report(name, ours[name], theirs.get(name, []))


if __name__ == "__main__":
    main()
