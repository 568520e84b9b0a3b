"""Repairs that rewrite a whole spec: missing commas, and specs in NumPy's or einops' notation.

They only word suggestions; nothing here decides whether a spec is legal.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from tdsl.errors import SpecSyntaxError
from tdsl.notation.tokens import Token, is_multichar
from tdsl.notation.tree import Span

_ENDS_AXIS = frozenset({"label", "integer", "_"})
_NUMPY_TERM = re.compile(r"[A-Za-z]*(?:\.\.\.[A-Za-z]*)?")
_EINOPS_ITEM = re.compile(r"\(([^()]*)\)|\.\.\.|[A-Za-z_][A-Za-z0-9_]*|1|(?P<other>\S)")
_OTHER_ARROW = re.compile(r"->|→|⟶|⇒|⟹|=\s+>|<=")
_EINOPS_NAME = re.compile(r"_|[A-Za-z][A-Za-z0-9_]*")


class Translation(NamedTuple):
    """A spec in another notation: what the user is told, where it shows, and the sentence that gives it in ours."""

    message: str
    span: Span
    suggestion: str


def missing_commas(text: str, tokens: list[Token]) -> SpecSyntaxError:
    """The error for axes of a multichar spec without commas between them, with the corrected spec (spec c.6)."""
    gaps = [
        (before.end, after.start)
        for before, after in pairwise(tokens)
        if before.kind in _ENDS_AXIS and after.kind in _ENDS_AXIS
    ]
    pieces: list[str] = []
    position = 0
    for start, end in gaps:
        pieces.append(text[position:start])
        position = end
    pieces.append(text[position:])
    selector = next(token.text for token in tokens if token.kind in (",", "*", "+", "^", "<", "="))
    return SpecSyntaxError(
        f"Axes need a comma between them: `{selector}` selects the mode in which names have several characters.",
        spec=text,
        # Where axes touch, as in `2oh`, the caret goes under the beginning of the second one.
        spans=[(start, max(end, start + 1)) for start, end in gaps],
        suggestion=f"Write `{_one_line(', '.join(pieces))}`.",
    )


def translation(text: str) -> Translation | None:
    """The translation of a spec that is written as for NumPy, for einops, or with another arrow; else None."""
    if "=>" not in text:
        return _from_numpy(text) or _from_einops(text, ",", "->") or _from_other_arrow(text)
    if "(" in text:
        return _from_einops(text, ";", "=>")
    return None


def _from_other_arrow(text: str) -> Translation | None:
    """``ij; jk -> ik`` or ``ij; jk ⇒ ik``."""
    arrows = list(_OTHER_ARROW.finditer(text, text.rfind(";") + 1))
    if len(arrows) not in (1, 3):
        return None  # With two, `a->b->c`, either side may be the one that has an input row.
    arrow = arrows[len(arrows) // 2]
    message = f"The spec has no `=>`, and `{arrow[0]}` does not stand for it."
    if arrow[0] == "->":
        message = "The spec has no `=>`, and `->` does not stand for it: it separates an input row from an output row."
    ours = f"{text[: arrow.start()].rstrip()} => {text[arrow.end() :].lstrip()}"
    return Translation(message, arrow.span(), f"Write `{_one_line(ours)}`.")


# NumPy -----------------------------------------------------------------------------------------------------------


def _from_numpy(text: str) -> Translation | None:
    """``ij,jk->ik``, or ``ij,jk`` with the output left implicit. Blanks only beside commas and the arrow."""
    operands_text, arrow, result_text = text.partition("->")
    operands = [term.strip() for term in operands_text.split(",")]
    result = result_text.strip()
    if not all(_NUMPY_TERM.fullmatch(term) for term in [*operands, result]) or not any(operands):
        return None
    if not arrow:
        if len(operands) == 1:
            return None  # Not a sign of NumPy: any single shape looks like this.
        counts = Counter(character for term in operands for character in term if character != ".")
        result = "..." if any("..." in term for term in operands) else ""
        result += "".join(sorted(label for label, count in counts.items() if count == 1))
    ours = f"{'; '.join(operands)} => {result or '|->0'}"
    if arrow:
        at = len(operands_text)
        return Translation("The spec has no `=>`; it looks like NumPy's notation.", (at, at + 2), f"Write `{ours}`.")
    return Translation(
        "The spec has no `=>`; it looks like NumPy's notation with an implicit output.",
        _extent(text),
        f"Write `{ours}`, if that is what is meant.",
    )


# einops ----------------------------------------------------------------------------------------------------------


class _Group(NamedTuple):
    names: tuple[str, ...]
    span: Span


def _from_einops(text: str, separator: str, arrow: str) -> Translation | None:
    """``b (h w) c -> b h w c``: names separated by blanks, with groups in parentheses."""
    left, found, right = text.partition(arrow)
    if not found or arrow in right:
        return None
    shapes: list[list[_Group]] = []
    offset = 0
    for part in left.split(separator):
        items = _einops_items(part, offset)
        if items is None:
            return None
        shapes.append(items)
        offset += len(part) + len(separator)
    result = _einops_items(right, len(left) + len(arrow))
    if result is None:
        return None
    shapes.append(result)
    groups = [item for shape in shapes for item in shape if len(item.names) > 1]
    span = groups[0].span if groups else (len(left), len(left) + len(arrow))
    message = "The spec has no `=>`; it looks like einops' notation."
    if arrow == "=>":
        message = "Axes are not grouped by parentheses in this notation."
        span = (text.index("("), text.index(")") + 1)
    if any(len(group.names) > 2 for group in groups):
        return Translation(
            message, span, "An axis cannot be a group of three or more; split it in two steps, or use tdsl.axes."
        )
    sizes = list(dict.fromkeys(group.names[1] for group in groups))
    *operands, result_axes = [_our_axes(shape) for shape in shapes]
    plain = not groups and all(len(axis) == 1 or axis == "..." for shape in [*operands, result_axes] for axis in shape)
    between = " " if plain else ", "
    ours = "; ".join(between.join(axes) for axes in operands) + " => " + (between.join(result_axes) or "|->0")
    if not plain and not is_multichar(ours):
        # A single named axis on each side: only the trailing comma says that it is not one axis per character.
        ours += ","
    suggestion = f"Write `{ours}`."
    if sizes:
        scope = ", ".join(f"'{name}_size': ..." for name in sizes)
        suggestion = f"Write `{ours}` with coefficients={{{scope}}}."
    return Translation(message, span, suggestion)


def _einops_items(part: str, offset: int) -> list[_Group] | None:
    """The names and groups of one side, or None when it is not written as for einops."""
    items: list[_Group] = []
    for match in _EINOPS_ITEM.finditer(part):
        span = (offset + match.start(), offset + match.end())
        if match["other"] is not None:
            return None
        names = (match[0],) if match[1] is None else tuple(match[1].split())
        if any(name not in ("...", "1") and not _EINOPS_NAME.fullmatch(name) for name in names):
            return None
        items.append(_Group(names, span))
    return items


def _our_axes(shape: list[_Group]) -> list[str]:
    """The axes of one shape; ``(h w)`` is the affine axis whose stride is the size of ``w``."""
    axes: list[str] = []
    for group in shape:
        names = [name for name in group.names if name != "1"]
        if len(names) > 1:
            axes.append(f"{names[1]}_size*{names[0]}<+{names[1]}")
        else:
            axes.append(names[0] if names else "0")
    return axes


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.strip().splitlines())


def _extent(text: str) -> Span:
    start = len(text) - len(text.lstrip())
    return (start, max(start + 1, len(text.rstrip())))
