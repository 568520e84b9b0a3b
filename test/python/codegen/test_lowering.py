"""The steps that all ways to use a program share: one interface, whatever the target and the kind of code."""

from __future__ import annotations

import re
import struct

import pytest

import tdsl
from tdsl.codegen.lowering import lower_program
from tdsl.codegen.object_code import TargetDescription

PROGRAM = """tdsl.program @p {
  tdsl.symbol @i range 0 to 2
  tdsl.node @x : f32 "2|->8,8" input
  tdsl.node private @t : f32 "->8,8" result
  tdsl.node private @u : f32 "->8,8" result
  tdsl.node @w : f32 "->8,8" param
  tdsl.node @e : f64 "->3,0" result
  tdsl.projections @take slice(@i) (@x) -> @t
  tdsl.projections @p "ij; jk => ik" (@t, @t) -> @u
  tdsl.projections @q "ij; jk => ik" (@u, @u) -> @w
  tdsl.routine @run(%i: !tdsl.index<@i>) {
    tdsl.assign @t overwrite = id(@x) by @take[%i : !tdsl.index<@i>]
    tdsl.assign @u reset add = mul(@t, @t) by @p
    tdsl.assign @w add = mul(@u, @u) by @q
    tdsl.fetch @e = constant 1.0
  }
}"""

#: The machine in the header of an ELF file.
X86_64, AARCH64 = 62, 183
TARGETS = {
    "host": (TargetDescription.host(), None),
    "x86-64-v3": (TargetDescription("x86_64-unknown-linux-gnu", "x86-64-v3"), X86_64),
    "x86-64": (TargetDescription("x86_64-unknown-linux-gnu"), X86_64),
    "aarch64": (TargetDescription("aarch64-linux-gnu"), AARCH64),
    "aarch64 with features": (TargetDescription("aarch64-linux-gnu", "neoverse-n1", "+fullfp16"), AARCH64),
}


@pytest.mark.parametrize("name", TARGETS)
def test_targets(name: str) -> None:
    target, machine = TARGETS[name]
    lowered = lower_program(PROGRAM, target)
    code = lowered.emit(optimization_level=1)
    if machine is not None:
        assert code[:4] == b"\x7fELF"
        assert struct.unpack_from("<H", code, 18) == (machine,)
    assert code == lower_program(PROGRAM, target).emit(optimization_level=1)
    assert "tdsl.routine.run.packed" in lowered.emit(kind="assembly", optimization_level=1).decode()


def test_what_llvm_may_assume_of_arguments() -> None:
    lowered = lower_program(PROGRAM, symbol_of=lambda routine: f"my_{routine}")
    text = lowered.emit(kind="llvm-ir", optimization_level=0).decode()
    (signature,) = lowered.signatures
    assert signature.function == "my_run"
    assert signature.workspace_bytes >= 8 * 8 * 4
    found = re.search(r"define void @my_run\((.*)\) {$", text, re.MULTILINE)
    assert found is not None
    x, w, e, i, workspace = re.split(r", (?=ptr|i64)", found[1])
    assert {"ptr", "noalias", "readonly", "align 4", "dereferenceable(512)"} <= _words(x)
    assert {"ptr", "noalias", "align 4", "dereferenceable(256)"} <= _words(w)
    assert "readonly" not in w
    # What has no bytes may be null.
    assert "dereferenceable" not in e
    assert i.startswith("i64 ")
    size = f"dereferenceable({signature.workspace_bytes})"
    assert {"ptr", "noalias", "align 64", size} <= _words(workspace)
    assert "define void @my_run.packed(ptr %0, ptr %1, ptr %2)" in text


def _words(parameter: str) -> set[str]:
    return set(re.findall(r"align \d+|dereferenceable\(\d+\)|\w+", parameter))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (TargetDescription("z80-unknown-none"), "z80"),
        (TargetDescription("x86_64-unknown-linux-gnu", "x86-64-v9"), "x86-64-v9"),
        (TargetDescription("x86_64-unknown-linux-gnu", "", "+avx9"), "avx9"),
    ],
)
def test_unknown_targets_are_errors(target: TargetDescription, message: str) -> None:
    with pytest.raises(tdsl.CompileError, match=message):
        lower_program(PROGRAM, target).emit()
