"""Bugs that systems of this kind have had, each with how it is planted and a probe that must notice it.

Bugs of the Python libraries are planted by replacing one of their functions, bugs of the C++ lowering by a pass that
rewrites its result (`native_bugs`). Nothing of the product knows about them. ``python -m agreement.planted``, in
``test/python``, prints the table.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from unittest import mock

from agreement import probes
from agreement.native_bugs import native_bug, rewrites
from agreement.probes import INF, NAN, OPEN
from tdsl.errors import TdslError
from tdsl.ir import AssignOp, Primitive, enumerator
from tdsl.notation import parser, tokens
from tdsl.passes import derive_projections, infer_precision
from tdsl.projections import analysis, equations, plan
from tdsl.projections.equations import Gap
from tdsl.projections.shape import ClosedShape
from tdsl.session import knobs
from tdsl.shapes import broadcast, nodes, solver, specs, totals, variables

# The package has a function of this name.
derive = importlib.import_module("tdsl.projections.derive")

__all__ = ["BUGS", "Bug", "notices"]


@dataclass(frozen=True)
class Bug:
    """A planted bug.

    Attributes:
        name: What is wrong.
        pitfall: Its number in the list of pitfalls, or the section of the specification that it violates.
        plant: Makes a context in which the bug is there.
        probe: Fails while it is there, and passes otherwise.
    """

    name: str
    pitfall: str
    plant: Callable[[], AbstractContextManager[object]]
    probe: Callable[[], None]


def notices(bug: Bug) -> bool:
    """Whether the probe fails with the bug planted, and because of it: a plant that breaks down is an error."""
    with bug.plant():
        try:
            bug.probe()
        except AssertionError:
            return True
        except TdslError as error:
            if isinstance(error.__cause__, Exception) and not isinstance(error.__cause__, TdslError):
                raise RuntimeError(f"the plant breaks down: {bug.name}") from error
            return True
    return False


def _patched(owner: object, name: str, new: object) -> Callable[[], AbstractContextManager[object]]:
    return lambda: mock.patch.object(owner, name, new)


def _wrapped(owner: object, name: str, wrapper: Callable[..., Any]) -> Callable[[], AbstractContextManager[object]]:
    """``wrapper`` gets the original function, then its arguments."""
    original = getattr(owner, name)
    return _patched(owner, name, lambda *arguments, **options: wrapper(original, *arguments, **options))


@contextmanager
def _both(*contexts: Callable[[], AbstractContextManager[object]]) -> Iterator[None]:
    if not contexts:
        yield
        return
    with contexts[0](), _both(*contexts[1:]):
        yield


def _native(name: str) -> Callable[[], AbstractContextManager[object]]:
    make, place = rewrites()[name]
    return lambda: native_bug(make(), place)


# ------------------------------------------------------------------------------------------ shapes: planted behaviour


def _as_default(original: Callable[..., bool], size: Any, basis: Any, other_size: Any, other_basis: Any) -> bool:
    if "default" in (basis, other_basis):
        basis = other_basis = None
    return original(size, basis, other_size, other_basis)


def _leading_after(original: Callable[..., Any], leading: Any, variable: Any, trailing: Any) -> Any:
    return original([], variable, leading + trailing) if variable is not None else original(leading, None, trailing)


def _scale_ignored(constraint: totals.ScaledSize, engine: Any) -> None:
    for target, source in ((constraint.scaled, constraint.base), (constraint.base, constraint.scaled)):
        if source.find().size is not None and target.find().size is None:
            engine.assign(target, source.find().size, None, None, constraint.cause)


# ------------------------------------------------------------------------------------- projections: planted behaviour


def _left_without_dilation(window: equations.Window, kernel: int) -> int:
    return kernel // 2 if window.padded else 0


def _left_rounded_down(window: equations.Window, kernel: int) -> int:
    return (equations._span(window, kernel) - 1) // 2 if window.padded else 0


def _pins_cover(original: Callable[..., Any], map_: Any, node_sizes: Sequence[int], sizes: Any) -> Any:
    """A fixed index counts as an axis that is filled (pitfall 44)."""
    if any(index.is_constant for index in map_.indices):
        return tuple((0, size) for size in node_sizes)
    return original(map_, node_sizes, sizes)


def _each_axis_alone(original: Callable[..., Any], map_: Any, node_sizes: Sequence[int], sizes: Any) -> Any:
    """An iterator that moves along two axes counts as filling both (pitfall 45)."""
    plain = [index.plain_iterator for index in map_.indices]
    if all(name is not None and sizes[name] == size for name, size in zip(plain, node_sizes, strict=True)):
        return tuple((0, size) for size in node_sizes)
    return original(map_, node_sizes, sizes)


def _outer_segments(original: Callable[..., Any], related: Any) -> list[Any]:
    found = list(original(related))
    return found if len(found) < 3 else [found[0], found[-1]]


def _without_fill(original: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    return replace(original(*arguments, **options), fill=False)


def _first_write(space: Any) -> Any:
    return space.restrict({iterator.name: 0 for iterator in space.iterators if iterator.reduction})


def _always_stored(original: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    found = original(*arguments, **options)
    return replace(found, steps=tuple(replace(step, write=plan.Write.STORE) for step in found.steps))


def _input_before_output(shape: ClosedShape) -> Any:
    for kind in ("batch", "input", "output"):
        for position, axis in enumerate(shape.row(kind)):  # pyright: ignore[reportArgumentType]
            yield kind, position, axis


def _merged_digits(original: Callable[[str], list[Any]], text: str) -> list[Any]:
    found: list[Any] = []
    for token in original(text):
        if token.kind == "integer" and found and found[-1].kind == "integer" and found[-1].end == token.start:
            previous = found.pop()
            token = token._replace(text=previous.text + token.text, start=previous.start)
        found.append(token)
    return found


def _condition_counts(original: Callable[[Any], Any], statement: Any) -> Any:
    flow = original(statement)
    if not isinstance(statement, AssignOp) or enumerator(Primitive, statement.primitive) != Primitive.Where:
        return flow
    return infer_precision._Flow(flow.destinations, infer_precision._names(statement.sources))


def _no_component(builder: Any, part: Any) -> int:
    return part.size if isinstance(part, Gap) else 0


# ------------------------------------------------------------------------------------------------------------ programs

_ADD = "reset add = id"
_PAIR = "reset add = mul"
_WINDOW = [("4", [1, 2, 3, 4])]

_CLOSING = f"""
  tdsl.node @w : f32 "3" input
  tdsl.node @x : f32 "5|->3" input
  tdsl.node @r : f32 "{OPEN}" result
  tdsl.node @y : f32 "{OPEN}" result
  tdsl.projections @q "." (@x, @r) -> @y
  tdsl.projections @p "." (@w) -> @r"""

_STRETCHED = f"""
  tdsl.node @s : f32 "1" input
  tdsl.node @x : f32 "3" input
  tdsl.node @y : f32 "{OPEN}" result
  tdsl.projections @p "." (@s, @x) -> @y"""

_SCALED = """
  tdsl.dim @hidden
  tdsl.dim @input
  tdsl.set_dim @input = 8
  tdsl.set_scale @hidden = 2 * @input"""

_PROMOTED = f"""
  tdsl.node @a : f64 "2" input
  tdsl.node @b : f32 "2" input
  tdsl.node @y : ? "{OPEN}" result
  tdsl.projections @p "." (@a, @b) -> @y
  tdsl.routine @run {{ tdsl.assign @y overwrite = add(@a, @b) by @p }}"""

_CONDITION = f"""
  tdsl.node @c : f64 "2" input
  tdsl.node @a : f32 "2" input
  tdsl.node @b : f32 "2" input
  tdsl.node @y : ? "{OPEN}" result
  tdsl.projections @p "." (@c, @a, @b) -> @y
  tdsl.routine @run {{ tdsl.assign @y overwrite = where(@c, @a, @b) by @p }}"""

_BASIS = f"""
  tdsl.node @a : f32 "3:rgb" input
  tdsl.node @b : f32 "3" input
  tdsl.node @y : f32 "{OPEN}" result
  tdsl.projections @p "." (@a, @b) -> @y"""

_PRODUCT_WITH_ZERO = """
  tdsl.node private @zero : f64 "3" leaf
  tdsl.node @x : f64 "3" input
  tdsl.node @y : f64 "3" result
  tdsl.projections @p "." (@zero, @x) -> @y
  tdsl.routine @run {
    tdsl.fetch @zero = constant 0.0
    tdsl.assign @y overwrite = mul(@zero, @x) by @p
  }"""

_REASSOCIATED = """
  tdsl.node @large : f32 "1:bcast_if_1" leaf
  tdsl.node @x : f32 "1" input
  tdsl.node private @t : f32 "1" result
  tdsl.node @y : f32 "1" result
  tdsl.projections @p "." (@x, @large) -> @t
  tdsl.projections @q "." (@t, @large) -> @y
  tdsl.routine @run {
    tdsl.fetch @large = constant 1.0e8
    tdsl.assign @t overwrite = add(@x, @large) by @p
    tdsl.assign @y overwrite = sub(@t, @large) by @q
  }"""

_ROWS_AND_DIAGONAL = """
  tdsl.node @m : f64 "3,3" input
  tdsl.node @rows : f64 "3" result
  tdsl.node @diagonal : f64 "3" result
  tdsl.projections @p "ij => i" (@m) -> @rows
  tdsl.projections @q "ii => i" (@m) -> @diagonal
  tdsl.routine @run {
    tdsl.assign @rows add = id(@m) by @p
    tdsl.assign @diagonal add = id(@m) by @q
  }"""

_RANGE = """
  tdsl.node @x : f64 "2|3->4" input
  tdsl.node @y : f64 "2|3->4" result
  tdsl.projections @p "b|i->o => b|i->o" (@x) -> @y
  tdsl.routine @run { tdsl.assign @y reset add = id(@x) by @p }"""


def _windows() -> None:
    for kernel, expected in ((3, [3, 6, 9, 7]), (2, [1, 3, 5, 7])):
        probes.loops("o=+k; k => o", [*_WINDOW, (str(kernel), [1] * kernel)], _PAIR, expected)


def _dilated_window() -> None:
    probes.loops("o=+2*k; k => o", [("5", [1, 2, 3, 4, 5]), ("3", [1, 1, 1])], _PAIR, [4, 6, 9, 6, 8])


BUGS: tuple[Bug, ...] = (
    # Shape inference.
    Bug(
        "a default basis matches every basis",
        "14",
        lambda: _both(
            *(_wrapped(module, "atoms_clash", _as_default) for module in (solver, broadcast)),
        ),
        partial(probes.refused, _BASIS, "rgb"),
    ),
    Bug(
        "every axis of size 1 stretches",
        "16",
        lambda: _both(
            _patched(variables, "is_top", lambda size, basis: size == 1),
            _patched(variables, "is_not_top", lambda size, basis: size is not None and size != 1),
        ),
        partial(probes.refused, _STRETCHED, "mismatch"),
    ),
    Bug(
        "a fixed index makes an axis of size 1",
        "18",
        _wrapped(solver.Solver, "at_least", lambda original, self, axis, least, cause: original(self, axis, 1, cause)),
        partial(probes.shapes, "i => i2", ["5"], "|->5,3"),
    ),
    Bug(
        "axes before a row variable come after it",
        "12",
        _wrapped(specs, "_row", _leading_after),
        partial(probes.shapes, "3..r.. => ..r..", ["4,5"], "|->5"),
    ),
    Bug(
        "a scale of captured sizes is ignored",
        "d.9",
        _patched(totals.ScaledSize, "propagate", _scale_ignored),
        partial(probes.declared, _SCALED, hidden="16"),
    ),
    Bug(
        "a result resolves at its uses",
        "2",
        _patched(nodes.Node, "resolves_at_use", True),
        partial(probes.declared, _CLOSING, r='"|->3"'),
    ),
    # Notation.
    Bug(
        "a run of digits is one index",
        "31",
        _wrapped(parser, "tokenize", _merged_digits),
        partial(probes.spec, "ab => 00", [("2,2", [1, 2, 3, 4])], "1,1", _ADD, [10]),
    ),
    Bug(
        "operators do not select multichar mode",
        "32",
        _patched(tokens, "is_multichar", lambda text: "," in text),
        partial(probes.spec, "sa; sb => sa^sb", [("1", [1]), ("2", [2, 3])], "3", "reset add = block id", [1, 2, 3]),
    ),
    # Projections.
    Bug("a window starts half a cell late", "56", _patched(derive, "padding_left", _left_rounded_down), _windows),
    Bug(
        "the margin ignores the dilation",
        "57",
        _patched(derive, "padding_left", _left_without_dilation),
        _dilated_window,
    ),
    Bug(
        "the span ignores the dilation",
        "d.7",
        _patched(equations, "_span", lambda window, kernel: kernel),
        partial(probes.loops, "o<+2*k; k => o", [("5", [1, 2, 3, 4, 5]), ("2", [1, 1])], _PAIR, [4, 6, 8]),
    ),
    Bug(
        "a fixed index counts as the whole axis",
        "44",
        _wrapped(analysis, "_covered_box", _pins_cover),
        partial(probes.loops, "i => i2", [("2", [5, 6])], _ADD, [0, 0, 5, 0, 0, 6]),
    ),
    Bug(
        "a diagonal counts as the whole matrix",
        "45",
        _wrapped(analysis, "_covered_box", _each_axis_alone),
        partial(probes.loops, "i => ii", [("2", [5, 6])], _ADD, [5, 0, 0, 6]),
    ),
    Bug(
        "overlapping windows count as injective",
        "46",
        _patched(plan, "is_injective", lambda map_, sizes: True),
        partial(probes.loops, "o; k => o<+k", [("3", [1, 2, 3]), ("2", [1, 1])], _PAIR, [1, 3, 5, 3]),
    ),
    Bug(
        "every accumulator stores its contribution",
        "47",
        _patched(plan, "plain_store_allowed", lambda accumulator: True),
        partial(probes.spec, "i => i", [("2", [2, 4])], "2", "reset div = id", [0.5, 0.25]),
    ),
    Bug(
        "an assignment without reset overwrites",
        "b.2",
        _wrapped(derive_projections, "plan_assignment", _always_stored),
        partial(probes.spec, "i => i", [("2", [2, 4])], "2", "add = id", [12, 24], before=[10, 20]),
    ),
    Bug(
        "nothing is filled before it is accumulated",
        "74",
        _wrapped(derive_projections, "plan_assignment", _without_fill),
        partial(probes.loops, "ij => i", [("2,2", [1, 2, 3, 4])], _ADD, [3, 7]),
    ),
    Bug(
        "the first write stays",
        "49",
        _patched(plan, "_last_writes", _first_write),
        partial(probes.spec, "ij => i", [("2,2", [1, 2, 3, 4])], "2", "overwrite = id", [2, 4]),
    ),
    Bug(
        "all segments start at 0",
        "41",
        _patched(derive._SpaceBuilder, "_component_size", _no_component),
        partial(probes.loops, "a; b => a^b", [("2", [1, 2]), ("1", [3])], "reset add = block id", [1, 2, 3]),
    ),
    Bug(
        "middle segments are dropped",
        "39",
        _wrapped(derive, "_segments", _outer_segments),
        partial(
            probes.loops,
            "a; b; c => a^b^c",
            [("2", [1, 2]), ("1", [3]), ("1", [4])],
            "reset add = block id",
            [1, 2, 3, 4],
        ),
    ),
    Bug(
        "the gap of an integer component is not skipped",
        "34",
        _wrapped(
            derive._SpaceBuilder,
            "_component_size",
            lambda original, self, part: 0 if isinstance(part, Gap) else original(self, part),
        ),
        partial(probes.loops, "2^a => a", [("5", [1, 2, 3, 4, 5])], _ADD, [3, 4, 5]),
    ),
    Bug(
        "input axes lie before output axes",
        "a.3",
        _patched(ClosedShape, "memory_axes", _input_before_output),
        partial(probes.program, _RANGE, {"x": range(24)}, y=range(24)),
    ),
    # Precisions.
    Bug(
        "the weakest precision wins",
        "a.8",
        _patched(infer_precision, "promote", lambda precisions: max(precisions)),
        partial(probes.declared, _PROMOTED, y="f64"),
    ),
    Bug(
        "the condition of where takes part in promotion",
        "a.8",
        _wrapped(infer_precision, "_flow_of", _condition_counts),
        partial(probes.declared, _CONDITION, y="f32"),
    ),
    # The lowering to linalg.
    Bug(
        "maximum that drops NaN",
        "89",
        _native("maximum that drops NaN"),
        partial(probes.primitive, "max", [NAN, 1], NAN),
    ),
    Bug(
        "relu(-0.0) is 0.0",
        "b.5",
        _native("strict comparison in relu"),
        partial(probes.primitive, "relu", [-0.0], -0.0),
    ),
    Bug(
        "le as the negation of lt",
        "91",
        _native("le as the negation of lt"),
        partial(probes.primitive, "le", [NAN, 1], 0),
    ),
    Bug("NaN is false", "b.5", _native("ordered truth"), partial(probes.primitive, "where", [NAN, 1, 2], 1)),
    Bug(
        "gates let their ends pass",
        "88",
        _native("gates that let their ends pass"),
        partial(probes.primitive, "sat01_gate", [1, 5], 0),
    ),
    Bug(
        "mod keeps the sign of the dividend",
        "92",
        _native("remainder of C"),
        partial(probes.primitive, "mod", [-1, 3], 2),
    ),
    Bug(
        "powers of negative numbers", "71", _native("power by logarithm"), partial(probes.primitive, "pow", [-2, 3], -8)
    ),
    Bug(
        "tanh in single precision",
        "90",
        _native("tanh in single precision"),
        partial(probes.primitive, "tanh", [0.1], 0.09966799462495582),
    ),
    Bug(
        "product with zero is zero",
        "69",
        _native("product with zero is zero"),
        partial(probes.program, _PRODUCT_WITH_ZERO, {"x": [1, INF, NAN]}, y=[0, NAN, NAN]),
    ),
    Bug(
        "sums are reassociated",
        "70",
        _native("sums reassociated"),
        partial(probes.program, _REASSOCIATED, {"x": [1]}, y=[0]),
    ),
    Bug(
        "the neutral element of max is 0",
        "b.3",
        _native("finite neutral of max"),
        partial(probes.loops, "ij => i", [("1,2", [-3, -2])], "reset max = id", [-2]),
    ),
    Bug(
        "CSE forgets the maps",
        "64",
        _native("CSE that forgets the maps"),
        partial(
            probes.program,
            _ROWS_AND_DIAGONAL,
            {"m": range(9), "rows": [0] * 3, "diagonal": [0] * 3},
            rows=[3, 12, 21],
            diagonal=[0, 4, 8],
        ),
    ),
)


def main() -> int:
    """Prints a table of the bugs; exit code 1 if one survives."""
    # Programs from the cache would be right whatever is planted.
    knobs.set(cache=False)
    survivors = 0
    for bug in BUGS:
        bug.probe()
        start = time.perf_counter()
        noticed = notices(bug)
        survivors += not noticed
        verdict = "noticed" if noticed else "SURVIVES"
        print(f"{bug.pitfall:>5}  {bug.name:50} {verdict:9} {time.perf_counter() - start:5.2f} s")
    print(f"{len(BUGS) - survivors} of {len(BUGS)} planted bugs are noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
