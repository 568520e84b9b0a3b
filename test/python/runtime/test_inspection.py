"""What a compiled program shows of itself."""

from __future__ import annotations

import numpy as np
import pytest

import tdsl

GATE = """
tdsl.program @gate {
  tdsl.node @x : f32 "1000" input
  tdsl.node @h : f32 "..o.." result
  tdsl.node @y : f32 "..o.." result
  tdsl.projections @p "." (@x, @x) -> @h
  tdsl.projections @q "." (@h) -> @y
  tdsl.routine @square {
    tdsl.assign @h overwrite = mul(@x, @x) by @p
    tdsl.assign @y overwrite = relu(@h) by @q
  }
}
"""


@pytest.fixture(scope="module")
def compiled() -> tdsl.CompiledProgram:
    return tdsl.compile(GATE, keep=["y"])


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        ("input", "tdsl.node @h : f32"),
        ("inferred", 'tdsl.node private @h : f32 "|->1000"'),
        ("linalg", "linalg.generic"),
        ("scheduled", "vector.transfer_write"),
        ("llvm", "llvm.func"),
    ],
)
def test_stages(compiled: tdsl.CompiledProgram, stage: str, text: str) -> None:
    assert text in compiled.mlir(stage)


def test_there_is_no_other_stage(compiled: tdsl.CompiledProgram) -> None:
    with pytest.raises(
        tdsl.TdslError, match=r"^there is no stage 'ptx'; there are input, inferred, linalg, scheduled, llvm$"
    ):
        compiled.mlir("ptx")


def test_the_intermediate_node_is_not_in_memory(compiled: tdsl.CompiledProgram) -> None:
    # Both assignments are one loop, and the node between them a register.
    assert compiled.mlir("linalg").count("linalg.generic") == 1
    assert "malloc" not in compiled.mlir("llvm")


def test_assembly(compiled: tdsl.CompiledProgram) -> None:
    assembly = compiled.asm()
    assert "square" in assembly
    assert "mulps" in assembly or "fmul" in assembly


def test_ptx(compiled: tdsl.CompiledProgram) -> None:
    (kernel,) = compiled.ptx()
    assert (kernel.routine, kernel.arguments, kernel.grid) == ("square", ("x", "y"), (4, 1, 1))
    assert "mul.f32" in kernel.text or "mul.rn.f32" in kernel.text


def test_results_are_a_mapping(compiled: tdsl.CompiledProgram) -> None:
    results = compiled.square(x=np.full(1000, 2, np.float32))
    assert (list(results), "y" in results, "h" in results) == (["y"], True, False)
    assert results.get("h", 7) == 7
    assert results["y"][0] == 4
