"""Runs every check of the repository with the tools of the current environment, and fails if one fails.

``python test/run.py`` after ``pip install '.[test]'``; ``python test/run.py lit pytest`` runs only these checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent
CPP_SOURCES = sorted(
    str(path.relative_to(ROOT))
    for folder in ("include", "lib", "python/src", "test/CAPI", "examples")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".h", ".c", ".cpp")
)

#: Each check and its command. Those that read a file are first, those that run the compiler last.
CHECKS: dict[str, list[str]] = {
    "ruff": [str(SCRIPTS / "ruff"), "check", "."],
    "ruff-format": [str(SCRIPTS / "ruff"), "format", "--check", "."],
    "clang-format": [str(SCRIPTS / "clang-format"), "--dry-run", "--Werror", *CPP_SOURCES],
    "generated-files": [sys.executable, "tools/generate.py", "--check"],
    "pyright": [str(SCRIPTS / "basedpyright"), "--pythonpath", sys.executable],
    "import-linter": [str(SCRIPTS / "lint-imports"), "--no-cache"],
    "lit": [str(SCRIPTS / "lit"), "-v", "test"],
    "pytest": [sys.executable, "-m", "pytest", "-n", "2"],
}


def main() -> int:
    names = sys.argv[1:] or list(CHECKS)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    environment = os.environ | {"PATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", "")])}
    failed, seconds = [], {}
    for name in names:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        if subprocess.run(CHECKS[name], cwd=ROOT, env=environment).returncode != 0:
            failed.append(name)
        seconds[name] = time.monotonic() - start
    print("== summary")
    for name in names:
        print(f"{'FAILED' if name in failed else 'ok':>7}  {name} ({seconds[name]:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
