"""TdslIndexSpaceOpInterface: the domain and the map of each access, before derivation and after it (spec e.1, e.5)."""

from __future__ import annotations

import mlir.ir as ir
import pytest

from tdsl import _tdsl

PROGRAM = """
tdsl.program @p {
  tdsl.symbol @s range 0 to 4
  tdsl.node @x : f32 "4|->2,5" input
  tdsl.node @w : f32 "5|->3" input
  tdsl.node @y : f32 "2|->3" result
  tdsl.node @whole : f32 "2|3->5" leaf
  tdsl.node @with_ones : f32 "1,2|1->3,5" leaf
  tdsl.node @too_small : f32 "2|->3" leaf
  tdsl.node @too_large : f32 "2|3->5,7" leaf
  tdsl.node @number : f32 "1:bcast_if_1" leaf
  tdsl.node @open : f32 "..o.." leaf
  tdsl.node @words : uint4x32 "|1->" leaf
  tdsl.node @u : f32 "|->4" result
  tdsl.projections @q "...|ij; j|k => i|k" (@x, @w) -> @y
    space <[i 2 parallel, k 3 parallel, j 5 reduction] symbols [s] lhs[i, k] rhs1[s, i, j] guarded rhs2[j, k]>
  tdsl.projections @open_space "ij; jk => ik" (@x, @w) -> @y
  tdsl.projections @packed uniform (@words) -> @u space <[v 1 parallel, lane 4 parallel] lhs[v + lane] rhs1[v]>
  tdsl.routine @r(%s: !tdsl.index<@s>) {
    OPERATION
  }
}
"""
BY = "by @q[%s : !tdsl.index<@s>]"


def parse(text: str) -> ir.Module:
    return ir.Module.parse(PROGRAM.replace("OPERATION", text))


def operation(module: ir.Module) -> ir.Operation:
    """The operation in the routine; it lives as long as the module."""
    routine = module.body.operations[0].regions[0].blocks[0].operations[-1]
    return routine.regions[0].blocks[0].operations[0].operation


def maps(text: str) -> tuple[list[str | None], list[str | None]]:
    """The maps of the destinations and of the sources, as text."""
    module = parse(text)
    op = operation(module)
    written = [_tdsl.destination_map(op, i) for i in range(len(_tdsl.destinations(op)))]
    read = [_tdsl.source_map(op, i) for i in range(len(_tdsl.sources(op)))]

    def show(affine: ir.Attribute | None) -> str | None:
        return None if affine is None else str(affine).removeprefix("affine_map<").removesuffix(">")

    return [show(affine) for affine in written], [show(affine) for affine in read]


DOMAIN = "(d0, d1, d2)[s0] -> "
LHS, RHS1, RHS2 = f"{DOMAIN}(d0, d1)", f"{DOMAIN}(s0, d0, d2)", f"{DOMAIN}(d2, d1)"


@pytest.mark.parametrize(
    ("text", "written", "read"),
    [
        (f"tdsl.assign @y add = mul(@x, @w) {BY}", [LHS], [RHS1, RHS2]),
        # A gradient reads the result and the other operand, and writes an operand.
        (f"tdsl.assign @x[rhs1] add = mul(@y[lhs], @w[rhs2]) {BY}", [RHS1], [LHS, RHS2]),
        (f"tdsl.assign @w[rhs2] add = mul(@x[rhs1], @y[lhs]) {BY}", [RHS2], [RHS1, LHS]),
        # The obvious slot of a source is its position, whatever it reads.
        (f"tdsl.assign @y add = mul(@w[rhs2], @w) {BY}", [LHS], [RHS2, RHS2]),
        (f"tdsl.assign @y add = block id(@x, @w) {BY}", [LHS], [RHS1, RHS2]),
        (f"tdsl.assign (@x[rhs1], @w[rhs2]) add = id(@y[lhs]) {BY}", [RHS1, RHS2], [LHS]),
        (f"tdsl.assign @y add = id(merge(@x)) {BY}", [LHS], [RHS1]),
        # The product space: memory order is batch, output, input; axes find iterators by size.
        (f"tdsl.assign @whole[pspace] add = id(@y[lhs]) {BY}", [f"{DOMAIN}(d0, d2, d1)"], [LHS]),
        (f"tdsl.assign @y add = id(@with_ones[pspace]) {BY}", [LHS], [f"{DOMAIN}(0, d0, d1, d2, 0)"]),
        (f"tdsl.assign @y add = id(@too_small[pspace]) {BY}", [LHS], [None]),
        (f"tdsl.assign @y add = id(@too_large[pspace]) {BY}", [LHS], [None]),
        (f"tdsl.assign @y add = id(@open[pspace]) {BY}", [LHS], [None]),
        # A scalar is at index 0 along each of its axes.
        (f"tdsl.assign @y add = mul(@x, @number[scalar]) {BY}", [LHS], [RHS1, f"{DOMAIN}(0)"]),
        (f"tdsl.assign @y add = mul(@x, @open[scalar]) {BY}", [LHS], [RHS1, None]),
        # Nothing is known before derivation.
        ("tdsl.assign @y add = mul(@x, @w) by @open_space", [None], [None, None]),
        ("tdsl.assign @y[pspace] add = id(@x[scalar]) by @open_space", [None], [None]),
        (
            "tdsl.set_vec @u = uint4x32_to_prec_uniform(@words) by @packed",
            ["(d0, d1) -> (d0 + d1)"],
            ["(d0, d1) -> (d0)"],
        ),
    ],
)
def test_maps(context: ir.Context, text: str, written: list[str | None], read: list[str | None]) -> None:
    assert maps(text) == (written, read)


def test_a_position_out_of_range_has_no_map(context: ir.Context) -> None:
    module = parse(f"tdsl.assign @y add = mul(@x, @w) {BY}")
    op = operation(module)
    for position in (-1, 2, 2**40):
        assert _tdsl.source_map(op, position) is None
        assert _tdsl.destination_map(op, position) is None


def test_the_iteration_space(context: ir.Context) -> None:
    module = parse(f"tdsl.assign @y add = mul(@x, @w) {BY}")
    derived = operation(module)
    space = _tdsl.iteration_space(derived)
    assert str(space) == (
        "#tdsl.space<[i 2 parallel, k 3 parallel, j 5 reduction] symbols [s]"
        " lhs[i, k] rhs1[s, i, j] guarded rhs2[j, k]>"
    )
    other_module = parse("tdsl.assign @y add = mul(@x, @w) by @open_space")
    underived = operation(other_module)
    assert _tdsl.iteration_space(underived) is None


def test_accesses(context: ir.Context) -> None:
    module = parse(f"tdsl.assign (@x[rhs1], @w[rhs2]) add = id(@y[lhs]) {BY}")
    op = operation(module)
    assert str(_tdsl.destinations(op)) == "[#tdsl.access<@x[rhs1]>, #tdsl.access<@w[rhs2]>]"
    assert str(_tdsl.sources(op)) == "[#tdsl.access<@y[lhs]>]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"tdsl.assign @y add = mul(@x, @w) {BY}", True),
        ("tdsl.set_vec @u = uint4x32_to_prec_uniform(@words) by @packed", True),
        ("tdsl.fill @y neutral add", False),
        ("tdsl.fetch @y = range", False),
        ('tdsl.comment "c" {\n}', False),
    ],
)
def test_which_operations_have_one(context: ir.Context, text: str, expected: bool) -> None:
    module = parse(text)
    op = operation(module)
    assert _tdsl.has_index_space(op) is expected
    if not expected:
        for ask in (_tdsl.iteration_space, _tdsl.destinations, _tdsl.sources):
            with pytest.raises(TypeError, match="the operation has no index space"):
                ask(op)
