"""Random specs with operands. Most are well-formed; the others show that mistakes are refused, and how."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from agreement.specs import (
    KINDS,
    Affine,
    Anything,
    Axis,
    Case,
    Concat,
    Label,
    Pin,
    Row,
    Shape,
    Sizes,
    Spec,
    is_multichar,
    write,
)

__all__ = ["cases", "features"]

LABELS = "abcde"
ROW_NAMES = ("r", "s")
#: The product of all sizes of labels and row variables, and so about the number of points, is at most this.
MOST_POINTS = 3000


@dataclass
class _Draft:
    """What is decided while a case is drawn."""

    draw: st.DrawFn
    sizes: dict[str, int]
    rows: dict[str, list[int]]
    #: Labels and row variables that operands mention: the result takes its own from them.
    used: dict[str, None] = field(default_factory=dict)
    used_rows: dict[str, None] = field(default_factory=dict)

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def label(self, choices: Sequence[str] = LABELS) -> str:
        name = self.draw(st.sampled_from(choices))
        self.used[name] = None
        return name

    def axis(self, choices: Sequence[str] = LABELS) -> Axis:
        kind = self.draw(st.integers(0, 99))
        if kind < 60:
            return Label(self.label(choices))
        if kind < 78:
            return self.affine(choices)
        if kind < 88:
            return self.concat(choices)
        return Pin(self.draw(st.integers(0, 2)))

    def affine(self, choices: Sequence[str]) -> Affine:
        stride, over = self.draw(st.integers(1, 3)), self.label(choices)
        if self.chance(25):
            return Affine(max(stride, 2), over, self.draw(st.integers(0, max(stride, 2) - 1)))
        dilation, padded = self.draw(st.integers(1, 3)), self.chance(50)
        # `a=+a` is left open by the specification.
        return Affine(stride, over, 0, dilation, self.label([name for name in LABELS if name != over]), padded)

    def concat(self, choices: Sequence[str]) -> Concat:
        first = self.label(choices)
        # `a^a` is left open by the specification.
        parts: list[str | int] = [first, self.label([name for name in LABELS if name != first])]
        if self.chance(30):
            parts.insert(self.draw(st.integers(0, 2)), self.draw(st.integers(0, 2)))
        return Concat(tuple(parts))

    def row(self, kind: str, most: int, variables: Sequence[str]) -> Row:
        axes = tuple(self.axis() for _ in range(self.draw(st.integers(0, most))))
        if self.chance(3):
            axes += (Anything(),)
        return self._with_variable(axes, kind, variables)

    def _with_variable(self, axes: tuple[Axis, ...], kind: str, variables: Sequence[str]) -> Row:
        if not variables or not self.chance(30):
            return Row(axes)
        name = self.draw(st.sampled_from(variables))
        self.used_rows[f"...{kind}" if name == "..." else name] = None
        split = self.draw(st.integers(0, len(axes)))
        return Row(axes[:split], name, axes[split:])

    def operand(self) -> Shape:
        rows = {}
        for kind, most in (("batch", 1), ("input", 1), ("output", 2)):
            if kind != "output" and self.chance(60):
                rows[kind] = Row((), "...", ())
                self.used_rows[f"...{kind}"] = None
            else:
                rows[kind] = self.row(kind, most, ("...", *ROW_NAMES))
        return _written(Shape(**rows))

    def result(self) -> Shape:
        """Most labels and row variables of the operands, each in some row; sometimes a label twice."""
        rows: dict[str, list[Axis]] = {kind: [] for kind in KINDS}
        for name in list(self.used):
            for _ in range(self.draw(st.sampled_from((0, 1, 1, 1, 2)))):
                kind = self.draw(st.sampled_from(("output", "output", "input", "batch")))
                if sum(map(len, rows.values())) < 4:
                    rows[kind].append(Label(name))
        if self.chance(15):
            rows["output"].append(Pin(self.draw(st.integers(0, 2))))
        if self.used and self.chance(10):
            rows["output"].append(self.affine(list(self.used)))
        named = [name for name in self.used_rows if not name.startswith("...")]
        shapes = {}
        for kind in KINDS:
            if not rows[kind] and kind != "output" and self.chance(70):
                shapes[kind] = Row((), "...", ())
            else:
                variables = (["..."] if f"...{kind}" in self.used_rows else []) + named
                shapes[kind] = self._with_variable(tuple(rows[kind]), kind, variables)
        return _written(Shape(**shapes))

    def anchor(self, operands: list[Shape]) -> list[Shape]:
        """Labels that only occur in windows and concatenations mostly get an axis of their own in an operand."""
        plain = {axis.name for shape in operands for axis in shape.axes() if isinstance(axis, Label)}
        inner = {n: None for s in operands for a in s.axes() if isinstance(a, Affine | Concat) for n in a.labels}
        for name in inner:
            if name not in plain and self.chance(75):
                number = self.draw(st.integers(0, len(operands) - 1))
                output = operands[number].output
                grown = replace(output, trailing=(*output.trailing, Label(name)))
                operands[number] = _written(replace(operands[number], output=grown))
        return operands

    def block(self) -> tuple[list[Shape], Shape]:
        """``a, x; b, x => a^b, x`` and its like."""
        first, second = self.draw(st.permutations(LABELS))[:2]
        shared = (Label(self.draw(st.sampled_from(LABELS))),) if self.chance(50) else ()
        operands = [Shape(Row(), Row(), Row((Label(name), *shared))) for name in (first, second)]
        parts: list[str | int] = [first, second]
        if self.chance(40):
            parts.insert(self.draw(st.integers(0, 2)), self.draw(st.integers(0, 2)))
        kept = shared if self.chance(80) else ()
        return operands, Shape(Row(), Row(), Row((Concat(tuple(parts)), *kept)))

    def sizes_of(self, shape: Shape, *, exact: bool) -> Sizes:
        sizes: Sizes = {}
        for kind in KINDS:
            row = shape.row(kind)
            leading = [self.size(axis, exact) for axis in row.leading]
            key = f"...{kind}" if row.variable == "..." else row.variable
            middle = [] if key is None else self.rows[key]
            sizes[kind] = leading + middle + [self.size(axis, exact) for axis in row.trailing]
        return sizes

    def size(self, axis: Axis, exact: bool) -> int:
        """The size that an axis has for the sizes of the labels; ``exact``: nothing is larger than it must be."""
        if isinstance(axis, Label):
            return self.sizes[axis.name]
        if isinstance(axis, Pin):
            return axis.index + 1 + (0 if exact else self.draw(st.integers(0, 1)))
        if isinstance(axis, Anything):
            return self.draw(st.integers(1, 2))
        if isinstance(axis, Concat):
            return sum(self.sizes[part] if isinstance(part, str) else part for part in axis.components)
        if axis.kernel is None or axis.padded:
            return axis.stride * self.sizes[axis.over]
        span = 1 + (self.sizes[axis.kernel] - 1) * axis.dilation
        return max(axis.stride * (self.sizes[axis.over] - 1) + span, 0)


def _written(shape: Shape) -> Shape:
    """A shape of which nothing would be written gets the arrow that closes its input row."""
    if shape.batch.is_context and shape.input.is_context and shape.output == Row():
        return replace(shape, input=Row())
    return shape


ACCUMULATORS = ("add", "add", "add", "max", "min", "mul", "sub", "div", "or", "and", "overwrite")
PRIMITIVES = {1: ("id", "neg", "relu"), 2: ("mul", "add", "sub", "max", "eq", "lt"), 3: ("mul3", "where")}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A spec, its operands, and an assignment."""
    sizes = {label: draw(st.sampled_from((2, 3, 1, 4, 2, 3, 0))) for label in LABELS}
    rows = {f"...{kind}": draw(st.sampled_from(([], [], [2], [3], [2, 2]))) for kind in KINDS}
    rows |= {name: draw(st.sampled_from(([2], [], [3], [2, 3], [1], [0]))) for name in ROW_NAMES}
    draft = _Draft(draw, sizes, rows)
    block = draft.chance(12)
    if block:
        shapes, result = draft.block()
    else:
        shapes = [draft.operand() for _ in range(draw(st.sampled_from((1, 1, 2, 2, 2, 3))))]
        shapes = draft.anchor(shapes)
        result = draft.result()
    _bound_points(draft)
    spec = Spec(tuple(shapes), result)
    is_open = draft.chance(50)
    operands = tuple(draft.sizes_of(shape, exact=False) for shape in shapes)
    commas = is_multichar(spec) or draft.chance(50)
    text = write(spec, commas, draw(st.sampled_from(("", " "))))
    mistake = draw(st.integers(0, 99))
    if mistake >= 92:
        operands = _resized(draw, operands)
    elif mistake >= 88:
        text = _misspelled(draw, text)
    accumulator = draw(st.sampled_from(ACCUMULATORS))
    precision = draw(st.sampled_from(("f64", "f64", "f64", "i64"))) if accumulator in ("add", "sub") else "f64"
    return Case(
        spec,
        text,
        operands,
        draft.sizes_of(result, exact=is_open),
        is_open,
        accumulator,
        "id" if block else draw(st.sampled_from(PRIMITIVES[len(shapes)])),
        accumulator != "overwrite" and draft.chance(70),
        block,
        precision,
        draw(st.integers(0, 9999)),
    )


def _bound_points(draft: _Draft) -> None:
    """Shrinks the largest sizes until no case has too many points."""

    def points() -> int:
        lengths = (size for row in draft.rows.values() for size in row)
        return math.prod(max(size, 1) for size in (*draft.sizes.values(), *lengths))

    while points() > MOST_POINTS:
        name = max(draft.sizes, key=lambda label: draft.sizes[label])
        if draft.sizes[name] > 1:
            draft.sizes[name] -= 1
        else:
            longest = max(draft.rows, key=lambda row: math.prod(draft.rows[row]))
            draft.rows[longest] = draft.rows[longest][1:]


def _resized(draw: st.DrawFn, operands: tuple[Sizes, ...]) -> tuple[Sizes, ...]:
    """The operands with one axis larger, smaller, missing or too many."""
    number = draw(st.integers(0, len(operands) - 1))
    changed = {kind: list(row) for kind, row in operands[number].items()}
    row = changed[draw(st.sampled_from(KINDS))]
    if not row or draw(st.booleans()):
        row.append(2)
    else:
        position = draw(st.integers(0, len(row) - 1))
        row[position] += draw(st.sampled_from((1, -1))) if row[position] else 1
    return (*operands[:number], changed, *operands[number + 1 :])


def _misspelled(draw: st.DrawFn, text: str) -> str:
    """The text with one character gone, doubled or replaced."""
    position = draw(st.integers(0, len(text) - 1))
    instead = draw(st.sampled_from(("", text[position] * 2, ".", ",", "+", "^", "|", "é", "7", "=>", "..", "-", "&")))
    return text[:position] + instead + text[position + 1 :]


def features(case: Case) -> set[str]:
    """What a case exercises, for the coverage that the tests demand."""
    found: set[str] = set()
    for axis in case.spec.axes():
        found |= {"affine"} if isinstance(axis, Affine) else set()
        found |= {"padded"} if isinstance(axis, Affine) and axis.padded and axis.kernel else set()
        found |= {"concatenation"} if isinstance(axis, Concat) else set()
        found |= {"pinned index"} if isinstance(axis, Pin) else set()
    for shape in case.spec.shapes:
        names = [axis.name for axis in shape.axes() if isinstance(axis, Label)]
        found |= {"diagonal"} if len(set(names)) < len(names) else set()
        written = (shape.row(kind) for kind in KINDS)
        found |= {"row variable"} if any(row.variable and not row.is_context for row in written) else set()
    found |= {"block"} if case.block else set()
    found |= {"reset"} if case.reset else set()
    found |= {"inferred result"} if case.is_open else set()
    found |= {"empty axis"} if any(0 in row for sizes in case.operands for row in sizes.values()) else set()
    found.add(f"{len(case.operands)} operands")
    return found
