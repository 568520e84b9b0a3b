"""tdsl cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tdsl.cache.folder import CacheFolder
from tdsl.session import knobs
from tdsl.tools.main import main


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = CacheFolder(tmp_path, "v1", 10**6)
    folder.write("a", bytes(1_500))
    folder.write("b", bytes(500))
    return tmp_path


def test_info(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with knobs.scope(cache_dir=root, cache_size=10**6, cache=True):
        assert main(["cache", "info"]) == 0
        assert capsys.readouterr().out.startswith(f"{root}: 2 files, 2.0 kB of 1.0 MB\nUsed first on 2")
        assert main(["cache", "info", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["files"], report["bytes"], report["limit"], report["on"]) == (2, 2_000, 10**6, True)


def test_clear(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with knobs.scope(cache_dir=root, cache=False):
        assert main(["cache", "clear"]) == 0
        assert capsys.readouterr().out == f"Removed 2 files, 2.0 kB, from {root}.\n"
        assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out == f"{root}: 0 files, 0.0 kB of 512.0 MB\nThe cache is off (TDSL_CACHE).\n"


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with knobs.scope(cache_dir=tmp_path / "none"):
        assert main(["cache", "info"]) == 0
        assert main(["cache", "clear"]) == 0
    assert "0 files" in capsys.readouterr().out
    with knobs.scope(cache_dir=None):
        assert main(["cache", "info"]) == 1
    assert capsys.readouterr().out == "There is no home folder for the cache: set TDSL_CACHE_DIR.\n"
