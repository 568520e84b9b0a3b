"""Every code block of the documentation is run: Python as one program per page, MLIR through parser and verifier."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import mlir.ir as ir
import pytest

import tdsl.ir

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

#: Languages that are checked elsewhere: set-up commands by .ci/run, the others are not programs.
NOT_RUN = {"sh", "text", "toml"}


def blocks(page: Path, language: str) -> list[str]:
    return [code for found, code in BLOCK.findall(page.read_text()) if found == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_has_a_known_language(page: Path) -> None:
    text = page.read_text()
    languages = {language for language, _ in BLOCK.findall(text)}
    assert languages <= NOT_RUN | {"python", "mlir", "console"}
    # A fence that the pattern misses would be a block that nothing runs; the generated reference has bare fences around
    # its grammar.
    if page.name != "dialect.md":
        assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(BLOCK.findall(text))


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda page: page.name)
def test_python_blocks(page: Path, tmp_path: Path) -> None:
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks(page, "python")))
    result = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr


MLIR_BLOCKS = [(page, number, code) for page in PAGES for number, code in enumerate(blocks(page, "mlir"))]


@pytest.mark.parametrize(("page", "number", "code"), MLIR_BLOCKS, ids=[f"{p.name}-{n}" for p, n, _ in MLIR_BLOCKS])
def test_mlir_blocks(page: Path, number: int, code: str) -> None:
    with tdsl.ir.create_context():
        module = ir.Module.parse(code)
        assert module.operation.verify()
        assert str(ir.Module.parse(str(module))) == str(module)


CONSOLE_BLOCKS = [(page, number, code) for page in PAGES for number, code in enumerate(blocks(page, "console"))]


@pytest.mark.parametrize(
    ("page", "number", "code"), CONSOLE_BLOCKS, ids=[f"{p.name}-{n}" for p, n, _ in CONSOLE_BLOCKS]
)
def test_console_blocks(page: Path, number: int, code: str) -> None:
    """``$ command`` lines are run from the root of the repository; the lines after each are its output, ``...`` any."""
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE):
        scripts = Path(sys.executable).parent
        result = subprocess.run(
            command,
            shell=True,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            env={"PATH": f"{scripts}:/bin:/usr/bin", "TDSL_CACHE": "off"},
        )
        pattern = re.escape(expected.strip()).replace(re.escape("..."), "(?s:.*?)")
        assert re.fullmatch(pattern, (result.stdout + result.stderr).strip()), result.stdout + result.stderr
