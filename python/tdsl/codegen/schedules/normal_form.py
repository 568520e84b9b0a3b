"""Brings a contraction to its normal form: one operation whose operands have one axis for each role.

Where the axes of a role are neighbours in the right order, that is a view; if not, a copy. The operation is marked with
``tdsl.contraction``; after bufferization, ``tdsl-outline-contractions`` makes a function of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tdsl.codegen.schedules.contraction import Contraction, Layout

__all__ = ["MARK", "normal_form"]

#: The attribute of contractions in normal form, and of the fills that set their results to zero before.
MARK = "tdsl.contraction"


def normal_form(contraction: Contraction, *, starts_at_zero: bool, is_fresh: bool) -> str:
    """A function of A, B and the memory of the result that computes the result, as text.

    Args:
        contraction: What it computes.
        starts_at_zero: Whether the products are added to zero, not to what the memory holds.
        is_fresh: Whether the memory is an empty tensor, so that another one does as well.
    """
    return _Writer(contraction).write(starts_at_zero, is_fresh)


class _Writer:
    def __init__(self, contraction: Contraction) -> None:
        self._contraction = contraction
        self._lines: list[str] = []
        self._count = 0

    def write(self, starts_at_zero: bool, is_fresh: bool) -> str:
        contraction = self._contraction
        types = [self._type(layout.shape) for layout in (contraction.a, contraction.b, contraction.c)]
        a = self._grouped("%a", contraction.a)
        b = self._grouped("%b", contraction.b)
        type_ = self._type(contraction.c.sizes)
        if starts_at_zero and (is_fresh or contraction.c.needs_copy):
            # Unlike empty tensors, these are never made one, after which their contents would have to be copied.
            memory = self._add(f"bufferization.alloc_tensor() : {type_}")
        else:
            memory = self._grouped("%c", contraction.c)
        if starts_at_zero:
            zero = self._add(f"arith.constant 0.0 : {contraction.element}")
            memory = self._add(
                f"linalg.fill {{{MARK}}} ins({zero} : {contraction.element}) outs({memory} : {type_}) -> {type_}"
            )
        result = self._ungrouped(self._contract(a, b, memory))
        body = "\n  ".join(self._lines)
        return (
            f"func.func @contraction(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) -> {types[2]} {{\n"
            f"  {body}\n  return {result} : {types[2]}\n}}"
        )

    def _contract(self, a: str, b: str, memory: str) -> str:
        layouts = (self._contraction.a, self._contraction.b, self._contraction.c)
        element = self._contraction.element
        domain = [*(role for role in layouts[2].roles if role[0] == "b"), "m", "n", "k"]
        a_type, b_type, c_type = (self._type(layout.sizes) for layout in layouts)
        iterators = _quoted(["reduction" if role == "k" else "parallel" for role in domain])
        return self._add(
            f"linalg.generic {{indexing_maps = [{_maps(domain, [layout.roles for layout in layouts])}], "
            f"iterator_types = {iterators}}} ins({a}, {b} : {a_type}, {b_type}) outs({memory} : {c_type}) "
            f"attrs = {{{MARK}}} {{\n"
            f"  ^bb0(%x: {element}, %y: {element}, %sum: {element}):\n"
            f"    %xy = arith.mulf %x, %y fastmath<contract> : {element}\n"
            f"    %new = arith.addf %sum, %xy fastmath<contract> : {element}\n"
            f"    linalg.yield %new : {element}\n  }} -> {c_type}"
        )

    def _grouped(self, value: str, layout: Layout) -> str:
        """A view or copy that has one axis for each role."""
        shape = layout.shape
        if layout.needs_copy:
            shape = tuple(layout.shape[axis] for axis in layout.order)
            target = self._add(f"tensor.empty() : {self._type(shape)}")
            value = self._permute(value, layout.shape, layout.order, target)
        if len(layout.groups) == len(shape):
            return value
        return self._add(
            f"tensor.collapse_shape {value} {_runs(layout)} : {self._type(shape)} into {self._type(layout.sizes)}"
        )

    def _ungrouped(self, value: str) -> str:
        layout = self._contraction.c
        shape = tuple(layout.shape[axis] for axis in layout.order)
        if len(layout.groups) != len(shape):
            value = self._add(
                f"tensor.expand_shape {value} {_runs(layout)} output_shape {list(shape)} : "
                f"{self._type(layout.sizes)} into {self._type(shape)}"
            )
        if not layout.needs_copy:
            return value
        inverse = tuple(layout.order.index(axis) for axis in range(len(layout.shape)))
        return self._permute(value, shape, inverse, "%c")

    def _permute(self, value: str, shape: Sequence[int], order: Sequence[int], target: str) -> str:
        """A copy into ``target`` whose axes are those of ``value`` in another order."""
        new_shape = tuple(shape[axis] for axis in order)
        names = [f"d{i}" for i in range(len(order))]
        source = [names[order.index(axis)] for axis in range(len(order))]
        element = self._contraction.element
        return self._add(
            f"linalg.generic {{indexing_maps = [{_maps(names, [source, names])}], "
            f"iterator_types = {_quoted(['parallel'] * len(names))}}} "
            f"ins({value} : {self._type(shape)}) outs({target} : {self._type(new_shape)}) {{\n"
            f"  ^bb0(%x: {element}, %old: {element}):\n    linalg.yield %x : {element}\n"
            f"  }} -> {self._type(new_shape)}"
        )

    def _add(self, operation: str) -> str:
        self._count += 1
        self._lines.append(f"%{self._count} = {operation}")
        return f"%{self._count}"

    def _type(self, shape: Iterable[int]) -> str:
        return f"tensor<{'x'.join([*map(str, shape), self._contraction.element])}>"


def _runs(layout: Layout) -> list[list[int]]:
    """The axes of the ordered tensor that each role is made of."""
    lengths = [len(axes) for _, axes in layout.groups]
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    return [[*range(start, start + length)] for start, length in zip(starts, lengths, strict=True)]


def _maps(domain: Sequence[str], results: Iterable[Sequence[str]]) -> str:
    return ", ".join(f"affine_map<({', '.join(domain)}) -> ({', '.join(names)})>" for names in results)


def _quoted(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
