"""What the interpreter asks of numbers, and the operations that are the same in every arithmetic (spec b.5).

*Cells* are what an array of a node holds, *values* what operations compute with; for narrow floats they differ. Both
are one-dimensional NumPy arrays, except for ``uint4x32``, whose elements are rows of four words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tdsl.errors import DtypeError
from tdsl.ir import Precision, Primitive
from tdsl.ir.precision import bytes_per_cell

__all__ = ["Arithmetic", "ArithmeticFamily", "Array", "NumericArithmetic"]

Array: TypeAlias = "np.ndarray[Any, Any]"


class Arithmetic(ABC):
    """The numbers that a node of one precision holds."""

    #: The shape of one element of an array of cells, beside the axes of the node.
    cell_shape: tuple[int, ...] = ()

    def __init__(self, precision: Precision, storage: np.dtype[Any]) -> None:
        self.precision = precision
        #: The dtype of arrays of cells.
        self.storage = storage

    @property
    def name(self) -> str:
        """The keyword of the precision in programs."""
        return "uint4x32" if self.precision == Precision.UInt4x32 else self.precision.name.lower()

    @property
    @abstractmethod
    def poison(self) -> Any:
        """What a cell holds that was never written: it shows in whatever is computed from it."""

    @abstractmethod
    def load(self, cells: Array) -> Array:
        """The values of cells."""

    @abstractmethod
    def store(self, values: Array) -> Array:
        """The cells that hold values, rounded once."""

    @abstractmethod
    def convert(self, values: Array, source: Arithmetic) -> Array:
        """Values of another arithmetic as values of this one; raises DtypeError where that has no meaning."""

    @abstractmethod
    def constant(self, number: float) -> Array:
        """A number of the program as an array of one value; raises DtypeError if the precision cannot hold it."""

    @abstractmethod
    def integers(self, numbers: Array) -> Array:
        """Offsets, ids and values of symbols, given as int64, as values."""

    @abstractmethod
    def bits(self, pattern: int) -> Array:
        """One cell with these bits (spec a.4); raises DtypeError if there are more bits than the cell has."""

    @abstractmethod
    def uniform(self, words: Array) -> Array:
        """The cells that rows of four random words unpack into, one row of cells for each (spec b.6)."""

    @abstractmethod
    def apply(self, primitive: Primitive, *operands: Array) -> Array:
        """An operation on values of this arithmetic; raises DtypeError if it does not have the operation."""

    @abstractmethod
    def truth(self, values: Array) -> Array:
        """Whether each value counts as true: it is not zero, so a NaN does (spec b.5)."""

    @abstractmethod
    def extremes(self) -> tuple[Array, Array]:
        """The neutral elements of maximum and of minimum, each an array of one value (spec b.3)."""

    def ordered_ufunc(self, primitive: Primitive) -> np.ufunc | None:
        """A NumPy function whose ``at`` applies the operation cell by cell in order, where there is one."""
        return None

    def select(self, condition: Array, chosen: Array, other: Array) -> Array:
        return np.where(condition.reshape(condition.shape + (1,) * len(self.cell_shape)), chosen, other)

    def refuse(self, primitive: Primitive) -> DtypeError:
        return DtypeError(f"{self.name} has no operation {primitive.name.lower()}.")

    def refuse_words(self, source: Arithmetic, numbers: str) -> DtypeError:
        return DtypeError(f"{source.name} words are not {numbers}; uint4x32_to_prec_uniform converts them.")

    def checked_pattern(self, pattern: int) -> int:
        """The pattern as an unsigned number of the width of one cell."""
        width = 8 * bytes_per_cell(self.precision)
        if not -(1 << (width - 1)) <= pattern < 1 << width:
            raise DtypeError(f"The bits {pattern} do not fit into one cell of {self.name}, which has {width} bits.")
        return pattern % (1 << width)


#: The arithmetic of each precision: :func:`tdsl.reference.machine` or :func:`tdsl.reference.rational`.
ArithmeticFamily: TypeAlias = Callable[[Precision], Arithmetic]


class NumericArithmetic(Arithmetic):
    """Numbers that can be added, multiplied and compared: what b.5 defines in these terms is written here, once."""

    def __init__(self, precision: Precision, storage: np.dtype[Any]) -> None:
        super().__init__(precision, storage)
        self._operations: dict[Primitive, Callable[..., Array]] = {
            Primitive.Relu: lambda v: np.where(v >= self.zero, v, self.zero),
            Primitive.Sat01: self._sat01,
            Primitive.Recip: lambda v: self.divide(self.one, v),
            Primitive.Neg: self.negate,
            Primitive.Trunc: self.truncate,
            Primitive.Add: self.add,
            Primitive.Sub: self.subtract,
            Primitive.Mul: self.multiply,
            Primitive.Div: self.divide,
            Primitive.Mod: self.modulo,
            Primitive.Pow: self.power,
            Primitive.ReluGate: lambda a, b: np.where(a > self.zero, b, self.zero),
            Primitive.Sat01Gate: lambda a, b: np.where((a > self.zero) & (a < self.one), b, self.zero),
            Primitive.Max: self.maximum,
            Primitive.Min: self.minimum,
            # These two round after each of their operations; compiled code may fuse them.
            Primitive.Fma: lambda a, b, c: self.add(self.multiply(a, b), c),
            Primitive.Mul3: lambda a, b, c: self.multiply(self.multiply(a, b), c),
        }

    @property
    def zero(self) -> Any:
        return self.constant(0.0)

    @property
    def one(self) -> Any:
        return self.constant(1.0)

    def apply(self, primitive: Primitive, *operands: Array) -> Array:
        operation = self._operations.get(primitive)
        if operation is None:
            raise self.refuse(primitive)
        return operation(*operands)

    def truth(self, values: Array) -> Array:
        return np.asarray(values != 0, dtype=bool)

    def _sat01(self, v: Array) -> Array:
        return np.where(v <= self.zero, self.zero, np.where(v >= self.one, self.one, v))

    def add(self, a: Array, b: Array) -> Array:
        return a + b

    def subtract(self, a: Array, b: Array) -> Array:
        return a - b

    def multiply(self, a: Array, b: Array) -> Array:
        return a * b

    def negate(self, v: Array) -> Array:
        return -v

    def maximum(self, a: Array, b: Array) -> Array:
        """The larger one; a NaN wins (spec k.8)."""
        return np.where((a != a) | (a > b), a, b)

    def minimum(self, a: Array, b: Array) -> Array:
        """The smaller one; a NaN wins."""
        return np.where((a != a) | (a < b), a, b)

    @abstractmethod
    def divide(self, a: Array, b: Array) -> Array: ...

    @abstractmethod
    def modulo(self, a: Array, b: Array) -> Array:
        """The remainder of flooring division, whose sign is the divisor's (spec k.8)."""

    @abstractmethod
    def truncate(self, v: Array) -> Array: ...

    @abstractmethod
    def power(self, a: Array, exponent: Array) -> Array: ...

    def power_by_squaring(self, a: Array, exponent: Array) -> Array:
        """``a`` to the power of whole numbers >= 0, multiplied out bit by bit of the exponent (spec b.5)."""
        power = np.broadcast_to(self.one, a.shape)
        rest = exponent
        while (rest > 0).any():
            power = np.where(rest % 2 == 1, self.multiply(power, a), power)
            rest = np.floor_divide(rest, 2)
            a = self.multiply(a, a)
        return power
