"""Running pipelines in process."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import mlir.ir as ir
import pytest

from tdsl import CompileError, Diagnostic, ShapeError, _tdsl
from tdsl.passes import Pass, emit_error, emit_remark, emit_warning, register, run_pipeline
from tdsl.session import knobs

PROGRAM = "tdsl.program @program {\n  tdsl.dim @n\n}\n"


@register
class Fail(Pass):
    """Emits one diagnostic of each kind and fails."""

    name = "test-fail"
    description = "fail"

    def run(self, op: ir.OpView) -> bool:
        """Fails."""
        nested = op.regions[0].blocks[0].operations[0]
        emit_warning(op, "careful")
        emit_error(op, "it clashes", notes=[(nested, "with this"), (ir.Location.unknown(), "and that")])
        return False


@register
class RaiseShapeError(Pass):
    """Raises an error of TDSL's own."""

    name = "test-raise-shape-error"
    description = "raise"

    def run(self, op: ir.OpView) -> None:
        """Raises."""
        raise ShapeError("axis 'i' is 3 here and 4 there")


@register
class RaiseInterrupt(Pass):
    """Is interrupted."""

    name = "test-raise-interrupt"
    description = "interrupt"

    def run(self, op: ir.OpView) -> None:
        """Raises KeyboardInterrupt."""
        raise KeyboardInterrupt


@register
class Mark(Pass):
    """Marks every program, and records the threads that it ran on."""

    name = "test-mark"
    description = "mark"
    threads: set[int] = set()  # noqa: RUF012  (the test reads it)

    def run(self, op: ir.OpView) -> None:
        """Marks."""
        self.threads.add(threading.get_ident())
        op.attributes["marked"] = ir.UnitAttr.get()
        emit_remark(op, "marked")


def parse(text: str) -> ir.Module:
    return ir.Module.parse(text)


def test_diagnostics_arrive_with_positions_and_notes(context: ir.Context, tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(PROGRAM)
    module = ir.Module.parseFile(str(file))
    with pytest.raises(CompileError) as error:
        run_pipeline(module, "builtin.module(tdsl.program(test-fail))")
    name = str(file)
    notes = (Diagnostic("note", "with this", name, 2, 3), Diagnostic("note", "and that"))
    assert error.value.diagnostics == (
        Diagnostic("warning", "careful", name, 1, 1),
        Diagnostic("error", "it clashes", name, 1, 1, notes),
    )
    assert str(error.value) == (
        f"{name}:1:1: error: it clashes\n{name}:2:3: note: with this\nunknown position: note: and that"
    )


def test_an_exception_is_the_cause(context: ir.Context) -> None:
    with pytest.raises(CompileError, match=r"error: axis 'i' is 3 here and 4 there$") as error:
        run_pipeline(parse(PROGRAM), "builtin.module(tdsl.program(test-raise-shape-error))")
    assert isinstance(error.value.__cause__, ShapeError)


def test_an_interrupt_is_raised_again(context: ir.Context) -> None:
    module = parse(PROGRAM)
    with pytest.raises(KeyboardInterrupt):
        run_pipeline(module, "builtin.module(tdsl.program(test-raise-interrupt))")
    assert run_pipeline(module, "builtin.module(cse)").diagnostics == ()


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("builtin.module(no-such-pass)", "'no-such-pass' does not refer to a registered pass or pass pipeline"),
        ("builtin.module(cse", "expected"),
        ("func.func(cse)", "can't run 'func.func' pass manager on 'builtin.module' op"),
        ("builtin.module(test-mark)", "'tdsl.program'"),
        ("", "expected"),
    ],
)
def test_bad_pipelines_are_compile_errors(context: ir.Context, pipeline: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        run_pipeline(parse(PROGRAM), pipeline)
    assert message in str(error.value)


def test_printing_and_timing(context: ir.Context) -> None:
    pipeline = "builtin.module(cse,tdsl.program(test-mark))"
    result = run_pipeline(parse(PROGRAM), pipeline, print_after_all=True, timing=True)
    assert "IR Dump After CSE" in result.output
    assert "IR Dump After test-mark" in result.output
    assert "Execution time report" in result.output
    assert result.output.rindex("test-mark") > result.output.index("Execution time report")
    assert [diagnostic.message for diagnostic in result.diagnostics] == ["marked"]


def test_a_reproducer_is_written(context: ir.Context, tmp_path: Path) -> None:
    path = tmp_path / "reproducer.mlir"
    with pytest.raises(CompileError) as error:
        run_pipeline(parse(PROGRAM), "builtin.module(tdsl.program(test-fail))", crash_reproducer=str(path))
    assert error.value.reproducer == str(path)
    assert 'pipeline: "builtin.module(tdsl.program(test-fail))"' in path.read_text()


@register
class SeeStrict(Pass):
    """Remembers a knob."""

    name = "test-see-strict"
    description = "remember a knob"
    seen: list[bool] = []  # noqa: RUF012  (the test reads it)

    def run(self, op: ir.OpView) -> None:
        """Remembers."""
        self.seen.append(knobs.strict)


@pytest.mark.parametrize("survive_crashes", [False, True])
def test_passes_are_inside_of_the_scopes_of_the_caller(context: ir.Context, survive_crashes: bool) -> None:
    SeeStrict.seen.clear()
    pipeline = "builtin.module(tdsl.program(test-see-strict))"
    module = parse("".join(f"tdsl.program @p{i} {{ tdsl.dim @n }}\n" for i in range(20)))
    with knobs.scope(strict=True):
        run_pipeline(module, pipeline, survive_crashes=survive_crashes)
    run_pipeline(module, pipeline, survive_crashes=survive_crashes)
    assert SeeStrict.seen == [True] * 20 + [False] * 20


def test_fifty_programs_with_threads(context: ir.Context) -> None:
    module = parse("".join(f"tdsl.program @p{i} {{ tdsl.dim @n }}\n" for i in range(50)))
    Mark.threads.clear()
    for _ in range(10):
        result = run_pipeline(module, "builtin.module(tdsl.program(test-mark,canonicalize,cse,test-mark))")
        assert len(result.diagnostics) == 100
    assert all("marked" in op.attributes for op in module.body.operations)
    # MLIR's threads ran the passes, not the caller alone: otherwise this would test nothing.
    assert Mark.threads - {threading.get_ident()}


def run_script(script: str, seconds: float = 60) -> str:
    """Runs Python code in a process of its own, so that a deadlock or crash fails one test only."""
    completed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=seconds, check=False
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


STOCK_RUNNER = """
    import mlir.ir as ir, mlir.passmanager as passmanager
    from tdsl import _tdsl
    from tdsl.passes import Pass, register

    @register
    class Mark(Pass):
        name = "test-mark"
        description = "mark"
        def run(self, op):
            op.attributes["marked"] = ir.UnitAttr.get()

    context = ir.Context()
    context.enable_multithreading(True)
    _tdsl.register_dialects(context)
    module = ir.Module.parse("".join(f"tdsl.program @p{i} {{}}\\n" for i in range(50)), context)
    manager = passmanager.PassManager.parse("builtin.module(tdsl.program(test-mark,cse))", context)
    manager.run(module.operation)
    print(sum("marked" in op.attributes for op in module.body.operations))
"""


def test_the_stock_runner_does_not_deadlock() -> None:
    assert run_script(STOCK_RUNNER) == "50\n"


def test_one_copy_of_mlir_is_mapped(context: ir.Context) -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("needs /proc/self/maps")
    mapped = {line.split()[-1] for line in maps.read_text().splitlines() if ".so" in line}
    mlir = {path for path in mapped if Path(path).name.startswith(("libMLIR.so", "libMLIRPythonCAPI"))}
    assert len(mlir) == 1
    assert len({path for path in mapped if Path(path).name.startswith("libLLVM")}) == 1


def test_type_ids_and_operations_are_shared(context: ir.Context) -> None:
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            program = ir.Operation.create("tdsl.program", attributes={"sym_name": ir.StringAttr.get("made")}, regions=1)
            program.regions[0].blocks.append()
        run_pipeline(module, "builtin.module(tdsl.program(test-mark))")
    assert "marked" in program.attributes
    # The verifier of our ops compares type ids of the builtin dialect, which mlir.ir made.
    assert module.operation.verify()


def test_deep_nesting_in_the_runner(context: ir.Context) -> None:
    depth = 200
    text = "module {" * depth + PROGRAM + "}" * depth
    run_pipeline(parse(text), "any(cse)")


def test_a_context_is_freed_after_runs() -> None:
    script = """
        import gc, mlir.ir as ir
        from tdsl.passes import run_pipeline
        for _ in range(5):
            with ir.Context():
                module = ir.Module.parse("module {}")
                run_pipeline(module, "builtin.module(cse)")
            del module
        gc.collect()
        print(ir.Context._get_live_count())
    """
    assert run_script(script) == "0\n"


def test_emitting_an_unknown_severity_is_refused(context: ir.Context) -> None:
    with pytest.raises(ValueError, match="severity must be 'error', 'warning' or 'remark', not 'fatal'"):
        _tdsl.emit_diagnostic(ir.Location.unknown(), "fatal", "text", [])


@pytest.mark.parametrize("argument", [None, 3, "text"])
def test_arguments_of_another_kind_are_type_errors(argument: object) -> None:
    with pytest.raises(TypeError):
        _tdsl.register_dialects(argument)  # pyright: ignore[reportArgumentType]
