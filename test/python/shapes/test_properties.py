"""The solver against brute force: what it knows holds in every solution, and the order of constraints is irrelevant."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tdsl.errors import ShapeError
from tdsl.shapes.variables import RowTerm, resolve

from .store import Store

Atom = tuple[int, str]
_ATOMS: list[Atom] = [(1, "bcast_if_1"), *((size, "default") for size in (1, 2, 3, 4))]
_NAMES = "abcd"
_ROW_ATOMS: list[Atom] = [(1, "bcast_if_1"), (2, "default"), (3, "default")]
_ROWS = [row for rank in range(4) for row in itertools.product(_ROW_ATOMS, repeat=rank)]

_names = st.sampled_from(_NAMES)
_sizes = st.sampled_from(["1:bcast_if_1", "1", "2", "3", "4"])
_terms = _names | _sizes
_axis_constraints = st.one_of(
    st.builds("{} <= {}".format, _terms, _terms),
    st.builds("{} = {}".format, _names, _terms),
    st.builds("{} = Concat[{},{}]".format, _names, _names, _names | st.sampled_from("12")),
    st.builds("{} >= {}".format, _names, st.integers(1, 3)),
    st.builds("terminal {}".format, _names),
)
_flanks = st.lists(st.sampled_from(["2", "3", "1:bcast_if_1"]), max_size=2).map(",".join)
_rows = st.builds("[{}].<{}>.[{}]".format, _flanks, st.sampled_from(["r", "s", ""]), _flanks)
_row_constraints = st.builds("{} {} {}".format, _rows, st.sampled_from(["<=", "="]), _rows)


def _below(result: Atom, operand: Atom) -> bool:
    return operand == (1, "bcast_if_1") or result == operand


def _atom(text: str, values: Mapping[str, Atom]) -> Atom:
    if text in values:
        return values[text]
    size, _, basis = text.partition(":")
    return int(size), basis or "default"


def _axis_holds(constraint: str, values: Mapping[str, Atom]) -> bool:
    if constraint.startswith("terminal"):
        return True
    left, relation, right = constraint.split(" ")
    if relation == ">=":
        return values[left][0] >= int(right)
    if right.startswith("Concat"):
        parts = right[len("Concat[") : -1].split(",")
        total = sum(values[part][0] if part in values else int(part) for part in parts)
        return values[left] == (total, "default")
    first, second = _atom(left, values), _atom(right, values)
    return first == second if relation == "=" else _below(first, second)


def _row(text: str, values: Mapping[str, tuple[Atom, ...]]) -> tuple[Atom, ...]:
    before, name, after = text[1:-1].replace("].<", "|").replace(">.[", "|").split("|")
    sides = [tuple(_atom(part, {}) for part in side.split(",") if part) for side in (before, after)]
    return sides[0] + (values[name] if name else ()) + sides[1]


def _row_holds(constraint: str, values: Mapping[str, tuple[Atom, ...]]) -> bool:
    left, relation, right = constraint.split(" ")
    first, second = _row(left, values), _row(right, values)
    if relation == "=":
        return first == second
    aligned = first[len(first) - len(second) :] if len(second) <= len(first) else None
    return aligned is not None and all(map(_below, aligned, second))


def _axis_solutions(constraints: Sequence[str]) -> Iterator[dict[str, Atom]]:
    names = [name for name in _NAMES if any(name in _words(constraint) for constraint in constraints)]
    for atoms in itertools.product(_ATOMS, repeat=len(names)):
        values = dict(zip(names, atoms, strict=True))
        if all(_axis_holds(constraint, values) for constraint in constraints):
            yield values


def _words(constraint: str) -> list[str]:
    return constraint.replace("Concat[", " ").replace("]", " ").replace(",", " ").split()


def _row_solutions(constraints: Sequence[str]) -> Iterator[dict[str, tuple[Atom, ...]]]:
    for first, second in itertools.product(_ROWS, repeat=2):
        values = {"r": first, "s": second}
        if all(_row_holds(constraint, values) for constraint in constraints):
            yield values


def _add(constraints: Sequence[str]) -> Store | None:
    store = Store()
    try:
        for constraint in constraints:
            store.add(constraint)
    except ShapeError:
        return None
    return store


def _close(store: Store) -> bool:
    try:
        store.close()
    except ShapeError:
        return False
    return True


def _facts(store: Store | None) -> object:
    if store is None:
        return None
    rows = {name: _known(RowTerm((), variable, ())) for name, variable in sorted(store.variables.items())}
    return {name: store.atom(name) for name in sorted(store.axes)}, rows


def _known(row: RowTerm) -> tuple[object, ...]:
    found = resolve(row)
    atoms = [[(a.find().size, a.find().basis) for a in side] for side in (found.leading, found.trailing)]
    return tuple(atoms[0]), found.variable is None, tuple(atoms[1])


def _agrees(known: tuple[int | None, str | None], value: Atom) -> bool:
    return known[0] in (None, value[0]) and known[1] in (None, value[1])


@settings(max_examples=400, deadline=None)
@given(st.lists(_axis_constraints, min_size=1, max_size=6))
def test_axes_against_brute_force(constraints: list[str]) -> None:
    store = _add(constraints)
    solutions = list(_axis_solutions(constraints))
    if store is None:
        assert not solutions
        return
    for solution in solutions:
        for name, value in solution.items():
            assert _agrees(store.atom(name), value), name
    if _close(store):
        values = {name: store.atom(name) for name in store.axes}
        assert all(_axis_holds(constraint, values) for constraint in constraints)  # type: ignore[arg-type]


@settings(max_examples=400, deadline=None)
@given(st.lists(_row_constraints, min_size=1, max_size=4))
def test_rows_against_brute_force(constraints: list[str]) -> None:
    store = _add(constraints)
    solutions = list(_row_solutions(constraints))
    if store is None:
        assert not solutions
        return
    for solution in solutions:
        for name, variable in store.variables.items():
            leading, closed, trailing = _known(RowTerm((), variable, ()))
            value = solution[name]
            assert len(leading) + len(trailing) <= len(value)
            assert not closed or len(leading) + len(trailing) == len(value)
            assert all(map(_agrees, leading, value))
            assert all(map(_agrees, trailing, value[len(value) - len(trailing) :]))
    if _close(store):
        values = {name: _known(RowTerm((), variable, ()))[2] for name, variable in store.variables.items()}
        assert all(_row_holds(constraint, values) for constraint in constraints)  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(st.lists(_axis_constraints, min_size=2, max_size=6), st.data())
def test_order_of_axis_constraints_is_irrelevant(constraints: list[str], data: st.DataObject) -> None:
    first, second = _add(constraints), _add(data.draw(st.permutations(constraints)))
    assert _facts(first) == _facts(second)
    assert _outcome(first) == _outcome(second)


@settings(max_examples=300, deadline=None)
@given(st.lists(_row_constraints, min_size=2, max_size=4), st.data())
def test_order_of_row_constraints_is_irrelevant(constraints: list[str], data: st.DataObject) -> None:
    # What is known of both ends of an open row can be stored in two ways, so only the closed rows are compared.
    assert _outcome(_add(constraints)) == _outcome(_add(data.draw(st.permutations(constraints))))


def test_order_of_inequalities_between_two_open_rows() -> None:
    constraints = ["[2].<r>.[3,2] <= [2,2].<s>.[3,2]", "[3].<r>.[2] <= [2].<s>.[2,2]"]
    assert _outcome(_add(constraints)) == _outcome(_add(constraints[::-1]))


def _outcome(store: Store | None) -> object:
    """What closing finds, or None for a contradiction, whether it shows before or while closing."""
    return _facts(store) if store is not None and _close(store) else None
