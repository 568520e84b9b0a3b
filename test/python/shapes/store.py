"""Raw constraints as the cases write them: ``[3,4].<>.[5] <= [9].<r>.[5]``, ``Concat[a,3] = 5``, ``terminal v``."""

from __future__ import annotations

import re

from tdsl.shapes.broadcast import AxisBroadcast, RowBroadcast
from tdsl.shapes.closing import close
from tdsl.shapes.concat import ConcatSize
from tdsl.shapes.equations import equate
from tdsl.shapes.nodes import Node, open_node
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.solver import Solver
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, closed_row

_CAUSE = Cause("a constraint of the test")


class Store:
    """A solver with axes and row variables by name."""

    def __init__(self) -> None:
        self.solver = Solver()
        self.axes: dict[str, AxisVariable] = {}
        self.variables: dict[str, RowVariable] = {}
        self.terminals: list[str] = []

    def add(self, text: str) -> None:
        """Add one constraint and draw its consequences."""
        if text.startswith("terminal "):
            self.terminals.append(text.split()[1])
            self.axis(self.terminals[-1])
            return
        fixed = re.fullmatch(r"(\w+) >= (\d+).*", text)
        if fixed is not None:
            self.solver.at_least(self.axis(fixed[1]), int(fixed[2]), _CAUSE)
            self.solver.run()
            return
        left, relation, right = re.split(r" (<=|=) ", re.sub(r" *\(.*", "", text))
        if "<" in left or "<" in right:
            first, second = self.row(left), self.row(right)
            if relation == "=":
                equate(self.solver, first, second, _CAUSE)
            else:
                self.solver.add(RowBroadcast(first, second, _CAUSE, _CAUSE))
        elif relation == "=":
            self.solver.unify(self.term(left), self.term(right), _CAUSE)
        else:
            self.solver.add(AxisBroadcast(self.term(left), self.term(right), _CAUSE))
        self.solver.run()

    def axis(self, name: str) -> AxisVariable:
        """The axis of this name, or a new one of this size: ``3``, ``3:rgb``."""
        size, _, basis = name.partition(":")
        if size.isdigit():
            return AxisVariable(int(size), basis or "default", Provenance(f"the constant {name}"))
        return self.axes.setdefault(name, AxisVariable())

    def term(self, text: str) -> AxisVariable:
        """An axis, or the whole of a concatenation."""
        if not text.startswith("Concat["):
            return self.axis(text)
        parts = text[len("Concat[") : -1].split(",")
        whole = AxisVariable()
        names = [self.axis(part) for part in parts if not part.isdigit()]
        constant = sum(int(part) for part in parts if part.isdigit())
        self.solver.add(ConcatSize(whole, names, constant, "^".join(parts), _CAUSE))
        return whole

    def row(self, text: str) -> RowTerm:
        """A row such as ``[3].<r>.[5]``; ``<>`` is no variable."""
        before, name, after = re.fullmatch(r"(?:\[(.*?)\]\.?)?<(\w*)>(?:\.?\[(.*)\])?", text).groups()  # type: ignore[union-attr]
        leading, trailing = ([self.axis(part) for part in (side or "").split(",") if part] for side in (before, after))
        if not name:
            return closed_row([*leading, *trailing])
        return RowTerm(tuple(leading), self.variables.setdefault(name, RowVariable(name)), tuple(trailing))

    def close(self) -> None:
        """Close all that was named: the terminals at their uses, everything else as results."""
        nodes: list[Node] = []
        for name, axis in self.axes.items():
            node = open_node(name)
            node.rows["output"] = closed_row([axis])
            node.rows["batch"] = node.rows["input"] = closed_row([])
            node.role = "leaf" if name in self.terminals else "result"
            nodes.append(node)
        for name, variable in self.variables.items():
            node = open_node(name)
            node.role = "leaf"
            node.rows["output"] = RowTerm((), variable, ())
            nodes.append(node)
        close(self.solver, nodes, _CAUSE)

    def atom(self, name: str) -> tuple[int | None, str | None]:
        """Size and basis of an axis."""
        axis = self.axes[name].find()
        return axis.size, axis.basis
