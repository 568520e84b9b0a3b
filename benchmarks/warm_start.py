"""Time from the end of the imports to the first result, in fresh processes: with an empty cache, and with a full one.

Run ``python benchmarks/warm_start.py``. Programs: an affine layer as text, a layer as builder code, and one eager
einsum. The target with a full cache is 10 ms. Each round runs every program once, cold with
a new folder and warm with a filled one; minimum and median of the rounds are printed. The time of the CPU is printed,
too, since on a machine that does other things the rest is waiting. Results are compared to NumPy.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

AFFINE = """
tdsl.program @affine {
  tdsl.node @x : f32 "8|->3" input
  tdsl.node @w : ? "..i..->..o.." param
  tdsl.node @b : ? "->5" param
  tdsl.node @h : ? "...|...->..." result
  tdsl.node @y : ? "...|...->..." result
  tdsl.projections @product "@" (@w, @x) -> @h
  tdsl.projections @bias "." (@h, @b) -> @y
  tdsl.routine @forward {
    tdsl.assign @h reset add = mul(@w, @x) by @product
    tdsl.assign @y overwrite = add(@h, @b) by @bias
  }
}
"""

#: Code of each program: what is imported and prepared, and what is measured.
PROGRAMS = {
    "text": (
        f"""
import numpy as np, tdsl
from tdsl import compile
text = {AFFINE!r}
x, w, b = np.ones((8, 3), "f4"), np.ones((5, 3), "f4"), np.ones(5, "f4")
""",
        """
y = compile(text, keep=["y"])["forward"](x=x, w=w, b=b)["y"]
""",
        "assert (y == 4).all()",
    ),
    "builder": (
        """
import numpy as np, tdsl
from tdsl import ProgramBuilder, compile
x, w = np.ones((8, 3), "f4"), np.ones((5, 3), "f4")
""",
        """
program = ProgramBuilder("layer")
nx = program.node("x", "8|->3", role="input", precision="f32")
nw = program.node("w", "..i..->5", role="param")
nh = program.node("h", "...|...->...")
product = program.projections("product", "@", [nw, nx], nh)
with program.routine("forward") as code:
    code.assign(nh, "add", "mul", [nw, nx], product, reset=True)
y = compile(program)["forward"](x=x, w=w)["h"]
""",
        "assert (y == 3).all()",
    ),
    "eager": (
        """
import numpy as np, tdsl
from tdsl import einsum
a = np.arange(12, dtype="f4").reshape(3, 4)
""",
        """
y = einsum("ij; jk => ik", a, a.T)
""",
        "assert (y == a @ a.T).all()",
    ),
}


def milliseconds(name: str, folder: str) -> tuple[float, float]:
    """One run in a fresh process, with its cache in ``folder``: by the clock, and of the CPU."""
    imports, measured, check = PROGRAMS[name]
    script = f"""{imports}
import time
start, cpu = time.perf_counter(), time.process_time()
{measured}
print(1e3 * (time.perf_counter() - start), 1e3 * (time.process_time() - cpu))
{check}
"""
    environment = {**os.environ, "TDSL_CACHE": "on", "TDSL_CACHE_DIR": folder}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    clock, cpu = done.stdout.split()
    return float(clock), float(cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    kinds = ("cold", "warm", "warm cpu")
    times: dict[str, dict[str, list[float]]] = {name: {kind: [] for kind in kinds} for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as filled:
        for name in PROGRAMS:
            milliseconds(name, filled)
        for _ in range(arguments.rounds):
            for name in PROGRAMS:
                with tempfile.TemporaryDirectory() as empty:
                    times[name]["cold"].append(milliseconds(name, empty)[0])
                clock, cpu = milliseconds(name, filled)
                times[name]["warm"].append(clock)
                times[name]["warm cpu"].append(cpu)
    if arguments.json:
        print(json.dumps(times))
        return
    print(f"{'program':>8} " + " ".join(f"{kind + ' min':>12} {'median':>10}" for kind in kinds))
    for name, measured in times.items():
        columns = [(min(measured[kind]), statistics.median(measured[kind])) for kind in kinds]
        print(f"{name:>8} " + " ".join(f"{least:9.1f} ms {median:7.1f} ms" for least, median in columns))


if __name__ == "__main__":
    main()
