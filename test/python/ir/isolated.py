"""Runs code in a process of its own, for what may abort or hang."""

from __future__ import annotations

import subprocess
import sys


def run_isolated(code: str, *arguments: str, timeout: float, stdin: bytes = b"") -> str:
    """What the code prints; what the process says of its end when it does not end well."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], input=stdin, capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired as expired:
        return (expired.stdout or b"").decode(errors="replace") + f"\nhung for {timeout} s"
    output = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return output
    return f"{output}\nended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}"


def run_batch(code: str, items: list[str], known_aborts: dict[str, str], timeout: float) -> list[str]:
    """Runs code over items in processes of their own, and returns what went wrong with which item.

    The code reads one item in each line of its input, prints the number of the line before it works on it, and
    "survived" at the end. Where a process ends early, the next one goes on after the item that ended it. An end whose
    message contains a key of ``known_aborts`` is not wrong: these are failed checks of upstream code on input that it
    should refuse, which nobody but upstream can guard.
    """
    wrong = []
    start = 0
    while start < len(items):
        outcome = run_isolated(code, timeout=timeout, stdin="\n".join(items[start:]).encode())
        if outcome.endswith("survived\n"):
            break
        reached = start + max((int(line) for line in outcome.splitlines() if line.isdigit()), default=0)
        message = outcome[max(outcome.rfind("\nended with"), outcome.rfind("\nhung for")) + 1 :]
        if not any(known in message for known in known_aborts):
            wrong.append(f"item {reached}: {message}")
        start = reached + 1
    return wrong
