"""The loops of an operation as text that reads like Python, for tdsl-einsum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tdsl.eager.analysis import RESULT, Analysis, operand_names
from tdsl.eager.operations import Operation
from tdsl.projections import IndexMap, Step, Write

__all__ = ["loop_nests"]

_NEUTRAL = {"add": "0", "max": "-inf"}
_INFIX = {"mul": " * ", "mul3": " * ", "add": " + "}


def loop_nests(operation: Operation, analysis: Analysis) -> list[str]:
    """The fill, then one nest of loops for each segment, as lines without indentation of their own.

    A point at which a guarded read leaves its operand contributes the neutral element (spec e.4).
    """
    neutral = _NEUTRAL[operation.accumulator]
    lines = [f"{RESULT}[...] = {neutral}"] if analysis.plan.fill else []
    for step in analysis.plan.steps:
        lines += _nest(operation, analysis, step, neutral)
    return lines


def _nest(operation: Operation, analysis: Analysis, step: Step, neutral: str) -> Iterator[str]:
    space = step.space
    indentation = ""
    for iterator in space.iterators:
        comment = "  # reduction" if iterator.reduction else ""
        yield f"{indentation}for {iterator.name} in range({iterator.size}):{comment}"
        indentation += "    "
    names = operand_names(len(analysis.operands))
    shapes = analysis.projections.operands
    reads: list[str] = []
    conditions: list[str] = []
    for number, read in zip(step.sources, space.operands, strict=True):
        assert read is not None  # the space of a step has only what it reads
        reads.append(_access(names[number], read))
        conditions += _inside(read, shapes[number].sizes, space.sizes)
    value = _INFIX.get(operation.primitive(len(reads)), "").join(reads)
    if conditions:
        value = f"{value} if {' and '.join(conditions)} else {neutral}"
    inside = list(_inside(space.result, analysis.projections.result.sizes, space.sizes))
    if inside:
        yield f"{indentation}if {' and '.join(inside)}:"
        indentation += "    "
    target = _access(RESULT, space.result)
    if step.write is not Write.ACCUMULATE:
        yield f"{indentation}{target} = {value}"
    elif operation.accumulator == "add":
        yield f"{indentation}{target} += {f'({value})' if conditions else value}"
    else:
        yield f"{indentation}{target} = {operation.accumulator}({target}, {value})"


def _access(name: str, map_: IndexMap) -> str:
    return f"{name}[{', '.join(map(str, map_.indices)) or '()'}]"


def _inside(map_: IndexMap, node_sizes: Sequence[int], iterators: Mapping[str, int]) -> Iterator[str]:
    """The conditions under which a guarded map stays inside of its node, only those that can fail."""
    if not map_.guarded or 0 in iterators.values():
        return
    for index, size in zip(map_.indices, node_sizes, strict=True):
        least, greatest = index.bounds(iterators)
        if least < 0 or greatest >= size:
            yield f"0 <= {index} < {size}"
