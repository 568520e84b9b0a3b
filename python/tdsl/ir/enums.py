"""Enumerations of the dialect as Python sees them."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

import mlir.ir as ir

__all__ = ["enumerator"]

_Enumeration = TypeVar("_Enumeration", bound=IntEnum)


def enumerator(enumeration: type[_Enumeration], attribute: ir.Attribute) -> _Enumeration:
    """The enumerator that an attribute of an operation stores, for example ``enumerator(NodeRole, node.role)``."""
    return enumeration(ir.IntegerAttr(attribute).value)
