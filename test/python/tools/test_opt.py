"""tdsl-opt as a process: start-up, nesting, interrupts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TEST_PASSES = str(Path(__file__).parents[2] / "plugins" / "test_passes")


def opt(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tdsl.tools.opt", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("module {" * 10_000 + "}" * 10_000, id="regions"),
        # Upstream's parser and verifier take quadratic time here.
        pytest.param("module {" * 30_000 + "}" * 30_000, id="many-regions", marks=pytest.mark.slow),
        pytest.param('"t.op"() {a = ' + "[" * 100_000 + "]" * 100_000 + "} : () -> ()", id="brackets"),
    ],
)
def test_deep_nesting_does_not_crash(text: str, tmp_path: Path) -> None:
    # As bytecode: printed with its indentation, the nest would fill gigabytes.
    result = opt("--allow-unregistered-dialect", "--cse", "--emit-bytecode", "-o", str(tmp_path / "out"), text=text)
    assert result.returncode == 0, result.stderr[-2000:]
    assert (tmp_path / "out").stat().st_size > 30_000


def test_unbalanced_nesting_is_an_error() -> None:
    result = opt(text="module {" * 30_000)
    assert result.returncode == 1
    assert "error: expected" in result.stderr


def test_an_interrupt_in_a_pass_ends_the_tool() -> None:
    result = opt("--test-interrupt", text="tdsl.program @p {}", PYTHONPATH=TEST_PASSES)
    assert result.returncode not in (0, 1)
    assert "error: pass 'test-interrupt' raised KeyboardInterrupt" in result.stderr


def test_start_up_imports_no_more_than_passes_need() -> None:
    script = "import sys, tdsl.tools.opt; from tdsl.passes.registry import register_all; register_all()"
    script += "; print(sorted({'sklearn', 'tdsl.runtime', 'tdsl.reference', 'tdsl.eager'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout.strip() == "[]"


def test_import_is_fast_and_imports_no_extra() -> None:
    script = "import sys, tdsl.passes; print(sorted(m for m in ('ml_dtypes', 'sklearn', 'cuda') if m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


def test_a_validator_that_raises_fails_the_tool() -> None:
    script = """
import sys
import tdsl.tools.opt
import tdsl.tools.validate

def raise_error(self, op, name):
    raise ValueError(f"broken before {name}")

tdsl.tools.validate.Validator.before_pass = raise_error
sys.exit(tdsl.tools.opt.main(["--tdsl-validate-each", "--cse"]))
"""
    result = subprocess.run(
        [sys.executable, "-c", script], input="module {}", capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 1
    assert "broken before cse" in result.stderr
