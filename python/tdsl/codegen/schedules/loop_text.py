"""Writes functions of loops over memory as MLIR text: 64-bit numbers, pointers, vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["POINTER", "LoopText", "Number"]

POINTER = "!llvm.ptr"
#: A number that is known now, or the name of one that will be known at run time.
Number = int | str

# Operations hold such offsets as 32-bit numbers.
_LARGEST_CONSTANT_OFFSET = 1 << 31

_FOLD: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
}


@dataclass
class LoopText:
    """The body of a function whose cells in memory are of one type.

    Arithmetic on numbers that are known is done at once.

    Attributes:
        element: The type of the cells.
        lines: The operations so far.
    """

    element: str
    lines: list[str] = field(default_factory=list)
    _count: int = 0
    _depth: int = 1

    def function(self, name: str, arguments: Sequence[str], attributes: str = "") -> str:
        """The text of a function that only this module can call, with the operations so far as its body."""
        body = "\n".join(self.lines)
        return (
            f"func.func private @{name}({', '.join(arguments)}) attributes "
            f"{{llvm.linkage = #llvm.linkage<internal>{attributes}}} {{\n{body}\n  return\n}}\n"
        )

    def add(self, operation: str, results: int = 1) -> str:
        """Append an operation, and return the name of its result; of several, the first is that with ``#0``."""
        self._count += 1
        name = f"%v{self._count}"
        self.do(f"{name if results == 1 else f'{name}:{results}'} = {operation}")
        return name

    def do(self, operation: str) -> None:
        """Append an operation without a result."""
        self.lines.append("  " * self._depth + operation)

    # --------------------------------------------------------------------------------------------------------- numbers

    def plus(self, a: Number, b: Number) -> Number:
        return b if a == 0 else a if b == 0 else self._binary("addi", a, b)

    def minus(self, a: Number, b: Number) -> Number:
        return a if b == 0 else self._binary("subi", a, b)

    def times(self, a: Number, b: Number) -> Number:
        return b if a == 1 else a if b == 1 else 0 if 0 in (a, b) else self._binary("muli", a, b)

    def smaller(self, a: Number, b: Number) -> Number:
        return self._binary("minsi", a, b)

    def quotient(self, a: Number, b: Number) -> Number:
        """Of numbers that are not negative."""
        return a if b == 1 else self._binary("divui", a, b)

    def remainder(self, a: Number, b: Number) -> Number:
        """Of numbers that are not negative."""
        return 0 if b == 1 else self._binary("remui", a, b)

    def compare(self, a: Number, relation: str, b: Number) -> str:
        """A truth value; the relation is ``eq`` or ``sgt``."""
        return self.add(f"arith.cmpi {relation}, {self.value(a)}, {self.value(b)} : i64")

    def truth(self, value: bool) -> str:
        return self.add(f"arith.constant {'true' if value else 'false'}")

    def value(self, number: Number) -> str:
        """The name of a number."""
        return number if isinstance(number, str) else self.add(f"arith.constant {number} : i64")

    def _binary(self, operation: str, a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return _FOLD[operation](a, b)
        return self.add(f"arith.{operation} {self.value(a)}, {self.value(b)} : i64")

    # ---------------------------------------------------------------------------------------------------------- memory

    def cell(self, pointer: str, offset: Number) -> str:
        """The address of a cell, counted from ``pointer``."""
        if offset == 0:
            return pointer
        if isinstance(offset, int) and offset < _LARGEST_CONSTANT_OFFSET:
            return self.add(f"llvm.getelementptr {pointer}[{offset}] : ({POINTER}) -> {POINTER}, {self.element}")
        return self.add(
            f"llvm.getelementptr {pointer}[{self.value(offset)}] : ({POINTER}, i64) -> {POINTER}, {self.element}"
        )

    def load(self, pointer: str, type_: str, alignment: int) -> str:
        return self.add(f"llvm.load {pointer} {{alignment = {alignment} : i64}} : {POINTER} -> {type_}")

    def store(self, value: str, pointer: str, type_: str, alignment: int) -> None:
        self.do(f"llvm.store {value}, {pointer} {{alignment = {alignment} : i64}} : {type_}, {POINTER}")

    # -------------------------------------------------------------------------------------------------------- control

    @contextmanager
    def loop(self, start: Number, end: Number, step: Number = 1) -> Iterator[str]:
        """A loop, with the name of its index."""
        self._count += 1
        index = f"%i{self._count}"
        bounds = [self.value(number) for number in (start, end, step)]
        self.do(f"scf.for {index} = {bounds[0]} to {bounds[1]} step {bounds[2]} : i64 {{")
        with self._inside():
            yield index

    @contextmanager
    def parts(self, count: int) -> Iterator[Number]:
        """The number of a part, for each of ``count`` parts that may be done at the same time."""
        if count == 1:
            yield 0
            return
        self._count += 1
        index = f"%t{self._count}"
        self.do(f"scf.forall ({index}) in ({count}) {{")
        with self._inside():
            yield self.add(f"arith.index_cast {index} : index to i64")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        self.do(f"scf.if {condition} {{")
        with self._inside():
            yield

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is done if the condition of the ``when`` just before does not hold."""
        self.lines[-1] = self.lines[-1] + " else {"
        with self._inside():
            yield

    @contextmanager
    def _inside(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1
        self.do("}")
