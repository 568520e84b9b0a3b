"""tdsl-einsum: checks an einsum spec without a program, and says what would be computed.

Shapes, index space and loops come from the same libraries as in the compiler. MLIR is not imported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tdsl.eager.analysis import RESULT, Analysis, Scope, analyze, operand_names
from tdsl.eager.operations import SPEC_OPERATIONS, Operation
from tdsl.errors import ShapeError, SpecSyntaxError, TdslError
from tdsl.projections import IndexMap, Space, Write
from tdsl.shapes import OPEN, parse_shape
from tdsl.tools.einsum_loops import loop_nests

__all__ = ["main"]

_DESCRIPTION = """\
Checks a generalized einsum spec against the shapes of its operands, and prints the inferred shapes, the iteration
domain, the index maps, whether the result must be filled first, and the loops. Exits with 1 if they do not fit."""

_EPILOG = """\
A shape is written batch|input->output, sizes separated by commas: "2|3->4,5". A bare list is an output row; the other
rows are then empty. 16:rgb is an axis with a basis, ? an unknown size, ..r.. or ... an unknown row.

example: tdsl-einsum "2*o<+k; k => o" 9 3"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool and returns its exit code: 1 for a spec or shape that is wrong. Wrong usage ends it with 2."""
    given = _parser().parse_args(list(map(_shield, sys.argv[1:] if arguments is None else arguments)))
    operation = SPEC_OPERATIONS[given.op or ("einsum1" if len(given.shapes) == 1 else "einsum")]
    try:
        analysis = analyze(
            operation,
            [parse_shape(shape) for shape in given.shapes],
            spec=given.spec,
            scope=Scope(dict(given.coef), given.use_padding, dict(given.set)),
            result=OPEN if given.result is None else parse_shape(given.result),
        )
    except TdslError as error:
        if given.json:
            print(json.dumps({"ok": False, "error": _error_object(error)}))
        else:
            print(f"error: {error}", file=sys.stderr)
        return 1
    print(json.dumps(_object(analysis)) if given.json else _report(operation, analysis))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tdsl-einsum",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("spec", type=_unshield, help='the spec, for example "ij; jk => ik"')
    parser.add_argument("shapes", type=_unshield, nargs="+", metavar="shape", help="the shape of each operand")
    parser.add_argument(
        "--op", choices=[*SPEC_OPERATIONS], help="what is computed (default: einsum1 for one operand, else einsum)"
    )
    padding = parser.add_mutually_exclusive_group()
    padding.add_argument(
        "--use-padding", action="store_true", default=None, help="a plain + before a kernel pads, like =+"
    )
    padding.add_argument(
        "--no-padding", dest="use_padding", action="store_false", default=None, help="a plain + is valid, like <+"
    )
    parser.add_argument(
        "--coef",
        type=_assignment("NAME=INT"),
        action="append",
        default=[],
        metavar="NAME=INT",
        help="the value of a stride or dilation that the spec names; may be repeated",
    )
    parser.add_argument(
        "--set",
        type=_assignment("LABEL=SIZE"),
        action="append",
        default=[],
        metavar="LABEL=SIZE",
        help="the size of a label, or the number of elements of a row variable; may be repeated",
    )
    parser.add_argument("--result", type=_unshield, metavar="SHAPE", help="what is known of the shape of the result")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _shield(argument: str) -> str:
    """Keeps argparse from taking a shape such as ``->3`` for an option."""
    return f" {argument}" if argument.startswith("->") else argument


def _unshield(argument: str) -> str:
    return argument[1:] if argument.startswith(" ->") else argument


def _assignment(what: str) -> Callable[[str], tuple[str, int]]:
    def parse_assignment(text: str) -> tuple[str, int]:
        name, equals, value = (part.strip() for part in text.partition("="))
        try:
            number = int(value)
        except ValueError:
            number = -1
        if not name or not equals or number < 0:
            raise argparse.ArgumentTypeError(f"expected {what}, not negative, but got {text!r}")
        return name, number

    return parse_assignment


# ------------------------------------------------------------------------------------------------------------ objects


def _error_object(error: TdslError) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": type(error).__name__, "message": str(error), "spans": []}
    if isinstance(error, (SpecSyntaxError, ShapeError)):
        found |= {"message": error.message, "spans": [list(span) for span in error.spans]}
        # The spans are offsets into this text: the spec, or a shape that could not be read.
        found |= {"text": error.spec, "suggestion": error.suggestion}
    return found


def _object(analysis: Analysis) -> dict[str, Any]:
    """The report as JSON. ``domain`` and ``maps`` are those of the first segment; ``spaces`` has all of them."""
    spaces = [_space_object(space) for space in analysis.projections.segments]
    first = spaces[0] if spaces else {"domain": [], "maps": {"result": [], "operands": [None] * len(analysis.operands)}}
    return {
        "ok": True,
        "operands": [str(shape) for shape in analysis.operands],
        "result": str(analysis.result),
        **first,
        "segments": len(spaces),
        "spaces": spaces,
        "fill": analysis.plan.fill,
        "captures": dict(analysis.label_sizes),
    }


def _space_object(space: Space) -> dict[str, Any]:
    return {
        "domain": [
            {"iterator": iterator.name, "size": iterator.size, "kind": _kind(iterator.reduction)}
            for iterator in space.iterators
        ],
        "maps": {
            "result": _indices(space.result),
            "operands": [None if read is None else _indices(read) for read in space.operands],
        },
    }


def _kind(reduction: bool) -> str:
    return "reduction" if reduction else "parallel"


def _indices(map_: IndexMap) -> list[str]:
    return [str(index) for index in map_.indices]


# ---------------------------------------------------------------------------------------------------------------- text


def _report(operation: Operation, analysis: Analysis) -> str:
    names = operand_names(len(analysis.operands))
    width = max(map(len, [*names, RESULT]))
    shapes = zip([*names, RESULT], [*analysis.operands, analysis.result], strict=True)
    lines = ["shapes", *(f"  {name:<{width}}  {shape}" for name, shape in shapes)]
    segments = analysis.projections.segments
    for number, space in enumerate(segments, 1):
        of = f" of segment {number}" if len(segments) > 1 else ""
        lines += ["", f"iteration domain{of}", *_domain(space)]
        lines += ["", f"index maps{of}, in memory order", *_maps(space, names, width)]
    if not segments:
        lines += ["", "iteration domain", "  empty: no operand meets the result"]
    lines += ["", f"fill: {_fill(analysis)}", "", "loops"]
    lines += [f"  {line}" for line in loop_nests(operation, analysis)]
    return "\n".join(lines)


def _domain(space: Space) -> list[str]:
    if not space.iterators:
        return ["  one point"]
    name_width = max(len(iterator.name) for iterator in space.iterators)
    size_width = max(len(str(iterator.size)) for iterator in space.iterators)
    return [
        f"  {iterator.name:<{name_width}}  {iterator.size:>{size_width}}  {_kind(iterator.reduction)}"
        for iterator in space.iterators
    ]


def _maps(space: Space, names: Sequence[str], width: int) -> list[str]:
    maps = [(RESULT, space.result), *zip(names, space.operands, strict=True)]
    return [f"  {name:<{width}}  {'takes no part' if map_ is None else map_}" for name, map_ in maps]


def _fill(analysis: Analysis) -> str:
    if not analysis.plan.fill:
        return "not needed, every cell is written once"
    if all(step.write is Write.STORE for step in analysis.plan.steps):
        return "needed, some cells are not reached"
    return "needed, cells are accumulated"


if __name__ == "__main__":
    sys.exit(main())
