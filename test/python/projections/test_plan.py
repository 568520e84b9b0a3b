"""Plans: when a reset becomes a store, slots, concatenations, overwrites, and the pitfalls about them."""

from __future__ import annotations

import math
from math import prod
from typing import Any

import pytest

from tdsl.errors import ShapeError, UnsupportedError
from tdsl.notation import parse
from tdsl.projections import (
    ACCUMULATORS,
    Access,
    AssignmentPlan,
    ClosedShape,
    Compose,
    Einsum,
    Pointwise,
    Projections,
    Write,
    derive,
    plan_assignment,
    product_space_shape,
)

from .evaluation import ACCUMULATE, Cells, evaluate, run_plan


def out(*sizes: int) -> ClosedShape:
    return ClosedShape.of(output=sizes)


def einsum(spec: str, operands: list[ClosedShape], result: ClosedShape, **label_sizes: int) -> Projections:
    return derive(Einsum(parse(spec), label_sizes), operands, result)


def forward(projections: Projections, accumulator: str, **options: Any) -> AssignmentPlan:
    sources = [Access(f"rhs{n}", shape.sizes) for n, shape in enumerate(projections.operands, 1)]
    return plan_assignment(projections, Access("lhs", projections.result.sizes), sources, accumulator, **options)


def writes(plan: AssignmentPlan) -> tuple[bool, list[Write]]:
    return plan.fill, [step.write for step in plan.steps]


_STORE, _JOINED, _ACCUMULATE = Write.STORE, Write.STORE_JOINED, Write.ACCUMULATE


@pytest.mark.parametrize(
    ("spec", "operand", "result", "expected"),
    [
        ("i => i", [3], [3], (False, [_STORE])),
        # Pitfall 44: scalars and axes of size 1 are reached; a fixed index on a longer axis leaves cells.
        ("|-> => |->", [], [], (False, [_STORE])),
        ("i => i0", [3], [3, 1], (False, [_STORE])),
        ("i => i2", [3], [3, 3], (True, [_STORE])),
        ("|-> => |->2", [], [3], (True, [_STORE])),
        # Pitfall 45: the diagonal is injective, not surjective.
        ("i => ii", [3], [3, 3], (True, [_STORE])),
        ("ij => i", [3, 2], [3], (True, [_ACCUMULATE])),
        # Pitfall 46: windows that tile, that leave gaps, that overlap.
        ("i, j => 2*i<+j", [4, 2], [8], (False, [_STORE])),
        ("i, j => 3*i<+j", [4, 2], [11], (True, [_STORE])),
        ("i, j => 2*i<+j", [4, 3], [9], (True, [_ACCUMULATE])),
        # A reduction over one value is none.
        ("ij => i", [3, 1], [3], (False, [_STORE])),
        # A reduction over no values reaches nothing.
        ("ij => i", [3, 0], [3], (True, [_STORE])),
        ("ij => i", [0, 2], [0], (False, [_STORE])),
        ("a => a^b", [2], [5], (True, [_STORE])),
    ],
)
def test_fill_and_store(spec: str, operand: list[int], result: list[int], expected: tuple[bool, list[Write]]) -> None:
    projections = einsum(spec, [out(*operand)], out(*result))
    assert writes(forward(projections, "add", reset=True)) == expected
    # Without reset the old contents count (spec b.2).
    assert writes(forward(projections, "add")) == (False, [_ACCUMULATE])


@pytest.mark.parametrize("accumulator", sorted(ACCUMULATORS - {"overwrite", "threefry4x32"}))
def test_pitfall_47_a_store_keeps_the_operator(accumulator: str) -> None:
    projections = einsum("i => i", [out(3)], out(3))
    neutral_joined = [ACCUMULATE[accumulator](_neutral(accumulator), x) for x in (2.0, 4.0, -3.0)]
    for can_join in (False, True):
        cells = evaluate(projections, accumulator, lambda x: x, [[2.0, 4.0, -3.0]], can_join=can_join)
        assert cells == neutral_joined
    storable = accumulator in {"add", "mul", "max", "min", "relu_gate", "sat01_gate"}
    assert writes(forward(projections, accumulator, reset=True, can_join=True)) == (
        False,
        [_STORE if storable else _JOINED],
    )
    assert writes(forward(projections, accumulator, reset=True)) == (
        (False, [_STORE]) if storable else (True, [_ACCUMULATE])
    )


def _neutral(accumulator: str) -> float:
    special = {"mul": 1.0, "div": 1.0, "pow": 1.0, "and": 1.0, "relu_gate": 1.0, "sat01_gate": 0.5}
    return {"max": -math.inf, "min": math.inf, **special}.get(accumulator, 0.0)


def test_a_destination_that_is_read_is_reset_before_the_reads() -> None:
    # x =:+ x leaves 0: every cell becomes 0 first (spec b.2).
    projections = derive(Pointwise(), [out(2)], out(2))
    plan = forward(projections, "add", reset=True, reads_destination=True)
    assert writes(plan) == (True, [_ACCUMULATE])
    cells = [5.0, 6.0]
    run_plan(plan, "add", lambda x: x, cells, (2,), [(cells, (2,))])
    assert cells == [0.0, 0.0]


class TestConcatenation:
    def test_pitfall_39_middle_components_survive(self) -> None:
        projections = einsum("i;m;k => i^m^k", [out(2), out(3), out(2)], out(7))
        values = [[10.0, 20.0], [30.0, 40.0, 50.0], [60.0, 70.0]]
        assert evaluate(projections, "add", lambda x: x, values, block=True) == [10, 20, 30, 40, 50, 60, 70]
        # The segments tile the result: nothing is filled.
        assert writes(forward(projections, "add", reset=True, block=True)) == (False, [_STORE] * 3)

    def test_pitfall_40_components_of_size_1_keep_their_iterators(self) -> None:
        projections = einsum("a; b; c => a^b^c", [out(1)] * 3, out(3))
        plan = forward(projections, "add", reset=True, block=True)
        assert [step.sources for step in plan.steps] == [(0,), (1,), (2,)]
        assert [str(step.space.result) for step in plan.steps] == ["[a]", "[b + 1]", "[c + 2]"]

    def test_pitfall_42_two_sources_of_the_same_cells(self) -> None:
        projections = einsum("a; a => a", [out(2)] * 2, out(2))
        with pytest.raises(ShapeError) as caught:
            forward(projections, "add", reset=True, block=True)
        assert str(caught.value) == (
            "Ambiguous concatenation: the sources 1 and 2 are written to the same cells.\n"
            "  a; a => a\n"
            "Give every source a component of its own, as in `a; b => a^b`."
        )

    def test_sources_that_never_meet_are_not_an_empty_sum(self) -> None:
        projections = einsum("a; b => a^b", [out(2), out(3)], out(5))
        with pytest.raises(ShapeError, match="No segment of the concatenation has all sources"):
            forward(projections, "add", reset=True)

    def test_pitfall_50_each_source_gets_its_segment_of_the_gradient(self) -> None:
        projections = einsum("a; b => a^b", [out(2), out(3)], out(5))
        for slot, size, expected in [("rhs1", 2, [1.0, 2.0]), ("rhs2", 3, [3.0, 4.0, 5.0])]:
            plan = plan_assignment(projections, Access(slot, (size,)), [Access("lhs", (5,))], "add", reset=True)
            cells = [math.nan] * size
            run_plan(plan, "add", lambda g: g, cells, (size,), [([1.0, 2.0, 3.0, 4.0, 5.0], (5,))])
            assert cells == expected

    def test_the_gradient_of_a_slice_fills_what_the_slice_left_out(self) -> None:
        projections = einsum("3^a^1 => a", [out(6)], out(2))
        plan = plan_assignment(projections, Access("rhs1", (6,)), [Access("lhs", (2,))], "add", reset=True)
        assert writes(plan) == (True, [_STORE])

    def test_segments_that_meet_accumulate(self) -> None:
        # A sum over both components.
        projections = einsum("a^b => |->0", [out(3)], out(1), a=1)
        assert writes(forward(projections, "add", reset=True)) == (True, [_ACCUMULATE] * 2)
        assert evaluate(projections, "add", lambda x: x, [[1.0, 2.0, 4.0]]) == [7.0]

    def test_a_discarded_component_has_no_segment(self) -> None:
        projections = einsum("a^b => a", [out(3)], out(3))
        assert [str(step.space) for step in forward(projections, "overwrite").steps] == [
            "<[a 3 parallel] lhs[a] rhs1[a]>"
        ]


class TestOverwrite:
    def test_pitfall_49_only_the_last_write_in_product_order_is_kept(self) -> None:
        projections = einsum("i j => i", [out(2, 3)], out(2))
        (step,) = forward(projections, "overwrite").steps
        assert str(step.space) == "<[i 2 parallel] lhs[i] rhs1[i, 2]>"
        assert evaluate(projections, "overwrite", lambda x: x, [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], reset=False) == [3, 6]

    def test_an_overwrite_by_nothing_leaves_the_contents(self) -> None:
        projections = einsum("i j => i", [out(2, 0)], out(2))
        assert evaluate(projections, "overwrite", lambda x: x, [[]], reset=False, before=[8.0, 9.0]) == [8.0, 9.0]

    def test_overlapping_windows_are_refused(self) -> None:
        projections = einsum("i, j => i<+j", [out(3, 2)], out(4))
        with pytest.raises(UnsupportedError) as caught:
            forward(projections, "overwrite")
        assert str(caught.value) == (
            "An overwrite through lhs[i + j] writes cells several times, and the order would matter. Accumulate "
            "instead, for example with `max`."
        )

    def test_it_cannot_be_reset(self) -> None:
        with pytest.raises(ValueError, match="no neutral element"):
            forward(derive(Pointwise(), [out(2)], out(2)), "overwrite", reset=True)


class TestPadding:
    def test_pitfall_56_kernel_parity(self) -> None:
        for kernel, expected in [(3, [3, 6, 9, 7]), (2, [1, 3, 5, 7])]:
            projections = einsum("o=+k; k => o", [out(4), out(kernel)], out(4))
            values = [[1.0, 2.0, 3.0, 4.0], [1.0] * kernel]
            assert evaluate(projections, "add", lambda x, w: x * w, values) == expected

    def test_pitfall_57_dilation_widens_the_margins(self) -> None:
        projections = einsum("o=+2*k; k => o", [out(5), out(3)], out(5))
        values = [[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 10.0, 100.0]]
        assert evaluate(projections, "add", lambda x, w: x * w, values) == [310, 420, 531, 42, 53]

    def test_pitfall_54_each_statement_has_its_own_neutral_element(self) -> None:
        projections = einsum("o=+k; k => o", [out(4), out(3)], out(4))
        values = [[-1.0, -2.0, -3.0, -4.0], [0.0, 0.0, 0.0]]
        assert evaluate(projections, "max", lambda x, w: x + w, values) == [-1, -1, -2, -3]

    def test_pitfall_62_writes_into_the_padding_are_skipped(self) -> None:
        projections = einsum("o=+k; k => o", [out(4), out(3)], out(4))
        plan = plan_assignment(
            projections, Access("rhs1", (4,)), [Access("lhs", (4,)), Access("rhs2", (3,))], "add", reset=True
        )
        assert str(plan.steps[0].space) == ("<[o 4 parallel, k 3 parallel] lhs[o + k - 1] guarded rhs1[o] rhs2[k]>")
        cells = [math.nan] * 4
        run_plan(plan, "add", lambda g, w: g * w, cells, (4,), [([0.5, 1, 1.5, 2], (4,)), ([1, -1, 2], (3,))])
        assert cells == [0.5, 1.5, 2.5, 1.0]

    def test_pitfall_53_without_a_kernel_operand_the_window_has_no_size(self) -> None:
        with pytest.raises(ShapeError, match="The size of `k` does not follow from the shapes"):
            einsum("o=+k => o", [out(4)], out(4))


class TestSlots:
    def test_reductions_are_those_of_the_assigned_slot(self) -> None:
        projections = derive(Compose(), [ClosedShape.of(input=[3], output=[2]), ClosedShape.of(batch=[4], output=[3])],
                             ClosedShape.of(batch=[4], output=[2]))  # fmt: skip
        plan = plan_assignment(
            projections, Access("rhs1", (2, 3)), [Access("lhs", (4, 2)), Access("rhs2", (4, 3))], "add"
        )
        assert str(plan.steps[0].space) == (
            "<[b0 4 reduction, o0 2 parallel, k0 3 parallel] lhs[o0, k0] rhs1[b0, o0] rhs2[b0, k0]>"
        )

    def test_scalars_are_read_at_0(self) -> None:
        projections = derive(Pointwise(), [out(2)], out(2))
        sources = [Access("rhs1", (2,)), Access("scalar", (1,)), Access("scalar", ())]
        plan = plan_assignment(projections, Access("lhs", (2,)), sources, "add")
        assert str(plan.steps[0].space) == "<[o0 2 parallel] lhs[o0] rhs1[o0] rhs2[0] rhs3[]>"

    def test_pitfall_52_first_fit_by_extent(self) -> None:
        projections = einsum("2*o<+k; k => o", [out(4), out(2)], out(2))
        plan = plan_assignment(projections, Access("pspace", (2, 1, 2)), [Access("rhs2", (2,))], "overwrite")
        assert str(plan.steps[0].space) == "<[o 2 parallel, k 2 parallel] lhs[o, 0, k] rhs1[k]>"

    @pytest.mark.parametrize(
        ("destination", "message"),
        [
            (Access("pspace", (2,)), "A node of sizes [2] has no axis for `k`, `j` of the product space."),
            (Access("pspace", (2, 4, 3, 5)), "No iterator of the product space is left for an axis of size 5: "
             "`i` of size 2, `k` of size 4, `j` of size 3."),
            (Access("rhs3", (2,)), "There is no slot `rhs3`; there are lhs, rhs1, rhs2, pspace, scalar."),
            (Access("lhs", (2, 3)), "The slot lhs has axes of sizes [2, 4], but the node has [2, 3]."),
            (Access("scalar", (2,)), "A scalar has axes of size 1, not [2]."),
        ],
    )  # fmt: skip
    def test_accesses_that_do_not_fit(self, destination: Access, message: str) -> None:
        projections = einsum("ij;jk=>ik", [out(2, 3), out(3, 4)], out(2, 4))
        with pytest.raises(ShapeError) as caught:
            plan_assignment(projections, destination, [], "add")
        assert str(caught.value) == message

    def test_a_concatenation_has_no_product_space(self) -> None:
        projections = einsum("a; b => a^b", [out(2), out(3)], out(5))
        with pytest.raises(UnsupportedError, match="product space of a concatenation"):
            plan_assignment(projections, Access("pspace", (5,)), [], "add")


class TestProductSpaceShape:
    def test_a_contracted_row_variable_stands_where_it_occurs_first(self) -> None:
        spec = Einsum(parse("..r.. | k, j; j, k => |->0"))
        shape = product_space_shape(
            spec, [ClosedShape.of(batch=[5, 6], output=[2, 3]), ClosedShape.of(batch=[], output=[3, 2])], out(1)
        )
        assert shape == out(1, 5, 6, 2, 3)

    def test_two_contracted_row_variables_are_refused(self) -> None:
        with pytest.raises(ShapeError) as caught:
            product_space_shape(Einsum(parse("..r..|..s.. => |->0")), [ClosedShape.of(batch=[2], output=[3])], out(1))
        assert str(caught.value) == (
            "The product space contracts 2 row variables, but it can hold one: `..r..`, `..s..`.\n"
            "  ..r..|..s.. => |->0\n"
            "  ^^^^^ ^^^^^"
        )

    def test_pitfall_78_and_79_tropical_gradients_through_the_product_space(self) -> None:
        g1, _ = _tropical_gradient("o<+k; k => o", [3, 1, 4, 1, 5], [0, 0, 0], [4, 4, 5], [1, 10, 100])
        assert g1 == [0, 0, 11, 0, 100]
        g1, g2 = _tropical_gradient("i; j => i", [1, 2], [5, 1], [6, 7], [1, 1])
        assert (g1, g2) == ([1, 1], [2, 0])

    def test_padded_reads_attract_no_gradient(self) -> None:
        # Pitfall 80: of [-3, -2], a maximum over windows with padding.
        g1, _ = _tropical_gradient("o=+k; k => o", [-3, -2], [0, 0, 0], [-2, -2], [1, 10])
        assert g1 == [0, 11]


def _tropical_gradient(
    spec: str, x: list[float], w: list[float], t: list[float], g: list[float]
) -> tuple[Cells, Cells]:
    """Spec f.4, assignment by assignment."""
    logic, operands, result = Einsum(parse(spec)), [out(len(x)), out(len(w))], out(len(t))
    projections = derive(logic, operands, result)
    proxy = product_space_shape(logic, operands, result).sizes
    nodes: dict[str, tuple[Access, Cells]] = {
        "t1": (Access("rhs1", (len(x),)), x),
        "t2": (Access("rhs2", (len(w),)), w),
        "t": (Access("lhs", (len(t),)), t),
        "g": (Access("lhs", (len(t),)), g),
        "g1": (Access("rhs1", (len(x),)), [math.nan] * len(x)),
        "g2": (Access("rhs2", (len(w),)), [math.nan] * len(w)),
        **{name: (Access("pspace", proxy), [math.nan] * prod(proxy)) for name in ("sum", "cond", "valid")},
    }

    def assign(target: str, accumulator: str, op: Any, *sources: str, reset: bool) -> None:
        destination, cells = nodes[target]
        reads = [nodes[name] for name in sources]
        plan = plan_assignment(projections, destination, [a for a, _ in reads], accumulator, reset=reset)
        run_plan(plan, accumulator, op, cells, destination.sizes, [(v, a.sizes) for a, v in reads])

    assign("sum", "max", lambda a, b: a + b, "t1", "t2", reset=True)
    assign("cond", "overwrite", lambda a, b: float(a == b), "t", "sum", reset=False)
    assign("valid", "or", lambda a, b: float(a == b), "t1", "t1", reset=True)
    assign("cond", "and", lambda a: a, "valid", reset=False)
    for gradient in ("g1", "g2"):
        assign(gradient, "add", lambda c, a: a if c else 0.0, "cond", "g", reset=True)
    return nodes["g1"][1], nodes["g2"][1]
