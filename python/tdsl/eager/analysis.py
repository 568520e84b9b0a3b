"""What the compiler finds out about one operation before it generates code. Needs no MLIR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tdsl.eager.operations import Operation
from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation import (
    LARGEST_INTEGER,
    Affine,
    NamedRow,
    Spec,
    check_arity,
    check_captures,
    labels,
    parse,
    row_variables,
)
from tdsl.projections import (
    Access,
    AssignmentPlan,
    ClosedAxis,
    ClosedShape,
    Compose,
    Einsum,
    Logic,
    Pointwise,
    Projections,
    Transpose,
    derive,
    plan_assignment,
)
from tdsl.shapes import OPEN, Inference, Row, Shape

__all__ = ["RESULT", "Analysis", "Scope", "analyze", "operand_names"]

#: The name of the result in messages and programs.
RESULT = "result"

_LOGICS = {"pointwise": Pointwise, "compose": Compose, "transpose": Transpose}


@dataclass(frozen=True)
class Scope:
    """What a spec is read with.

    Attributes:
        coefficients: The integers that its named strides and dilations stand for.
        use_padding: Whether a plain ``+`` before a kernel pads.
        sizes: The sizes of labels, and the numbers of elements of row variables, that the shapes leave open (spec d.9).
    """

    coefficients: Mapping[str, int] = field(default_factory=dict)
    use_padding: bool | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Analysis:
    """The solved shapes of an operation, and what its assignment does.

    Attributes:
        operands, result: The solved shapes.
        label_sizes: The size of every label of the spec, and what was said of its row variables.
        set_labels: Those of the labels that the scope gave.
        projections: The index space.
        plan: The fill and the loops of the assignment.
    """

    operands: tuple[Shape, ...]
    result: Shape
    label_sizes: Mapping[str, int]
    set_labels: Mapping[str, int]
    projections: Projections
    plan: AssignmentPlan


def operand_names(count: int) -> list[str]:
    """How messages and programs call the operands: ``x1``, ``x2``, ..."""
    return [f"x{number}" for number in range(1, count + 1)]


def analyze(
    operation: Operation,
    operands: Sequence[Shape],
    *,
    spec: str | None = None,
    scope: Scope | None = None,
    result: Shape = OPEN,
) -> Analysis:
    """Infer the shapes of an operation, derive its index space, and plan its assignment (spec d, e).

    Args:
        operation: The operation.
        operands: What is known of the shapes of its operands.
        spec: Its einsum spec, for an operation whose logic is "spec".
        scope: What the spec is read with.
        result: What is known of the shape of the result.

    Raises:
        SpecSyntaxError: The spec is not one, or ``sizes`` or ``coefficients`` has names that are not in it.
        ShapeError: The shapes contradict each other or the spec, or there are too few or too many operands.
        UnsupportedError: The result would depend on the order of the loops.
    """
    scope = scope or Scope()
    parsed = None
    if spec is not None:
        parsed = parse(spec, coefficients=scope.coefficients, use_padding=scope.use_padding)
        check_arity(parsed, len(operands))
        check_captures(parsed, list(scope.sizes))
        _check_coefficients(parsed, scope)
        _check_sizes(scope)
    operation.primitive(len(operands))
    inference, captured = _inferred(operation, parsed, operands, scope, result)
    names = operand_names(len(operands))
    shapes = tuple(inference.shape(name) for name in names)
    result = inference.shape(RESULT)
    closed = [_closed(shape) for shape in shapes]
    set_labels = {} if parsed is None else _set_labels(parsed, scope)
    logic: Logic = _LOGICS[operation.logic]() if parsed is None else Einsum(parsed, set_labels)
    projections = derive(logic, closed, _closed(result))
    plan = plan_assignment(
        projections,
        Access("lhs", projections.result.sizes),
        [Access(f"rhs{number}", shape.sizes) for number, shape in enumerate(closed, 1)],
        operation.accumulator,
        reset=operation.reset,
        block=operation.block,
    )
    label_sizes = {name: inference.capture(name) for name in captured}
    return Analysis(shapes, result, label_sizes, set_labels, projections, plan)


def _check_coefficients(spec: Spec, scope: Scope) -> None:
    """Refuse coefficients that the spec does not have: they are misspelled, or belong elsewhere."""
    axes = [axis for shape in spec.shapes() for _, row in shape.rows() for axis in row.axes]
    affine = [axis for axis in axes if isinstance(axis, Affine)]
    known = dict.fromkeys(
        coefficient.name
        for axis in affine
        for coefficient in (axis.stride, *([axis.kernel.dilation] if axis.kernel is not None else []))
        if coefficient.name is not None
    )
    for name in scope.coefficients:
        if name not in known:
            listed = ", ".join(f"`{name}`" for name in known)
            raise SpecSyntaxError(
                f"The spec has no coefficient `{name}`.",
                spec=spec.text,
                suggestion=f"Its coefficients are {listed}." if known else None,
            )


def _check_sizes(scope: Scope) -> None:
    for name, size in scope.sizes.items():
        if not 0 <= size <= LARGEST_INTEGER:
            raise ShapeError(f"The size of `{name}` is between 0 and {LARGEST_INTEGER}, not {size}.")


def _inferred(
    operation: Operation, spec: Spec | None, operands: Sequence[Shape], scope: Scope, result: Shape
) -> tuple[Inference, list[str]]:
    """The closed environment, and the names in the spec whose sizes it knows."""
    inference = Inference()
    names = operand_names(len(operands))
    for name, shape in zip(names, operands, strict=True):
        inference.add_node(name, shape, "input")
    inference.add_node(RESULT, result, "result")
    captured: list[str] = []
    if spec is not None:
        rows = _row_names(spec)
        captured = list(dict.fromkeys([*labels(spec), *scope.sizes]))
        for name in captured:
            inference.add_capture(name, row=name in rows)
        for name, size in scope.sizes.items():
            inference.set_dim(name, size)
    inference.relate(operation.logic, names, RESULT, spec=spec, captures={name: name for name in captured})
    inference.close()
    return inference, captured


def _row_names(spec: Spec) -> set[str]:
    return {variable.name for variable in row_variables(spec) if isinstance(variable, NamedRow)}


def _set_labels(spec: Spec, scope: Scope) -> dict[str, int]:
    """The sizes of labels that the user gave: the program declares these, so derivation may use them."""
    rows = _row_names(spec)
    return {name: size for name, size in scope.sizes.items() if name not in rows}


def _closed(shape: Shape) -> ClosedShape:
    return ClosedShape(_axes(shape.batch), _axes(shape.input), _axes(shape.output))


def _axes(row: Row) -> tuple[ClosedAxis, ...]:
    return tuple(ClosedAxis(axis.size or 0, axis.basis or "default") for axis in row.axes)
