"""Applying a primitive operation to operands of any precisions (spec b.5), and neutral elements (spec b.3).

Operands become values of the destination's arithmetic before the operation. Exceptions are what the specification
calls heterogeneous: comparisons happen in the strongest precision of their operands, truth is read in the precision of
the operand, and random words are drawn as words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy as np

from tdsl.errors import DtypeError
from tdsl.ir import Accumulator, Precision, Primitive
from tdsl.ir.precision import promote
from tdsl.reference.arithmetic import Arithmetic, ArithmeticFamily, Array

__all__ = ["accumulating_primitive", "apply", "neutral"]

_COMPARISONS: dict[Primitive, Callable[[Array, Array], Array]] = {
    Primitive.Lt: operator.lt,
    Primitive.Le: operator.le,
    Primitive.Eq: operator.eq,
    Primitive.Ne: operator.ne,
}
_THREEFRY = frozenset({Primitive.Threefry4x32, Primitive.Threefry4x32Crypto})
_NEUTRAL_NUMBERS = {
    Accumulator.Mul: 1.0,
    Accumulator.Div: 1.0,
    Accumulator.Pow: 1.0,
    Accumulator.And: 1.0,
    Accumulator.ReluGate: 1.0,
    Accumulator.Sat01Gate: 0.5,
}

Operand = tuple[Array, Arithmetic]


def accumulating_primitive(accumulator: Accumulator) -> Primitive:
    """The operation that joins a cell and a contribution; overwriting keeps the second (spec b.4)."""
    return Primitive.Snd if accumulator == Accumulator.Overwrite else Primitive[accumulator.name]


def neutral(accumulator: Accumulator, arithmetic: Arithmetic) -> Array:
    """The neutral element as an array of one value (spec b.3); DtypeError if the precision cannot hold it."""
    if accumulator == Accumulator.Max:
        return arithmetic.extremes()[0]
    if accumulator == Accumulator.Min:
        return arithmetic.extremes()[1]
    return arithmetic.constant(_NEUTRAL_NUMBERS.get(accumulator, 0.0))


def apply(
    primitive: Primitive, destination: Arithmetic, operands: Sequence[Operand], arithmetic_of: ArithmeticFamily
) -> Array:
    """The values, in the destination's arithmetic, of an operation on values of any arithmetics."""

    def converted(position: int) -> Array:
        values, source = operands[position]
        return destination.convert(values, source)

    if primitive in (Primitive.Id, Primitive.Fst):
        return converted(0)
    if primitive == Primitive.Snd:
        return converted(1)
    if primitive in _COMPARISONS:
        return _from_truth(_compare(primitive, operands, arithmetic_of), destination, arithmetic_of)
    if primitive in (Primitive.Not, Primitive.Or, Primitive.And):
        truths = [source.truth(values) for values, source in operands]
        truth = (
            ~truths[0]
            if primitive == Primitive.Not
            else (np.any if primitive == Primitive.Or else np.all)(truths, axis=0)
        )
        return _from_truth(truth, destination, arithmetic_of)
    if primitive == Primitive.Where:
        condition, source = operands[0]
        return destination.select(source.truth(condition), converted(1), converted(2))
    if primitive in _THREEFRY:
        if not destination.cell_shape:
            raise DtypeError(
                f"{primitive.name.lower()} makes uint4x32 words, but its destination holds {destination.name}."
            )
        return destination.apply(primitive, converted(0), converted(1))
    if primitive == Primitive.UInt4x32ToPrecUniform1:
        words, source = operands[0]
        if not source.cell_shape:
            raise DtypeError(f"{primitive.name.lower()} reads uint4x32 words, but got {source.name}.")
        return destination.load(destination.uniform(words)[:, 0])
    return destination.apply(primitive, *(converted(position) for position in range(len(operands))))


def _compare(primitive: Primitive, operands: Sequence[Operand], arithmetic_of: ArithmeticFamily) -> Array:
    strongest = promote(source.precision for _, source in operands)
    assert strongest is not None, "a comparison has operands"
    common = arithmetic_of(strongest)
    a, b = (common.convert(values, source) for values, source in operands)
    if common.cell_shape:
        if primitive not in (Primitive.Eq, Primitive.Ne):
            raise DtypeError(f"{common.name} words have no order.")
        equal = (a == b).all(axis=1)
        return equal if primitive == Primitive.Eq else ~equal
    return np.asarray(_COMPARISONS[primitive](a, b), dtype=bool)


def _from_truth(truth: Array, destination: Arithmetic, arithmetic_of: ArithmeticFamily) -> Array:
    boolean = arithmetic_of(Precision.Bool)
    return destination.convert(boolean.load(truth), boolean)
