"""The evaluations of a case that must agree: compiled code, and the reference interpreter twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import mlir.ir as ir
import numpy as np

import tdsl
from agreement import brute_force
from agreement.specs import Case, memory_sizes, shape_text
from tdsl.codegen.pipelines import INFER
from tdsl.ir import NodeOp, ProgramOp, ShapeAttr, create_context
from tdsl.ir.traversal import declarations
from tdsl.passes import run_pipeline
from tdsl.reference import run_routine

__all__ = ["arrays_of", "brute", "compile_together", "infer", "program_text", "reference", "run_compiled"]

_DTYPES = {"f64": np.float64, "i64": np.int64}
#: Products of these are exact for as long as a test runs; zeros and signs matter to logic and to order.
_FLOATS = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0])
#: Division and products must not be 0 everywhere.
_NONZERO = _FLOATS[_FLOATS != 0]

Arrays = dict[str, np.ndarray]


def _declarations(case: Case, number: int, *, closed: bool = False) -> list[str]:
    names, joined = _operand_names(case, number)
    result = "...|...->..." if case.is_open and not closed else shape_text(case.result)
    nodes = [
        f'tdsl.node {name} : {case.precision} "{shape_text(sizes)}" input'
        for name, sizes in zip(names, case.operands, strict=True)
    ]
    nodes.append(f'tdsl.node @y{number} : {case.precision} "{result}" result')
    return [*nodes, f'tdsl.projections @p{number} "{case.text}" ({joined}) -> @y{number}']


def _statement(case: Case, number: int) -> str:
    operation = f"{'reset ' if case.reset else ''}{case.accumulator} = {'block ' if case.block else ''}{case.primitive}"
    return f"tdsl.assign @y{number} {operation}({_operand_names(case, number)[1]}) by @p{number}"


def _operand_names(case: Case, number: int) -> tuple[list[str], str]:
    names = [f"@x{number}_{position}" for position in range(len(case.operands))]
    return names, ", ".join(names)


def program_text(case: Case, number: int = 0, *, closed: bool = False) -> str:
    """The declarations and the routine ``@run<number>`` of a case; ``closed``: with the result's sizes."""
    routine = f"tdsl.routine @run{number} {{ {_statement(case, number)} }}"
    return "\n".join([*_declarations(case, number, closed=closed), routine])


def _wrapped(*bodies: str) -> str:
    return "\n".join(["tdsl.program @cases {", *bodies, "}"])


def arrays_of(case: Case, number: int = 0) -> Arrays:
    """The operands, and what is in the result before: poison where the assignment has to overwrite it."""
    generator = np.random.default_rng(case.seed)
    dtype = _DTYPES[case.precision]
    choices = _NONZERO if case.accumulator in ("mul", "div") else _FLOATS
    if case.precision == "i64":
        choices = np.arange(-3, 4)
    arrays = {
        f"x{number}_{position}": generator.choice(choices, memory_sizes(sizes)).astype(dtype)
        for position, sizes in enumerate(case.operands)
    }
    sizes = memory_sizes(case.result)
    if case.reset:
        arrays[f"y{number}"] = np.full(sizes, np.nan if dtype is np.float64 else -77777, dtype)
    else:
        arrays[f"y{number}"] = generator.choice(choices, sizes).astype(dtype)
    return arrays


def infer(case: Case) -> tuple[Case, ir.Module]:
    """The case with the sizes that inference finds for its result, and the program with derived index spaces.

    Raises what tdsl raises for a case that it refuses.
    """
    with create_context():
        try:
            module = ir.Module.parse(_wrapped(program_text(case)))
        except ir.MLIRError as error:
            # As tdsl.compile does: a spec that cannot be read is an error of the text.
            raise tdsl.CompileError(str(error)) from None
    run_pipeline(module, f"builtin.module({INFER})")
    (program,) = module.body.operations
    assert isinstance(program, ProgramOp)
    (node,) = (n for n in declarations(program, NodeOp) if n.sym_name.value == "y0")
    shape = ShapeAttr(node.shape)
    result = {kind: [axis.size for axis in getattr(shape, kind).leading] for kind in ("batch", "input", "output")}
    return replace(case, result=result), module


def brute(case: Case, arrays: Arrays, number: int = 0) -> np.ndarray:
    """The result by plain loops."""
    operands = [
        {cell: float(value) for cell, value in np.ndenumerate(arrays[f"x{number}_{position}"])}
        for position in range(len(case.operands))
    ]
    before = {cell: float(value) for cell, value in np.ndenumerate(arrays[f"y{number}"])}
    result = np.empty(memory_sizes(case.result), _DTYPES[case.precision])
    for cell, value in brute_force.evaluate(case, operands, before).items():
        result[cell] = value
    return result


def reference(case: Case, module: ir.Module, arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """The result of the reference interpreter on the logic, and on the derived index space."""
    with create_context():
        logic = ProgramOp.parse(_wrapped(program_text(case, closed=True)))
    (derived,) = module.body.operations
    assert isinstance(derived, ProgramOp)
    return run_routine(logic, "run0", arrays)["y0"], run_routine(derived, "run0", arrays)["y0"]


def compile_together(cases: Sequence[Case]) -> tdsl.CompiledProgram:
    """One program with a routine for each case, and ``@everything`` with all their statements."""
    everything = ["tdsl.routine @everything {", *map(_statement, cases, range(len(cases))), "}"]
    return tdsl.compile(_wrapped(*map(program_text, cases, range(len(cases))), *everything))


def run_compiled(compiled: tdsl.CompiledProgram, routine: str, cases: Mapping[int, Case]) -> dict[int, np.ndarray]:
    """The results of a routine that computes these cases, written over poison or over what was there."""
    arrays = {name: array for number, case in cases.items() for name, array in arrays_of(case, number).items()}
    # Where axes are empty, a routine may read no cell of an operand, and write none of the result.
    taken = {argument.key for argument in compiled[routine].signature.arguments}
    results = compiled[routine]({name: array for name, array in arrays.items() if name in taken})
    return {n: results[f"y{n}"] if f"y{n}" in results else arrays[f"y{n}"] for n in cases}
