"""The gather form computes what the scatter computed, and every cell of its destination is an iterator."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdsl.notation import parse
from tdsl.projections import (
    Access,
    ClosedShape,
    Einsum,
    Projections,
    Space,
    Write,
    derive,
    invert_scatter,
    is_surjective,
    plan_assignment,
)

from .evaluation import Cells, run_space


def _gradient(
    projections: Projections, result: tuple[int, ...], accumulator: str = "add"
) -> tuple[Space, Space | None]:
    """The scatter of the first operand's gradient, and its gather form."""
    operands = [shape.sizes for shape in projections.operands]
    sources = [Access("lhs", result)] + [Access(f"rhs{n}", sizes) for n, sizes in enumerate(operands[1:], 2)]
    plan = plan_assignment(projections, Access("rhs1", operands[0]), sources, accumulator)
    (step,) = plan.steps
    return step.space, invert_scatter(step.space, operands[0], [source.sizes for source in sources], accumulator)


def _run(space: Space, size: tuple[int, ...], sources: list[tuple[Cells, tuple[int, ...]]]) -> Cells:
    cells = [100.0] * prod(size)
    run_space(space, Write.ACCUMULATE, "add", lambda *x: prod(x), cells, size, sources)
    return cells


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 4), st.integers(1, 3), st.booleans())
@settings(deadline=None, max_examples=150)
def test_convolution_gradient(stride: int, over: int, kernel: int, dilation: int, padded: bool) -> None:
    total = stride * over if padded else stride * (over - 1) + 1 + (kernel - 1) * dilation
    spec = f"{stride}*o{'=' if padded else '<'}+{dilation}*k; k => o"
    operands = [ClosedShape.of(output=[total]), ClosedShape.of(output=[kernel])]
    projections = derive(Einsum(parse(spec)), operands, ClosedShape.of(output=[over]))
    scatter, gather = _gradient(projections, (over,))
    sources = [([float(n + 1) for n in range(over)], (over,)), ([float(3**n) for n in range(kernel)], (kernel,))]
    if gather is not None:
        assert is_surjective(gather.result, (total,), gather.sizes)
        assert not gather.result.guarded
        assert all(index.plain_iterator or total == 1 for index in gather.result.indices)
        assert _run(gather, (total,), sources) == _run(scatter, (total,), sources)


def test_a_convolution_of_images() -> None:
    spec = "2*oh<+kh, ow=+kw, ..c..; |->kh, kw => oh, ow, ..c.."
    operands = [ClosedShape.of(output=[7, 4, 2]), ClosedShape.of(output=[3, 3])]
    projections = derive(Einsum(parse(spec)), operands, ClosedShape.of(output=[3, 4, 2]))
    scatter, gather = _gradient(projections, (3, 4, 2))
    assert gather is not None
    assert str(gather) == (
        "<[cell0 7 parallel, cell1 4 parallel, c0 2 parallel, kh 3 reduction, kw 3 reduction] lhs[cell0, cell1, c0] "
        "rhs1[(cell0 + kh * -1) floordiv 2 + ((cell0 + kh * -1) mod 2) * 4, cell1 + kw * -1 + 1, c0] guarded "
        "rhs2[kh, kw]>"
    )
    sources = [([float(n % 7) for n in range(24)], (3, 4, 2)), ([float(n * n) for n in range(9)], (3, 3))]
    assert _run(gather, (7, 4, 2), sources) == _run(scatter, (7, 4, 2), sources)


@pytest.mark.parametrize(
    ("spec", "operands", "result", "accumulator"),
    [
        # Reached at most once: a store is better.
        ("2*o<+k; k => o", [[8], [2]], [4], "add"),
        ("ij; jk => ik", [[2, 3], [3, 2]], [2, 2], "add"),
        # Nothing to gather for a fixed position.
        ("1, o<+k; k => o", [[2, 4], [2]], [3], "add"),
        # `or` makes 0 or 1 of a cell even when it contributes nothing.
        ("o<+k; k => o", [[4], [2]], [3], "or"),
    ],
)
def test_where_there_is_no_gather_form(
    spec: str, operands: list[list[int]], result: list[int], accumulator: str
) -> None:
    shapes = [ClosedShape.of(output=sizes) for sizes in operands]
    projections = derive(Einsum(parse(spec)), shapes, ClosedShape.of(output=result))
    assert _gradient(projections, tuple(result), accumulator)[1] is None


def test_no_source_knows_whether_an_iterator_is_in_range() -> None:
    operands = [ClosedShape.of(output=[4]), ClosedShape.of(output=[2])]
    projections = derive(Einsum(parse("o<+k; k => |->0")), operands, ClosedShape.of(output=[1]))
    (step,) = plan_assignment(projections, Access("rhs1", (4,)), [Access("lhs", (1,))], "add").steps
    assert invert_scatter(step.space, (4,), [(1,)], "add") is None
