"""Loading object files: their symbols, what is refused, memory, threads and crashes."""

from __future__ import annotations

import ctypes
import sys
import threading
from pathlib import Path

import mlir.ir as ir
import numpy as np
import pytest
from mlir.execution_engine import ExecutionEngine
from mlir.runtime import get_ranked_memref_descriptor

from tdsl import CompileError, _tdsl
from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit

from .machine_code import (
    ADD_ONE,
    CALLS_UNKNOWN,
    HOST,
    KERNELS,
    LLVM_PACKAGE,
    OPENMP,
    PTX_KERNEL,
    RETURN_VALUE,
    descriptor,
    function,
    lowered,
    run_script,
)

# Loading.


def test_missing_symbols_are_found_before_any_call(context: ir.Context) -> None:
    code = emit(ir.Module.parse(CALLS_UNKNOWN), HOST)
    with pytest.raises(CompileError) as error:
        LoadedObject(code)
    assert str(error.value) == (
        "the object uses 'first_unknown', 'second_unknown', which no library defines\n"
        "searched: the C library, libm, libgcc"
    )


def test_openmp_needs_its_library(context: ir.Context) -> None:
    with pytest.raises(CompileError) as error:
        LoadedObject(emit(ir.Module.parse(OPENMP), HOST))
    assert str(error.value) == (
        "the object uses '__kmpc_fork_call', '__kmpc_global_thread_num', which no library defines\n"
        "searched: the C library, libm, libgcc"
    )


def test_libraries_define_symbols(context: ir.Context) -> None:
    suffix = "dylib" if sys.platform == "darwin" else "so"
    library = LLVM_PACKAGE / "lib" / f"libLLVM.{suffix}"
    text = """
    llvm.func @LLVMGetVersion(!llvm.ptr, !llvm.ptr, !llvm.ptr)
    llvm.func @version(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) {
      llvm.call @LLVMGetVersion(%a, %b, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
      llvm.return
    }
    """
    loaded = LoadedObject(emit(ir.Module.parse(text), HOST), [library])
    assert loaded.required_symbols == ("LLVMGetVersion",)
    version = np.zeros(3, np.uint32)
    addresses = [version[i:].ctypes.data for i in range(3)]
    function(loaded, "version", None, *3 * [ctypes.c_void_p])(*addresses)
    assert version.tolist() == [int(part) for part in _tdsl.BUILT_FOR_MLIR.split(".")]


def test_what_the_cpu_cannot_divide_is_in_libgcc(context: ir.Context) -> None:
    text = """
    llvm.func @divide(%a: i64, %b: i64) -> i64 {
      %c = llvm.sext %a : i64 to i128
      %d = llvm.sext %b : i64 to i128
      %e = llvm.mul %c, %c : i128
      %f = llvm.sdiv %e, %d : i128
      %g = llvm.trunc %f : i128 to i64
      llvm.return %g : i64
    }
    """
    loaded = LoadedObject(emit(ir.Module.parse(text), HOST))
    assert loaded.required_symbols == ("__divti3",)
    divide = function(loaded, "divide", ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    assert divide(3**30, 3**25) == 3**35


def test_the_process_itself_is_no_library(context: ir.Context) -> None:
    code = emit(ir.Module.parse(CALLS_UNKNOWN.replace("first_unknown", "Py_GetVersion")), HOST)
    with pytest.raises(
        CompileError, match=r"^the object uses 'Py_GetVersion', 'second_unknown', which no library defines\n"
    ):
        LoadedObject(code)


def test_a_missing_library(context: ir.Context) -> None:
    code = emit(ir.Module.parse(ADD_ONE), HOST)
    with pytest.raises(CompileError, match=r"^cannot load the library '/no/such\.so': "):
        LoadedObject(code, ["/no/such.so"])


def test_a_name_that_is_not_defined(context: ir.Context) -> None:
    loaded = LoadedObject(emit(ir.Module.parse(ADD_ONE), HOST))
    with pytest.raises(CompileError) as error:
        loaded.lookup("add_ono")
    assert str(error.value) == "the object defines no symbol 'add_ono'\ndid you mean 'add_one'?"
    with pytest.raises(CompileError, match=r"^the object defines no symbol 'memcpy'$"):
        loaded.lookup("memcpy")


@pytest.mark.parametrize("code", [b"", b"garbage", b"\x7fELF"])
def test_bytes_that_are_no_object_file(code: bytes) -> None:
    with pytest.raises(CompileError, match=r"^these bytes are not an object file, or only a part of one$"):
        LoadedObject(code)


def test_every_part_of_an_object_file_is_refused(context: ir.Context) -> None:
    code = emit(ir.Module.parse(ADD_ONE), HOST)
    for size in range(0, len(code), 29):
        with pytest.raises(CompileError):
            LoadedObject(code[:size])


def test_an_object_for_another_architecture(context: ir.Context) -> None:
    mine, other = ("x86_64", "aarch64") if HOST.triple.startswith("x86_64") else ("aarch64", "x86_64")
    code = emit(ir.Module.parse(ADD_ONE), TargetDescription(f"{other}-unknown-linux-gnu"))
    with pytest.raises(CompileError, match=f"^the object file is for {other}, and this machine is {mine}$"):
        LoadedObject(code)


def test_an_object_of_another_format(context: ir.Context) -> None:
    if sys.platform != "linux":
        pytest.skip("compares with ELF")
    code = emit(ir.Module.parse(ADD_ONE), TargetDescription(f"{HOST.triple.split('-')[0]}-apple-macosx14"))
    with pytest.raises(CompileError, match=r"^the object file has the format macho, and this machine uses elf$"):
        LoadedObject(code)


def test_thread_local_variables(context: ir.Context) -> None:
    code = emit(ir.Module.parse("llvm.mlir.global external thread_local @t(1 : i32) : i32"), HOST)
    with pytest.raises(CompileError) as error:
        LoadedObject(code)
    assert str(error.value) == (
        "the object file has thread-local variables, which work only in a program or a dynamic library"
    )


def test_objects_beside_each_other(context: ir.Context) -> None:
    def constant(value: int) -> LoadedObject:
        return LoadedObject(emit(ir.Module.parse(RETURN_VALUE.format(value)), HOST))

    objects = [constant(value) for value in range(5)]
    del objects[2]
    assert [function(loaded, "value", ctypes.c_int32)() for loaded in objects] == [0, 1, 3, 4]


def test_beside_the_execution_engine_of_mlir(context: ir.Context) -> None:
    module = lowered(KERNELS.format(type="f64"))
    loaded = LoadedObject(emit(module, HOST))
    x = np.arange(12.0).reshape(4, 3)
    ours, theirs = np.zeros_like(x), np.zeros_like(x)
    engine = ExecutionEngine(module)
    pointers = [ctypes.pointer(ctypes.pointer(get_ranked_memref_descriptor(array))) for array in (x, theirs)]
    engine.invoke("copy", *pointers)
    function(loaded, "_mlir_ciface_copy", None, ctypes.c_void_p, ctypes.c_void_p)(descriptor(x), descriptor(ours))
    np.testing.assert_array_equal(theirs, x)
    np.testing.assert_array_equal(ours, x)


# Memory, threads, crashes.


def resident_kib() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4


def test_memory_is_flat(context: ir.Context) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc/self/statm")
    module = ir.Module.parse(ADD_ONE)
    code = emit(module, HOST)
    for measured in (False, True):
        before = resident_kib()
        for _ in range(200):
            LoadedObject(code).lookup("add_one")
        for _ in range(100):
            emit(module, HOST)
        if measured:
            assert resident_kib() - before < 1024


def test_threads_of_one_context(context: ir.Context) -> None:
    bad = 'llvm.func @f() {{\n  llvm.inline_asm "bogus_{}", "" : () -> ()\n  llvm.return\n}}'
    count = 16
    modules = [[ir.Module.parse(text.format(value)) for text in (RETURN_VALUE, bad)] for value in range(count)]
    results: list[object] = [None] * count

    def work(value: int) -> None:
        loaded = LoadedObject(emit(modules[value][0], HOST))
        try:
            emit(modules[value][1], HOST)
        except CompileError as error:
            # Diagnostics go to the emission that they belong to.
            own = [f"bogus_{value}'" in diagnostic.message for diagnostic in error.diagnostics]
            results[value] = (function(loaded, "value", ctypes.c_int32)(), own)

    threads = [threading.Thread(target=work, args=(value,)) for value in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(value, [True]) for value in range(count)]


def test_lookups_from_threads(context: ir.Context) -> None:
    loaded = LoadedObject(emit(ir.Module.parse(ADD_ONE), HOST))
    addresses: set[int] = set()
    threads = [
        threading.Thread(target=lambda: addresses.update(loaded.lookup("add_one") for _ in range(500)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert addresses == {loaded.lookup("add_one")}


CRASHES = """
    import faulthandler, struct, sys
    import mlir.ir as ir
    from tdsl import CompileError
    from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit

    faulthandler.enable()
    target = TargetDescription("x86_64-unknown-linux-gnu")
    with ir.Context():
        good = ir.Module.parse({good!r})
        # The code generator for x86 ends the process here: it has no such register.
        gpu = ir.Module.parse({gpu!r})
        expected = emit(good, target)
        for _ in range(3):
            try:
                emit(gpu, target)
            except CompileError as error:
                print(error)
            assert emit(good, target) == expected
        code = bytearray(emit(good, TargetDescription.host()))
        # An alignment of 3 trips an assertion of the linker, in every section.
        (headers,), (size, count) = struct.unpack_from("<Q", code, 0x28), struct.unpack_from("<HH", code, 0x3A)
        for section in range(count):
            struct.pack_into("<Q", code, headers + section * size + 0x30, 3)
        try:
            LoadedObject(bytes(code))
        except CompileError as error:
            print(error)
        LoadedObject(emit(good, TargetDescription.host()))
    sys.stdout.flush()
    faulthandler._sigsegv()
"""


def test_crashes_are_errors_and_the_process_goes_on() -> None:
    if sys.platform != "linux":
        pytest.skip("damages an ELF file")
    completed = run_script(CRASHES.format(good=ADD_ONE, gpu=PTX_KERNEL.replace("<1>", "")))
    cannot_select = (
        "LLVM cannot generate code for target 'x86_64-unknown-linux-gnu': "
        "Cannot select: intrinsic %llvm.nvvm.read.ptx.sreg.tid.x\n"
    )
    assert completed.stdout == 3 * cannot_select + (
        "the object file cannot be loaded: an assertion in LLVM failed\n"
    ), completed.stderr
    # The handlers that were there before are there again.
    assert "Fatal Python error: Segmentation fault" in completed.stderr


def test_long_functions_do_not_exhaust_the_stack(context: ir.Context) -> None:
    count = 5000
    body = "".join(f"  %a{i + 1} = llvm.fadd %a{i}, %x : f64\n" for i in range(count))
    text = f"llvm.func @sum(%x: f64, %a0: f64) -> f64 {{\n{body}  llvm.return %a{count} : f64\n}}"
    loaded = LoadedObject(emit(ir.Module.parse(text), HOST, optimization_level=0))
    assert function(loaded, "sum", ctypes.c_double, ctypes.c_double, ctypes.c_double)(0.5, 1.0) == 2501.0


@pytest.mark.parametrize("argument", [None, 3, "text", bytearray(b"object")])
def test_only_bytes_are_loaded(argument: object) -> None:
    with pytest.raises(TypeError):
        LoadedObject(argument)  # pyright: ignore[reportArgumentType]
