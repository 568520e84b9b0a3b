"""The normal form of a contraction: operands packed into panels, one product of six loops over panels and their cells.

``Ap[b, mo, k, mi]`` holds rows ``mo * rows + mi`` of A, ``Bp[b, no, k, ni]`` columns ``no * columns + ni`` of B, so
that the innermost loops read both at consecutive addresses, whatever the layout of the operands was. The result is
not packed: a view of it has the axes ``mo, mi, no, ni``. Rows and columns that do not fill a panel are regions of their
own: the last rows get panels that are less high, the last columns a panel with zeros on the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tdsl.codegen.schedules.contraction import Contraction, Layout
from tdsl.codegen.schedules.plan import ContractionPlan

__all__ = ["Region", "packed_contraction", "regions"]


@dataclass(frozen=True)
class Region:
    """A part of the result that has panels of one size.

    Attributes:
        row, rows, column, columns: Where it is.
        panel_rows, panel_columns: The size of its panels.
        packs_a, packs_b: Whether the operands are packed; if not, they are read where they are.
    """

    row: int
    rows: int
    column: int
    columns: int
    panel_rows: int
    panel_columns: int
    packs_a: bool
    packs_b: bool

    @property
    def is_padded(self) -> bool:
        return self.columns % self.panel_columns != 0

    @property
    def panels(self) -> tuple[int, int]:
        return self.rows // self.panel_rows, -(-self.columns // self.panel_columns)


def regions(contraction: Contraction, plan: ContractionPlan) -> list[Region]:
    """The regions of the result: one where panels fill it, up to four otherwise."""
    m, n = contraction.sizes["m"], contraction.sizes["n"]
    rows, columns = plan.register_rows, plan.register_columns
    row_spans = [(0, m - m % rows, rows), (m - m % rows, m % rows, m % rows)]
    tail = n % columns
    narrow = columns
    while tail <= narrow // 2 and narrow // 2 >= plan.lanes:
        narrow //= 2
    column_spans = [(0, n - tail, columns), (n - tail, tail, narrow)]
    # Vectors lie along n, so B can be read where it is if n is its last axis; A is only broadcast.
    b_is_ready = contraction.b.roles.endswith("n") or contraction.b.needs_copy
    found = []
    for row, height, panel_rows in row_spans:
        for column, width, panel_columns in column_spans:
            if not height or not width:
                continue
            padded = width % panel_columns != 0
            # Packing pays if a panel is read several times.
            packs_a = width > panel_columns and panel_rows > 1
            packs_b = padded or not b_is_ready or height > 2 * panel_rows
            found.append(Region(row, height, column, width, panel_rows, panel_columns, packs_a, packs_b))
    return found


def packed_contraction(contraction: Contraction, plan: ContractionPlan, number: int) -> str:
    """A function of A, B and the result so far that computes the new result, as text.

    Its operations carry attributes by which the script finds them: ``tdsl.product``, ``tdsl.pack_a``, ``tdsl.pack_b``
    and ``tdsl.copy``, numbered by region from ``number`` on.
    """
    return _Writer(contraction).write(regions(contraction, plan), number)


class _Writer:
    def __init__(self, contraction: Contraction) -> None:
        self._contraction = contraction
        self._lines: list[str] = []
        self._count = 0

    def write(self, parts: Sequence[Region], number: int) -> str:
        contraction = self._contraction
        types = [self._type(layout.shape) for layout in (contraction.a, contraction.b, contraction.c)]
        a = self._grouped("%a", contraction.a)
        b = self._grouped("%b", contraction.b)
        result = self._grouped("%c", contraction.c)
        sizes = contraction.c.sizes
        for offset, region in enumerate(parts):
            whole = len(parts) == 1
            part = result if whole else self._slice_of_result(result, region)
            part = self._product(region, number + offset, a, b, part)
            result = part if whole else self._insert(part, result, region)
        result = self._ungrouped(result, contraction.c, sizes)
        body = "\n  ".join(self._lines)
        zero = f"%zero = arith.constant 0.0 : {contraction.element}"
        return (
            f"func.func @contraction(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) -> {types[2]} {{\n  {zero}\n"
            f"  {body}\n  return {result} : {types[2]}\n}}"
        )

    # ------------------------------------------------------------------------------------------------- views of roles

    def _grouped(self, value: str, layout: Layout) -> str:
        """A view or copy that has one axis for each role."""
        shape = layout.shape
        if layout.needs_copy:
            shape = tuple(layout.shape[axis] for axis in layout.order)
            value = self._permute(value, layout.shape, layout.order)
        if len(layout.groups) == len(shape):
            return value
        starts = [sum(len(axes) for _, axes in layout.groups[:i]) for i in range(len(layout.groups))]
        groups = [[*range(start, start + len(axes))] for start, (_, axes) in zip(starts, layout.groups, strict=True)]
        return self._add(
            f"tensor.collapse_shape {value} {groups} : {self._type(shape)} into {self._type(layout.sizes)}"
        )

    def _ungrouped(self, value: str, layout: Layout, sizes: Sequence[int]) -> str:
        shape = tuple(layout.shape[axis] for axis in layout.order)
        if len(layout.groups) != len(shape):
            starts = [sum(len(axes) for _, axes in layout.groups[:i]) for i in range(len(layout.groups))]
            groups = [[*range(s, s + len(axes))] for s, (_, axes) in zip(starts, layout.groups, strict=True)]
            value = self._add(
                f"tensor.expand_shape {value} {groups} output_shape {list(shape)} : {self._type(sizes)} into "
                f"{self._type(shape)}"
            )
        if not layout.needs_copy:
            return value
        inverse = tuple(layout.order.index(axis) for axis in range(len(layout.shape)))
        return self._permute(value, shape, inverse, "%c")

    def _permute(self, value: str, shape: Sequence[int], order: Sequence[int], into: str | None = None) -> str:
        target = tuple(shape[axis] for axis in order)
        into = into or self._empty(target)
        names = [f"d{i}" for i in range(len(order))]
        source = [names[order.index(axis)] for axis in range(len(order))]
        return self._copy(value, shape, source, into, target, names, names, "tdsl.copy")

    # ----------------------------------------------------------------------------------------------------- one region

    def _product(self, region: Region, number: int, a: str, b: str, c: str) -> str:
        contraction = self._contraction
        batch = ["b"] if contraction.has_batch else []
        panels_m, panels_n = region.panels
        split = {
            "m": ((panels_m, region.panel_rows), ("m", "i")),
            "n": ((panels_n, region.panel_columns), ("n", "j")),
        }
        a, a_roles = self._cut(a, contraction.a, "m", region.row, region.rows)
        b, b_roles = self._cut(b, contraction.b, "n", region.column, region.columns)
        c_roles = contraction.c.roles
        sizes = {**contraction.sizes, "m": region.rows, "n": region.columns}
        padded = {**sizes, "n": panels_n * region.panel_columns}
        scratch = None
        if region.is_padded:
            b = self._zero_padded(b, b_roles, sizes, padded)
            scratch = self._empty([padded[role] for role in c_roles])
            scratch = self._insert_lanes(c, scratch, c_roles, sizes, padded)

        names, shape = list("bmki")[not batch :], [*([sizes["b"]] if batch else []), panels_m, sizes["k"]]
        a_type, a_map = self._split_axis(a, a_roles, sizes, "m", split)
        a = a_type[0]
        if region.packs_a:
            packed = [*shape, region.panel_rows]
            empty = self._empty(packed)
            a = self._copy(a, a_type[1], a_map, empty, packed, names, names, f"tdsl.pack_a = {number} : i64")
            a_type, a_map = (a, packed), names
        b_type, b_map = self._split_axis(b, b_roles, padded, "n", split)
        b = b_type[0]
        if region.packs_b:
            names = list("bnkj")[not batch :]
            packed = [*([sizes["b"]] if batch else []), panels_n, sizes["k"], region.panel_columns]
            empty = self._empty(packed)
            b = self._copy(b, b_type[1], b_map, empty, packed, names, names, f"tdsl.pack_b = {number} : i64")
            b_type, b_map = (b, packed), names
        target = scratch if scratch is not None else c
        (split_c, c_shape), c_map = self._split_axis(target, c_roles, padded, "mn", split)
        domain = ", ".join([*batch, "m", "n", "k", "i", "j"])
        iterators = ["parallel"] * (len(batch) + 2) + ["reduction"] + ["parallel"] * 2
        element = contraction.element
        maps = ", ".join(f"affine_map<({domain}) -> ({', '.join(map_)})>" for map_ in (a_map, b_map, c_map))
        value = self._add(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = {_quoted(iterators)}}} "
            f"ins({a}, {b} : {self._type(a_type[1])}, {self._type(b_type[1])}) "
            f"outs({split_c} : {self._type(c_shape)}) attrs = {{tdsl.product = {number} : i64}} {{\n"
            f"  ^bb0(%x: {element}, %y: {element}, %sum: {element}):\n"
            f"    %xy = arith.mulf %x, %y fastmath<contract> : {element}\n"
            f"    %new = arith.addf %sum, %xy fastmath<contract> : {element}\n"
            f"    linalg.yield %new : {element}\n  }} -> {self._type(c_shape)}"
        )
        value = self._merge_axis(value, c_shape, c_roles, padded)
        if scratch is not None:
            value = self._extract_lanes(value, c, c_roles, sizes, padded)
        return value

    def _cut(self, value: str, layout: Layout, role: str, start: int, size: int) -> tuple[str, str]:
        """The part of an operand that a region needs."""
        roles = layout.roles
        if size != self._contraction.sizes[role]:
            value = self._slice(value, layout.sizes, roles, {role: (start, size)})
        return value, roles

    def _split_axis(
        self, value: str, roles: str, sizes: dict[str, int], split_roles: str, split: dict
    ) -> tuple[tuple[str, list[int]], list[str]]:
        """A view in which an axis is two, panels and their cells; with the names of its axes."""
        shape, names, groups = [], [], []
        for role in roles:
            parts, new = split[role] if role in split_roles else ((sizes[role],), (role,))
            groups.append([*range(len(shape), len(shape) + len(parts))])
            shape += parts
            names += new
        source = self._type([sizes[role] for role in roles])
        value = self._add(
            f"tensor.expand_shape {value} {groups} output_shape {shape} : {source} into {self._type(shape)}"
        )
        return (value, shape), names

    def _merge_axis(self, value: str, shape: Sequence[int], roles: str, sizes: dict[str, int]) -> str:
        groups: list[list[int]] = []
        count = 0
        for role in roles:
            width = 2 if role in "mn" else 1
            groups.append([*range(count, count + width)])
            count += width
        target = self._type([sizes[role] for role in roles])
        return self._add(f"tensor.collapse_shape {value} {groups} : {self._type(shape)} into {target}")

    # -------------------------------------------------------------------------------------------- slices and padding

    def _zero_padded(self, value: str, roles: str, sizes: dict[str, int], padded: dict[str, int]) -> str:
        shape = [padded[role] for role in roles]
        empty = self._empty(shape)
        zeros = self._add(
            f"linalg.fill ins(%zero : {self._contraction.element}) outs({empty} : {self._type(shape)}) "
            f"-> {self._type(shape)}"
        )
        return self._insert_lanes(value, zeros, roles, sizes, padded)

    def _insert_lanes(self, value: str, target: str, roles: str, sizes: dict[str, int], padded: dict[str, int]) -> str:
        return self._add(
            f"tensor.insert_slice {value} into {target}{_box(roles, sizes, {})} : "
            f"{self._type([sizes[r] for r in roles])} into {self._type([padded[r] for r in roles])}"
        )

    def _extract_lanes(self, value: str, target: str, roles: str, sizes: dict[str, int], padded: dict[str, int]) -> str:
        part = self._add(
            f"tensor.extract_slice {value}{_box(roles, sizes, {})} : {self._type([padded[r] for r in roles])} to "
            f"{self._type([sizes[r] for r in roles])}"
        )
        names = [f"d{i}" for i in range(len(roles))]
        shape = [sizes[r] for r in roles]
        return self._copy(part, shape, names, target, shape, names, names, "tdsl.copy")

    def _slice(self, value: str, shape: Sequence[int], roles: str, cuts: dict[str, tuple[int, int]]) -> str:
        sizes = dict(zip(roles, shape, strict=True))
        sizes.update({role: size for role, (_, size) in cuts.items()})
        target = self._type([sizes[role] for role in roles])
        return self._add(f"tensor.extract_slice {value}{_box(roles, sizes, cuts)} : {self._type(shape)} to {target}")

    def _slice_of_result(self, value: str, region: Region) -> str:
        layout = self._contraction.c
        cuts = {"m": (region.row, region.rows), "n": (region.column, region.columns)}
        return self._slice(value, layout.sizes, layout.roles, cuts)

    def _insert(self, value: str, result: str, region: Region) -> str:
        layout = self._contraction.c
        cuts = {"m": (region.row, region.rows), "n": (region.column, region.columns)}
        sizes = {**dict(zip(layout.roles, layout.sizes, strict=True)), "m": region.rows, "n": region.columns}
        source = self._type([sizes[role] for role in layout.roles])
        return self._add(
            f"tensor.insert_slice {value} into {result}{_box(layout.roles, sizes, cuts)} : {source} into "
            f"{self._type(layout.sizes)}"
        )

    # ------------------------------------------------------------------------------------------------------ operations

    def _copy(
        self,
        value: str,
        shape: Sequence[int],
        source: Sequence[str],
        target: str,
        target_shape: Sequence[int],
        target_names: Sequence[str],
        domain: Sequence[str],
        attribute: str,
    ) -> str:
        maps = ", ".join(
            f"affine_map<({', '.join(domain)}) -> ({', '.join(names)})>" for names in (source, target_names)
        )
        element = self._contraction.element
        return self._add(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = {_quoted(['parallel'] * len(domain))}}} "
            f"ins({value} : {self._type(shape)}) outs({target} : {self._type(target_shape)}) "
            f"attrs = {{{attribute}}} {{\n  ^bb0(%x: {element}, %old: {element}):\n    linalg.yield %x : {element}\n"
            f"  }} -> {self._type(target_shape)}"
        )

    def _empty(self, shape: Sequence[int]) -> str:
        return self._add(f"tensor.empty() : {self._type(shape)}")

    def _add(self, operation: str) -> str:
        self._count += 1
        self._lines.append(f"%{self._count} = {operation}")
        return f"%{self._count}"

    def _type(self, shape: Iterable[int]) -> str:
        return f"tensor<{'x'.join([*map(str, shape), self._contraction.element])}>"


def _box(roles: str, sizes: dict[str, int], cuts: dict[str, tuple[int, int]]) -> str:
    starts = [cuts[role][0] if role in cuts else 0 for role in roles]
    return f"{starts} {[sizes[role] for role in roles]} {[1] * len(roles)}"


def _quoted(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
