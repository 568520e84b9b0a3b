"""Random programs: whatever the order of declarations and operations, the outcome is the same, and never a crash."""

from __future__ import annotations

import random

import pytest

from tdsl.errors import ShapeError
from tdsl.shapes import OPEN, Inference

_SHAPES = ["3", "2,3", "5|->3", "5|3->2", "1:bcast_if_1", "|3->3", "...|...->...", "..b..|->..o..,3", "4,4", "|->?"]
_SPECS: dict[int, list[str]] = {
    1: ["...|i => ...|i", "ij => ji", "i, ...=> ..., i", "... => |->0", "a^b => a", "2*o => o", "...|... => ...|...2"],
    2: ["ij;jk=>ik", "ij;|jk=>ik", "o<+k; |k => o", "a; b => a^b", "a, ...; b, ... => a^b, ...", "i;i=>i", "i;j=>ij"],
}
_Step = tuple[str, tuple[object, ...]]


def _program(rng: random.Random) -> list[_Step]:
    """Declarations and operations, in a natural order."""
    steps: list[_Step] = []
    names = [f"x{number}" for number in range(rng.randint(1, 3))]
    for name in names:
        role = rng.choice(["input", "param", "leaf"])
        steps.append(("node", (name, rng.choice(_SHAPES), role)))
    for number in range(rng.randint(1, 6)):
        name = f"t{number}"
        logic = rng.choice(["pointwise", "pointwise", "compose", "spec", "spec", "transpose"])
        count = {"compose": 2, "transpose": 1}.get(logic, rng.randint(1, 2))
        operands = [rng.choice(names) for _ in range(count)]
        role = rng.choice(["result", "result", "result", "stretch"])
        steps.append(("node", (name, OPEN, role)))
        steps.append(("relate", (logic, operands, name, rng.choice(_SPECS[count]) if logic == "spec" else None)))
        names.append(name)
    return steps


def _outcome(steps: list[_Step]) -> dict[str, str] | None:
    """The shapes of all nodes after closing, or None for an error that the user is told about."""
    inference = Inference()
    nodes = []
    try:
        for kind, details in steps:
            if kind == "node":
                name, shape, role = details
                nodes.append(name)
                inference.add_node(name, shape, role)  # type: ignore[arg-type]
            else:
                logic, operands, result, spec = details
                inference.relate(logic, operands, result, spec=spec)  # type: ignore[arg-type]
        inference.close()
    except ShapeError:
        return None
    shapes = {name: inference.shape(name) for name in sorted(nodes)}
    assert all(shape.is_solved for shape in shapes.values())
    return {name: str(shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("seed", range(20))
def test_order_of_programs_is_irrelevant(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        steps = _program(rng)
        shuffled = rng.sample(steps, len(steps))
        assert _outcome(steps) == _outcome(shuffled), steps
