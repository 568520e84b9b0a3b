"""Bases and the broadcast order of axes (spec section d.2).

An axis is a size and a basis. ``res ⊑ opnd`` ("the operand broadcasts into the result") holds when the two are equal,
or when the operand is the top ``1:bcast_if_1``. Every other pair is incomparable: ``default`` is an ordinary basis.
"""

from __future__ import annotations

DEFAULT = "default"
"""The basis of an axis for which none was written."""

BROADCAST = "bcast_if_1"
"""The basis of the size-1 axis that stretches; at any other size it is an ordinary basis."""


def is_top(size: int | None, basis: str | None) -> bool:
    """Whether the axis is known to be the one that broadcasts into everything."""
    return size == 1 and basis == BROADCAST


def is_not_top(size: int | None, basis: str | None) -> bool:
    """Whether the axis is known not to broadcast, even if a part of it is still unknown (None)."""
    return (size is not None and size != 1) or (basis is not None and basis != BROADCAST)


def is_named(basis: str | None) -> bool:
    """Whether the basis was chosen by the user; the two reserved ones are not."""
    return basis is not None and basis not in (DEFAULT, BROADCAST)


def atoms_clash(size: int | None, basis: str | None, other_size: int | None, other_basis: str | None) -> bool:
    """Whether two partly known axes are certainly different."""
    return (size is not None and other_size is not None and size != other_size) or (
        basis is not None and other_basis is not None and basis != other_basis
    )
