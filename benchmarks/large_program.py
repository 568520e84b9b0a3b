"""Time to parse, verify and print a program of 10,000 nodes and 10,000 assignments.

Run ``python benchmarks/large_program.py``. The target is under one second for all three together, on one core.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import mlir.ir as ir

import tdsl.ir


def program_text(size: int) -> str:
    """A chain of ``size`` matrix products, each with a node, an index space and an assignment."""
    lines = ["tdsl.program @chain {", '  tdsl.node @x0 : f32 "8|->64" input']
    for i in range(1, size):
        lines.append(f'  tdsl.node @x{i} : f32 "8|->64" result')
        lines.append(f'  tdsl.projections @p{i} "..b..|i; i->o => ..b..|o" (@x{i - 1}, @x0) -> @x{i}')
    lines.append("  tdsl.routine @forward {")
    lines += [f"    tdsl.assign @x{i} reset add = mul(@x{i - 1}, @x0) by @p{i}" for i in range(1, size)]
    lines += ["  }", "}"]
    return "\n".join(lines)


def measure(action: Callable[[], object], repetitions: int) -> tuple[float, float]:
    """The minimum and the median, in seconds."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times), statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="nodes, and as many assignments")
    parser.add_argument("--repetitions", type=int, default=7)
    arguments = parser.parse_args()

    text = program_text(arguments.size)
    with tdsl.ir.create_context():
        module = ir.Module.parse(text)
        total = [0.0, 0.0]
        for name, action in (
            ("parse and verify", lambda: ir.Module.parse(text)),
            ("verify", module.operation.verify),
            ("print", lambda: str(module)),
        ):
            best, median = measure(action, arguments.repetitions)
            if name != "verify":
                total[0] += best
                total[1] += median
            print(f"{name:>20}  min {best:.3f} s  median {median:.3f} s")
        print(f"{'parse, verify, print':>20}  min {total[0]:.3f} s  median {total[1]:.3f} s")


if __name__ == "__main__":
    main()
