"""Compiling through the cache: what is found, what is not, and that a hit is like a compilation."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tdsl
from tdsl.cache import key as cache_key
from tdsl.cache.folder import CacheFolder
from tdsl.cache.key import VERSION
from tdsl.cache.record import decode, encode
from tdsl.session import knobs

AFFINE = (Path(__file__).parents[3] / "examples" / "affine.mlir").read_text(encoding="utf-8")

#: Initial cells of a type that NumPy lacks, a hidden node, a symbol, random words.
RICH = """tdsl.program @rich {
  tdsl.symbol @i range 0 to 4
  tdsl.node @x : f32 "4|->3" input
  tdsl.node @words : uint4x32 "2" input
  tdsl.node @copy : uint4x32 "2" result
  tdsl.node @scale : bf16 "3" param = dense<2.5> : tensor<3xbf16>
  tdsl.node private @t : f32 "...|...->..." result
  tdsl.node @y : f32 "...|...->..." result
  tdsl.projections @take slice(@i) (@x) -> @t
  tdsl.projections @same "." (@words) -> @copy
  tdsl.projections @times "." (@t, @scale) -> @y
  tdsl.routine @run(%i: !tdsl.index<@i>) {
    tdsl.assign @t overwrite = id(@x) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @y overwrite = mul(@t, @scale) by @times
    tdsl.assign @copy overwrite = id(@words) by @same
  }
}"""


@pytest.fixture(autouse=True)
def root(tmp_path: Path) -> Iterator[Path]:
    with knobs.scope(cache=True, cache_dir=tmp_path / "cache", debug=1):
        yield tmp_path / "cache"


def _said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.removeprefix("tdsl: ") for line in capsys.readouterr().err.splitlines()]


def _builder(sum_over: str = "add") -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("built")
    x = program.node("x", "8|->3", role="input", precision="f32")
    w = program.node("w", "|3->4", role="param")
    h = program.node("h", "...|...->...")
    product = program.projections("product", "@", [w, x], h)
    with program.routine("forward") as code:
        code.assign(h, sum_over, "mul", [w, x], product, reset=True)
    return program


def test_a_hit_is_like_a_compilation(capsys: pytest.CaptureFixture[str]) -> None:
    first = tdsl.compile(AFFINE, keep=["y"])
    said = _said(capsys)
    assert said[0] == "affine: not in the cache: there is nothing like it"
    assert said[1].startswith("affine: compiled in ")
    second = tdsl.compile(AFFINE, keep=["y"])
    assert _said(capsys)[0].startswith("affine: found in the cache (")
    assert second.times.infer == 0
    assert second.object_code == first.object_code
    assert second.name == first.name
    assert second.hidden == first.hidden == {"h"}
    assert second["forward"].signature == first["forward"].signature
    arrays = {"x": np.ones((8, 3), "f4"), "w": np.ones((5, 3), "f4"), "b": np.ones(5, "f4")}
    for compiled in (first, second):
        assert (compiled["forward"](arrays)["y"] == 4).all()
        with pytest.raises(tdsl.TdslError, match="was not kept"):
            compiled["forward"](arrays)["h"]


def test_the_stages_of_a_hit_are_made_when_they_are_asked_for() -> None:
    first, second = tdsl.compile(AFFINE), tdsl.compile(AFFINE)
    for stage in ("input", "inferred", "linalg", "llvm"):
        assert second.mlir(stage) == first.mlir(stage)
    assert second.asm() == first.asm()
    with pytest.raises(tdsl.TdslError, match="there is no stage 'nothing'"):
        second.mlir("nothing")


def test_what_a_routine_needs_is_kept() -> None:
    first, second = tdsl.compile(RICH), tdsl.compile(RICH)
    assert second.times.infer == 0
    signature = second["run"].signature
    assert signature == first["run"].signature
    assert [a.dtype.name for a in signature.arguments] == [a.dtype.name for a in first["run"].signature.arguments]
    initial = second["run"].initial
    assert {name: cells.tolist() for name, cells in initial.items()} == {
        name: cells.tolist() for name, cells in first["run"].initial.items()
    }
    x = np.arange(12, dtype="f4").reshape(4, 3)
    assert second["run"](x=x, i=2, words=np.zeros((2, 4), "u4"))["y"].tolist() == [15, 17.5, 20]
    with pytest.raises(tdsl.TdslError, match="outside of its range 0 to 4"):
        second["run"](x=x, i=4, words=np.zeros((2, 4), "u4"))


def test_builders_and_texts(capsys: pytest.CaptureFixture[str]) -> None:
    built = tdsl.compile(_builder())
    again = tdsl.compile(_builder())
    assert again.times.infer == 0
    assert again.object_code == built.object_code
    assert _said(capsys)[-1].startswith("built: found in the cache (")
    # A comment makes another text, but no other IR.
    commented = tdsl.compile("// A comment.\n" + str(_builder()))
    assert commented.object_code == built.object_code
    said = _said(capsys)
    assert said[0] == "built: not in the cache: the nearest entry differs in program"
    assert said[1].startswith("built: its IR was found in the cache (")
    assert commented.mlir("linalg") == built.mlir("linalg")


@pytest.mark.parametrize(
    ("part", "options", "settings"),
    [
        ("keep", {"keep": ["y"]}, {}),
        ("optimization_level", {"optimization_level": 1}, {}),
        ("optimization_level", {}, {"optimization_level": 1}),
        ("strict", {}, {"strict": True}),
        ("libm", {}, {"libm": True}),
    ],
)
def test_what_matters_makes_a_miss_that_is_explained(
    part: str, options: dict, settings: dict, capsys: pytest.CaptureFixture[str]
) -> None:
    tdsl.compile(AFFINE)
    capsys.readouterr()
    with knobs.scope(**settings):
        tdsl.compile(AFFINE, **options)
    assert _said(capsys)[0] == f"affine: not in the cache: the nearest entry differs in {part}"


def test_another_compiler_and_another_machine_miss(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tdsl.compile(AFFINE)
    capsys.readouterr()
    monkeypatch.setattr(cache_key, "_compiler_fingerprint", lambda: "another")
    tdsl.compile(AFFINE)
    assert _said(capsys)[0] == "affine: not in the cache: the nearest entry differs in compiler"


def test_what_does_not_matter_hits() -> None:
    first = tdsl.compile(AFFINE, keep=["y", "h"])
    assert tdsl.compile(AFFINE, keep=iter(["h", "y", "h"])).times.infer == 0
    with knobs.scope(cache_size=10**9, debug=0):
        assert tdsl.compile(AFFINE, keep=["h", "y"]).object_code == first.object_code


def test_a_mistake_is_reported_whatever_the_cache_holds() -> None:
    tdsl.compile(AFFINE, keep=["y"])
    for _ in range(2):
        with pytest.raises(tdsl.TdslError, match=r"^keep is a list of names of nodes: write keep=\['y'\]$"):
            tdsl.compile(AFFINE, keep="y")
        with pytest.raises(tdsl.TdslError, match="keep names 'z', which is not a node"):
            tdsl.compile(AFFINE, keep=["z"])
        with pytest.raises(tdsl.CompileError):
            tdsl.compile(AFFINE + "}")
    with pytest.raises(ValueError, match="optimization_level"):
        tdsl.compile(AFFINE, keep=["y"], optimization_level=7)


def test_the_cache_can_be_off(root: Path) -> None:
    with knobs.scope(cache=False):
        tdsl.compile(AFFINE)
    assert not root.exists()


def test_dumps_are_made_by_a_compilation(root: Path, tmp_path: Path) -> None:
    tdsl.compile(AFFINE)
    with knobs.scope(dump_dir=tmp_path / "dump"):
        assert tdsl.compile(AFFINE).times.infer > 0


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty", "foreign text"])
def test_damaged_files_are_compiled_again(root: Path, damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = tdsl.compile(AFFINE).object_code
    files = CacheFolder(root, VERSION, 10**9).files()
    assert len(files) == 2
    for file in files:
        data = file.path.read_bytes()
        middle = len(data) // 2
        changed = {
            "truncate": data[:middle],
            "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
            "empty": b"",
            "foreign text": b"#!/bin/sh\n" * 100,
        }
        file.path.write_bytes(changed[damage])
        compiled = tdsl.compile(AFFINE)
        assert compiled.object_code == code
        assert (
            compiled["forward"](x=np.ones((8, 3), "f4"), w=np.ones((5, 3), "f4"), b=np.ones(5, "f4"))["y"] == 4
        ).all()
        assert any("removed a file that is damaged" in line for line in _said(capsys))
        assert tdsl.compile(AFFINE).times.infer == 0


def test_code_that_cannot_be_loaded_is_compiled_again(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is whole, with something else than code in it."""
    code = tdsl.compile(AFFINE).object_code
    for file in CacheFolder(root, VERSION, 10**9).files():
        header, body = decode(file.path.read_bytes())
        if "code_size" in header:
            file.path.write_bytes(encode(header, bytes(len(body))))
    assert tdsl.compile(AFFINE).object_code == code
    assert any("its code in the cache is not used: " in s for s in _said(capsys))
    assert tdsl.compile(AFFINE).times.infer == 0


def test_eviction_is_a_miss(root: Path) -> None:
    with knobs.scope(cache_size=4_000):
        tdsl.compile(AFFINE)
        tdsl.compile(_builder())
        assert sum(file.size for file in CacheFolder(root, VERSION, 0).files()) <= 4_000
        assert tdsl.compile(AFFINE).times.infer > 0


@pytest.mark.parametrize("problem", ["read-only", "no home", "a file in the way"])
def test_no_folder_no_cache(
    problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    place = {"read-only": Path("/proc/tdsl-cache"), "no home": None, "a file in the way": tmp_path / "file"}[problem]
    with knobs.scope(cache_dir=place):
        for _ in range(2):
            assert tdsl.compile(AFFINE)["forward"].signature.routine == "forward"
    expected = "cache: off, since there is no home folder" if place is None else "cache: cannot write to"
    assert any(line.startswith(expected) for line in _said(capsys))


_FILL = """
import sys
import numpy as np
import tdsl
text = open(sys.argv[1], encoding="utf-8").read()
for size in range(8, 14):
    program = text.replace('"8|->3"', f'"{size}|->3"')
    forward = tdsl.compile(program)["forward"]
    y = forward(x=np.ones((size, 3), "f4"), w=np.ones((5, 3), "f4"), b=np.ones(5, "f4"))["y"]
    assert y.shape == (size, 5) and (y == 4).all()
print("done")
"""


def test_two_processes_fill_a_fresh_cache(root: Path, tmp_path: Path) -> None:
    source = tmp_path / "affine.mlir"
    source.write_text(AFFINE)
    environment = {**os.environ, "TDSL_CACHE": "on", "TDSL_CACHE_DIR": str(root), "TDSL_DEBUG": "0"}
    command = [sys.executable, "-c", _FILL, str(source)]
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in processes:
        assert process.communicate(timeout=300) == ("done\n", "")
        assert process.returncode == 0
    names = [file.path.name for file in CacheFolder(root, VERSION, 10**9).files()]
    assert len(names) == 12  # six programs, each with its front key and its code
    assert not any(name.startswith(".tmp") for name in names)


def test_a_warm_start_runs_no_pass(root: Path, tmp_path: Path) -> None:
    source = tmp_path / "affine.mlir"
    source.write_text(AFFINE)
    script = _FILL + "print(sorted(name for name in sys.modules if name.startswith('tdsl.passes.infer')))"
    environment = {**os.environ, "TDSL_CACHE": "on", "TDSL_CACHE_DIR": str(root), "TDSL_DEBUG": "0"}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script, str(source)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert outputs[0] == "done\n['tdsl.passes.infer_precision', 'tdsl.passes.infer_shapes']\n"
    assert outputs[1] == "done\n[]\n"


def test_eager_operations(capsys: pytest.CaptureFixture[str]) -> None:
    a = np.arange(12, dtype="f4").reshape(3, 4)
    results = []
    for _ in range(2):
        tdsl.eager_cache.clear()
        results.append(tdsl.einsum("ij; jk => ik", a, a.T))
    np.testing.assert_array_equal(results[0], a @ a.T)
    np.testing.assert_array_equal(results[1], a @ a.T)
    assert results[0].rows == results[1].rows
    said = _said(capsys)
    assert said[0] == "einsum: not in the cache: there is nothing like it"
    assert said[-1].startswith("einsum: found in the cache (")


def test_eager_operations_tell_apart_what_matters() -> None:
    a = np.arange(9, dtype="f4")
    for _ in range(2):
        tdsl.eager_cache.clear()
        k = np.ones(3, "f4")
        assert tdsl.einsum("stride*o<+k; k => o", a, k, stride=2).tolist() == [3, 9, 15, 21]
        assert tdsl.einsum("stride*o<+k; k => o", a, k, stride=3).tolist() == [3, 12, 21]
        assert tdsl.einsum("o+k; k => o", a, k, use_padding=True).shape == (9,)
        assert tdsl.einsum("o+k; k => o", a, k, use_padding=False).shape == (7,)
        assert tdsl.einsum("stride*o<+k; k => o", a.astype("f8"), k, stride=2).dtype == np.float64
        assert tdsl.concat("a^b => b", a, sizes={"b": 4}).tolist() == [5, 6, 7, 8]
        assert tdsl.concat("a^b => b", a, sizes={"b": 2}).tolist() == [7, 8]
        assert tdsl.einsum1("i => i", np.zeros(0, "f4")).shape == (0,)
