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
