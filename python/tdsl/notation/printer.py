"""Printing a spec, so that it parses to an equal tree (spec c.2)."""

from __future__ import annotations

import re
from dataclasses import replace

from tdsl.notation.tokens import is_multichar
from tdsl.notation.tree import Affine, Axis, Coefficient, RowSpec, ShapeSpec, Spec

_ITEM = re.compile(r"\.\.\w+\.\.|\.\.\.|\w+")


def to_text(spec: Spec, *, resolved: bool = False) -> str:
    """Print ``spec`` so that ``parse(to_text(spec)) == spec``, in one canonical spelling.

    Coefficients print as the identifiers they were written as, which must be in scope to read them back. With
    ``resolved`` they print as integers, and the text needs no scope: the padding of a kernel is always spelled out.
    """
    shapes = [_shape(shape, spec.multichar, resolved) for shape in spec.shapes()]
    text = f"{'; '.join(shapes[:-1])} => {shapes[-1]}".strip()
    if spec.multichar and not is_multichar(text):
        # No row has two axes here; in the original a trailing comma selected the mode, as in `height, => height`.
        text = _ITEM.sub(r"\g<0>,", text, count=1)
    return text


def _shape(shape: ShapeSpec, multichar: bool, resolved: bool) -> str:
    batch = f"{_row(shape.batch, multichar, resolved)}|" if shape.batch.written else ""
    input_ = f"{_row(shape.input, multichar, resolved)}->" if shape.input.written else ""
    return f"{batch}{input_}{_row(shape.output, multichar, resolved)}"


def _row(row: RowSpec, multichar: bool, resolved: bool) -> str:
    items = [_axis(axis, resolved) for axis in row.leading]
    if row.variable is not None:
        items.append(str(row.variable))
    items.extend(_axis(axis, resolved) for axis in row.trailing)
    return (", " if multichar else "").join(items)


def _axis(axis: Axis, resolved: bool) -> str:
    if resolved and isinstance(axis, Affine):
        kernel = axis.kernel
        if kernel is not None:
            kernel = replace(kernel, dilation=Coefficient(kernel.dilation.value))
        axis = replace(axis, stride=Coefficient(axis.stride.value), kernel=kernel)
    return str(axis)
