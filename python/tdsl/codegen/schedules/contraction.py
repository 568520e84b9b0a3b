"""Contractions: products of two tensors, summed over some axes, as ``C[b, m, n] += A[b, m, k] * B[b, k, n]``.

Every axis of the iteration domain belongs to one of four roles, which it has by the tensors that it indexes: ``b`` all
three, ``m`` the result and the first operand, ``n`` the result and the second, ``k`` the two operands only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mlir.ir as ir

__all__ = ["Contraction", "Layout", "recognize_contraction"]

_ELEMENTS = {"f32": 4, "f64": 8}


@dataclass(frozen=True)
class Layout:
    """How a tensor becomes one that has one axis for each role.

    Attributes:
        shape: The shape of the tensor.
        groups: For each axis of the new tensor its role and the axes of the old one that it is made of.
        needs_copy: Whether they must be brought into this order first; if not, the new tensor is a view.
    """

    shape: tuple[int, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    needs_copy: bool

    @property
    def roles(self) -> str:
        return "".join(role for role, _ in self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(math.prod(self.shape[axis] for axis in axes) for _, axes in self.groups)

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

    @property
    def element_bytes(self) -> int:
        return _ELEMENTS[self.element]

    @property
    def has_batch(self) -> bool:
        return "b" in self.sizes


def recognize_contraction(op: ir.OpView) -> Contraction | None:
    """The contraction that a ``linalg.generic`` on tensors is, or None."""
    if op.operation.name != "linalg.generic" or len(op.results) != 1 or len(op.operands) != 3:
        return None
    types = [ir.RankedTensorType(operand.type) for operand in op.operands]
    element = str(types[0].element_type)
    if element not in _ELEMENTS or any(str(t.element_type) != element or not t.has_static_shape for t in types):
        return None
    if not _multiplies_and_adds(op.regions[0].blocks[0]):
        return None
    accesses = _accesses(op)
    if accesses is None or any(0 in t.shape for t in types):
        return None
    first, second, result = accesses
    if result and result[-1] in first and result[-1] not in second:
        # The role n is that of the last axis of the result, along which vectors lie.
        return _contraction(op, (1, 0), (second, first, result), element)
    return _contraction(op, (0, 1), accesses, element)


def _multiplies_and_adds(body: ir.Block) -> bool:
    """Whether the body is ``acc + x * y``, whose sum may be rounded once."""
    operations = list(body.operations)
    if [o.operation.name for o in operations] != ["arith.mulf", "arith.addf", "linalg.yield"]:
        return False
    product, total, result = operations
    x, y, accumulator = body.arguments
    return (
        set(product.operands) == {x, y}
        and x != y
        and set(total.operands) == {accumulator, product.results[0]}
        and list(result.operands) == [total.results[0]]
        and all("contract" in str(o.attributes["fastmath"]) for o in (product, total))
    )


def _accesses(op: ir.OpView) -> tuple[tuple[int, ...], ...] | None:
    """The iterators that index each operand; None if an index is no iterator, or one iterator indexes two axes."""
    accesses = []
    for attribute in ir.ArrayAttr(op.attributes["indexing_maps"]):
        map_ = ir.AffineMapAttr(attribute).value
        if not map_.is_projected_permutation:
            return None
        accesses.append(tuple(ir.AffineDimExpr(result).position for result in map_.results))
    return tuple(accesses)


def _contraction(
    op: ir.OpView, operands: tuple[int, int], accesses: tuple[tuple[int, ...], ...], element: str
) -> Contraction | None:
    first, second, result = accesses
    roles: dict[int, str] = {}
    for axis in {*first, *second, *result}:
        membership = (axis in first, axis in second, axis in result)
        role = {
            (True, True, True): "b",
            (True, False, True): "m",
            (False, True, True): "n",
            (True, True, False): "k",
        }.get(membership)
        if role is None:  # Summed over an axis of one operand only, or copied along an axis of the result.
            return None
        roles[axis] = role
    if {"m", "n", "k"} - set(roles.values()) or result[-1:] == () or roles[result[-1]] != "n":
        return None
    # The order of the axes in a role: that of the result, and of B for those that it does not have.
    order = [*result, *(axis for axis in second if roles[axis] == "k")]
    members = {role: tuple(axis for axis in order if roles[axis] == role) for role in "bmnk"}
    shapes = [tuple(ir.RankedTensorType(op.operands[i].type).shape) for i in (*operands, 2)]
    a = _layout(first, shapes[0], roles, members, "bmk")
    b = _layout(second, shapes[1], roles, members, "bkn")
    c = _layout(result, shapes[2], roles, members, "bmn")
    sizes: dict[str, int] = {}
    for layout in (a, b, c):
        sizes.update(zip(layout.roles, layout.sizes, strict=True))
    return Contraction(*operands, a, b, c, sizes, element)


def _layout(
    access: Sequence[int],
    shape: tuple[int, ...],
    roles: Mapping[int, str],
    members: Mapping[str, tuple[int, ...]],
    wanted: str,
) -> Layout:
    position = {iterator: axis for axis, iterator in enumerate(access)}
    runs: list[tuple[str, list[int]]] = []
    for iterator in access:
        if runs and runs[-1][0] == roles[iterator]:
            runs[-1][1].append(iterator)
        else:
            runs.append((roles[iterator], [iterator]))
    if all(members[role] == tuple(iterators) for role, iterators in runs) and (wanted != "bmn" or runs[-1][0] == "n"):
        groups = tuple((role, tuple(position[i] for i in iterators)) for role, iterators in runs)
        return Layout(shape, groups, needs_copy=False)
    groups = tuple((role, tuple(position[i] for i in members[role])) for role in wanted if members[role])
    return Layout(shape, groups, needs_copy=True)
