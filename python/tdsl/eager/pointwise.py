"""Pointwise operations, and composition, computed on arrays (spec b.5, d.4).

Rows broadcast as in the language: aligned at the right within each row, and only axes of basis ``bcast_if_1`` stretch,
as those of Python numbers do. An axis of a plain array that has size 1 does not. Results of comparisons and logic are
booleans; all others have the strongest precision of the operands. A Python number takes the precision of the arrays;
where they cannot hold it, a float counts as f32, and an integer as i64.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from tdsl.eager.arrays import Array
from tdsl.eager.compute import compute
from tdsl.eager.operations import COMPOSE, TRANSPOSE, Operation
from tdsl.errors import ShapeError

__all__ = [
    "add",
    "and_",
    "cos",
    "div",
    "eq",
    "exp",
    "exp2",
    "fma",
    "ge",
    "gt",
    "le",
    "log",
    "log2",
    "lt",
    "matmul",
    "maximum",
    "minimum",
    "mod",
    "mul",
    "ne",
    "neg",
    "not_",
    "or_",
    "pow",
    "recip",
    "recip_sqrt",
    "relu",
    "relu_gate",
    "sat01",
    "sat01_gate",
    "sin",
    "sqrt",
    "sub",
    "tanh",
    "transpose",
    "where",
]

#: An operand: a NumPy array, a DLPack object, a number, or nested lists.
_Operand: TypeAlias = Any
_Output: TypeAlias = np.ndarray | None


def _pointwise(name: str, primitive: str, operands: int, **facts: bool) -> Operation:
    return Operation(name, "pointwise", "overwrite", {operands: primitive}, **facts)


_NEG = _pointwise("neg", "neg", 1)
_RELU = _pointwise("relu", "relu", 1)
_SAT01 = _pointwise("sat01", "sat01", 1)
_EXP = _pointwise("exp", "exp", 1, needs_floats=True)
_LOG = _pointwise("log", "log", 1, needs_floats=True)
_EXP2 = _pointwise("exp2", "exp2", 1, needs_floats=True)
_LOG2 = _pointwise("log2", "log2", 1, needs_floats=True)
_SIN = _pointwise("sin", "sin", 1, needs_floats=True)
_COS = _pointwise("cos", "cos", 1, needs_floats=True)
_SQRT = _pointwise("sqrt", "sqrt", 1, needs_floats=True)
_RECIP = _pointwise("recip", "recip", 1, needs_floats=True)
_RECIP_SQRT = _pointwise("recip_sqrt", "recip_sqrt", 1, needs_floats=True)
_TANH = _pointwise("tanh", "tanh", 1, needs_floats=True)
_NOT = _pointwise("not_", "not", 1, is_truth=True)
_ADD = _pointwise("add", "add", 2)
_SUB = _pointwise("sub", "sub", 2)
_MUL = _pointwise("mul", "mul", 2)
_DIV = _pointwise("div", "div", 2)
_POW = _pointwise("pow", "pow", 2, needs_floats=True)
_MOD = _pointwise("mod", "mod", 2)
_MAXIMUM = _pointwise("maximum", "max", 2)
_MINIMUM = _pointwise("minimum", "min", 2)
_RELU_GATE = _pointwise("relu_gate", "relu_gate", 2)
_SAT01_GATE = _pointwise("sat01_gate", "sat01_gate", 2)
_LT = _pointwise("lt", "lt", 2, is_truth=True)
_LE = _pointwise("le", "le", 2, is_truth=True)
_EQ = _pointwise("eq", "eq", 2, is_truth=True)
_NE = _pointwise("ne", "ne", 2, is_truth=True)
_AND = _pointwise("and_", "and", 2, is_truth=True)
_OR = _pointwise("or_", "or", 2, is_truth=True)
_WHERE = _pointwise("where", "where", 3, has_condition=True)
_FMA = _pointwise("fma", "fma", 3)


def neg(a: _Operand, /, *, out: _Output = None) -> Array:
    """``-a``."""
    return compute(_NEG, [a], out=out)


def relu(a: _Operand, /, *, out: _Output = None) -> Array:
    """``a`` where it is at least 0, else 0; 0 for NaN."""
    return compute(_RELU, [a], out=out)


def sat01(a: _Operand, /, *, out: _Output = None) -> Array:
    """``a`` limited to 0 .. 1; NaN stays."""
    return compute(_SAT01, [a], out=out)


def exp(a: _Operand, /, *, out: _Output = None) -> Array:
    """``e ** a``."""
    return compute(_EXP, [a], out=out)


def log(a: _Operand, /, *, out: _Output = None) -> Array:
    """The natural logarithm."""
    return compute(_LOG, [a], out=out)


def exp2(a: _Operand, /, *, out: _Output = None) -> Array:
    """``2 ** a``."""
    return compute(_EXP2, [a], out=out)


def log2(a: _Operand, /, *, out: _Output = None) -> Array:
    """The logarithm to the base 2."""
    return compute(_LOG2, [a], out=out)


def sin(a: _Operand, /, *, out: _Output = None) -> Array:
    """The sine of radians."""
    return compute(_SIN, [a], out=out)


def cos(a: _Operand, /, *, out: _Output = None) -> Array:
    """The cosine of radians."""
    return compute(_COS, [a], out=out)


def sqrt(a: _Operand, /, *, out: _Output = None) -> Array:
    """The square root."""
    return compute(_SQRT, [a], out=out)


def recip(a: _Operand, /, *, out: _Output = None) -> Array:
    """``1 / a``."""
    return compute(_RECIP, [a], out=out)


def recip_sqrt(a: _Operand, /, *, out: _Output = None) -> Array:
    """``1 / sqrt(a)``."""
    return compute(_RECIP_SQRT, [a], out=out)


def tanh(a: _Operand, /, *, out: _Output = None) -> Array:
    """The hyperbolic tangent."""
    return compute(_TANH, [a], out=out)


def not_(a: _Operand, /, *, out: _Output = None) -> Array:
    """Whether ``a`` is 0, as booleans; NaN is not."""
    return compute(_NOT, [a], out=out)


def add(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a + b``."""
    return compute(_ADD, [a, b], out=out)


def sub(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a - b``."""
    return compute(_SUB, [a, b], out=out)


def mul(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a * b``, cell by cell."""
    return compute(_MUL, [a, b], out=out)


def div(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a / b``, cell by cell; integers truncate."""
    return compute(_DIV, [a, b], out=out)


def pow(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a ** b``, cell by cell; ``a ** 0`` is 1 for every ``a``; one of them is a float."""
    return compute(_POW, [a, b], out=out)


def mod(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """The remainder with the sign of ``b``."""
    return compute(_MOD, [a, b], out=out)


def maximum(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """The larger one; NaN if one is NaN."""
    return compute(_MAXIMUM, [a, b], out=out)


def minimum(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """The smaller one; NaN if one is NaN."""
    return compute(_MINIMUM, [a, b], out=out)


def relu_gate(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``b`` where ``a > 0``, else 0."""
    return compute(_RELU_GATE, [a, b], out=out)


def sat01_gate(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``b`` where ``0 < a < 1``, else 0."""
    return compute(_SAT01_GATE, [a, b], out=out)


def lt(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a < b`` as booleans."""
    return compute(_LT, [a, b], out=out)


def le(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a <= b`` as booleans."""
    return compute(_LE, [a, b], out=out)


def gt(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a > b`` as booleans."""
    return compute(_LT, [b, a], out=out)


def ge(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a >= b`` as booleans."""
    return compute(_LE, [b, a], out=out)


def eq(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a == b`` as booleans."""
    return compute(_EQ, [a, b], out=out)


def ne(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a != b`` as booleans; true for NaN."""
    return compute(_NE, [a, b], out=out)


def and_(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """Whether both are not 0, as booleans."""
    return compute(_AND, [a, b], out=out)


def or_(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """Whether one of them is not 0, as booleans."""
    return compute(_OR, [a, b], out=out)


def where(condition: _Operand, a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """``a`` where the condition is not 0, else ``b``; its precision is that of ``a`` and ``b``."""
    return compute(_WHERE, [condition, a, b], out=out)


def fma(a: _Operand, b: _Operand, c: _Operand, /, *, out: _Output = None) -> Array:
    """``a * b + c``, cell by cell, rounded twice."""
    return compute(_FMA, [a, b, c], out=out)


def matmul(a: _Operand, b: _Operand, /, *, out: _Output = None) -> Array:
    """Composition: the input axes of ``a`` meet the output axes of ``b``; batch axes broadcast (spec d.4).

    A plain array has no input axes: say ``matmul(tdsl.asarray(w, input=1), x)``.

    Raises:
        ShapeError: The rows do not fit.
        DtypeError: An operand holds something that it does not take.
    """
    try:
        return compute(COMPOSE, [a, b], out=out)
    except ShapeError as error:
        if isinstance(a, Array) and isinstance(b, Array):
            raise
        # The usual mistake: the rows of NumPy's arrays were never said.
        advice = "An array is output-only unless you say more: `tdsl.asarray(a, input=1)`, `tdsl.asarray(b, batch=1)`."
        suggestion = f"{error.suggestion}\n{advice}" if error.suggestion else advice
        raise ShapeError(error.message, spec=error.spec, spans=error.spans, suggestion=suggestion) from None


def transpose(a: _Operand, /, *, out: _Output = None) -> Array:
    """The input and the output row change places; the batch row stays."""
    return compute(TRANSPOSE, [a], out=out)
