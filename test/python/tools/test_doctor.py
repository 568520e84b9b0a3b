"""tdsl doctor."""

from __future__ import annotations

import json

import pytest

from tdsl.tools import doctor
from tdsl.tools.main import main


def test_the_report_is_json_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    found = {check["name"]: check for check in report["checks"]}
    assert found["MLIR"]["found"].startswith("22.1.8 ")
    assert "nvptx64" in found["LLVM targets"]["found"]
    assert all(check["ok"] or check["advice"] for check in report["checks"])


def test_a_broken_core_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> str:
        raise ImportError("libMLIRPythonCAPI.so: no such file")

    monkeypatch.setattr(doctor, "_pipeline", fail)
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    position = next(i for i, line in enumerate(lines) if line.startswith("MISSING  pipeline"))
    assert lines[position].endswith("ImportError: libMLIRPythonCAPI.so: no such file")
    assert lines[position + 1].strip() == "-> pip install --force-reinstall tdsl"
    assert lines[-1] == "The core does not work."


def test_a_missing_extra_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    assert main(["doctor"]) == 0
    assert "-> install the CUDA toolkit and put ptxas on PATH" in capsys.readouterr().out
