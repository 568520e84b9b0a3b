"""The spaces that derivation finds, in the written form of the dialect, and the shapes it refuses."""

from __future__ import annotations

import pytest

from tdsl.errors import ShapeError
from tdsl.notation import parse
from tdsl.projections import (
    ClosedShape,
    Compose,
    ComposeAccumulate,
    Einsum,
    Logic,
    Pointwise,
    Slice,
    Transpose,
    Uniform,
    derive,
)
from tdsl.projections.equations import Equations, Node, Window


def out(*sizes: int) -> ClosedShape:
    return ClosedShape.of(output=sizes)


def spaces(logic: Logic | str, operands: list[ClosedShape], result: ClosedShape, **label_sizes: int) -> list[str]:
    if isinstance(logic, str):
        logic = Einsum(parse(logic), label_sizes)
    return [str(space) for space in derive(logic, operands, result).segments]


@pytest.mark.parametrize(
    ("spec", "operands", "result", "expected"),
    [
        (
            "ij;jk=>ik",
            [out(2, 3), out(3, 4)],
            out(2, 4),
            ["<[i 2 parallel, k 4 parallel, j 3 reduction] lhs[i, k] rhs1[i, j] rhs2[j, k]>"],
        ),
        ("ii=>i", [out(3, 3)], out(3), ["<[i 3 parallel] lhs[i] rhs1[i, i]>"]),
        ("i=>ii", [out(3)], out(3, 3), ["<[i 3 parallel] lhs[i, i] rhs1[i]>"]),
        (
            "2*o<+k;k=>o",
            [out(9), out(3)],
            out(4),
            ["<[o 4 parallel, k 3 reduction] lhs[o] rhs1[o * 2 + k] rhs2[k]>"],
        ),
        (
            "o=+2*k;k=>o",
            [out(6), out(3)],
            out(6),
            ["<[o 6 parallel, k 3 reduction] lhs[o] rhs1[o + k * 2 - 2] guarded rhs2[k]>"],
        ),
        # A window of one cell cannot leave its node, and needs no iterator.
        ("2*o=+k;k=>o", [out(6), out(1)], out(3), ["<[o 3 parallel] lhs[o] rhs1[o * 2] rhs2[0]>"]),
        ("a;b=>a^b", [out(2), out(3)], out(5),
         ["<[a 2 parallel] lhs[a] rhs1[a]>", "<[b 3 parallel] lhs[b + 2] rhs2[b]>"]),
        ("3^a^5=>a", [out(12)], out(4), ["<[a 4 parallel] lhs[a] rhs1[a + 3]>"]),
        ("a^b=>b", [out(5)], out(2), ["<[b 2 parallel] lhs[b] rhs1[b + 3]>"]),
        # Two axes with the same components go through them in lockstep.
        (
            "a; b => a^b, a^b",
            [out(1), out(2)],
            out(3, 3),
            ["<[a 1 parallel] lhs[a, a] rhs1[a]>", "<[b 2 parallel] lhs[b + 1, b + 1] rhs2[b]>"],
        ),
        # Concatenations that share no label are combined freely: a matrix of blocks.
        (
            "a,c; b,d => a^b, c^d",
            [out(1, 2), out(2, 3)],
            out(3, 5),
            [
                "<[a 1 parallel, c 2 parallel] lhs[a, c] rhs1[a, c]>",
                "<[b 2 parallel, d 3 parallel] lhs[b + 1, d + 2] rhs2[b, d]>",
            ],
        ),
        ("i=>i2", [out(4)], out(4, 3), ["<[i 4 parallel] lhs[i, 2] rhs1[i]>"]),
        # A label may be called like a word of the index grammar, or like an axis of a row variable.
        (
            "mod, o0, ... => mod, o0, ...",
            [out(2, 3, 4)],
            out(2, 3, 4),
            [
                "<[mod_0 2 parallel, o0 3 parallel, o0_0 4 parallel] lhs[mod_0, o0, o0_0] rhs1[mod_0, o0, o0_0]>",
            ],
        ),
        ("..v..|->a => a..v..", [ClosedShape.of(batch=[2, 3], output=[4])], out(4, 2, 3),
         ["<[a 4 parallel, v0 2 parallel, v1 3 parallel] lhs[a, v0, v1] rhs1[v0, v1, a]>"]),
        ("_i=>i", [out(2, 3)], out(3), ["<[i 3 parallel, k0 2 reduction] lhs[i] rhs1[k0, i]>"]),
        ("ij=>i", [out(0, 3)], out(0), ["<[i 0 parallel, j 3 reduction] lhs[i] rhs1[i, j]>"]),
    ],
)  # fmt: skip
def test_einsum(spec: str, operands: list[ClosedShape], result: ClosedShape, expected: list[str]) -> None:
    assert spaces(spec, operands, result) == expected


@pytest.mark.parametrize(
    ("logic", "operands", "result", "expected"),
    [
        (
            Pointwise(),
            [out(2, 3), out(3), out(1)],
            out(2, 3),
            "<[o0 2 parallel, o1 3 parallel] lhs[o0, o1] rhs1[o0, o1] rhs2[o1] rhs3[0]>",
        ),
        (
            Pointwise(),
            [ClosedShape.of(batch=[2], input=[3], output=[4])],
            ClosedShape.of(batch=[2], input=[3], output=[4]),
            "<[b0 2 parallel, o0 4 parallel, i0 3 parallel] lhs[b0, o0, i0] rhs1[b0, o0, i0]>",
        ),
        (Pointwise(), [out()], out(), "<[] lhs[] rhs1[]>"),
        (
            Compose(),
            [ClosedShape.of(input=[3, 4], output=[2]), ClosedShape.of(batch=[5], output=[4])],
            ClosedShape.of(batch=[5], output=[2]),
            "<[b0 5 parallel, o0 2 parallel, k0 3 reduction, k1 4 reduction] "
            "lhs[b0, o0] rhs1[o0, k0, k1] rhs2[b0, k1]>",
        ),
        (
            ComposeAccumulate(),
            [ClosedShape.of(input=[3], output=[2]), out(3), out(2)],
            out(2),
            "<[o0 2 parallel, k0 3 reduction] lhs[o0] rhs1[o0, k0] rhs2[k0] rhs3[o0]>",
        ),
        (
            Transpose(),
            [ClosedShape.of(batch=[2], input=[3], output=[4])],
            ClosedShape.of(batch=[2], input=[4], output=[3]),
            "<[b0 2 parallel, o0 3 parallel, i0 4 parallel] lhs[b0, o0, i0] rhs1[b0, i0, o0]>",
        ),
        (
            Slice("step"),
            [ClosedShape.of(batch=[5, 2], output=[4])],
            ClosedShape.of(batch=[2], output=[4]),
            "<[b0 2 parallel, o0 4 parallel] symbols [step] lhs[b0, o0] rhs1[step, b0, o0]>",
        ),
        # An iterator does not take the name of the symbol.
        (
            Slice("o0"),
            [ClosedShape.of(batch=[5], output=[4])],
            out(4),
            "<[o0_0 4 parallel] symbols [o0] lhs[o0_0] rhs1[o0, o0_0]>",
        ),
        (
            Uniform(4),
            [ClosedShape.of(input=[2])],
            out(2, 4),
            "<[o0 2 parallel, o1 4 parallel] lhs[o0, o1] rhs1[(o0 * 4 + o1) floordiv 4]>",
        ),
        # The last word is not used up (k.14).
        (Uniform(4), [out(2)], out(5), "<[o0 5 parallel] lhs[o0] rhs1[o0 floordiv 4]>"),
    ],
)
def test_other_logics(logic: Logic, operands: list[ClosedShape], result: ClosedShape, expected: str) -> None:
    assert spaces(logic, operands, result) == [expected]


def test_a_captured_size_completes_the_shapes() -> None:
    # Nothing but the capture says how wide the padded window is (pitfall 53).
    space = "<[o 4 parallel, k 3 reduction] lhs[o] rhs1[o + k - 1] guarded>"
    assert spaces("o=+k => o", [out(4)], out(4), k=3) == [space]
    # Of a valid window, the shapes say it.
    assert spaces("o<+k => o", [out(6)], out(4)) == ["<[o 4 parallel, k 3 reduction] lhs[o] rhs1[o + k]>"]


@pytest.mark.parametrize(
    ("spec", "operands", "result", "message", "spans"),
    [
        ("ij;jk=>ik", [out(2, 3), out(4, 5)], out(2, 5),
         "Size mismatch: `j` has size 3, output axis 0 of operand 2 has size 4.", [(1, 2), (3, 4)]),
        ("i=>i", [out(2)], out(3), "Size mismatch: `i` has size 2, output axis 0 of the result has size 3.",
         [(0, 1), (3, 4)]),
        ("ij=>i", [out(2)], out(2), "The output row of the operand has a wrong number of axes: 1, but the spec has 2.",
         [(0, 2)]),
        ("...|i;i=>i", [ClosedShape.of(batch=[2], output=[3]), out(3)], ClosedShape.of(batch=[2], output=[3]),
         "`...` stands for a different number of axes: 1 in the batch row of operand 1, 0 in the batch row of operand "
         "2.",
         [(0, 3), (6, 7)]),
        ("i=>i2", [out(4)], out(4, 2),
         "The fixed index 2 needs an axis of size at least 3, but output axis 1 of the result has size 2.", [(4, 5)]),
        ("2*o=+k;k=>o", [out(5), out(3)], out(2), "Incompatible stride: output axis 0 of operand 1 has size 5, but "
         "stride 2 over size 2 needs 4.", [(0, 6)]),
        ("2*o<+k;k=>o", [out(10), out(3)], out(4), "Incompatible stride: output axis 0 of operand 1 has size 10, but "
         "stride 2 over size 4 with a window of 3 needs 9.", [(0, 6)]),
        ("a;b=>a^b", [out(2), out(3)], out(6), "Size mismatch: output axis 0 of the result has size 6, but its "
         "components have 2 + 3.", [(5, 8)]),
        ("a^b=>a", [out(3)], out(4), "The components of output axis 0 of the operand exceed its size: 4 of 3.",
         [(0, 3), (2, 3)]),
        ("o=+k=>o", [out(4)], out(4), "The size of `k` does not follow from the shapes.", [(3, 4)]),
    ],
)  # fmt: skip
def test_shapes_that_do_not_fit(
    spec: str, operands: list[ClosedShape], result: ClosedShape, message: str, spans: list[tuple[int, int]]
) -> None:
    with pytest.raises(ShapeError) as caught:
        spaces(spec, operands, result)
    assert (caught.value.message, caught.value.spans) == (message, spans)


@pytest.mark.parametrize(
    ("logic", "operands", "result", "message"),
    [
        (Pointwise(), [out(2)], out(3), "Size mismatch: output axis 0 of the result has size 3, output axis 0 of the "
         "operand has size 2."),
        (Pointwise(), [out(2, 3)], out(3), "The output row of the operand has too many axes: 2, but the output row of "
         "the result has 1."),
        (Compose(), [out(2), out(3)], out(2), "The output row of operand 2 has too many axes: 1, but the input row of "
         "operand 1 has 0."),
        (Compose(), [out(2)], out(2), "The logic Compose is for 2 operands, not 1."),
        (Slice("s"), [out(3)], out(3),
         "A slice reads the leftmost batch axis of its operand, which has no batch axes."),
        (Uniform(4), [out(1)], out(5), "5 cells take 2 words of 4 lanes from the one axis of the operand, which has "
         "the shape |->1."),
    ],
)  # fmt: skip
def test_other_shapes_that_do_not_fit(
    logic: Logic, operands: list[ClosedShape], result: ClosedShape, message: str
) -> None:
    with pytest.raises(ShapeError) as caught:
        spaces(logic, operands, result)
    assert caught.value.message == message


class TestEquations:
    """What no single spec can state, and a later client might."""

    def test_conflicting_pins_are_an_error(self) -> None:
        # Pitfall 48: the class of i is pinned twice, once before and once after the union.
        first, second = Node("axis A", "a"), Node("axis B", "b")
        equations = Equations()
        equations.add(first, 3)
        equations.add(second, 3)
        equations.pin(first, 0)
        equations.pin(second, 1)
        with pytest.raises(ShapeError, match=r"^One axis is pinned at both 0 and 1: axis A is equal to axis B\.$"):
            equations.equate(first, second)

    def test_equal_pins_agree(self) -> None:
        first, second = Node("axis A", "a"), Node("axis B", "b")
        equations = Equations()
        equations.add(first, 3)
        equations.pin(first, 2)
        equations.pin(second, 2)
        equations.equate(second, first)
        equations.solve()
        assert str(equations.pinned(first)) == "2"

    def test_a_chain_of_windows_completes_sizes(self) -> None:
        outer, middle, inner = Node("outer", "x"), Node("middle", "y"), Node("inner", "z")
        equations = Equations()
        equations.add(inner, 3)
        equations.window(outer, Window(2, middle))
        equations.window(middle, Window(2, inner))
        equations.solve()
        assert equations.size(outer) == 12
