"""The constraints that an operation puts on the shapes of its nodes (spec section d.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdsl.errors import ShapeError
from tdsl.notation import RowKind
from tdsl.shapes.broadcast import RowBroadcast
from tdsl.shapes.equations import equate
from tdsl.shapes.lattice import DEFAULT
from tdsl.shapes.nodes import Node, Operation
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Solver
from tdsl.shapes.terms import ROW_KINDS
from tdsl.shapes.totals import TotalElements
from tdsl.shapes.variables import AxisVariable, RowTerm, closed_row

_TEXTS: Mapping[str, str] = {
    "pointwise": "the pointwise operation",
    "compose": "the composition `@`",
    "compose_accumulate": "the composition with accumulation",
    "transpose": "the transposition",
    "slice": "the slice of the leftmost batch axis",
    "uniform": "the packed uniform conversion",
}
_COUNTS: Mapping[str, int] = {"compose": 2, "compose_accumulate": 3, "transpose": 1, "slice": 1, "uniform": 1}
_TRANSPOSED: tuple[tuple[RowKind, int, RowKind], ...] = (
    ("batch", 1, "batch"),
    ("output", 1, "input"),
    ("input", 1, "output"),
)

_COMPOSED: tuple[tuple[RowKind, int, RowKind], ...] = (
    ("batch", 1, "batch"),
    ("batch", 2, "batch"),
    ("input", 2, "input"),
    ("output", 1, "output"),
)


def relate_broadcast(solver: Solver, logic: str, operation: Operation, origin: object) -> None:
    """Relate nodes by the logics that broadcast: pointwise, compose, compose_accumulate, transpose."""
    _check_count(logic, operation.operands, origin)
    text = _TEXTS[logic]
    pairs = _pairs(logic, operation.operands)
    for kind, number, operand_kind in pairs:
        node = operation.operands[number - 1]
        cause = Cause(text, origin, None, number, node.name, operand_kind)
        into = Cause(text, origin, None, 0, operation.result.name, kind)
        solver.add(RowBroadcast(operation.result.rows[kind], node.rows[operand_kind], cause, into))
        operation.broadcasts.append((kind, node, operand_kind))
    if logic in ("compose", "compose_accumulate"):
        first, second = operation.operands[:2]
        cause = Cause(text, origin, None, 2, second.name, "output")
        into = Cause(text, origin, None, 1, first.name, "input")
        solver.add(RowBroadcast(first.rows["input"], second.rows["output"], cause, into, compose=True))


def _pairs(logic: str, operands: Sequence[Node]) -> list[tuple[RowKind, int, RowKind]]:
    """Row of the result, number of the operand, and its row that broadcasts there."""
    pairs: list[tuple[RowKind, int, RowKind]] = []
    if logic == "transpose":
        pairs += _TRANSPOSED
    elif logic == "pointwise":
        for number in range(1, len(operands) + 1):
            pairs += _same_rows(number)
    else:
        pairs += _COMPOSED
    if logic == "compose_accumulate":
        pairs += _same_rows(3)
    return pairs


def _same_rows(number: int) -> tuple[tuple[RowKind, int, RowKind], ...]:
    return ("batch", number, "batch"), ("input", number, "input"), ("output", number, "output")


def relate_slice(solver: Solver, operation: Operation, size: int, origin: object) -> None:
    """The operand is the result with one more batch axis, of ``size`` positions, at the left."""
    _check_count("slice", operation.operands, origin)
    [node] = operation.operands
    text = _TEXTS["slice"]
    axis = AxisVariable(size, None, Provenance("the range of the static symbol", origin))
    for kind in ROW_KINDS:
        cause = Cause(text, origin, None, 1, node.name, kind)
        row = operation.result.rows[kind]
        if kind == "batch":
            row = RowTerm((axis, *row.leading), row.variable, row.trailing)
            if row.variable is None:
                row = closed_row(row.axes)
        equate(solver, node.rows[kind], row, cause)


def relate_uniform(solver: Solver, operation: Operation, lanes: int, origin: object) -> None:
    """One input axis of words; each word becomes ``lanes`` cells of the result, the last one perhaps fewer (k.14)."""
    _check_count("uniform", operation.operands, origin)
    [node] = operation.operands
    text = _TEXTS["uniform"]
    words = AxisVariable(None, DEFAULT)
    for kind in ROW_KINDS:
        row = closed_row([words] if kind == "input" else [])
        equate(solver, node.rows[kind], row, Cause(text, origin, None, 1, node.name, kind))
    cause = Cause(text, origin, None, 0, operation.result.name)
    rows = [operation.result.rows[kind] for kind in ROW_KINDS]
    solver.add(TotalElements(rows, lanes, words, 1, f"@{operation.result.name}", cause, rounded=True))


def _check_count(logic: str, operands: Sequence[Node], origin: object) -> None:
    expected = _COUNTS.get(logic)
    if expected is not None and len(operands) != expected:
        arguments = "one operand" if expected == 1 else f"{expected} operands"
        raise ShapeError(
            f"{_TEXTS[logic][0].upper()}{_TEXTS[logic][1:]} takes {arguments}, but {len(operands)} were given.",
            suggestion=f"Stated at {origin}." if origin is not None else None,
        )
    if not operands:
        raise ShapeError(f"{_TEXTS[logic][0].upper()}{_TEXTS[logic][1:]} has no operands.")
