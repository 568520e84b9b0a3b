"""Small programs for the tests: expressions over nodes, as the frontend would relate them."""

from __future__ import annotations

from typing import Any

from tdsl.shapes import OPEN, Inference, Row, Shape

PARAMETER = Shape(Row(), Row(variable=""), Row(variable=""))
"""What is known of a parameter: it has no batch axes."""


class Program:
    """An inference with one method per construct; each returns the name of the node that it makes."""

    def __init__(self) -> None:
        self.inference = Inference()
        self._count = 0

    def input(self, name: str, shape: str | Shape = OPEN) -> str:
        """An input tensor."""
        self.inference.add_node(name, shape, "input", origin=f"{name}.py:1")
        return name

    def param(self, name: str, shape: str | Shape = PARAMETER) -> str:
        """A parameter."""
        self.inference.add_node(name, shape, "param", origin=f"{name}.py:1")
        return name

    def number(self) -> str:
        """A literal number."""
        return self._node("1:bcast_if_1", "leaf")

    def stretch(self, operand: str) -> str:
        """An expression whose uses decide its shape."""
        result = self._node(OPEN, "stretch")
        self.inference.relate("pointwise", [operand], result)
        return result

    def pointwise(self, *operands: str) -> str:
        """A pointwise operation."""
        return self._relate("pointwise", operands)

    def compose(self, *operands: str) -> str:
        """``a @ b``."""
        return self._relate("compose", operands)

    def einsum(self, spec: str, *operands: str, **details: Any) -> str:
        """An operation with a spec."""
        return self._relate("spec", operands, spec=spec, **details)

    def captures(self, **values: int | None) -> None:
        """Captured dimensions."""
        for name, value in values.items():
            self.inference.add_capture(name, value=value)

    def stack(self, kind: str, *operands: str) -> str:
        """A block tensor: each operand with a new axis of this kind, concatenated along it (spec g.1)."""
        template = {"batch": "{},...|...->...", "input": "...|{},...->...", "output": "...|...->{},..."}[kind]
        unit = f"...|...->... => {template.format('0')}"
        expanded = [self.einsum(unit, operand) for operand in operands]
        names = [f"bt{number}" for number in range(len(operands))]
        if len(names) == 1:
            return expanded[0]
        spec = f"{'; '.join(template.format(name) for name in names)} => {template.format('^'.join(names))}"
        return self.einsum(spec, *expanded)

    def shape(self, name: str) -> str:
        """The shape of a node as text."""
        return str(self.inference.shape(name))

    def _relate(self, logic: Any, operands: tuple[str, ...], **details: Any) -> str:
        result = self._node(OPEN, "result")
        self.inference.relate(logic, operands, result, origin=f"op{self._count}.py:1", **details)
        return result

    def _node(self, shape: Shape | str, role: Any) -> str:
        self._count += 1
        name = f"t{self._count}"
        self.inference.add_node(name, shape, role)
        return name
