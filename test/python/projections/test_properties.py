"""Properties on random maps and random specs, checked by enumeration and against NumPy."""

from __future__ import annotations

import math
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdsl.notation import parse
from tdsl.projections import (
    ClosedShape,
    Einsum,
    IndexMap,
    LinearIndex,
    covers_all,
    derive,
    is_injective,
    is_surjective,
)
from tdsl.projections.analysis import are_disjoint

from .evaluation import cell_of, evaluate, points, value_of

_ITERATORS = ("i", "j", "k")
_sizes = st.fixed_dictionaries(dict.fromkeys(_ITERATORS, st.integers(0, 4)))
_indices = st.builds(
    lambda terms, offset: LinearIndex(tuple(terms.items()), (), offset),
    st.dictionaries(st.sampled_from(_ITERATORS), st.integers(-3, 4).filter(bool), max_size=3),
    st.integers(-1, 2),
)
_maps = st.lists(_indices, min_size=0, max_size=3).map(lambda indices: IndexMap(tuple(indices)))


def _cells(map_: IndexMap, sizes: dict[str, int]) -> list[tuple[int, ...]]:
    return [tuple(value_of(index, point) for index in map_.indices) for point in points(sizes)]


@given(_maps, _sizes)
@settings(max_examples=400, deadline=None)
def test_injective_is_never_claimed_wrongly(map_: IndexMap, sizes: dict[str, int]) -> None:
    if is_injective(map_, sizes):
        cells = _cells(map_, sizes)
        assert len(set(cells)) == len(cells)


@given(_maps, _sizes, st.lists(st.integers(0, 6), min_size=3, max_size=3))
@settings(max_examples=400, deadline=None)
def test_surjective_is_never_claimed_wrongly(map_: IndexMap, sizes: dict[str, int], node: list[int]) -> None:
    node = node[: len(map_.indices)]
    if is_surjective(map_, node, sizes):
        assert set(_cells(map_, sizes)) >= set(np.ndindex(*node))


@given(st.lists(st.tuples(_maps.filter(lambda m: len(m.indices) == 1), _sizes), min_size=1, max_size=3))
@settings(max_examples=300, deadline=None)
def test_segments_together_are_never_claimed_wrongly(maps: list[tuple[IndexMap, dict[str, int]]]) -> None:
    reached = [set(_cells(*pair)) for pair in maps]
    if are_disjoint(maps):
        assert sum(map(len, reached)) == len(set().union(*reached))
    for size in range(8):
        if covers_all(maps, [size]):
            assert set().union(*reached) >= {(cell,) for cell in range(size)}


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 4), st.integers(1, 3), st.booleans())
@settings(deadline=None)
def test_maps_stay_in_range_unless_guarded(stride: int, over: int, kernel: int, dilation: int, padded: bool) -> None:
    spec = f"{stride}*o{'=' if padded else '<'}+{dilation}*k; k => o"
    span = 1 + (kernel - 1) * dilation
    total = stride * over if padded else stride * (over - 1) + span
    operands = [ClosedShape.of(output=[total]), ClosedShape.of(output=[kernel])]
    (space,) = derive(Einsum(parse(spec)), operands, ClosedShape.of(output=[over])).segments
    read = space.operands[0]
    assert read is not None
    outside = [point for point in points(space.sizes) if cell_of(read, [total], point) is None]
    assert read.guarded == bool(outside)


@given(_indices, _sizes.filter(lambda sizes: 0 not in sizes.values()), st.integers(1, 4))
@settings(deadline=None)
def test_bounds_and_substitution(index: LinearIndex, sizes: dict[str, int], divisor: int) -> None:
    derived = index.floordiv(divisor).times(2).plus(index.mod(divisor))
    low, high = derived.bounds(sizes)
    for point in points(sizes):
        value = value_of(derived, point)
        assert low <= value <= high
        constants = {name: LinearIndex.constant(n) for name, n in point.items()}
        assert derived.substitute(constants) == LinearIndex.constant(value)
        inner = value_of(index, point)
        assert value == 2 * (inner // divisor) + inner % divisor


@st.composite
def _contractions(draw: st.DrawFn) -> tuple[list[str], str, dict[str, int]]:
    sizes = draw(st.fixed_dictionaries(dict.fromkeys("abcd", st.sampled_from([0, 1, 2, 3]))))
    operands = draw(st.lists(st.text("abcd", min_size=0, max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(operands)))
    result = "".join(draw(st.lists(st.sampled_from(used), unique=True, max_size=3))) if used else ""
    return operands, result, sizes


@given(_contractions())
@settings(max_examples=200, deadline=None)
def test_agrees_with_numpy(contraction: tuple[list[str], str, dict[str, int]]) -> None:
    operands, result, sizes = contraction
    # A row that is written without axes is closed: "|" keeps an empty operand from being the ellipsis.
    spec = "; ".join(f"|->{labels}" for labels in operands) + f" => |->{result}"
    generator = np.random.default_rng(7)
    arrays = [generator.integers(-3, 4, [sizes[label] for label in labels]).astype(float) for labels in operands]
    expected = np.einsum(f"{','.join(operands)}->{result}", *arrays)
    _compare(spec, arrays, expected)


@pytest.mark.parametrize("spec", ["iij->ij", "abcb->ac", "iii->i", "ij->", "ii->", "a,b->ab", ",a->a", "ij,jk,kl->il"])
def test_agrees_with_numpy_on(spec: str) -> None:
    arguments, result = spec.split("->")
    operands = arguments.split(",")
    generator = np.random.default_rng(3)
    arrays = [generator.integers(-3, 4, [3] * len(labels)).astype(float) for labels in operands]
    translated = "; ".join(f"|->{labels}" for labels in operands) + f" => |->{result}"
    _compare(translated, arrays, np.einsum(spec, *arrays))


def _compare(spec: str, arrays: list[np.ndarray], expected: np.ndarray) -> None:
    operands = [ClosedShape.of(output=array.shape) for array in arrays]
    projections = derive(Einsum(parse(spec)), operands, ClosedShape.of(output=expected.shape))
    cells = evaluate(projections, "add", lambda *x: prod(x), [array.ravel().tolist() for array in arrays])
    assert not any(math.isnan(cell) for cell in cells)
    np.testing.assert_array_equal(np.array(cells).reshape(expected.shape), expected)
