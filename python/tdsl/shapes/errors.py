"""The errors of inference: one function per mistake, so that all of them read alike (DESIGN section 7)."""

from __future__ import annotations

from collections.abc import Iterable

from tdsl.errors import ShapeError
from tdsl.notation import Span, Spec, name_spans
from tdsl.shapes.provenance import Cause, Provenance
from tdsl.shapes.variables import AxisVariable, RowTerm


def shape_error(
    message: str, cause: Cause | None, *, spans: Iterable[Span] = (), suggestion: str | None = None
) -> ShapeError:
    """An error about a constraint: its text, its spec with carets, and where it was stated."""
    spec: Spec | None = cause.spec if cause is not None else None
    notes = []
    if cause is not None and spec is None and cause.text not in message:
        notes.append(f"This is required by {cause.text}{cause.at()}.")
    elif cause is not None and cause.origin is not None:
        notes.append(f"Stated at {cause.origin}.")
    if suggestion:
        notes.append(suggestion)
    found = sorted(set(spans)) if spec is not None else []
    if spec is not None and not found and cause is not None and cause.span is not None:
        found = [cause.span]
    return ShapeError(
        message, spec=spec.text if spec is not None else None, spans=found, suggestion="\n".join(notes) or None
    )


def sources_of_sizes(axes: Iterable[AxisVariable]) -> str | None:
    """Where each known size comes from, one line for each; None if nothing is known."""
    found = [axis.find() for axis in axes]
    lines = [f"{a.size} comes from {a.provenance}." for a in found if a.size is not None and a.provenance is not None]
    return "\n".join(lines) or None


def axes_differ(first: AxisVariable, second: AxisVariable, cause: Cause, prefix: str = "") -> ShapeError:
    """Two axes that must be equal are not: sizes, bases, or both."""
    a, b = first.find(), second.find()
    label = first.label or second.label
    name = f"axis `{label}`" if label else f"an axis of {cause.subject()}"
    spans = name_spans(cause.spec, label) if cause.spec is not None and label else ()
    return _atoms_differ(
        name, (a.size, a.basis, a.provenance), (b.size, b.basis, b.provenance), cause, spans, prefix=prefix
    )


def bound_differs(axis: AxisVariable, cause: Cause) -> ShapeError:
    """A use of the axis needs another size or basis, and the axis does not broadcast."""
    label = axis.label
    name = f"axis `{label}`" if label else f"an axis of {cause.subject()}"
    return _atoms_differ(
        name,
        (axis.size, axis.basis, axis.provenance),
        (axis.bound_size, axis.bound_basis, axis.bound),
        cause,
        name_spans(cause.spec, label) if cause.spec is not None and label else (),
    )


_Atom = tuple[int | None, str | None, Provenance | None]


def _source(atom: _Atom) -> str:
    return f" from {atom[2].source}" if atom[2] is not None else ""


def _atoms_differ(
    name: str, first: _Atom, second: _Atom, cause: Cause, spans: Iterable[Span], prefix: str = ""
) -> ShapeError:
    sizes = first[0] is not None and second[0] is not None and first[0] != second[0]
    bases = first[1] is not None and second[1] is not None and first[1] != second[1]
    if sizes:
        message = f"{prefix}Size mismatch: {name} is {first[0]}{_source(first)}, but {second[0]}{_source(second)}."
        if bases:
            message += f" The bases `{first[1]}` and `{second[1]}` differ too."
    else:
        message = f"{prefix}The bases of {name} differ: `{first[1]}` and `{second[1]}`"
        message += f" (size {first[0]})." if first[0] is not None else "."
    notes = [
        f"{size if sizes else basis} comes from {provenance}."
        for size, basis, provenance in (first, second)
        if provenance is not None
    ]
    if bases and "bcast_if_1" in (first[1], second[1]) and cause.spec is not None:
        notes.append("The axes of a spec are equal: nothing broadcasts there, not even a size-1 axis.")
    elif sizes and 1 in (first[0], second[0]) and cause.spec is None:
        notes.append("A size-1 axis broadcasts only with the basis `bcast_if_1`.")
    return shape_error(message, cause, spans=spans, suggestion="\n".join(notes) or None)


def ranks_differ(first: RowTerm, second: RowTerm, cause: Cause, stated: RowTerm) -> ShapeError:
    """Two rows that must be equal have different numbers of axes: ``second`` is what is known about ``stated``."""
    kind = f"{cause.row} rows" if cause.row else "rows"
    earlier = stated.variable.cause if stated.variable is not None else None
    if earlier is not None and (earlier is cause or earlier.operand is None):
        earlier = None
    other = earlier.subject() if earlier is not None else f"{cause.text}"
    message = (
        f"The {kind} differ in their number of axes: {_axes_text(first)} for {cause.subject()}, "
        f"but {_axes_text(second)} for {other}."
    )
    spans = [] if cause.span is None else [cause.span]
    if earlier is not None and earlier.spec is cause.spec and earlier.span is not None:
        spans.append(earlier.span)
    return shape_error(message, cause, spans=spans, suggestion=_close_row(first, cause, earlier))


def too_many_axes(narrow: RowTerm, wide: RowTerm, cause: Cause, into: Cause, *, compose: bool) -> ShapeError:
    """An operand has more axes than the row that it broadcasts into can have."""
    message = (
        f"There are too many axes in {cause.subject()}: {_axes_text(narrow)}, "
        f"but {_axes_text(wide)} in {into.subject()}."
    )
    suggestion = None
    if compose:
        suggestion = (
            "Composition contracts the output axes of operand 2 with the input axes of operand 1; "
            "did you mean the pointwise product?"
        )
    return shape_error(message, cause, suggestion=suggestion)


def _axes_text(row: RowTerm) -> str:
    count = "1 axis" if row.rank == 1 else f"{row.rank} axes"
    if row.variable is not None:
        count = f"at least {count}"
    return f"{count} ({', '.join(axis.find().text() for axis in row.axes)})" if row.rank else count


def _close_row(first: RowTerm, cause: Cause, earlier: Cause | None) -> str | None:
    """The repair of pitfall 25: an operand without batch or input axes closes that row."""
    spec = cause.spec
    if spec is None or earlier is None or earlier.spec is not spec or cause.row not in ("batch", "input"):
        return None
    empty = cause if first.rank == 0 else earlier
    if not empty.operand:
        return None
    shape = spec.operands[empty.operand - 1]
    if (shape.batch if cause.row == "batch" else shape.input).written:
        return None
    reason = "Rows that are not written share one row variable, so they must be equal."
    if cause.row == "input" and shape.batch.written:
        return f"{reason} Write `->` after the batch row of operand {empty.operand} to close its input row."
    start = shape.span[0]
    mark = "|" if cause.row == "batch" else "->"
    repaired = f"{spec.text[:start]}{mark}{spec.text[start:]}"
    return (
        f"{reason} To keep operand {empty.operand} free of {cause.row} axes, close its row with `{mark}`: `{repaired}`."
    )
