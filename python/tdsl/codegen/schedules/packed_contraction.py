"""The function of a contraction: loops over blocks that fit the caches, around calls of kernels.

Rows and columns that fill no tile are computed by a tile that begins earlier, into memory of its own, from which what
is new is copied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from tdsl.codegen.schedules.accesses import FLOAT_BYTES
from tdsl.codegen.schedules.contraction_kernels import COPY, TRANSPOSE, Kernels
from tdsl.codegen.schedules.loop_text import POINTER, LoopText, Number
from tdsl.codegen.schedules.plan import ContractionPlan

__all__ = ["CACHE_LINE", "PackedContraction"]

#: How scratch memory is aligned, in bytes.
CACHE_LINE = 64


@dataclass(frozen=True)
class PackedContraction:
    """A contraction in normal form, and how it is computed.

    Attributes:
        element: The type of elements.
        sizes: The size of each role: ``"m"``, ``"n"``, ``"k"``, and any others for batches.
        a, b, c: The strides of the matrices: how many elements lie between neighbours along each role.
        sets: Whether C is set, not added to.
        plan: The numbers of its schedule.
    """

    element: str
    sizes: Mapping[str, int]
    a: Mapping[str, int]
    b: Mapping[str, int]
    c: Mapping[str, int]
    sets: bool
    plan: ContractionPlan

    @property
    def kernels(self) -> Kernels:
        return Kernels(self.element, self.plan.lanes)

    @property
    def batches(self) -> dict[str, int]:
        return {role: size for role, size in self.sizes.items() if role not in ("m", "n", "k")}

    @property
    def shares_batches(self) -> bool:
        """Whether threads take whole batches; if not, they share each of them."""
        return prod(self.batches.values()) >= self.plan.threads > 1

    @property
    def has_edges(self) -> bool:
        return bool(self.sizes["m"] % self.plan.rows or self.sizes["n"] % self.plan.columns)

    @property
    def a_row(self) -> int:
        """How far apart the rows are that the product reads."""
        return self.plan.depth if self.plan.packs_a else self.a["m"]

    @property
    def scratch(self) -> _Scratch:
        return _Scratch.of(self)

    @property
    def scratch_bytes(self) -> int:
        return self.scratch.elements * FLOAT_BYTES[self.element]

    def write_functions(self, name: str, functions: dict[str, str]) -> None:
        """Add the function of the contraction, and those that it calls, to the texts of functions by name.

        It takes A, B and C, each as its first cell and where it begins from there, and scratch memory.
        """
        plan, kernels = self.plan, self.kernels
        text = functions[name] = _Body(self).write(name)
        product = kernels.product_name(plan.rows, plan.columns, self.a_row)
        if product not in functions:
            functions[product] = kernels.product(plan.rows, plan.columns, self.a_row)
        for kernel, write in ((kernels.name(COPY), kernels.copy), (kernels.name(TRANSPOSE), kernels.transpose)):
            if kernel not in functions and f"@{kernel}(" in text:
                functions[kernel] = write()


@dataclass(frozen=True)
class _Scratch:
    """Where in the scratch memory what lies, in elements.

    Attributes:
        panels_of_b: Where the packed panels of B are.
        tile: Where the tile is that computes edges, behind the packed block of A.
        thread: How much of it belongs to one thread, beginning with the packed block of A.
        elements: The size of the whole. Panels of B are outside of what belongs to threads if these share a batch.
    """

    panels_of_b: int
    tile: int
    thread: int
    elements: int

    @staticmethod
    def of(contraction: PackedContraction) -> _Scratch:
        plan, sizes = contraction.plan, contraction.sizes
        line = CACHE_LINE // FLOAT_BYTES[contraction.element]

        def lines(elements: int) -> int:
            return -(-elements // line) * line

        a = lines(plan.block_rows * plan.depth) if plan.packs_a else 0
        tile = lines(plan.rows * plan.columns) if contraction.has_edges else 0
        panels = min(plan.block_panels, -(-sizes["n"] // plan.columns))
        b = lines(panels * plan.columns * plan.depth) if plan.packs_b else 0
        if contraction.shares_batches:
            thread = a + tile + b
            return _Scratch(a + tile, a, thread, plan.threads * thread)
        return _Scratch(plan.threads * (a + tile), a, a + tile, plan.threads * (a + tile) + b)


class _Body:
    def __init__(self, contraction: PackedContraction) -> None:
        self._contraction = contraction
        self._plan = contraction.plan
        self._text = LoopText(contraction.element)
        self._m, self._n, self._k = (contraction.sizes[role] for role in "mnk")

    def write(self, name: str) -> str:
        contraction, text = self._contraction, self._text
        memory = f"memref<{contraction.element}>"
        a, b, c = (self._matrix(name, memory) for name in "abc")
        scratch_type = f"memref<{contraction.scratch_bytes}xi8>"
        scratch = self._address("scratch", scratch_type)
        batches = prod(contraction.batches.values())
        threads = self._plan.threads if contraction.shares_batches else 1
        with text.parts(threads) as thread:
            own = text.cell(scratch, text.times(thread, contraction.scratch.thread))
            if threads > 1:
                start, end = self._share(thread, (0, batches), threads)
            else:
                start, end = 0, batches
            self._zero_last_panel(own)
            if batches == 1:
                self._multiply(a, b, c, own)
            else:
                with text.loop(start, end) as batch:
                    self._multiply(*self._matrices(a, b, c, batch), own)
        return text.function(
            name,
            [
                f"%a: {memory} {{llvm.noalias, llvm.readonly}}", "%a_offset: index",
                f"%b: {memory} {{llvm.noalias, llvm.readonly}}", "%b_offset: index",
                f"%c: {memory} {{llvm.noalias}}", "%c_offset: index",
                f"%scratch: {scratch_type} {{llvm.noalias}}",
            ],
        )  # fmt: skip

    def _matrix(self, argument: str, type_: str) -> str:
        text = self._text
        offset = text.add(f"arith.index_cast %{argument}_offset : index to i64")
        return text.cell(self._address(argument, type_), offset)

    def _address(self, argument: str, type_: str) -> str:
        text = self._text
        address = text.add(f"memref.extract_aligned_pointer_as_index %{argument} : {type_} -> index")
        number = text.add(f"arith.index_cast {address} : index to i64")
        return text.add(f"llvm.inttoptr {number} : i64 to {POINTER}")

    def _matrices(self, a: str, b: str, c: str, batch: Number) -> tuple[str, str, str]:
        """Where the matrices of a batch begin, which is numbered through all axes of batches."""
        text, contraction = self._text, self._contraction
        offsets: list[Number] = [0, 0, 0]
        for role, size in reversed(contraction.batches.items()):
            index = text.remainder(batch, size)
            batch = text.quotient(batch, size)
            for i, strides in enumerate((contraction.a, contraction.b, contraction.c)):
                offsets[i] = text.plus(offsets[i], text.times(index, strides[role]))
        return text.cell(a, offsets[0]), text.cell(b, offsets[1]), text.cell(c, offsets[2])

    def _share(self, thread: Number, units: tuple[Number, Number], threads: int) -> tuple[Number, Number]:
        """The first and the end of the units that belong to a thread."""
        text = self._text
        each = text.quotient(text.plus(text.minus(units[1], units[0]), threads - 1), threads)
        start = text.smaller(text.plus(units[0], text.times(thread, each)), units[1])
        return start, text.smaller(text.plus(start, each), units[1])

    def _zero_last_panel(self, scratch: str) -> None:
        """A panel that B does not fill has zeros, so that no cell is computed from what the memory held before."""
        if self._n >= self._plan.columns:
            return
        text, scratch_ = self._text, self._contraction.scratch
        bytes_ = text.value(self._plan.depth * self._plan.columns * FLOAT_BYTES[self._contraction.element])
        zero = text.add("arith.constant 0 : i8")
        panel = text.cell(scratch, scratch_.panels_of_b)
        text.do(f'"llvm.intr.memset"({panel}, {zero}, {bytes_}) <{{isVolatile = false}}> : ({POINTER}, i8, i64) -> ()')

    # --------------------------------------------------------------------------------------------------- one product

    def _multiply(self, a: str, b: str, c: str, scratch: str) -> None:
        """The product of two matrices: sums over parts of the depth, one after the other."""
        text, depth = self._text, self._plan.depth
        threads = 1 if self._contraction.shares_batches else self._plan.threads
        if depth >= self._k:
            self._multiply_slice(a, b, c, scratch, self._k, text.truth(self._contraction.sets), threads)
            return
        with text.loop(0, self._k, depth) as k:
            sets = text.compare(k, "eq", 0) if self._contraction.sets else text.truth(False)
            a_slice = text.cell(a, text.times(k, self._contraction.a["k"]))
            b_slice = text.cell(b, text.times(k, self._contraction.b["k"]))
            length = text.smaller(depth, text.minus(self._k, k))
            self._multiply_slice(a_slice, b_slice, c, scratch, length, sets, threads)

    def _multiply_slice(self, a: str, b: str, c: str, scratch: str, depth: Number, sets: str, threads: int) -> None:
        """Some panels of B at a time, as many as a cache holds when they are packed."""
        panels = -(-self._n // self._plan.columns)
        if panels <= self._plan.block_panels:
            self._multiply_panels(a, b, c, scratch, (0, panels), depth, sets, threads)
            return
        with self._text.loop(0, panels, self._plan.block_panels) as first:
            end = self._text.smaller(self._text.plus(first, self._plan.block_panels), panels)
            self._multiply_panels(a, b, c, scratch, (first, end), depth, sets, threads)

    def _multiply_panels(
        self,
        a: str,
        b: str,
        c: str,
        scratch: str,
        panels: tuple[Number, Number],
        depth: Number,
        sets: str,
        threads: int,
    ) -> None:
        """Pack B, then share rows, or panels if there are more of these, among threads."""
        text, plan, scratch_ = self._text, self._plan, self._contraction.scratch
        row_tiles, most_panels = -(-self._m // plan.rows), min(plan.block_panels, -(-self._n // plan.columns))
        packed = text.cell(scratch, scratch_.panels_of_b)
        if plan.packs_b:
            with text.parts(min(threads, most_panels)) as thread:
                first, end = self._share(thread, panels, min(threads, most_panels))
                with text.loop(first, end) as panel:
                    self._pack_b(b, self._packed_panel(packed, panel, panels[0]), panel, depth)
        by_rows = row_tiles >= most_panels
        threads = min(threads, row_tiles if by_rows else most_panels)
        with text.parts(threads) as thread:
            own = text.cell(scratch, text.times(thread, scratch_.thread))
            rows: tuple[Number, Number] = (0, self._m)
            columns = panels
            if by_rows and threads > 1:
                first, end = self._share(thread, (0, row_tiles), threads)
                rows = (text.times(first, plan.rows), text.smaller(text.times(end, plan.rows), self._m))
            elif threads > 1:
                columns = self._share(thread, panels, threads)
            self._multiply_rows(a, b, c, packed, own, rows, columns, panels[0], depth, sets)

    def _packed_panel(self, packed: str, panel: Number, first: Number) -> str:
        text, plan = self._text, self._plan
        return text.cell(packed, text.times(text.minus(panel, first), plan.columns * plan.depth))

    def _pack_b(self, b: str, target: str, panel: Number, depth: Number) -> None:
        """Copy a panel of B so that its rows follow each other."""
        text, plan, strides = self._text, self._plan, self._contraction.b
        columns = min(plan.columns, self._n)
        source = text.cell(b, text.times(self._first_column(panel), strides["n"]))
        if strides["n"] == 1 and self._n % plan.columns == 0:
            with text.loop(0, depth) as k:
                row = text.cell(source, text.times(k, strides["k"]))
                self._contraction.kernels.copy_row(text, row, text.cell(target, text.times(k, columns)), columns)
        elif strides["n"] == 1:
            self._call(COPY, source, strides["k"], target, plan.columns, depth, columns)
        else:
            self._call(TRANSPOSE, source, strides["n"], target, plan.columns, columns, depth)

    def _first_column(self, panel: Number) -> Number:
        """Where the columns of a panel begin: the last panel begins early enough to be whole."""
        text, columns = self._text, self._plan.columns
        start = text.times(panel, columns)
        return start if self._n % columns == 0 else text.smaller(start, max(0, self._n - columns))

    def _first_row(self, row: Number) -> Number:
        return row if self._m % self._plan.rows == 0 else self._text.smaller(row, self._m - self._plan.rows)

    def _multiply_rows(
        self,
        a: str,
        b: str,
        c: str,
        packed: str,
        own: str,
        rows: tuple[Number, Number],
        columns: tuple[Number, Number],
        first_panel: Number,
        depth: Number,
        sets: str,
    ) -> None:
        """Blocks of rows; a panel of B stays in the caches while the rows of a block pass by."""
        text, plan, strides = self._text, self._plan, self._contraction.a
        with text.loop(rows[0], rows[1], plan.block_rows) as block:
            end = text.smaller(text.plus(block, plan.block_rows), rows[1])
            first = self._first_row(block)
            block_of_a = text.cell(a, text.times(first, strides["m"]))
            if plan.packs_a:
                height = text.minus(end, first)
                if strides["k"] == 1:
                    self._call(COPY, block_of_a, strides["m"], own, plan.depth, height, depth)
                else:
                    self._call(TRANSPOSE, block_of_a, strides["k"], own, plan.depth, depth, height)
                block_of_a = own
            with text.loop(columns[0], columns[1]) as panel:
                if plan.packs_b:
                    panel_of_b = self._packed_panel(packed, panel, first_panel)
                else:
                    panel_of_b = text.cell(b, self._first_column(panel))
                with text.loop(block, end, plan.rows) as row:
                    a_row = text.times(text.minus(self._first_row(row), first), self._contraction.a_row)
                    self._tile(text.cell(block_of_a, a_row), panel_of_b, c, own, row, panel, depth, sets)

    def _tile(self, a: str, b: str, c: str, own: str, row: Number, panel: Number, depth: Number, sets: str) -> None:
        text, plan, c_row = self._text, self._plan, self._contraction.c["m"]
        column = text.times(panel, plan.columns)
        target = text.cell(c, text.plus(text.times(row, c_row), column))
        if not self._contraction.has_edges:
            self._product(a, b, target, c_row, depth, sets)
            return
        height = text.smaller(text.minus(self._m, row), plan.rows)
        width = text.smaller(text.minus(self._n, column), plan.columns)
        is_whole = text.compare(text.times(height, width), "eq", plan.rows * plan.columns)
        with text.when(is_whole):
            self._product(a, b, target, c_row, depth, sets)
        with text.otherwise():
            tile = text.cell(own, self._contraction.scratch.tile)
            skipped = text.plus(
                text.times(text.minus(row, self._first_row(row)), plan.columns),
                text.minus(column, self._first_column(panel)),
            )
            new = text.cell(tile, skipped)
            if not (self._contraction.sets and plan.depth >= self._k):
                self._call(COPY, target, c_row, new, plan.columns, height, width)
            self._product(a, b, tile, plan.columns, depth, sets)
            self._call(COPY, new, plan.columns, target, c_row, height, width)

    # ----------------------------------------------------------------------------------------------------------- calls

    def _product(self, a: str, b: str, c: str, c_row: int, depth: Number, sets: str) -> None:
        text, plan, contraction = self._text, self._plan, self._contraction
        b_row = plan.columns if plan.packs_b else contraction.b["k"]
        name = contraction.kernels.product_name(plan.rows, plan.columns, contraction.a_row)
        numbers = [text.value(number) for number in (contraction.a_row, b_row, c_row, depth)]
        text.do(
            f"func.call @{name}({a}, {numbers[0]}, {b}, {numbers[1]}, {c}, {numbers[2]}, {numbers[3]}, {sets}) : "
            f"({POINTER}, i64, {POINTER}, i64, {POINTER}, i64, i64, i1) -> ()"
        )

    def _call(
        self, kernel: str, source: str, source_row: int, target: str, target_row: int, rows: Number, columns: Number
    ) -> None:
        """Copy a matrix of the given size, or transpose it."""
        text = self._text
        numbers = [text.value(number) for number in (source_row, target_row, rows, columns)]
        text.do(
            f"func.call @{self._contraction.kernels.name(kernel)}({source}, {numbers[0]}, {target}, {numbers[1]}, "
            f"{numbers[2]}, {numbers[3]}) : ({POINTER}, i64, {POINTER}, i64, i64, i64) -> ()"
        )
