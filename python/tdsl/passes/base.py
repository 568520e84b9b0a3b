"""The base class of passes that are written in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import mlir.ir as ir

__all__ = ["NoOptions", "Pass"]


@dataclass(frozen=True)
class NoOptions:
    """The options of a pass that has none."""


class Pass:
    """A pass over the operations named :attr:`anchor`.

    A subclass sets :attr:`name` and :attr:`description`, and implements :meth:`run`. Options are a dataclass whose
    fields have defaults and types among ``int``, ``float``, ``bool``, ``str`` and ``list[str]``;
    ``metadata={"description": ...}`` documents a field. In pipeline text an underscore is a dash:
    ``max_rounds: int = 3`` is set by ``my-pass{max-rounds=5}``.

    A new instance serves each operation, so a pass may keep state on ``self``. Sibling operations may be processed by
    several threads: anything else that a pass writes to must belong to its operation.

    Attributes:
        name: The name in pipelines. Letters, digits, dashes; refused if any pass has it.
        description: One line for ``--help``.
        anchor: The operation to run on, or ``""`` for any.
        dependent_dialects: The dialects, other than tdsl, of the operations that the pass creates.
        Options: The dataclass of the options.
        options: The values in this run.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    anchor: ClassVar[str] = "tdsl.program"
    dependent_dialects: ClassVar[tuple[str, ...]] = ()
    Options: ClassVar[type[Any]] = NoOptions

    def __init__(self, options: Any = None) -> None:
        self.options: Any = self.Options() if options is None else options

    def run(self, op: ir.OpView) -> bool | None:
        """Transforms ``op`` in place; it must not be kept after the return.

        To fail, emit errors (:func:`tdsl.passes.emit_error`) and return False, or raise. An exception becomes an error
        at ``op``; a :class:`tdsl.TdslError` with its text as it is. A failure without an error gets one.
        """
        raise TypeError(f"pass '{self.name}' does not implement run()")
