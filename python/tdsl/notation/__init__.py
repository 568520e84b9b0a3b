"""Generalized einsum notation (spec section c): the one grammar of the project, as a tree with source spans.

``parse`` reads a spec, ``to_text`` prints it, the rest of the names are the tree and questions about it.
"""

from tdsl.notation.parser import parse
from tdsl.notation.printer import to_text
from tdsl.notation.queries import (
    check_arity,
    check_captures,
    contracted_labels,
    contracted_row_variables,
    discardable_labels,
    labels,
    name_spans,
    result_labels,
    row_variables,
)
from tdsl.notation.tokens import LARGEST_INTEGER
from tdsl.notation.tree import (
    Affine,
    Axis,
    Coefficient,
    Concat,
    Fixed,
    Kernel,
    Label,
    NamedRow,
    Placeholder,
    ReservedRow,
    RowKind,
    RowSpec,
    RowVariable,
    ShapeSpec,
    Size,
    Span,
    Spec,
    axis_labels,
)

__all__ = [
    "LARGEST_INTEGER",
    "Affine",
    "Axis",
    "Coefficient",
    "Concat",
    "Fixed",
    "Kernel",
    "Label",
    "NamedRow",
    "Placeholder",
    "ReservedRow",
    "RowKind",
    "RowSpec",
    "RowVariable",
    "ShapeSpec",
    "Size",
    "Span",
    "Spec",
    "axis_labels",
    "check_arity",
    "check_captures",
    "contracted_labels",
    "contracted_row_variables",
    "discardable_labels",
    "labels",
    "name_spans",
    "parse",
    "result_labels",
    "row_variables",
    "to_text",
]
