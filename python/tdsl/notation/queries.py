"""Questions about a parsed spec that inference, derivation and the frontend ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from tdsl.errors import ShapeError, SpecSyntaxError
from tdsl.notation.tree import Axis, Concat, Label, NamedRow, RowVariable, ShapeSpec, Span, Spec, axis_labels


def labels(spec: Spec) -> tuple[str, ...]:
    """The names of all labels of axes, in order of first occurrence: operands from left to right, then the result."""
    return _names(spec.shapes())


def result_labels(spec: Spec) -> tuple[str, ...]:
    """The names of the labels of the result, in order of first occurrence there."""
    return _names([spec.result])


def contracted_labels(spec: Spec) -> tuple[str, ...]:
    """The names of the labels that occur only in operands, in order of first occurrence (spec d.10)."""
    kept = set(result_labels(spec))
    return tuple(name for name in _names(spec.operands) if name not in kept)


def row_variables(spec: Spec) -> tuple[RowVariable, ...]:
    """The row variables in order of first occurrence, reserved ones of omitted rows included; each one once."""
    return tuple(dict.fromkeys(_row_variables(spec.shapes())))


def contracted_row_variables(spec: Spec) -> tuple[RowVariable, ...]:
    """The row variables that occur only in operands, in order of first occurrence (spec d.10)."""
    kept = set(_row_variables([spec.result]))
    return tuple(dict.fromkeys(variable for variable in _row_variables(spec.operands) if variable not in kept))


def name_spans(spec: Spec, name: str) -> tuple[Span, ...]:
    """Where ``name`` is written, as a label or as a row variable: the spots for carets, from left to right."""
    spans = [label.span for label in _labels(spec.shapes()) if label.name == name]
    spans += [v.span for v in _row_variables(spec.shapes()) if isinstance(v, NamedRow) and v.name == name]
    return tuple(sorted(spans))


def discardable_labels(spec: Spec) -> tuple[str, ...]:
    """The labels that may close to size 0 instead of 1, in order of first occurrence (spec d.8).

    A label is discardable when it is a component of a concatenation on one side of ``=>`` and every shape of the other
    side has an axis each of whose components shares a label with the other components of that concatenation: then
    these alone can cover the other side. ``b`` is discardable in ``a^b => a``; nothing is in ``a; b => a^c``.
    """
    found = {
        *_discardable(spec.operands, other_side=[spec.result]),
        *_discardable([spec.result], other_side=spec.operands),
    }
    return tuple(name for name in labels(spec) if name in found)


def check_arity(spec: Spec, operands: int) -> None:
    """Raise ShapeError when the spec is not written for this number of operands (spec c.6)."""
    expected = len(spec.operands)
    if operands != expected:
        raise ShapeError(
            f"The spec is for {_arguments(expected)}, but {_arguments(operands)} {_were(operands)} given.",
            spec=spec.text,
            spans=[shape.span for shape in spec.operands],
        )


def check_captures(spec: Spec, captures: Sequence[str], *, declared: Collection[str] = ()) -> None:
    """Check a list of names to capture (spec d.9): each is a label or a row variable of the spec, and occurs once.

    ``declared`` are the names of inline declarations in scope, which a capture must not shadow. Raises
    SpecSyntaxError; TypeError when a capture is not a string.
    """
    known = [*labels(spec), *(v.name for v in row_variables(spec) if isinstance(v, NamedRow))]
    seen: set[str] = set()
    for capture in captures:
        if not isinstance(capture, str):
            raise TypeError(f"A capture is the name of a label or row variable, not {type(capture).__name__}.")
        if capture in seen:
            raise SpecSyntaxError(
                f"The capture `{capture}` is repeated.",
                spec=spec.text,
                spans=name_spans(spec, capture),
                suggestion="Name each capture once.",
            )
        seen.add(capture)
        if capture not in known:
            listed = ", ".join(f"`{name}`" for name in known)
            raise SpecSyntaxError(
                f"The capture `{capture}` is not a label or row variable of the spec.",
                spec=spec.text,
                spans=[],
                suggestion=f"It has {listed}." if listed else "It has none.",
            )
        if capture in declared:
            raise SpecSyntaxError(
                f"Name clash: the capture `{capture}` has the name of an inline declaration.",
                spec=spec.text,
                spans=name_spans(spec, capture),
                suggestion="Rename one of the two.",
            )


def _axes(shapes: Iterable[ShapeSpec]) -> Iterator[Axis]:
    for shape in shapes:
        for _, row in shape.rows():
            yield from row.axes


def _labels(shapes: Iterable[ShapeSpec]) -> Iterator[Label]:
    for axis in _axes(shapes):
        yield from axis_labels(axis)


def _names(shapes: Iterable[ShapeSpec]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label.name for label in _labels(shapes)))


def _row_variables(shapes: Iterable[ShapeSpec]) -> Iterator[RowVariable]:
    for shape in shapes:
        for _, row in shape.rows():
            if row.variable is not None:
                yield row.variable


def _discardable(one_side: Iterable[ShapeSpec], other_side: Iterable[ShapeSpec]) -> Iterator[str]:
    # What matters of the other side: per shape, the components of each axis, as sets of label names.
    others = [[_component_names(axis) for axis in _axes([shape])] for shape in other_side]
    for axis in _axes(one_side):
        if isinstance(axis, Concat):
            yield from _discardable_components(axis, others)


def _discardable_components(concat: Concat, others: list[list[list[frozenset[str]]]]) -> set[str]:
    """The labels of ``concat`` without which each shape of the other side is still covered.

    One pass over the other side for all labels together, so that long concatenations stay cheap.
    """
    counts = Counter(component.name for component in concat.components if isinstance(component, Label))
    discardable = set(counts)
    for shape in others:
        needed = set(counts)
        for components in shape:
            shared = [component & counts.keys() for component in components]
            if all(shared):
                # This axis covers the shape unless the label left out is all that one of its components shares.
                needed &= {name for names in shared if len(names) == 1 for name in names if counts[name] == 1}
        discardable -= needed
    return discardable


def _component_names(axis: Axis) -> list[frozenset[str]]:
    """The labels of each component of an axis; an axis that is no concatenation is its own only component."""
    if isinstance(axis, Concat):
        return [frozenset({c.name}) if isinstance(c, Label) else frozenset() for c in axis.components]
    return [frozenset(label.name for label in axis_labels(axis))]


def _arguments(count: int) -> str:
    return "one argument" if count == 1 else f"{count} arguments"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
