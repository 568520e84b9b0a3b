"""Contexts: where several threads could find mistakes, the process survives."""

from __future__ import annotations

from isolated import run_isolated

CODE = """
import mlir.ir as ir
import tdsl.ir
routines = "".join("tdsl.routine @r%d { tdsl.fill @x neutral overwrite\\n}\\n" % number for number in range(8))
with tdsl.ir.create_context():
    for _ in range(50):
        try:
            ir.Module.parse("tdsl.program @p {\\n" + routines + "}")
        except ir.MLIRError as error:
            first = str(error).splitlines()[1]
print(first)
"""


def test_mistakes_in_several_routines() -> None:
    assert run_isolated(CODE, timeout=60) == (
        "error: \"-\":2:20: 'tdsl.fill' op needs an accumulator with a neutral element; "
        "overwriting has none that a cell could keep (spec b.2)\n"
    )
