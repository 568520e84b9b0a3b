"""Contractions: products of two tensors, summed over some axes, as ``C[b, m, n] += A[b, m, k] * B[b, k, n]``.

Every axis of the iteration domain belongs to one of four roles, which it has by the tensors that it indexes: ``b`` all
three, ``m`` the result and the first operand, ``n`` the result and the second, ``k`` the two operands only. In the
normal form of a contraction, ``m``, ``n`` and ``k`` are one axis each; the axes of ``b`` stay apart, as ``b0``, ``b1``
and so on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mlir.ir as ir

from tdsl.codegen.schedules.accesses import FLOAT_BYTES, accesses_of, inner_operations

__all__ = ["Contraction", "Layout", "recognize_contraction"]


@dataclass(frozen=True)
class Layout:
    """How a tensor becomes one whose axes are roles.

    Attributes:
        shape: The shape of the tensor.
        groups: For each axis of the new tensor its role and the axes of the old one that it is made of.
        needs_copy: Whether they must be brought into this order first; if not, the new tensor is a view.
    """

    shape: tuple[int, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    needs_copy: bool

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(role for role, _ in self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(math.prod(self.shape[axis] for axis in axes) for _, axes in self.groups)

    @property
    def strides(self) -> dict[str, int]:
        """How many elements lie between neighbours along each role."""
        sizes = self.sizes
        return {role: math.prod(sizes[i + 1 :]) for i, role in enumerate(self.roles)}

    @property
    def order(self) -> tuple[int, ...]:
        """The axes of the old tensor in the order of the new one."""
        return tuple(axis for _, axes in self.groups for axis in axes)


@dataclass(frozen=True)
class Contraction:
    """A recognised contraction.

    Attributes:
        first, second: Which operand of the operation is A and which is B.
        a, b, c: Their layouts and that of the result.
        sizes: The size of each role.
        element: ``"f32"`` or ``"f64"``.
    """

    first: int
    second: int
    a: Layout
    b: Layout
    c: Layout
    sizes: Mapping[str, int]
    element: str


def recognize_contraction(op: ir.Operation) -> Contraction | None:
    """The contraction that a ``linalg.generic`` on tensors is, or None."""
    if op.name != "linalg.generic" or len(op.results) != 1 or len(op.operands) != 3:
        return None
    if any(not isinstance(operand.type, ir.RankedTensorType) for operand in op.operands):
        return None
    types = [ir.RankedTensorType(operand.type) for operand in op.operands]
    element = str(types[0].element_type)
    if element not in FLOAT_BYTES or any(str(t.element_type) != element or not t.has_static_shape for t in types):
        return None
    found = accesses_of(op)
    if found is None or any(0 in t.shape for t in types) or not _multiplies_and_adds(op):
        return None
    first, second, result = found[0]
    if result and result[-1] in first and result[-1] not in second:
        # The role n is that of the last axis of the result, along which vectors lie.
        return _contraction(op, (1, 0), (second, first, result), element)
    return _contraction(op, (0, 1), (first, second, result), element)


def _multiplies_and_adds(op: ir.Operation) -> bool:
    """Whether the body is ``acc + x * y``, whose sum may be rounded once."""
    operations = inner_operations(op)
    if [o.name for o in operations] != ["arith.mulf", "arith.addf", "linalg.yield"]:
        return False
    product, total, result = operations
    x, y, accumulator = op.regions[0].blocks[0].arguments
    return (
        set(product.operands) == {x, y}
        and x != y
        and set(total.operands) == {accumulator, product.results[0]}
        and list(result.operands) == [total.results[0]]
        and all("contract" in str(o.attributes["fastmath"]) for o in (product, total))
    )


def _contraction(
    op: ir.Operation, operands: tuple[int, int], accesses: Sequence[tuple[int, ...]], element: str
) -> Contraction | None:
    first, second, result = accesses
    # The order of the axes in a role: that of the result, and of B for those that it does not have.
    order = [*result, *(axis for axis in second if axis not in result)]
    roles: dict[int, str] = {}
    batches = 0
    for axis in [*order, *first]:
        membership = (axis in first, axis in second, axis in result)
        if membership == (True, True, True):
            if axis not in roles:
                roles[axis] = f"b{batches}"
                batches += 1
            continue
        role = {(True, False, True): "m", (False, True, True): "n", (True, True, False): "k"}.get(membership)
        if role is None:  # Summed over an axis of one operand only, or copied along an axis of the result.
            return None
        roles[axis] = role
    if {"m", "n", "k"} - set(roles.values()) or roles[result[-1]] != "n":
        return None
    members = {role: tuple(axis for axis in order if roles[axis] == role) for role in roles.values()}
    shapes = [tuple(ir.RankedTensorType(op.operands[i].type).shape) for i in (*operands, 2)]
    a, b, c = (
        _layout(access, shape, roles, members, last)
        for access, shape, last in zip((first, second, result), shapes, ("mk", "nk", "n"), strict=True)
    )
    sizes: dict[str, int] = {}
    for layout in (a, b, c):
        sizes.update(zip(layout.roles, layout.sizes, strict=True))
    return Contraction(*operands, a, b, c, sizes, element)


def _layout(
    access: Sequence[int],
    shape: tuple[int, ...],
    roles: Mapping[int, str],
    members: Mapping[str, tuple[int, ...]],
    last: str,
) -> Layout:
    """The layout of one tensor, whose neighbours in memory must belong to one of the roles ``last``."""
    position = {iterator: axis for axis, iterator in enumerate(access)}
    runs: list[tuple[str, list[int]]] = []
    for iterator in access:
        if runs and runs[-1][0] == roles[iterator]:
            runs[-1][1].append(iterator)
        else:
            runs.append((roles[iterator], [iterator]))
    if all(members[role] == tuple(iterators) for role, iterators in runs) and runs[-1][0] in last:
        groups = tuple((role, tuple(position[i] for i in iterators)) for role, iterators in runs)
        return Layout(shape, groups, needs_copy=False)
    # Copies are fast if both tensors have the same last axis.
    end = runs[-1][0] if runs[-1][0] in last else last[-1]
    present = sorted({role for role, _ in runs}, key=lambda role: (role == end, role))
    groups = tuple((role, tuple(position[i] for i in members[role])) for role in present)
    return Layout(shape, groups, needs_copy=True)
