"""The names of one inference: nodes and captures, created when they are first mentioned."""

from __future__ import annotations

from dataclasses import dataclass, field

from tdsl.shapes.nodes import Capture, Node, open_node
from tdsl.shapes.solver import Solver


@dataclass
class Environment:
    """The store of constraints with the nodes and captures that they are about."""

    solver: Solver = field(default_factory=Solver)
    nodes: dict[str, Node] = field(default_factory=dict)
    captures: dict[str, Capture] = field(default_factory=dict)

    def node(self, name: str) -> Node:
        """The node of this name; an undeclared one is open, since constraints may come before declarations."""
        if name not in self.nodes:
            self.nodes[name] = open_node(name)
        return self.nodes[name]

    def existing_node(self, name: str) -> Node:
        """The node of this name. Raises ValueError where there is none."""
        if name not in self.nodes:
            raise ValueError(f"There is no node @{name}.")
        return self.nodes[name]

    def capture(self, name: str) -> Capture:
        """The capture of this name. Raises ValueError where there is none."""
        if name not in self.captures:
            raise ValueError(f"There is no capture @{name}.")
        return self.captures[name]
