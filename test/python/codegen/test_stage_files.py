"""Stages are written as files, and replaced by files."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import tdsl
from tdsl.session import knobs

AFFINE = (Path(__file__).parents[3] / "examples" / "affine.mlir").read_text(encoding="utf-8")
STAGES = ["0-input.mlir", "1-inferred.mlir", "2-linalg.mlir", "3-scheduled.mlir", "4-llvm.mlir"]
ARRAYS = {"x": np.ones((8, 3), "f4"), "w": np.ones((5, 3), "f4"), "b": np.ones(5, "f4")}


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """The folder that a compilation of the example writes to."""
    with knobs.scope(dump_dir=tmp_path / "dump"):
        tdsl.compile(AFFINE)
    (folder,) = (tmp_path / "dump").iterdir()
    return folder


@pytest.fixture
def override(dump: Path, tmp_path: Path) -> Path:
    """A folder with a copy of that folder, without files."""
    folder = tmp_path / "override" / dump.name
    folder.mkdir(parents=True)
    return folder


def test_every_stage_is_a_numbered_file(dump: Path) -> None:
    assert dump.name.startswith("affine-")
    compiled = tdsl.compile(AFFINE)
    names = sorted(path.name for path in dump.iterdir())
    assert names[:3] == ["0-input.mlir", "1-inferred.mlir", "2-linalg.mlir"]
    assert names[-1] == "4-llvm.mlir"
    for name in names:
        assert (dump / name).read_text() == compiled.mlir(name[2:].removesuffix(".mlir"))


def test_assembly_on_request(tmp_path: Path) -> None:
    with knobs.scope(dump_dir=tmp_path, dump_asm=True):
        compiled = tdsl.compile(AFFINE)
    (folder,) = tmp_path.iterdir()
    assert (folder / "5-asm.s").read_text() == compiled.asm()


def test_programs_of_one_name_have_folders_of_their_own(tmp_path: Path) -> None:
    with knobs.scope(dump_dir=tmp_path):
        for keep in (None, ["y"], ["y"]):
            tdsl.compile(AFFINE, keep=keep)
        tdsl.compile(AFFINE.replace("8|->3", "9|->3"))
        tdsl.eager_cache.clear()
        tdsl.einsum("ij => ji", np.ones((2, 3), "f4"))
    assert sorted(path.name.rpartition("-")[0] for path in tmp_path.iterdir()) == ["affine"] * 3 + ["eager"]


def test_a_file_replaces_a_stage(dump: Path, override: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (dump / "1-inferred.mlir").read_text()
    assert text.count("= add(@h, @b)") == 1
    (override / "1-inferred.mlir").write_text(text.replace("= add(@h, @b)", "= sub(@h, @b)"))
    with knobs.scope(override_dir=override.parent):
        compiled = tdsl.compile(AFFINE)
    assert (compiled["forward"](ARRAYS)["y"] == 2).all()
    assert "= sub(@h, @b)" in compiled.mlir("inferred")
    assert capsys.readouterr().err == f"tdsl: affine: stage 'inferred' is replaced by {override / '1-inferred.mlir'}\n"
    assert (tdsl.compile(AFFINE)["forward"](ARRAYS)["y"] == 4).all()


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_can_be_replaced_by_itself(dump: Path, override: Path, stage: str) -> None:
    shutil.copy(dump / stage, override / stage)
    with knobs.scope(override_dir=override.parent):
        compiled = tdsl.compile(AFFINE)
    assert compiled.object_code == tdsl.compile(AFFINE).object_code
    assert (compiled["forward"](ARRAYS)["y"] == 4).all()


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        *[(stage, text) for stage in STAGES for text in ("nonsense", b"\xff\xfe")],
        # A module without routines has these stages, too.
        *[(stage, "func.func @f() { return }") for stage in STAGES if stage != "2-linalg.mlir"],
        ("0-input.mlir", ""),
        ("1-inferred.mlir", ""),
        ("4-llvm.mlir", ""),
        ("2-linalg.mlir", "func.func @forward(%a: memref<f32>) attributes {tdsl.routine} { return }"),
    ],
)
def test_a_file_that_is_wrong_is_named(override: Path, stage: str, text: str | bytes) -> None:
    path = override / stage
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with knobs.scope(override_dir=override.parent), pytest.raises(tdsl.TdslError) as caught:
        tdsl.compile(AFFINE)
    assert str(path) in str(caught.value)


def test_a_dump_folder_that_cannot_be_written() -> None:
    with (
        knobs.scope(dump_dir="/proc/nowhere"),
        pytest.raises(tdsl.TdslError, match=r"^cannot write /proc/nowhere/affine-.*, below the folder that dump_dir"),
    ):
        tdsl.compile(AFFINE)
