"""Where constraints and sizes come from, for errors and for the question "what fixed this axis?"."""

from __future__ import annotations

from dataclasses import dataclass

from tdsl.notation import RowKind, Span, Spec


@dataclass(frozen=True, slots=True)
class Cause:
    """The reason why a constraint holds.

    Attributes:
        text: What it is, in the user's words: a spec, "the pointwise operation", "set_dim".
        origin: An opaque object of the caller, usually text such as ``model.py:12``; printed with ``str``.
        spec: The parsed spec, for carets; None for other logics.
        operand: The number of the operand that is related, from 1; 0 for the result; None for no operand.
        node: The node that is related, or None.
        row: The kind of its row, or None.
        span: The place of that row in the spec, or None.
    """

    text: str
    origin: object = None
    spec: Spec | None = None
    operand: int | None = None
    node: str | None = None
    row: RowKind | None = None
    span: Span | None = None

    def subject(self) -> str:
        """What the constraint relates: "the batch row of operand 2 (@y)"."""
        row = f"{self.row} row of " if self.row else ""
        return f"the {row}{self.place()}"

    def place(self) -> str:
        """The operand or the result, with the name of its node."""
        role = "result" if self.operand == 0 else f"operand {self.operand}"
        if self.operand is None:
            return f"@{self.node}" if self.node else self.text
        return f"{role} (@{self.node})" if self.node else role

    def at(self) -> str:
        """The origin in parentheses, or nothing."""
        return f" [{self.origin}]" if self.origin is not None else ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What fixed the size of an axis.

    Attributes:
        source: What the size was first written for or computed from: "the input row of @x (axis 0)", "set_dim of @k".
        origin: The origin of that source, as given by the caller.
        through: The constraint that carried the size here, or None where the source is this axis itself.
        label: The label of the axis in that constraint, or None.
    """

    source: str
    origin: object = None
    through: Cause | None = None
    label: str | None = None

    def __str__(self) -> str:
        text = f"{self.source} [{self.origin}]" if self.origin is not None else self.source
        if self.through is None:
            return text
        places = []
        if self.through.operand is not None:
            places.append("result" if self.through.operand == 0 else f"operand {self.through.operand}")
        if self.label is not None:
            places.append(f"axis {self.label}")
        place = f" ({', '.join(places)})" if places else ""
        return f"{text}, through {self.through.text}{place}{self.through.at()}"


@dataclass(frozen=True, slots=True)
class SolvedAxis:
    """A size and basis with the record of what fixed them; ``str()`` is one line for users."""

    size: int | None
    basis: str | None
    provenance: Provenance | None

    def __str__(self) -> str:
        if self.size is None:
            return "not determined yet"
        source = f" from {self.provenance}" if self.provenance else ""
        return f"size {self.size}{source}"
