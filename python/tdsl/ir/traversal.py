"""Walks over programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import mlir.ir as ir

from tdsl.ir._tdsl_ops_gen import CommentOp, ProgramOp, RoutineOp

__all__ = ["declarations", "statements"]

_Op = TypeVar("_Op", bound=ir.OpView)


def declarations(program: ProgramOp, kind: type[_Op]) -> Iterator[_Op]:
    """The declarations of one kind, for example every ``NodeOp``, in the order of the program."""
    for op in program.body.blocks[0].operations:
        if isinstance(op, kind):
            yield op


def statements(routine: RoutineOp | CommentOp) -> Iterator[ir.OpView]:
    """The statements of a routine in the order of execution, those inside comments included."""
    for op in routine.body.blocks[0].operations:
        if isinstance(op, CommentOp):
            yield from statements(op)
        else:
            yield op
