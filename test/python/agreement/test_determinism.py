"""Programs become the same IR and the same object bytes, whatever the hash seed of the process is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PROGRAMS = {
    "affine": (Path(__file__).parents[3] / "examples" / "affine.mlir").read_text(encoding="utf-8"),
    "concatenation": """
      tdsl.program @concatenation {
        tdsl.node @a : f32 "2" input
        tdsl.node @b : f32 "3" input
        tdsl.node @c : ? "..c.." param
        tdsl.node @y : ? "7" result
        tdsl.node @z : ? "...|...->..." result
        tdsl.projections @p "i;j;k, => i^j^k" (@a, @b, @c) -> @y
        tdsl.projections @q "." (@y, @y) -> @z
        tdsl.routine @run {
          tdsl.assign @y reset add = block id(@a, @b, @c) by @p
          tdsl.assign @z overwrite = mul(@y, @y) by @q
        }
      }""",
    "windows and captures": """
      tdsl.program @windows {
        tdsl.dim @width
        tdsl.dim @height
        tdsl.set_dim @width = 3
        tdsl.set_equal @width, @height
        tdsl.node @x : f64 "2|->6,8,1" input
        tdsl.node @k : ? "|..i..->4" param
        tdsl.node @y : ? "...|...->..." result
        tdsl.node @m : ? "...|...->..." result
        tdsl.projections @p "...|oh=+kh, ow=+2*kw, ..c..; |kh, kw, ..c.. -> ..d.. => ...|oh, ow, ..d.." (@x, @k) -> @y
          captures {kh = @height, kw = @width}
        tdsl.projections @q "...|a, b, ..c.. => ...|a, 0, ..c.." (@y) -> @m
        tdsl.routine @run {
          tdsl.assign @y reset add = mul(@x, @k) by @p
          tdsl.assign @m reset max = id(@y) by @q
        }
      }""",
    "several precisions": """
      tdsl.program @precisions {
        tdsl.node @c : u8 "4" input
        tdsl.node @a : ? "4" leaf
        tdsl.node @b : f16 "4" input
        tdsl.node @y : ? "...|...->..." result
        tdsl.node @n : f64 "...|...->..." result
        tdsl.projections @p "." (@c, @a, @b) -> @y
        tdsl.projections @q "." (@y, @b) -> @n
        tdsl.routine @run {
          tdsl.fetch @a = range
          tdsl.assign @y overwrite = where(@c, @a, @b) by @p
          tdsl.assign @n overwrite = pow(@y, @b) by @q
        }
      }""",
}

_COMPILE = """
import hashlib, json, sys
import tdsl
results = {}
for name, text in json.load(sys.stdin).items():
    compiled = tdsl.compile(text)
    results[name] = [compiled.mlir(stage) for stage in ("inferred", "linalg", "llvm")]
    results[name].append(hashlib.sha256(compiled.object_code).hexdigest())
print(json.dumps(results))
"""


@cache
def _compiled(seed: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _COMPILE],
        input=json.dumps(PROGRAMS),
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_hash_seed_changes_nothing(name: str) -> None:
    first, second = _compiled("1")[name], _compiled("4711")[name]
    assert first == second
