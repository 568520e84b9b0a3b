"""What every mistake in a module or a target says."""

from __future__ import annotations

from dataclasses import replace

import mlir.ir as ir
import pytest

from tdsl import CompileError
from tdsl.codegen.object_code import TargetDescription, emit

from .machine_code import (
    AARCH64,
    ADD_ONE,
    HOST,
    NVPTX,
)


def message_of(text: str, target: TargetDescription = HOST, **options: object) -> CompileError:
    """The error of emitting a module that is written here."""
    module = ir.Module.parse(text)
    with pytest.raises(CompileError) as error:
        emit(module, target, **options)  # pyright: ignore[reportArgumentType]
    return error.value


# Mistakes in the module.


def test_an_operation_of_another_dialect(context: ir.Context) -> None:
    error = message_of("llvm.func @f(%a: i32) {\n  %c = arith.addi %a, %a : i32\n  llvm.return\n}")
    assert str(error) == (
        "-:2:8: error: 'arith.addi' is not in the LLVM dialect: lower it first\n"
        "the pass 'convert-arith-to-llvm' does that"
    )
    assert [(d.severity, d.line, d.column) for d in error.diagnostics] == [("error", 2, 8)]


def test_a_dialect_without_one_obvious_pass(context: ir.Context) -> None:
    error = message_of("tdsl.program @p {}")
    assert str(error) == "-:1:1: error: 'tdsl.program' is not in the LLVM dialect: lower it first"


def test_an_unfinished_conversion(context: ir.Context) -> None:
    error = message_of(
        "llvm.func @f(%a: i64) {\n  %c = builtin.unrealized_conversion_cast %a : i64 to index\n  llvm.return\n}"
    )
    assert str(error) == (
        "-:2:8: error: 'builtin.unrealized_conversion_cast' is not in the LLVM dialect: some pass did not finish a "
        "conversion of 'i64' to 'index'\nrun the pass 'reconcile-unrealized-casts' last"
    )


def test_a_part_of_a_module(context: ir.Context) -> None:
    module = ir.Module.parse(ADD_ONE.strip())
    with pytest.raises(CompileError) as error:
        emit(module.body.operations[0], HOST)
    assert str(error.value) == "-:1:1: error: 'llvm.func' is not a module: code is generated for whole modules"


def test_a_module_that_does_not_verify(context: ir.Context) -> None:
    module = ir.Module.parse(ADD_ONE.strip())
    module.body.operations[0].regions[0].blocks[0].operations[2].erase()
    with pytest.raises(CompileError) as error:
        emit(module, HOST)
    assert str(error.value).startswith('-:3:8: error: block with no terminator, has %1 = "llvm.fadd"')


def test_an_unknown_intrinsic(context: ir.Context) -> None:
    error = message_of('llvm.func @f() {\n  llvm.call_intrinsic "llvm.nope"() : () -> ()\n  llvm.return\n}')
    assert str(error).splitlines()[0] == '-:2:3: error: could not find LLVM intrinsic: "llvm.nope"'


def test_invalid_llvm_ir(context: ir.Context) -> None:
    error = message_of('llvm.func @f() attributes {passthrough = ["noinline", "alwaysinline"]} {\n  llvm.return\n}')
    assert str(error) == (
        "the module is translated to invalid LLVM IR: Attributes 'noinline and alwaysinline' are incompatible!\nptr @f"
    )


def test_global_constructors(context: ir.Context) -> None:
    error = message_of(
        "llvm.func @f() {\n  llvm.return\n}\n"
        "llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]"
    )
    assert str(error) == (
        "-:4:1: error: the module has global constructors or destructors, which nobody runs when its code is loaded\n"
        "call such a function explicitly"
    )


def test_a_function_with_targets_of_its_own(context: ir.Context) -> None:
    error = message_of(
        'llvm.func @f() attributes {target_cpu = "neoverse-v7"} {\n  llvm.return\n}\n'
        'llvm.func @g() attributes {passthrough = [["target-features", "+sve22"]]} {\n  llvm.return\n}\n',
        AARCH64,
    )
    assert str(error) == (
        "-:1:1: error: function 'f': unknown CPU 'neoverse-v7' for target 'aarch64-unknown-linux-gnu'\n"
        "did you mean 'neoverse-v1'?\n"
        "-:4:1: error: function 'g': unknown feature '+sve22' for target 'aarch64-unknown-linux-gnu'\n"
        "did you mean '+sve2'?"
    )


def test_a_type_that_the_target_does_not_have(context: ir.Context) -> None:
    error = message_of(
        "llvm.func @f(%a: vector<[4]xf32>) -> vector<[4]xf32> {\n  llvm.return %a : vector<[4]xf32>\n}",
        TargetDescription("x86_64-unknown-linux-gnu"),
    )
    assert str(error).startswith("LLVM cannot generate code for target 'x86_64-unknown-linux-gnu': ")


def test_inline_assembly(context: ir.Context) -> None:
    error = message_of('llvm.func @f() {\n  llvm.inline_asm "bogus_insn", "" : () -> ()\n  llvm.return\n}')
    assert str(error) == (
        "-:2:3: error: inline assembly: invalid instruction mnemonic 'bogus_insn' in 'bogus_insn'"
        if HOST.triple.startswith("x86_64")
        else "-:2:3: error: inline assembly: unrecognized instruction mnemonic in 'bogus_insn'"
    )


# Mistakes in the target.


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            TargetDescription("x86_65-unknown-linux-gnu"),
            "unknown target 'x86_65-unknown-linux-gnu'\ndid you mean 'x86_64-unknown-linux-gnu'?",
        ),
        (
            TargetDescription("quantum"),
            "unknown target 'quantum'\na target starts with one of arm, armeb, aarch64, aarch64_be, aarch64_32, thumb, "
            "thumbeb, i386, x86_64, nvptx, nvptx64",
        ),
        (
            replace(AARCH64, cpu="neoverse-v11"),
            "unknown CPU 'neoverse-v11' for target 'aarch64-unknown-linux-gnu'\ndid you mean 'neoverse-v1'?",
        ),
        (replace(AARCH64, cpu="help"), "unknown CPU 'help' for target 'aarch64-unknown-linux-gnu'"),
        (
            replace(NVPTX, cpu="sm_91"),
            "unknown CPU 'sm_91' for target 'nvptx64-nvidia-cuda'\ndid you mean 'sm_90'?",
        ),
        (
            replace(AARCH64, features="+neon,-sve22"),
            "unknown feature '-sve22' for target 'aarch64-unknown-linux-gnu'\ndid you mean '-sve2'?",
        ),
        (replace(AARCH64, features="+help"), "unknown feature '+help' for target 'aarch64-unknown-linux-gnu'"),
        (
            replace(AARCH64, features="neon"),
            "feature 'neon' has no sign: '+' adds it, '-' removes it\ndid you mean '+neon'?",
        ),
        (
            TargetDescription("x86_64-unknown-linux-gnu", "i386"),
            "LLVM cannot generate code for target 'x86_64-unknown-linux-gnu': "
            "64-bit code requested on a subtarget that doesn't support it!",
        ),
        (NVPTX, "there are no object files for target 'nvptx64-nvidia-cuda'\nask for assembly, which is PTX"),
    ],
    ids=str,
)
def test_targets_that_do_not_exist(context: ir.Context, target: TargetDescription, message: str) -> None:
    assert str(message_of(ADD_ONE, target)) == message


def test_options_that_do_not_exist(context: ir.Context) -> None:
    module = ir.Module.parse(ADD_ONE)
    with pytest.raises(ValueError, match=r"^optimization_level must be 0, 1, 2 or 3, not 4$"):
        emit(module, HOST, optimization_level=4)
    with pytest.raises(ValueError, match=r"^kind must be 'object', 'assembly' or 'llvm-ir', not 'ptx'$"):
        emit(module, HOST, kind="ptx")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("argument", [None, 3, "module {}"])
def test_arguments_of_another_kind_are_type_errors(argument: object) -> None:
    with pytest.raises(TypeError):
        emit(argument, HOST)  # pyright: ignore[reportArgumentType]
