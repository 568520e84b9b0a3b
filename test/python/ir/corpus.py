"""The valid programs of the lit tests, as the corpus that the tests of robustness change."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "Dialect" / "Tdsl"
#: Files that hold valid programs only.
NAMES = ("assignments", "constraints", "declarations", "effects", "fetches", "internalize", "projections", "symbol-dce")


def programs() -> dict[str, str]:
    """The text of each file, without comments."""
    texts = {}
    for name in NAMES:
        lines = (_FOLDER / f"{name}.mlir").read_text(encoding="utf-8").splitlines()
        texts[name] = "\n".join(line for line in lines if not line.lstrip().startswith("//")) + "\n"
    return texts
