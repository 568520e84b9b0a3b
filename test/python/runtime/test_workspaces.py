"""Workspaces: planned, never allocated by native code, and one for each call that runs."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

import tdsl
from tdsl.codegen.lowering import lower_program
from tdsl.codegen.object_code import LoadedObject
from tdsl.codegen.signature import packed_symbol

from .programs import one_assignment
from .test_stress import PROGRAM

#: Each needs scratch memory, or might.
NEEDY = {
    "temporaries and strided copies": PROGRAM,
    "contraction of a sum": """tdsl.program @p {
      tdsl.node @a : f32 "->40,50" input
      tdsl.node @b : f32 "->50,60" input
      tdsl.node private @t : f32 "...|...->..." result
      tdsl.node private @u : f32 "...|...->..." result
      tdsl.node @y : f32 "...|...->..." result
      tdsl.projections @p "ij; jk => ik" (@a, @b) -> @t
      tdsl.projections @q "ik; ik => ki" (@t, @t) -> @u
      tdsl.projections @r "ki => k" (@u) -> @y
      tdsl.routine @run {
        tdsl.assign @t reset add = mul(@a, @b) by @p
        tdsl.assign @u overwrite = mul(@t, @t) by @q
        tdsl.assign @y reset max = id(@u) by @r
      }
    }""",
    "convolution": one_assignment("2*o<+k; k => o", ("->19", "->3"), primitive="mul"),
    "padded convolution": one_assignment("o=+k; k => o", ("->19", "->3"), primitive="mul"),
    "swap": """tdsl.program @p {
      tdsl.node @a : f64 "->9" param
      tdsl.node @b : f64 "->9" param
      tdsl.node private @t : f64 "->9" result
      tdsl.projections @p "." (@a) -> @t
      tdsl.projections @q "." (@b) -> @a
      tdsl.projections @r "." (@t) -> @b
      tdsl.routine @run {
        tdsl.assign @t overwrite = id(@a) by @p
        tdsl.assign @a overwrite = exp(@b) by @q
        tdsl.assign @b overwrite = id(@t) by @r
      }
    }""",
}


@pytest.mark.parametrize("name", NEEDY)
def test_native_code_allocates_nothing(name: str) -> None:
    lowered = lower_program(NEEDY[name])
    loaded = LoadedObject(lowered.emit(optimization_level=1))
    assert not {"malloc", "calloc", "aligned_alloc", "free"} & set(loaded.required_symbols)
    assert "malloc" not in lowered.stages["llvm"]


def test_buffers_that_live_one_after_the_other_share_memory() -> None:
    nodes = "".join(f'tdsl.node private @t{i} : f32 "->32,32" result\n' for i in range(6))
    steps = "".join(f"tdsl.assign @t{i + 1} reset add = mul(@t{i}, @x) by @p{i + 1}\n" for i in range(5))
    spaces = "".join(f'tdsl.projections @p{i + 1} "ij; jk => ik" (@t{i}, @x) -> @t{i + 1}\n' for i in range(5))
    text = f"""tdsl.program @chain {{
      tdsl.node @x : f32 "->32,32" input
      {nodes}
      tdsl.node @y : f32 "->32,32" result
      tdsl.projections @p0 "ij => ji" (@x) -> @t0
      {spaces}
      tdsl.projections @last "ij; jk => ik" (@t5, @x) -> @y
      tdsl.routine @run {{
        tdsl.assign @t0 overwrite = id(@x) by @p0
        {steps}
        tdsl.assign @y reset add = mul(@t5, @x) by @last
      }}
    }}"""
    routine = tdsl.compile(text)["run"]
    matrix = 32 * 32 * 4
    # Of six temporaries, two live at the same time, and a product may pack its operands.
    assert 2 * matrix <= routine.signature.workspace_bytes <= 4 * matrix
    x = np.random.default_rng(0).integers(-1, 2, (32, 32)).astype("f4")
    expected = x.T @ np.linalg.matrix_power(x, 6)
    np.testing.assert_allclose(routine(x=x)["y"], expected, rtol=1e-4)


def test_elementwise_routines_need_no_workspace() -> None:
    routine = tdsl.compile(one_assignment(".", ("->1000", "->1000"), write="overwrite", primitive="mul"))["run"]
    assert routine.signature.workspace_bytes == 0


def test_what_a_workspace_held_before_does_not_matter() -> None:
    lowered = lower_program(NEEDY["contraction of a sum"])
    loaded = LoadedObject(lowered.emit(optimization_level=1))
    (signature,) = lowered.signatures
    generator = np.random.default_rng(0)
    a, b = generator.integers(-3, 4, (40, 50)).astype("f4"), generator.integers(-3, 4, (50, 60)).astype("f4")
    y = np.empty(60, "f4")
    memory = np.empty(signature.workspace_bytes + 64 + 4096, "u1")
    start = -memory.ctypes.data % 64
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(loaded.lookup(signature.function))
    packed = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(loaded.lookup(packed_symbol(signature.function)))
    by_name = {"a": a.ctypes.data, "b": b.ctypes.data, "y": y.ctypes.data}
    addresses = [by_name[argument.key] for argument in signature.arguments]
    for call in (
        lambda: function(*addresses, memory.ctypes.data + start),
        lambda: packed((ctypes.c_void_p * 3)(*addresses), None, memory.ctypes.data + start),
    ):
        for poison in (0, 255):
            memory[:] = poison
            y[:] = np.nan
            call()
            np.testing.assert_array_equal(y, ((a @ b) ** 2).max(0))
            # Nothing before or after it is written.
            assert (memory[:start] == poison).all()
            assert (memory[start + signature.workspace_bytes :] == poison).all()


def test_threads_that_call_one_routine_have_workspaces_of_their_own() -> None:
    routine = tdsl.compile(NEEDY["contraction of a sum"])["run"]
    wrong: list[int] = []

    def work(seed: int) -> None:
        generator = np.random.default_rng(seed)
        a, b = generator.integers(-3, 4, (40, 50)).astype("f4"), generator.integers(-3, 4, (50, 60)).astype("f4")
        expected = ((a @ b) ** 2).max(0)
        step = routine.bind(a=a, b=b)
        for number in range(300):
            result = step() if number % 2 else routine(a=a, b=b)
            if not np.array_equal(result["y"], expected):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
