"""The folder of the cache: what is trusted, what is removed, and that nothing of it can fail a compilation."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tdsl.cache.folder import CacheFolder
from tdsl.session import knobs


@pytest.fixture
def folder(tmp_path: Path) -> CacheFolder:
    return CacheFolder(tmp_path / "cache", "v1", 10_000)


def _file(folder: CacheFolder, key: str) -> Path:
    return folder.root / "v1" / f"{key}.tdsl"


def _said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_what_was_written_is_read(folder: CacheFolder) -> None:
    assert folder.read("a") is None
    assert folder.write("a", b"one")
    assert folder.write("a", b"two")
    assert folder.read("a") == b"two"
    assert [file.path for file in folder.files()] == [_file(folder, "a")]


def test_only_the_owner_can_enter(folder: CacheFolder) -> None:
    folder.write("a", b"one")
    assert stat.S_IMODE(_file(folder, "a").parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(_file(folder, "a").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_can_write_to_is_not_used(
    folder: CacheFolder, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("a", b"one")
    _file(folder, "a").parent.chmod(mode)
    with knobs.scope(debug=1):
        assert folder.read("a") is None
        assert not folder.write("b", b"two")
    assert "is not used: other users can write to it" in _said(capsys)


def test_a_file_that_others_can_write_to_is_not_used(folder: CacheFolder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("a", b"one")
    _file(folder, "a").chmod(0o666)
    with knobs.scope(debug=1):
        assert folder.read("a") is None
    assert "is not used: other users can write to it" in _said(capsys)


def test_what_belongs_to_another_user_is_not_used(
    folder: CacheFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("a", b"one")
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with knobs.scope(debug=1):
        assert folder.read("a") is None
        assert not folder.write("b", b"two")
    assert "is not used: it belongs to another user" in _said(capsys)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_that_belongs_to_another_user_is_not_used(folder: CacheFolder) -> None:
    folder.write("a", b"one")
    os.chown(_file(folder, "a"), 4711, -1)
    assert folder.read("a") is None


def test_links_and_other_things_are_not_followed(folder: CacheFolder, tmp_path: Path) -> None:
    folder.write("a", b"one")
    target = tmp_path / "elsewhere"
    target.write_bytes(b"planted")
    target.chmod(0o600)
    _file(folder, "b").symlink_to(target)
    os.mkfifo(_file(folder, "c"), 0o600)
    _file(folder, "d").mkdir(0o700)
    assert [folder.read(key) for key in "abcd"] == [b"one", None, None, None]
    assert [file.path.stem for file in folder.files()] == ["a"]


@pytest.mark.parametrize("root", ["/proc/tdsl-cache", "/dev/null/cache"])
def test_a_folder_that_cannot_be_made(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = CacheFolder(Path(root), "v1", 10_000)
    with knobs.scope(debug=1):
        assert folder.read("a") is None
        assert not folder.write("a", b"one")
    assert "cache: cannot write to" in _said(capsys)
    assert (folder.files(), folder.clear(), list(folder.keys())) == ([], [], [])


def test_a_read_only_folder_is_read(folder: CacheFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("a", b"one")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert not folder.write("b", b"two")
    assert folder.read("a") == b"one"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    """The system refuses to write more than 1,000 bytes to a file, as it does where the disk is full."""
    script = f"""
import resource
from pathlib import Path
from tdsl.cache.folder import CacheFolder
folder = CacheFolder(Path({str(tmp_path)!r}) / "cache", "v1", 10_000)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
assert folder.write("small", bytes(1_000))
assert not folder.write("large", bytes(1_001))
assert folder.read("large") is None
assert [file.path.name for file in folder.files()] == ["small.tdsl"]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_what_was_used_longest_ago_goes_first(folder: CacheFolder) -> None:
    now = time.time()
    for number, key in enumerate("abcd"):
        folder.write(key, bytes(2_400))
        os.utime(_file(folder, key), (now - 100 + number, now - 100 + number))
    assert folder.read("a") is not None  # used now
    assert folder.read("b", touch=False) is not None  # looked at
    folder.write("e", bytes(2_400))  # 12,000 bytes; 9,000 stay
    assert sorted(folder.keys()) == ["a", "d", "e"]
    assert next(iter(folder.keys())) == "e"


def test_the_limit_counts_all_versions(folder: CacheFolder) -> None:
    old = CacheFolder(folder.root, "v0", folder.limit)
    old.write("a", bytes(9_000))
    folder.write("b", bytes(9_000))
    assert [file.path.parent.name for file in folder.files()] == ["v1"]


def test_what_is_larger_than_the_limit_is_not_kept(folder: CacheFolder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("a", b"one")
    with knobs.scope(debug=1):
        assert not folder.write("b", bytes(10_001))
    assert "10001 bytes are more than its limit of 10000" in _said(capsys)
    assert folder.read("a") == b"one"


def test_temporary_files_of_processes_that_died_go(folder: CacheFolder) -> None:
    folder.write("a", b"one")
    left, working = (_file(folder, "a").parent / name for name in (".tmp-left", ".tmp-working"))
    left.write_bytes(b"half")
    working.write_bytes(b"half")
    os.utime(left, (0, 0))
    folder.write("b", b"two")
    assert not left.exists()
    assert working.exists()


def test_clear_leaves_what_is_not_ours(folder: CacheFolder) -> None:
    CacheFolder(folder.root, "v0", 100).write("a", b"one")
    folder.write("b", b"two")
    foreign = _file(folder, "b").parent / "notes.txt"
    foreign.write_text("mine")
    assert len(folder.clear()) == 2
    assert foreign.read_text() == "mine"
    assert sorted(path.name for path in folder.root.iterdir()) == ["v1"]
