"""Compilation ahead of time from Python: code, headers, names, targets."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tdsl
from tdsl import aot
from tdsl.codegen.object_code import TargetDescription
from tdsl.errors import CompileError, TdslError, UnsupportedError

from .c_programs import LLVM_TOOLS, compile_header, needs_cc, run_c

ROOT = Path(__file__).parents[3]
AFFINE = (ROOT / "examples" / "affine.mlir").read_text()
FILTERS = (ROOT / "examples" / "c" / "filters.mlir").read_text()

#: Declared cells that a routine starts from, in several precisions; a constant; a symbol; names that C cannot have.
COUNTERS = """
tdsl.program @"my counters" {
  tdsl.symbol @int range 2 to 5
  tdsl.node @w.f32 : f32 "|->3" param = dense<[1.5, -2.0, 0.1]> : tensor<3xf32>
  tdsl.node @w.i64 : i64 "|->2" param = dense<[-9000000000, 7]> : tensor<2xi64>
  tdsl.node @w.u8 : u8 "|->2" param = dense<[200, 3]> : tensor<2xi8>
  tdsl.node @W.f32 : f32 "|->3" leaf = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  tdsl.node @step : i64 "|->1:bcast_if_1" result
  tdsl.projections @p "." (@W.f32) -> @w.f32
  tdsl.projections @q "." (@step) -> @w.i64
  tdsl.projections @r "." (@w.u8) -> @w.u8
  tdsl.routine @"next step"(%i: !tdsl.index<@int>) {
    tdsl.fetch @step = symbol %i : !tdsl.index<@int>
    tdsl.assign @w.f32 add = id(@W.f32) by @p
    tdsl.assign @w.i64 add = id(@step) by @q
    tdsl.assign @w.u8 add = id(@w.u8) by @r
  }
}
"""


def all_precisions() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("all")
    precisions = ["f64", "f32", "bf16", "f16", "i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8", "bool", "uint4x32"]
    nodes = [
        (program.node(f"x.{p}", "2|->3", role="input", precision=p), program.node(f"y.{p}", "2|->3", precision=p))
        for p in precisions
    ]
    with program.routine("copy") as code:
        for x, y in nodes:
            code.assign(y, "overwrite", "id", [x], program.projections(f"p.{x.name}", ".", [x], y))
    return program


def declared(program: aot.AotProgram) -> str:
    """The last declaration of the header, on one line."""
    text = program.header()
    return " ".join(text[text.rindex("\nvoid ") : text.rindex(");") + 2].split())


def test_the_header_says_how_to_call() -> None:
    program = aot.compile(AFFINE, keep=["y"], target="x86_64-unknown-linux-gnu", cpu="x86-64-v3")
    assert declared(program) == (
        "void affine_forward( const float *TDSL_RESTRICT x, const float *TDSL_RESTRICT w, "
        "const float *TDSL_RESTRICT b, float *TDSL_RESTRICT y, void *TDSL_RESTRICT workspace);"
    )
    header = program.header()
    assert "compiled by TDSL for x86_64-unknown-linux-gnu cpu=x86-64-v3." in header
    assert "#define AFFINE_X_SIZE 24 /* float[8][3], node x */" in header
    assert " *   y          written  float[8][5], node y\n" in header
    [signature] = program.signatures
    assert f"#define AFFINE_FORWARD_WORKSPACE_BYTES {signature.workspace_bytes}\n" in header


@needs_cc
@pytest.mark.parametrize("text", [AFFINE, FILTERS, COUNTERS], ids=["affine", "filters", "counters"])
def test_headers_are_c_and_cpp(text: str, tmp_path: Path) -> None:
    compile_header(aot.compile(text).header(), tmp_path)


@needs_cc
def test_all_precisions(tmp_path: Path) -> None:
    program = aot.compile(all_precisions())
    compile_header(program.header(), tmp_path)
    header = program.header()
    assert "const uint16_t *TDSL_RESTRICT x_bf16" in header
    assert "#define ALL_X_F16_SIZE 6 /* uint16_t[2][3], node x.f16, f16 as bits */" in header
    assert "#define ALL_X_UINT4X32_SIZE 24 /* uint32_t[2][3][4], node x.uint4x32, words */" in header
    assert "16 bytes for random words" in header


@needs_cc
def test_declared_cells_and_symbols(tmp_path: Path) -> None:
    program = aot.compile(COUNTERS, prefix="count_")
    output = run_c(
        program,
        """
  float w[COUNT_W_F32_SIZE];
  int64_t v[COUNT_W_I64_SIZE], step[COUNT_STEP_SIZE];
  uint8_t u[COUNT_W_U8_SIZE];
  for (int i = 0; i < 3; ++i) w[i] = count_w_f32_initial[i];
  for (int i = 0; i < 2; ++i) { v[i] = count_w_i64_initial[i]; u[i] = count_w_u8_initial[i]; }
  for (int64_t i = COUNT_INT__LOWER; i < COUNT_INT__UPPER; ++i) count_next_step(w, v, u, step, i, 0);
  printf("%g %g %g %lld %lld %d %d", w[0], w[1], w[2], (long long)v[0], (long long)v[1], u[0], u[1]);
  return 0;""",
        tmp_path,
    )
    # Three times: the symbol is 2, 3 and 4. u8 wraps.
    f32 = np.array([1.5, -2, 0.1], np.float32) + 3 * np.array([1, 2, 3], np.float32)
    u8 = (np.array([200, 3]) * 8) % 256
    assert [float(cell) for cell in output.split()] == pytest.approx([*f32, -9000000000 + 9, 7 + 9, *u8])


@needs_cc
def test_two_objects_in_one_program(tmp_path: Path) -> None:
    """Helpers such as integer powers are in both, and must not clash."""
    text = """
tdsl.program @{name} {{
  tdsl.node @x : i32 "|->3" input
  tdsl.node @n : i32 "|->3" input
  tdsl.node @y : i32 "|->3" result
  tdsl.projections @p "." (@x, @n) -> @y
  tdsl.routine @power {{ tdsl.assign @y overwrite = pow(@x, @n) by @p }}
}}
"""
    first, second = (aot.compile(text.format(name=name)) for name in ("first", "second"))
    second.write(tmp_path / "second.o")
    output = run_c(
        first,
        """
  int32_t x[3] = {2, -3, 7}, n[3] = {10, 3, 0}, y[3], z[3];
  void second_power(const int32_t *, const int32_t *, int32_t *, void *);
  first_power(x, n, y, 0);
  second_power(x, n, z, 0);
  printf("%d %d %d %d %d %d", y[0], y[1], y[2], z[0], z[1], z[2]);
  return 0;""",
        tmp_path,
        tmp_path / "second.o",
    )
    assert output == "1024 -27 1 1024 -27 1"


def symbols(path: Path) -> str:
    return subprocess.run([LLVM_TOOLS / "llvm-nm", path], capture_output=True, text=True, check=True).stdout


def test_objects_define_the_routines_only(tmp_path: Path) -> None:
    program = aot.compile(FILTERS)
    program.write(tmp_path / "filters.o")
    defined = [line.split()[-1] for line in symbols(tmp_path / "filters.o").splitlines() if line.split()[-2] in "TDRB"]
    assert sorted(defined) == ["filters_means", "filters_smoothed"]


@pytest.mark.parametrize(
    ("triple", "cpu", "machine"),
    [
        ("aarch64-linux-gnu", "", "EM_AARCH64"),
        ("aarch64-linux-gnu", "neoverse-v1", "EM_AARCH64"),
        ("x86_64-linux-gnu", "x86-64-v3", "EM_X86_64"),
    ],
)
def test_other_targets(triple: str, cpu: str, machine: str, tmp_path: Path) -> None:
    path = tmp_path / "filters.o"
    aot.compile(FILTERS, target=triple, cpu=cpu).write(path)
    said = subprocess.run([LLVM_TOOLS / "llvm-readobj", "-h", path], capture_output=True, text=True, check=True).stdout
    assert f"Machine: {machine}" in said
    assert "Type: Relocatable" in said
    assert "filters_means" in symbols(path)


def test_a_target_without_a_cpu_is_its_oldest_cpu() -> None:
    assert "zmm" not in aot.compile(AFFINE, target="x86_64-linux-gnu").assembly()
    assert "ymm" not in aot.compile(AFFINE, target="x86_64-linux-gnu").assembly()
    host = TargetDescription.host()
    assert aot.target_description() == host
    assert aot.target_description(cpu="x86-64-v3") == TargetDescription(host.triple, "x86-64-v3")
    assert aot.target_description(features="+fma").features.endswith("+fma")
    with tdsl.knobs.scope(target="aarch64-linux-gnu", target_cpu="apple-m1"):
        assert aot.target_description() == TargetDescription("aarch64-linux-gnu", "apple-m1")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"target": "z80-none"}, "unknown target 'z80-none'"),
        ({"cpu": "x86-64-v9", "target": "x86_64-linux-gnu"}, "unknown CPU 'x86-64-v9'.*did you mean 'x86-64-v"),
        ({"features": "+avx9", "target": "x86_64-linux-gnu"}, r"unknown feature '\+avx9'.*did you mean"),
    ],
)
def test_unknown_targets(target: dict[str, str], message: str) -> None:
    with pytest.raises(CompileError, match=f"(?s){message}"):
        _ = aot.compile(AFFINE, **target).object_code


def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    script = (
        "import sys; from tdsl import aot; p = aot.compile(sys.stdin.read(), target='x86_64-linux-gnu');"
        "sys.stdout.buffer.write(p.object_code + p.header().encode())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=COUNTERS.encode(),
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
            cwd=tmp_path,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1


@needs_cc
def test_a_program_without_routines(tmp_path: Path) -> None:
    program = aot.compile('tdsl.program @none { tdsl.node @x : f32 "|->3" input }')
    compile_header(program.header(), tmp_path)
    assert program.object_code.startswith(b"\x7fELF")


@needs_cc
def test_empty_arrays_and_no_arguments(tmp_path: Path) -> None:
    text = """
tdsl.program @odd {
  tdsl.node @x : f32 "0|->3" input
  tdsl.node @y : f32 "0|->3" result
  tdsl.node private @z : f32 "|->3" result
  tdsl.projections @p "." (@x) -> @y
  tdsl.routine @empty { tdsl.assign @y overwrite = id(@x) by @p }
  tdsl.routine @nothing { tdsl.fetch @z = constant 1.0 }
}
"""
    output = run_c(
        aot.compile(text),
        'odd_empty(0, 0, 0); odd_nothing(0); printf("%d", ODD_X_SIZE); return 0;',
        tmp_path,
    )
    assert output == "0"


@needs_cc
def test_many_routines_and_nodes(tmp_path: Path) -> None:
    program = tdsl.ProgramBuilder("big")
    previous = program.node("n0", "|->4", role="input", precision="f32")
    for i in range(60):
        node = program.node(f"n{i + 1}", "...|...->...")
        with program.routine(f"r{i}") as code:
            code.assign(node, "overwrite", "exp", [previous], program.projections(f"p{i}", ".", [previous], node))
        previous = node
    compiled = aot.compile(program)
    compile_header(compiled.header(), tmp_path)
    output = run_c(compiled, 'float x[4] = {0}, y[4]; big_r0(x, y, 0); printf("%g", y[3]); return 0;', tmp_path)
    assert output == "1"
    assert len(compiled.signatures) == 60


def test_kinds_of_output(tmp_path: Path) -> None:
    program = aot.compile(AFFINE)
    for suffix in ("ll", "s", "h", "mlir"):
        program.write(tmp_path / f"affine.{suffix}")
    assert "define void @affine_forward(" in (tmp_path / "affine.ll").read_text()
    assert "affine_forward:" in (tmp_path / "affine.s").read_text()
    assert "llvm.func @affine_forward(" in (tmp_path / "affine.mlir").read_text()
    assert program.mlir("input").count("tdsl.node @x") == 1
    with pytest.raises(TdslError, match="there is no stage 'nonsense'; there are input, "):
        program.mlir("nonsense")
    with pytest.raises(TdslError, match=r"'affine.exe' does not say what to write: end it with .o, .so,"):
        program.write("affine.exe")
    assert not list(tmp_path.glob(".*"))


@needs_cc
def test_shared_libraries_need_the_c_library_only(tmp_path: Path) -> None:
    path = tmp_path / "libaffine.so"
    aot.compile(AFFINE, keep=["y"]).write(path)
    needed = subprocess.run(
        [LLVM_TOOLS / "llvm-readelf", "-d", path], capture_output=True, text=True, check=True
    ).stdout
    libraries = [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line]
    assert set(libraries) <= {"libc.so.6", "libm.so.6"}
    assert "Library soname: [libaffine.so]" in needed


def test_linkers_that_are_missing_or_fail() -> None:
    program = aot.compile(AFFINE)
    with pytest.raises(CompileError, match="there is no 'no-such-cc' to link a shared library with: install"):
        program.shared_library(linker="no-such-cc")
    with pytest.raises(CompileError, match="'false' cannot link the shared library for "):
        program.shared_library(linker="false")
    other = aot.compile(AFFINE, target="aarch64-no-such-system-gnu")
    with pytest.raises(CompileError, match="there is no 'aarch64-no-such-system-gnu-gcc'"):
        other.shared_library()


NEEDS_QEMU = pytest.mark.skipif(
    shutil.which("qemu-aarch64") is None or shutil.which("aarch64-linux-gnu-gcc") is None,
    reason="needs qemu-aarch64 and aarch64-linux-gnu-gcc: install qemu-user and gcc-aarch64-linux-gnu",
)


@pytest.mark.parametrize(
    ("target", "compiler", "runner"),
    [
        pytest.param(None, ["cc"], [], marks=needs_cc, id="this machine"),
        pytest.param(
            "aarch64-linux-gnu", ["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"], marks=NEEDS_QEMU, id="aarch64"
        ),
    ],
)
def test_code_runs(target: str | None, compiler: list[str], runner: list[str], tmp_path: Path) -> None:
    program = aot.compile(FILTERS, target=target, keep=["mean"])
    main = """
  float x[FILTERS_SIGNALS_SIZE], y[FILTERS_MEAN_SIZE];
  char memory[FILTERS_MEANS_WORKSPACE_BYTES + 64];
  for (int i = 0; i < FILTERS_SIGNALS_SIZE; ++i) x[i] = i;
  filters_means(x, y, memory + (64 - (uintptr_t)memory % 64) % 64);
  printf("%g %g", y[0], y[3]);
  return 0;"""
    assert run_c(program, main, tmp_path, compiler=compiler, runner=runner) == "4.5 34.5"


def test_wrong_arguments() -> None:
    with pytest.raises(UnsupportedError, match="'nvptx64-nvidia-cuda' is a GPU, and ahead-of-time compilation is for"):
        aot.compile(AFFINE, target="nvptx64-nvidia-cuda", cpu="sm_80")
    with pytest.raises(TypeError, match="expected a ProgramBuilder or MLIR text to compile, not int"):
        aot.compile(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="optimization_level must be 0, 1, 2 or 3, not 4"):
        aot.compile(AFFINE, optimization_level=4)
    with pytest.raises(TdslError, match="names in C cannot start with '2x'"):
        aot.compile(AFFINE, prefix="2x")
