"""How an operation relates the axes of its operands and its result (spec d.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tdsl.notation import Spec


@dataclass(frozen=True)
class Pointwise:
    """Each row of the result broadcasts over the same row of every operand, aligned at the right."""


@dataclass(frozen=True)
class Compose:
    """``a @ b``: the input row of ``a`` meets the output row of ``b``."""


@dataclass(frozen=True)
class ComposeAccumulate:
    """``a @ b + d``: as Compose, and the result broadcasts over a third operand."""


@dataclass(frozen=True)
class Transpose:
    """The input and the output row change places."""


@dataclass(frozen=True)
class Slice:
    """The leftmost batch axis is read at the value of the static symbol of this name."""

    symbol: str


@dataclass(frozen=True)
class Uniform:
    """Each word of the single axis of the operand gives ``lanes`` consecutive cells of the result (spec b.6)."""

    lanes: int


@dataclass(frozen=True)
class Einsum:
    """A generalized einsum spec.

    ``label_sizes`` gives sizes that the shapes do not determine: of captured labels (spec d.9), by name.
    """

    spec: Spec
    label_sizes: Mapping[str, int] = field(default_factory=dict)


Logic: TypeAlias = Pointwise | Compose | ComposeAccumulate | Transpose | Slice | Uniform | Einsum
