"""tdsl cache: what the cache of compiled programs holds, and how to empty it. Needs no MLIR."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from pathlib import Path

from tdsl.cache.folder import CacheFolder
from tdsl.session import knobs

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options of the subcommand."""
    parser.add_argument("action", choices=["info", "clear"], help="report on the cache, or remove what it holds")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Reports or removes. Returns 1 if there is no place for a cache, or something could not be removed."""
    root = knobs.cache_dir
    if root is None:
        print("There is no home folder for the cache: set TDSL_CACHE_DIR.")
        return 1
    folder = CacheFolder(root.absolute(), "", knobs.cache_size)
    if arguments.action == "clear":
        removed = folder.clear()
        left = folder.files()
        count = sum(file.size for file in removed)
        report = {"folder": str(root), "removed": len(removed), "bytes": count, "left": len(left)}
        text = f"Removed {len(removed)} files, {_size(count)}, from {root}."
        text += f"\n{len(left)} files could not be removed." if left else ""
    else:
        left = []
        report = _report(root, folder)
        text = f"{root}: {report['files']} files, {_size(report['bytes'])} of {_size(report['limit'])}"
        text += "" if knobs.cache else "\nThe cache is off (TDSL_CACHE)."
        text += f"\nUsed first on {report['oldest']}, last on {report['newest']}." if report["files"] else ""
    print(json.dumps(report, indent=2) if arguments.json else text)
    return 1 if left else 0


def _report(root: Path, folder: CacheFolder) -> dict[str, str | int | bool | None]:
    files = folder.files()
    times = [datetime.fromtimestamp(file.used).isoformat(" ", "seconds") for file in files]
    return {
        "folder": str(root),
        "on": knobs.cache,
        "files": len(files),
        "bytes": sum(file.size for file in files),
        "limit": folder.limit,
        "oldest": times[0] if times else None,
        "newest": times[-1] if times else None,
    }


def _size(count: object) -> str:
    assert isinstance(count, int)
    return f"{count / 1e6:.1f} MB" if count >= 10**5 else f"{count / 1e3:.1f} kB"
