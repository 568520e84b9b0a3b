"""What an assignment over a spec computes, by plain loops over the values of its labels (spec b.2, c, d.7, e).

Written from the specification. It shares no code with tdsl, and is only fast enough for a few thousand points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from agreement.specs import MEMORY_ORDER, Affine, Anything, Axis, Case, Concat, Label, Pin, Shape, Sizes

__all__ = ["Contradiction", "Undetermined", "evaluate", "infers_emptiness", "is_ambiguous", "is_determined"]

#: A cell of a tensor, in memory order.
Cell = tuple[int, ...]
Cells = dict[Cell, float]


class Contradiction(Exception):  # noqa: N818  (an answer, not an error)
    """The sizes of the tensors do not satisfy the spec."""


class Undetermined(Exception):  # noqa: N818
    """The sizes of the tensors satisfy the spec for several sizes of a label."""


@dataclass
class _Tensor:
    """A tensor with the axis of the spec that each of its axes is, in memory order."""

    axes: list[Axis] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def _expand(shape: Shape, sizes: Sizes, number: int, ranks: dict[str, int]) -> _Tensor:
    """Row variables become labels that no spec can write, one for each axis."""
    tensor = _Tensor()
    for kind in MEMORY_ORDER:
        row, row_sizes = shape.row(kind), sizes[kind]
        axes = list(row.leading)
        absorbed = len(row_sizes) - len(row.axes)
        if row.variable is not None:
            # `...` is one variable for each kind, a named one moves axes between kinds (spec c.3).
            key = f"...{kind}" if row.variable == "..." else row.variable
            if absorbed < 0 or ranks.setdefault(key, absorbed) != absorbed:
                raise Contradiction(f"rank of {key}")
            axes += [Label(f"{key}.{position}") for position in range(absorbed)]
        elif absorbed:
            raise Contradiction(f"rank of the {kind} row of tensor {number}")
        axes += row.trailing
        for position, axis in enumerate(axes):
            named = Label(f"_{number}{kind}{position}") if isinstance(axis, Anything) else axis
            tensor.axes.append(named)
            tensor.sizes.append(row_sizes[position])
    return tensor


def _tensors(case: Case) -> list[_Tensor]:
    ranks: dict[str, int] = {}
    shapes = zip((*case.spec.operands, case.spec.result), (*case.operands, case.result), strict=True)
    return [_expand(shape, sizes, number, ranks) for number, (shape, sizes) in enumerate(shapes)]


def label_sizes(tensors: list[_Tensor]) -> dict[str, int]:
    """The size of every label. Raises Contradiction, Undetermined."""
    known: dict[str, int] = {}

    def learn(label: str, size: int) -> bool:
        if known.setdefault(label, size) != size or size < 0:
            raise Contradiction(f"{label} is {known[label]} and {size}")
        return True

    equations = [pair for tensor in tensors for pair in zip(tensor.axes, tensor.sizes, strict=True)]
    for axis, size in equations:
        if isinstance(axis, Label):
            learn(axis.name, size)
        elif isinstance(axis, Pin) and size <= axis.index:
            raise Contradiction(f"no position {axis.index}")
    progress = True
    while progress:
        learned = [_learn(axis, size, known, learn) for axis, size in equations]
        progress = any(learned)
    for axis, size in equations:
        if isinstance(axis, Affine | Concat):
            if any(label not in known for label in axis.labels):
                raise Undetermined(str(axis))
            if not _holds(axis, size, known):
                raise Contradiction(f"{axis} is {size}")
    return known


def _learn(axis: Axis, size: int, known: Mapping[str, int], learn: Callable[[str, int], bool]) -> bool:
    """The size of the one label of an axis that is missing, where the others determine it."""
    if not isinstance(axis, Affine | Concat):
        return False
    missing = [label for label in axis.labels if label not in known]
    if isinstance(axis, Concat):
        rest = size - sum(known.get(p, 0) if isinstance(p, str) else p for p in axis.components)
        if len(set(missing)) != 1:
            return False
        if rest < 0 or rest % len(missing):
            raise Contradiction(str(axis))
        return learn(missing[0], rest // len(missing))
    if axis.kernel is None or axis.padded:
        if axis.over in missing:
            if size % axis.stride:
                raise Contradiction(f"{axis} is {size}")
            return learn(axis.over, size // axis.stride)
        return False
    if missing == [axis.over]:
        rest = size - 1 - (known[axis.kernel] - 1) * axis.dilation
        if rest < 0 or rest % axis.stride:
            raise Contradiction(f"{axis} is {size}")
        return learn(axis.over, rest // axis.stride + 1)
    if missing == [axis.kernel]:
        rest = size - axis.stride * (known[axis.over] - 1) - 1
        if rest < 0 or rest % axis.dilation:
            raise Contradiction(f"{axis} is {size}")
        return learn(axis.kernel, rest // axis.dilation + 1)
    return False


def _holds(axis: Affine | Concat, size: int, known: Mapping[str, int]) -> bool:
    if isinstance(axis, Concat):
        return size == sum(known[part] if isinstance(part, str) else part for part in axis.components)
    if axis.kernel is None or axis.padded:
        return size == axis.stride * known[axis.over]
    over, kernel = known[axis.over], known[axis.kernel]
    return size == axis.stride * (over - 1) + 1 + (kernel - 1) * axis.dilation


#: The value of each label at a point; a label that is not in it belongs to another segment.
Point = dict[str, int]
#: The component that each concatenation is in.
Choice = dict[tuple[str | int, ...], int]


def _choices(tensors: list[_Tensor]) -> Iterator[Choice]:
    """Concatenations that share a label go through it together (spec e.2 step 6)."""
    concats = list(dict.fromkeys(a.components for t in tensors for a in t.axes if isinstance(a, Concat)))
    for positions in itertools.product(*(range(len(concat)) for concat in concats)):
        choice = dict(zip(concats, positions, strict=True))
        chosen = {concat[position] for concat, position in choice.items()}
        if all(
            part == concat[choice[concat]] or part not in chosen
            for concat in concats
            for part in concat
            if isinstance(part, str)
        ):
            yield choice


def _absent(choice: Choice) -> set[str]:
    parts = {part for concat in choice for part in concat if isinstance(part, str)}
    return parts - {concat[position] for concat, position in choice.items()}


def _labels(axis: Axis, choice: Choice) -> tuple[str, ...]:
    if isinstance(axis, Concat):
        part = axis.components[choice[axis.components]]
        return (part,) if isinstance(part, str) else ()
    return (axis.name,) if isinstance(axis, Label) else axis.labels if isinstance(axis, Affine) else ()


def _takes_part(tensor: _Tensor, choice: Choice) -> bool:
    """Whether a tensor has cells in this segment: none of its axes is in another one, or in a gap."""
    absent = _absent(choice)
    for axis in tensor.axes:
        if isinstance(axis, Concat) and not _labels(axis, choice):
            return False
        if absent & set(_labels(axis, choice)):
            return False
    return True


def _position(axis: Axis, point: Point, sizes: Mapping[str, int], choice: Choice) -> int:
    if isinstance(axis, Label):
        return point[axis.name]
    if isinstance(axis, Pin):
        return axis.index
    if isinstance(axis, Concat):
        position = choice[axis.components]
        before = axis.components[:position]
        part = axis.components[position]
        assert isinstance(part, str)
        return point[part] + sum(sizes[p] if isinstance(p, str) else p for p in before)
    assert isinstance(axis, Affine)
    index = axis.stride * point[axis.over] + axis.offset
    if axis.kernel is not None:
        span = 1 + (sizes[axis.kernel] - 1) * axis.dilation
        index += axis.dilation * point[axis.kernel] - (span // 2 if axis.padded else 0)
    return index


@dataclass(frozen=True)
class _Segment:
    choice: Choice
    operands: tuple[int, ...]


def _segments(case: Case, tensors: list[_Tensor]) -> Iterator[_Segment]:
    """The segments that contribute: all operands take part, or in the block form exactly one."""
    *operands, result = tensors
    for choice in _choices(tensors):
        active = tuple(n for n, operand in enumerate(operands) if _takes_part(operand, choice))
        if _takes_part(result, choice) and len(active) == (1 if case.block else len(operands)):
            yield _Segment(choice, active)


def is_ambiguous(case: Case) -> bool:
    """Whether a block form reads several sources for the same cells, or no segment has all sources."""
    tensors = _tensors(case)
    *operands, result = tensors
    counts = []
    sizes = label_sizes(tensors)
    for choice in _choices(tensors):
        chosen = [concat[position] for concat, position in choice.items()]
        if any(isinstance(part, str) and sizes[part] == 0 for part in chosen):
            continue
        if _takes_part(result, choice):
            counts.append(sum(_takes_part(operand, choice) for operand in operands))
    if case.block:
        return any(count > 1 for count in counts)
    return len(operands) > 1 and len(operands) not in counts


def evaluate(case: Case, operands: list[Cells], before: Cells) -> Cells:
    """The cells of the result after the assignment.

    Raises Contradiction or Undetermined when the sizes do not fit the spec.
    """
    tensors = _tensors(case)
    sizes = label_sizes(tensors)
    result = tensors[-1]
    neutral, join = ACCUMULATORS[case.accumulator]
    cells = dict.fromkeys(before, neutral) if case.reset else dict(before)
    for segment in _segments(case, tensors):
        used = [result, *(tensors[number] for number in segment.operands)]
        names = list(dict.fromkeys(n for tensor in used for a in tensor.axes for n in _labels(a, segment.choice)))
        for values in itertools.product(*(range(sizes[name]) for name in names)):
            point = dict(zip(names, values, strict=True))

            def cell_of(tensor: _Tensor, point: Point = point, choice: Choice = segment.choice) -> Cell:
                return tuple(_position(axis, point, sizes, choice) for axis in tensor.axes)

            target = cell_of(result)
            reads = [(operands[number], cell_of(tensors[number])) for number in segment.operands]
            if target not in cells:
                continue
            # A read outside makes the whole contribution neutral, not only the operand (spec e.4).
            inside = all(cell in source for source, cell in reads)
            contribution = PRIMITIVES[case.primitive](*(s[c] for s, c in reads)) if inside else neutral
            cells[target] = join(cells[target], contribution)
    return cells


def _maximum(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else max(a, b)


def _minimum(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else min(a, b)


def _divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


#: The neutral element of each accumulator (spec b.3), and what it does with a cell and a contribution (spec b.4).
ACCUMULATORS: dict[str, tuple[float, Callable[[float, float], float]]] = {
    "add": (0, lambda a, b: a + b),
    "sub": (0, lambda a, b: a - b),
    "mul": (1, lambda a, b: a * b),
    "div": (1, _divide),
    "max": (-math.inf, _maximum),
    "min": (math.inf, _minimum),
    "or": (0, lambda a, b: float(bool(a) or bool(b))),
    "and": (1, lambda a, b: float(bool(a) and bool(b))),
    "overwrite": (0, lambda _, b: b),
}

#: Operations on finite numbers (spec b.5).
PRIMITIVES: dict[str, Callable[..., float]] = {
    "id": lambda a: a,
    "neg": lambda a: -a,
    "relu": lambda a: a if a >= 0 else 0.0,
    "mul": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "max": _maximum,
    "eq": lambda a, b: float(a == b),
    "lt": lambda a, b: float(a < b),
    "mul3": lambda a, b, c: a * b * c,
    "where": lambda a, b, c: b if a != 0 else c,
}


def is_determined(case: Case) -> bool:
    """Whether the operands alone determine every label."""
    tensors = _tensors(case)
    sizes = label_sizes(tensors)
    try:
        known = label_sizes(tensors[:-1])
    except (Contradiction, Undetermined):
        # A window over no position at all has no size that its operands could tell.
        return False
    return known.keys() == sizes.keys()


def infers_emptiness(case: Case) -> bool:
    """Whether a label is empty although no given axis of its own says so: only some components may be (spec d.8)."""
    tensors = _tensors(case)
    given = tensors[:-1] if case.is_open else tensors
    stated = {axis.name for tensor in given for axis in tensor.axes if isinstance(axis, Label)}
    return any(size == 0 and name not in stated for name, size in label_sizes(tensors).items())
