"""How many conformance cases of each kind pass, compiled and in the tests of the libraries.

``python test/python/agreement/case_table.py`` compiles and runs every case that has values, and runs the library tests
that have the id of a case in their name.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from agreement.compiled_cases import CHECKS, compiled_cases  # noqa: E402  (the path comes first)
from notation.conformance import cases  # noqa: E402

KINDS = (
    *("einsum", "parse", "shape", "broadcast", "basis", "solver", "inference", "projection", "pspace", "capture"),
    *("discardable", "lowering", "cd_assign", "scalar", "neutral", "compose_value", "memory"),
    *("prng", "stack", "literal", "puzzle"),
)


def library_results() -> dict[str, bool]:
    """For the id of each case that a library test has in its name or its parameters: whether all of them pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA", "--no-header", "--tb=no"]
    folders = [
        str(TESTS / name) for name in ("notation", "shapes", "projections", "reference", "eager", "runtime_numerics")
    ]
    selected = ["-k", "conformance or solver or derivation or test_programs or literals or puzzles or stack or words"]
    done = subprocess.run([*command, *folders, *selected], capture_output=True, text=True)
    patterns = {case["id"]: _pattern(case["id"]) for case in cases()}
    passed: dict[str, bool] = {}
    for line in done.stdout.splitlines():
        match = re.match(r"(PASSED|FAILED|ERROR|XFAIL) \S+?::(\S+)", line)
        if match is None:
            continue
        for identifier, pattern in patterns.items():
            if pattern.search(match[2]):
                passed[identifier] = passed.get(identifier, True) and match[1] == "PASSED"
    return passed


def _pattern(identifier: str) -> re.Pattern[str]:
    """An id as whole words; in names of functions its dashes are underlines."""
    return re.compile("(?<![a-z0-9])" + "[-_]".join(map(re.escape, identifier.split("-"))) + "(?![a-z0-9])")


def main() -> int:
    compiled: dict[str, list[bool]] = defaultdict(list)
    failures = []
    for case in compiled_cases():
        try:
            CHECKS[case["kind"]](case)
        except Exception as error:  # every failure is a row of the table, whatever it is
            failures.append(f"{case['id']}: {type(error).__name__}: {str(error).strip().splitlines()[0]}")
        compiled[case["kind"]].append(not failures or not failures[-1].startswith(f"{case['id']}:"))
    libraries = library_results()
    print(f"{'kind':>14} {'cases':>6} {'compiled and run':>17} {'library tests':>14} {'not tested':>11}")
    for kind in KINDS:
        identifiers = [case["id"] for case in cases(kind)]
        run = compiled[kind]
        tested = [identifier for identifier in identifiers if identifier in libraries]
        of_run = f"{sum(run)}/{len(run)}" if run else "-"
        of_tested = f"{sum(libraries[i] for i in tested)}/{len(tested)}"
        done = {case["id"] for case in compiled_cases()} | set(tested)
        print(f"{kind:>14} {len(identifiers):6} {of_run:>17} {of_tested:>14} {len(set(identifiers) - done):11}")
    print("\n".join(failures))
    return 1 if failures or not all(libraries.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
