"""``--tdsl-validate-each``: every routine is run before and after each pass, on the same random cells.

Programs are run by the reference interpreter, which shares nothing with the passes. Once a program has become
functions, these are compiled to the end and run natively. Every node starts with random cells, also those that the
routine should overwrite, so that a forgotten initialization shows.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import mlir.ir as ir
import numpy as np
from mlir.dialects import func

from tdsl.codegen.object_code import LoadedObject, TargetDescription, emit
from tdsl.codegen.pipelines import LOOPS_TO_LLVM, CpuPipeline
from tdsl.codegen.signature import ProgramFacts, is_routine, read_signature, rename_functions, with_workspaces
from tdsl.errors import CompileError, TdslError
from tdsl.ir import NodeOp, Precision, ProgramOp, RoutineOp, ShapeAttr, SymbolIndexType, create_context, enumerator
from tdsl.ir.precision import numpy_dtype
from tdsl.ir.traversal import declarations
from tdsl.passes.diagnostics import emit_error, emit_remark
from tdsl.passes.pipeline import run_pipeline
from tdsl.reference import compare, run_routine
from tdsl.runtime.arrays import usable_array
from tdsl.runtime.routine import Routine

__all__ = ["Validator"]

#: Native code may fuse a product and a sum, and its elementary functions differ in the last bits.
_NATIVE_TOLERANCE = 1e-4

Cells = dict[str, np.ndarray]


@dataclass
class _Baseline:
    """What a program computed before the pass that runs now."""

    facts: ProgramFacts
    results: dict[str, Cells] = field(default_factory=dict)
    symbols: dict[str, dict[str, int]] = field(default_factory=dict)


class Validator:
    """An observer of passes. Passes on several programs may run at once."""

    def __init__(self) -> None:
        self.found_difference = False
        self._baselines: dict[str, _Baseline] = {}
        self._refused: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def before_pass(self, op: ir.OpView, name: str) -> None:
        """Runs the programs of ``op`` that were not run yet, as soon as their shapes are closed."""
        for program in _programs(op):
            with self._lock:
                known = program.sym_name.value in self._baselines
            if not known and _is_closed(program):
                self._remember(program, self._run_program(program, name))

    def after_pass(self, op: ir.OpView, name: str) -> None:
        """Runs everything again, and reports the first node that differs."""
        programs = list(_programs(op))
        for program in programs:
            if not _is_closed(program):
                continue
            results = self._run_program(program, name)
            with self._lock:
                before = self._baselines.get(program.sym_name.value)
            public = ProgramFacts.of(program).public
            for routine, cells in results.items():
                if before is not None and routine in before.results:
                    names = [n for n in cells if n in public and n in before.results[routine]]
                    self._report(program, name, routine, compare(before.results[routine], cells, names=names))
            self._remember(program, results)
        if not programs and op.operation.name == "builtin.module":
            self._check_functions(op, name)

    def _run_program(self, program: ProgramOp, name: str) -> dict[str, Cells]:
        """What every routine computes that the interpreter runs, each from the same cells."""
        cells, merges = _initial_cells(program)
        results: dict[str, Cells] = {}
        for routine in declarations(program, RoutineOp):
            key = program.sym_name.value, routine.sym_name.value
            symbols = _symbols(program, routine)
            try:
                results[key[1]] = run_routine(program, key[1], cells, symbols=symbols, merge_buffers=merges)
            except TdslError as error:
                with self._lock:
                    is_new = key not in self._refused
                    self._refused.add(key)
                if is_new:
                    emit_remark(routine, f"routine @{key[1]} is not validated, '{name}' and later: {error}")
        return results

    def _remember(self, program: ProgramOp, results: dict[str, Cells]) -> None:
        symbols = {r.sym_name.value: _symbols(program, r) for r in declarations(program, RoutineOp)}
        with self._lock:
            self._baselines[program.sym_name.value] = _Baseline(ProgramFacts.of(program), results, symbols)

    def _report(self, place: ir.OpView, name: str, routine: str, difference: str | None) -> None:
        if difference is None:
            return
        self.found_difference = True
        emit_error(place, f"pass '{name}' changes what routine @{routine} computes: {difference}")

    def _check_functions(self, module: ir.OpView, name: str) -> None:
        """Compiles the functions of a module as they are now, and runs them against the last results."""
        with create_context():
            copy = ir.Module.parse(str(module))
        baselines = {routine: b for b in self._baselines.values() for routine in b.results}
        functions = [
            f
            for f in copy.body.operations
            if isinstance(f, func.FuncOp) and is_routine(f) and f.name.value in baselines
        ]
        signatures = [read_signature(function, baselines[function.name.value].facts) for function in functions]
        if not signatures:
            return
        rename_functions(functions, signatures)
        # Deallocation happens once, so it depends on the stage what is left to do.
        rest = CpuPipeline().text if "tensor<" in str(copy) else LOOPS_TO_LLVM
        try:
            run_pipeline(copy, f"builtin.module({rest})", verify_each=False)
            loaded = LoadedObject(emit(copy, TargetDescription.host()))
        except CompileError as error:
            emit_remark(module, f"not validated after '{name}': {error}")
            return
        for signature in with_workspaces(signatures, copy):
            baseline = baselines[signature.routine]
            expected = baseline.results[signature.routine]
            cells = {a.key: usable_array(a, _random_cells(a.key, a.shape, a.dtype)) for a in signature.arguments}
            values = [baseline.symbols[signature.routine][symbol] for symbol, _ in signature.symbols]
            Routine(loaded, signature).bind(cells)(*values)
            written = [a.key for a in signature.arguments if a.is_written and a.key in expected]
            difference = compare(expected, cells, _NATIVE_TOLERANCE, names=written)
            self._report(module, name, signature.routine, difference)


def _programs(op: ir.OpView) -> Iterator[ProgramOp]:
    if isinstance(op, ProgramOp):
        yield op
    elif op.operation.name == "builtin.module":
        yield from (p for p in op.operation.regions[0].blocks[0].operations if isinstance(p, ProgramOp))


def _is_closed(program: ProgramOp) -> bool:
    return all(n.precision is not None and ShapeAttr(n.shape).is_solved for n in declarations(program, NodeOp))


def _symbols(program: ProgramOp, routine: RoutineOp) -> dict[str, int]:
    """The last value of each static symbol that a routine takes."""
    ranges = ProgramFacts.of(program).ranges
    names = [SymbolIndexType(argument.type).symbol for argument in routine.body.blocks[0].arguments]
    return {name: ranges[name][-1] for name in names}


def _initial_cells(program: ProgramOp) -> tuple[Cells, Cells]:
    """The cells of all nodes before a routine, and those of their merge buffers."""
    cells: Cells = {}
    merges: Cells = {}
    for node in declarations(program, NodeOp):
        name = node.sym_name.value
        assert node.precision is not None  # closed
        dtype = numpy_dtype(enumerator(Precision, node.precision))
        shape = ShapeAttr(node.shape).memory_order_sizes
        if dtype is None:
            dtype, shape = np.dtype(np.uint32), (*shape, 4)
        if node.value is None:
            cells[name] = _random_cells(name, shape, dtype)
        merges[name] = _random_cells(f"{name}.merge", shape, dtype)
    return cells, merges


def _random_cells(name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Cells that depend on the name only, so that a node has the same ones in every run."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return generator.integers(1, 9, shape).astype(dtype)
    return generator.normal(size=shape).astype(dtype)
