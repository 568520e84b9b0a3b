"""tdsl-einsum: reports, JSON, mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tdsl.tools.einsum import main

REPORTS = {
    "strided window": (
        ["2*o<+k; k => o", "9", "3"],
        """\
shapes
  x1      |->9
  x2      |->3
  result  |->4

iteration domain
  o  4  parallel
  k  3  reduction

index maps, in memory order
  result  [o]
  x1      [o * 2 + k]
  x2      [k]

fill: needed, cells are accumulated

loops
  result[...] = 0
  for o in range(4):
      for k in range(3):  # reduction
          result[o] += x1[o * 2 + k] * x2[k]
""",
    ),
    "padded window": (
        ["o+k; k => o", "10", "3", "--use-padding"],
        """\
shapes
  x1      |->10
  x2      |->3
  result  |->10

iteration domain
  o  10  parallel
  k   3  reduction

index maps, in memory order
  result  [o]
  x1      [o + k - 1] guarded
  x2      [k]

fill: needed, cells are accumulated

loops
  result[...] = 0
  for o in range(10):
      for k in range(3):  # reduction
          result[o] += (x1[o + k - 1] * x2[k] if 0 <= o + k - 1 < 10 else 0)
""",
    ),
    "segments": (
        ["a; b => a^b", "2", "3", "--op", "concat"],
        """\
shapes
  x1      |->2
  x2      |->3
  result  |->5

iteration domain of segment 1
  a  2  parallel

index maps of segment 1, in memory order
  result  [a]
  x1      [a]
  x2      takes no part

iteration domain of segment 2
  b  3  parallel

index maps of segment 2, in memory order
  result  [b + 2]
  x1      takes no part
  x2      [b]

fill: not needed, every cell is written once

loops
  for a in range(2):
      result[a] = x1[a]
  for b in range(3):
      result[b + 2] = x2[b]
""",
    ),
    "cells that are not reached": (
        ["i => i2", "3", "--op", "einmax1"],
        """\
shapes
  x1      |->3
  result  |->3,3

iteration domain
  i  3  parallel

index maps, in memory order
  result  [i, 2]
  x1      [i]

fill: needed, some cells are not reached

loops
  result[...] = -inf
  for i in range(3):
      result[i, 2] = x1[i]
""",
    ),
    "maximum of sums": (
        ["i; j => i", "3", "2", "--op", "tropical"],
        """\
shapes
  x1      |->3
  x2      |->2
  result  |->3

iteration domain
  i  3  parallel
  j  2  reduction

index maps, in memory order
  result  [i]
  x1      [i]
  x2      [j]

fill: needed, cells are accumulated

loops
  result[...] = -inf
  for i in range(3):
      for j in range(2):  # reduction
          result[i] = max(result[i], x1[i] + x2[j])
""",
    ),
    # A shape, a spec and a result that begin like options, and a size that the result tells.
    "arrows first, unknown sizes": (
        ["->ij=>->j", "->2,?", "--result", "->3"],
        """\
shapes
  x1      |->2,3
  result  |->3

iteration domain
  j  3  parallel
  i  2  reduction

index maps, in memory order
  result  [j]
  x1      [i, j]

fill: needed, cells are accumulated

loops
  result[...] = 0
  for j in range(3):
      for i in range(2):  # reduction
          result[j] += x1[i, j]
""",
    ),
    "one point": (
        ["|->; |-> => |->", "|->", "|->"],
        """\
shapes
  x1      |->
  x2      |->
  result  |->

iteration domain
  one point

index maps, in memory order
  result  []
  x1      []
  x2      []

fill: not needed, every cell is written once

loops
  result[()] = x1[()] * x2[()]
""",
    ),
    "nothing to do": (
        ["a; b => a^b", "0", "0", "--op", "concat"],
        """\
shapes
  x1      |->0
  x2      |->0
  result  |->0

iteration domain
  empty: no operand meets the result

fill: not needed, every cell is written once

loops
""",
    ),
}


@pytest.mark.parametrize(("arguments", "expected"), REPORTS.values(), ids=REPORTS)
def test_report(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert capsys.readouterr().out == expected


def report(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["--json", *arguments])
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.count("\n") == 1
    return code, json.loads(output.out)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    space = {
        "domain": [
            {"iterator": "o", "size": 4, "kind": "parallel"},
            {"iterator": "k", "size": 3, "kind": "reduction"},
        ],
        "maps": {"result": ["o"], "operands": [["o * 2 + k"], ["k"]]},
    }
    assert report(["2*o<+k; k => o", "9", "3"], capsys) == (
        0,
        {
            "ok": True,
            "operands": ["|->9", "|->3"],
            "result": "|->4",
            **space,
            "segments": 1,
            "spaces": [space],
            "fill": True,
            "captures": {"o": 4, "k": 3},
        },
    )


def test_json_of_segments(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report(["a; b => a^b", "2", "3", "--op", "concat"], capsys)
    assert (code, found["segments"], found["fill"], found["captures"]) == (0, 2, False, {"a": 2, "b": 3})
    assert [space["maps"] for space in found["spaces"]] == [
        {"result": ["a"], "operands": [["a"], None]},
        {"result": ["b + 2"], "operands": [None, ["b"]]},
    ]
    assert (found["domain"], found["maps"]) == (found["spaces"][0]["domain"], found["spaces"][0]["maps"])


def test_json_has_bases_sizes_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report(["..r..,a^b => ..r..,b", "4,16:rgb", "--op", "concat", "--set", "a=6", "--set", "r=4"], capsys)
    assert (code, found["result"], found["captures"]) == (0, "|->4,10:rgb", {"a": 6, "b": 10, "r": 4})


ERRORS = {
    "spec": (
        ["ij,jk->ik", "2,3", "3,4"],
        """\
error: The spec has no `=>`; it looks like NumPy's notation.
  ij,jk->ik
       ^^
Write `ij; jk => ik`.
""",
        {
            "kind": "SpecSyntaxError",
            "message": "The spec has no `=>`; it looks like NumPy's notation.",
            "spans": [[5, 7]],
            "text": "ij,jk->ik",
            "suggestion": "Write `ij; jk => ik`.",
        },
    ),
    "sizes": (
        ["ij; jk => ik", "2,3", "4,5"],
        """\
error: Size mismatch: axis `j` is 3 from the output row of @x1 (axis 1), but 4 from the output row of @x2 (axis 0).
  ij; jk => ik
   ^  ^
3 comes from the output row of @x1 (axis 1), through 'ij; jk => ik' (operand 1, axis j).
4 comes from the output row of @x2 (axis 0).
""",
        {
            "kind": "ShapeError",
            "message": "Size mismatch: axis `j` is 3 from the output row of @x1 (axis 1), but 4 from the output row of "
            "@x2 (axis 0).",
            "spans": [[1, 2], [4, 5]],
            "text": "ij; jk => ik",
            "suggestion": "3 comes from the output row of @x1 (axis 1), through 'ij; jk => ik' (operand 1, axis j).\n"
            "4 comes from the output row of @x2 (axis 0).",
        },
    ),
    "shape": (
        ["i => i", "2,"],
        "error: Expected another axis after `,`.\n  2,\n    ^\n",
        {
            "kind": "SpecSyntaxError",
            "message": "Expected another axis after `,`.",
            "spans": [[2, 3]],
            "text": "2,",
            "suggestion": None,
        },
    ),
    "operands": (
        ["i; j => i", "2", "3", "--op", "einmax1"],
        "error: einmax1 takes 1 operand, but was given 2.\n",
        {
            "kind": "ShapeError",
            "message": "einmax1 takes 1 operand, but was given 2.",
            "spans": [],
            "text": None,
            "suggestion": None,
        },
    ),
    "coefficient": (
        ["s*o => o", "4", "--coef", "s=2", "--coef", "t=3"],
        "error: The spec has no coefficient `t`.\n  s*o => o\nIts coefficients are `s`.\n",
        {
            "kind": "SpecSyntaxError",
            "message": "The spec has no coefficient `t`.",
            "spans": [],
            "text": "s*o => o",
            "suggestion": "Its coefficients are `s`.",
        },
    ),
    "size": (
        ["0 => i", "1", "--set", f"i={2**60}"],
        f"error: The size of `i` is between 0 and {2**48}, not {2**60}.\n",
        {
            "kind": "ShapeError",
            "message": f"The size of `i` is between 0 and {2**48}, not {2**60}.",
            "spans": [],
            "text": None,
            "suggestion": None,
        },
    ),
}


@pytest.mark.parametrize(("arguments", "text", "error"), ERRORS.values(), ids=ERRORS)
def test_errors(arguments: list[str], text: str, error: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", text)
    assert report(arguments, capsys) == (1, {"ok": False, "error": error})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["i => i", "3", "--coef", "s"], "argument --coef: expected NAME=INT, not negative, but got 's'"),
        (["i => i", "3", "--set", "i=-1"], "argument --set: expected LABEL=SIZE, not negative, but got 'i=-1'"),
        (["i => i", "3", "--use-padding", "--no-padding"], "not allowed with argument --use-padding"),
        (["i => i"], "the following arguments are required: shape"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(f": {message}\n")


def test_no_padding_reads_a_plain_plus_as_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(["o+k; k => o", "10", "3", "--no-padding"], capsys)[1]["result"] == "|->8"


def test_it_starts_without_mlir() -> None:
    code = "import sys, tdsl.tools.einsum; print(*(m for m in ('mlir', 'numpy', 'tdsl._tdsl') if m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout.strip() == ""
