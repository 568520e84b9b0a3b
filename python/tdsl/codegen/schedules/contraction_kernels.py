"""The functions that contractions call: a product of panels in registers, a transposition, and a copy.

They know nothing of a contraction but the shape of its tile, so that all contractions of a program share them. Strides
count elements.
"""

from __future__ import annotations

from dataclasses import dataclass

from tdsl.codegen.schedules.accesses import FLOAT_BYTES
from tdsl.codegen.schedules.loop_text import POINTER, LoopText

__all__ = ["COPY", "TRANSPOSE", "Kernels"]

# More rows than this are addressed by constants, since their addresses would not fit the registers.
_MOST_ROW_ADDRESSES = 6
_READ = f"{POINTER} {{llvm.noalias, llvm.readonly}}"
_WRITTEN = f"{POINTER} {{llvm.noalias}}"
_MATRICES = (f"%from: {_READ}", "%from_row: i64", f"%to: {_WRITTEN}", "%to_row: i64", "%rows: i64", "%columns: i64")
_NOT_INLINE = ', passthrough = ["noinline"]'

COPY = "copy"
TRANSPOSE = "transpose"


@dataclass(frozen=True)
class Kernels:
    """Kernels for one type of elements and one width of vectors.

    Attributes:
        element: The type of elements.
        lanes: How many of them a vector register holds.
    """

    element: str
    lanes: int

    def name(self, kernel: str) -> str:
        return f"tdsl.{kernel}_{self.element}x{self.lanes}"

    def product_name(self, rows: int, columns: int, a_stride: int) -> str:
        """The name of :meth:`product` for A with rows ``a_stride`` apart."""
        stride = f"_{a_stride}" if rows > _MOST_ROW_ADDRESSES else ""
        return self.name(f"product_{rows}x{columns}{stride}")

    def product(self, rows: int, columns: int, a_stride: int) -> str:
        """``C += A B``, or ``C = A B``, for ``rows`` rows of A and ``columns`` columns of B.

        The function takes A, B and C, each followed by the distance of its rows, the depth of the sum, and whether C is
        set instead of added to. Every cell adds its products in their order.
        """
        text = LoopText(self.element)
        alignment = FLOAT_BYTES[self.element]
        vector = self._vector(self.lanes)
        vectors = range(columns // self.lanes)
        cells = [(i, j) for i in range(rows) for j in vectors]
        stride = a_stride if rows > _MOST_ROW_ADDRESSES else "%a_row"
        a_rows = [text.cell("%a", text.times(stride, i)) for i in range(rows)]
        c_rows = [text.cell("%c", text.times("%c_row", i)) for i in range(rows)]
        addresses = [text.cell(c_rows[i], j * self.lanes) for i, j in cells]
        types = ", ".join([vector] * len(cells))

        start = text.add(f"scf.if %sets -> ({types}) {{", results=len(cells))
        zero = text.add(f"arith.constant dense<0.0> : {vector}")
        text.do(f"scf.yield {', '.join([zero] * len(cells))} : {types}")
        text.do("} else {")
        loaded = [text.load(address, vector, alignment) for address in addresses]
        text.do(f"scf.yield {', '.join(loaded)} : {types}")
        text.do("}")

        zero, one = text.value(0), text.value(1)
        initial = ", ".join(f"%sum{n} = {start}#{n}" for n in range(len(cells)))
        end = text.add(
            f"scf.for %p = {zero} to %depth step {one} iter_args(%b_p = %b, {initial}) "
            f"-> ({POINTER}, {types}) : i64 {{",
            results=1 + len(cells),
        )
        b = [text.load(text.cell("%b_p", j * self.lanes), vector, alignment) for j in vectors]
        sums = []
        for i in range(rows):
            a = text.load(text.cell(a_rows[i], "%p"), self.element, alignment)
            a = text.add(f"vector.broadcast {a} : {self.element} to {vector}")
            for j in vectors:
                operands = f"{a}, {b[j]}, %sum{i * len(vectors) + j}"
                sums.append(text.add(f"llvm.intr.fmuladd({operands}) : ({vector}, {vector}, {vector}) -> {vector}"))
        text.do(f"scf.yield {text.cell('%b_p', '%b_row')}, {', '.join(sums)} : {POINTER}, {types}")
        text.do("}")
        for n, address in enumerate(addresses):
            text.store(f"{end}#{1 + n}", address, vector, alignment)
        arguments = (
            f"%a: {_READ}", "%a_row: i64", f"%b: {_READ}", "%b_row: i64", f"%c: {_WRITTEN}", "%c_row: i64",
            "%depth: i64", "%sets: i1",
        )  # fmt: skip
        return text.function(self.product_name(rows, columns, a_stride), arguments, _NOT_INLINE)

    def copy_row(self, text: LoopText, source: str, target: str, columns: int) -> None:
        """Copy cells that fill whole vectors."""
        alignment, vector = FLOAT_BYTES[self.element], self._vector(self.lanes)
        cells = range(0, columns, self.lanes)
        loaded = [text.load(text.cell(source, i), vector, alignment) for i in cells]
        for i, value in zip(cells, loaded, strict=True):
            text.store(value, text.cell(target, i), vector, alignment)

    def copy(self) -> str:
        """Copies a matrix, given as source, destination, each with the distance of its rows, rows and columns."""
        text = LoopText(self.element)
        alignment = FLOAT_BYTES[self.element]
        vector = self._vector(self.lanes)
        whole = text.minus("%columns", text.remainder("%columns", self.lanes))
        with text.loop(0, "%rows") as i:
            source = text.cell("%from", text.times("%from_row", i))
            target = text.cell("%to", text.times("%to_row", i))
            for start, end, step, type_ in ((0, whole, self.lanes, vector), (whole, "%columns", 1, self.element)):
                with text.loop(start, end, step) as j:
                    value = text.load(text.cell(source, j), type_, alignment)
                    text.store(value, text.cell(target, j), type_, alignment)
        return text.function(self.name(COPY), _MATRICES, _NOT_INLINE)

    def transpose(self) -> str:
        """Copies a matrix, given as for :meth:`copy`, so that rows become columns.

        Squares are transposed in registers, the rest is copied cell by cell.
        """
        text = LoopText(self.element)
        alignment = FLOAT_BYTES[self.element]
        side = min(self.lanes, 8)
        vector = self._vector(side)
        with text.loop(0, "%rows", side) as top, text.loop(0, "%columns", side) as left:
            bottom = text.smaller("%rows", text.plus(top, side))
            right = text.smaller("%columns", text.plus(left, side))
            source = text.cell("%from", text.plus(text.times("%from_row", top), left))
            target = text.cell("%to", text.plus(text.times("%to_row", left), top))
            height, width = text.minus(bottom, top), text.minus(right, left)
            with text.when(text.compare(text.times(height, width), "eq", side * side)):
                rows = [
                    text.load(text.cell(source, text.times("%from_row", i)), vector, alignment) for i in range(side)
                ]
                for i, row in enumerate(self._transposed(text, rows)):
                    text.store(row, text.cell(target, text.times("%to_row", i)), vector, alignment)
            with text.otherwise(), text.loop(0, height) as i, text.loop(0, width) as j:
                value = text.load(text.cell(source, text.plus(text.times("%from_row", i), j)), self.element, alignment)
                text.store(value, text.cell(target, text.plus(text.times("%to_row", j), i)), self.element, alignment)
        return text.function(self.name(TRANSPOSE), _MATRICES, _NOT_INLINE)

    def _transposed(self, text: LoopText, rows: list[str]) -> list[str]:
        """The transposed square: blocks off the diagonal change places, then blocks of half their size, and so on."""
        side = len(rows)
        vector = self._vector(side)
        half = side // 2
        while half:
            for i in range(side):
                if i & half:
                    continue
                first, second = rows[i], rows[i + half]
                for row, shift in ((i, 0), (i + half, half)):
                    mask = [j + shift if not j & half else side + j - half + shift for j in range(side)]
                    rows[row] = text.add(f"vector.shuffle {first}, {second} {mask} : {vector}, {vector}")
            half //= 2
        return rows

    def _vector(self, lanes: int) -> str:
        return f"vector<{lanes}x{self.element}>"
