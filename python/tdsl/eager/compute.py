"""Computing one operation on arrays: compiled once for each spec, shape and precision, then called."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import Any

import numpy as np

from tdsl.codegen.lowering import LoweredProgram, lower_program
from tdsl.codegen.openmp import usable_threads
from tdsl.eager.analysis import RESULT, Analysis, Scope, analyze, operand_names
from tdsl.eager.arrays import Array, memory_sizes, shape_of, to_numpy, with_rows
from tdsl.eager.operations import Operation
from tdsl.eager.precisions import check_arithmetic, operand_precisions, result_precision
from tdsl.eager.program_cache import ProgramCache
from tdsl.errors import DtypeError, ShapeError
from tdsl.ir import Precision
from tdsl.ir.builder import ProgramBuilder
from tdsl.ir.precision import numpy_dtype
from tdsl.notation import LARGEST_INTEGER
from tdsl.runtime import Argument, Routine
from tdsl.runtime.arrays import check_output
from tdsl.runtime.compilation import Request, compile_anew, find_compiled
from tdsl.session import knobs
from tdsl.shapes import OPEN, TOP, Row, Shape, parse_shape

__all__ = ["compute", "eager_cache"]

#: What eager operations have compiled in this process: each routine, None where there are no cells to compute, with the
#: shape of its result.
eager_cache: ProgramCache[tuple[Routine | None, Shape]] = ProgramCache()

_LOGIC_TEXT = {"pointwise": ".", "compose": "@", "transpose": "T"}
_NUMBER = Shape(output=Row(trailing=(TOP,)))


def compute(
    operation: Operation,
    values: Sequence[Any],
    *,
    spec: str | None = None,
    scope: Scope | None = None,
    result: str | None = None,
    out: np.ndarray | None = None,
) -> Array:
    """Apply an operation to arrays and numbers.

    Args:
        operation: What to compute.
        values: Its operands. An array without rows is output-only; a Python number broadcasts, and takes the precision
            of the arrays.
        spec: The einsum spec, for an operation that has one.
        scope: What the spec is read with.
        result: The shape of the result where the operands leave it open, ``"batch|input->output"``.
        out: The array to write to. It may overlap operands.

    Returns:
        A new array, or a view of ``out``, with the rows of the result. It has the strongest precision of the operands;
        sums of integers wrap in it (spec k.15).

    Raises:
        SpecSyntaxError, ShapeError: The spec is wrong, or does not fit the shapes.
        DtypeError: An operand holds something that the operation does not take.
    """
    scope = scope or Scope()
    operands = [_operand(operation, value) for value in values]
    precisions = operand_precisions(operation, operands)
    shapes = [shape_of(operand) if isinstance(operand, np.ndarray) else _NUMBER for operand in operands]
    key: Hashable = (
        operation.name,
        spec,
        tuple(sorted(scope.coefficients.items())),
        scope.use_padding,
        tuple(sorted(scope.sizes.items())),
        tuple(shapes),
        tuple(precisions),
        result,
        knobs.code_settings(),
    )

    def plan() -> Analysis:
        known = OPEN if result is None else parse_shape(result)
        analysis = analyze(operation, shapes, spec=spec, scope=scope, result=known)
        check_arithmetic(operation, analysis.plan, precisions)
        return analysis

    def lower() -> LoweredProgram:
        return lower_program(_program(operation, plan(), precisions, spec, scope), threads=usable_threads())

    def compile() -> tuple[Routine | None, Shape]:
        request = Request.of("operation", operation.name, repr(key))
        found = find_compiled(request, lower)
        if found is not None and isinstance(found[1].get("result"), str):
            return found[0]["compute"], parse_shape(found[1]["result"])
        analysis = plan()
        if not analysis.plan.fill and not analysis.plan.steps:
            return None, analysis.result
        program = _program(operation, analysis, precisions, spec, scope)
        compiled = compile_anew(request, program, notes={"result": str(analysis.result)})
        return compiled["compute"], analysis.result

    routine, shape = eager_cache.get(key, compile)
    arguments: dict[str, np.ndarray] = {
        name: _plain(operand) if isinstance(operand, np.ndarray) else _filled(operation, operand, precision)
        for name, operand, precision in zip(operand_names(len(operands)), operands, precisions, strict=True)
    }
    stored = np.dtype(numpy_dtype(result_precision(operation, precisions)))
    if out is None:
        # Without a fill, each segment of a concatenation writes its part; between them, they write every cell.
        out = np.empty(memory_sizes(shape), stored)
    if routine is None:
        return with_rows(check_output(Argument(RESULT, "out", memory_sizes(shape), stored), out), shape)
    # Where no part of a concatenation meets an operand, the routine does not read it.
    read = {argument.key for argument in routine.signature.arguments}
    arguments = {name: array for name, array in arguments.items() if name in read}
    return with_rows(routine({**arguments, RESULT: out})[RESULT], shape)


def _plain(array: np.ndarray) -> np.ndarray:
    """The memory of an array with rows as an array without, which native calls take as it is."""
    return array.view(np.ndarray) if isinstance(array, Array) else array


def _operand(operation: Operation, value: Any) -> np.ndarray | bool | int | float:
    # A NumPy number has a type of its own, also where Python takes it for a float.
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        return value
    return to_numpy(value, operation.name)


def _filled(operation: Operation, number: bool | int | float, precision: Precision) -> np.ndarray:
    dtype = numpy_dtype(precision)
    try:
        with np.errstate(over="ignore"):
            return np.full(1, number, dtype)
    except OverflowError:
        shown = number if abs(number) < 2**128 else "a huge integer"
        raise DtypeError(f"{operation.name} was given {shown}, which does not fit in {dtype}.") from None


def _program(
    operation: Operation, analysis: Analysis, precisions: Sequence[Precision], spec: str | None, scope: Scope
) -> ProgramBuilder:
    """A program with one routine, for one analyzed operation."""
    # MLIR computes strides from all sizes, and asserts that they do not overflow.
    if prod(max(size, 1) for size in memory_sizes(analysis.result)) > LARGEST_INTEGER:
        raise ShapeError(f"The result `{analysis.result}` has more cells than memory can hold.", spec=spec)
    program = ProgramBuilder("eager")
    names = operand_names(len(precisions))
    operands = [
        program.node(name, str(shape), precision=str(precision), role="input")
        for name, shape, precision in zip(names, analysis.operands, precisions, strict=True)
    ]
    stored = str(result_precision(operation, precisions))
    result = program.node(RESULT, str(analysis.result), precision=stored)
    space = program.projections(
        "space",
        spec if spec is not None else _LOGIC_TEXT[operation.logic],
        operands,
        result,
        # The shapes are solved; only derivation still asks for the sizes of labels.
        captures={label: program.dim(f"size_{label}", size) for label, size in analysis.set_labels.items()},
        coefficients=scope.coefficients,
        use_padding=scope.use_padding,
    )
    with program.routine("compute") as code:
        code.assign(
            result,
            operation.accumulator,
            operation.primitive(len(operands)),
            operands,
            space,
            reset=operation.reset,
            block=operation.block,
        )
    return program
