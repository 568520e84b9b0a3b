"""Random words in compiled code: bit for bit what the reference interpreter makes of them (spec b.6)."""

from __future__ import annotations

import re
from typing import Any

import mlir.ir as ir
import numpy as np
import pytest

import tdsl
from notation.conformance import cases
from tdsl.ir.precision import Precision, cells_per_word
from tdsl.runtime.context import Context

from .agreement import check_agreement, run_compiled

INTEGERS = ["u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8"]
FLOATS = ["f64", "f32", "bf16", "f16"]


def _lanes(precision: str) -> int:
    return cells_per_word(next(p for p in Precision if str(p) == precision))


def _words(number: int, seed: int = 0) -> np.ndarray:
    """Words with any number of leading zeros, the largest and the smallest among them."""
    generator = np.random.default_rng(seed)
    words = generator.integers(0, 1 << 32, (number, 4), dtype=np.uint32)
    words >>= generator.integers(0, 32, (number, 4)).astype(np.uint32)
    words[0], words[-1] = 0xFFFFFFFF, 0
    return words


def test_both_threefry_functions(context: ir.Context) -> None:
    check_agreement(
        """
        tdsl.node @key : uint4x32 "4|->1:bcast_if_1" input
        tdsl.node @counter : uint4x32 "->9" input
        tdsl.node @light : uint4x32 "4|->9" result
        tdsl.node @crypto : uint4x32 "4|->9" result
        tdsl.projections @p "." (@key, @counter) -> @light
        tdsl.projections @q "." (@key, @counter) -> @crypto
        tdsl.routine @run {
          tdsl.assign @light overwrite = threefry4x32(@key, @counter) by @p
          tdsl.assign @crypto overwrite = threefry4x32_crypto(@key, @counter) by @q
        }""",
        {"key": _words(4).reshape(4, 1, 4), "counter": _words(9, seed=1)},
    )


def test_accumulating_with_threefry(context: ir.Context) -> None:
    check_agreement(
        """
        tdsl.node @x : uint4x32 "3,2" input
        tdsl.node @fresh : uint4x32 "3" result
        tdsl.node @kept : uint4x32 "3" leaf
        tdsl.projections @p "ij => i" (@x) -> @fresh
        tdsl.projections @q "ij => i" (@x) -> @kept
        tdsl.routine @run {
          tdsl.assign @fresh reset threefry4x32 = id(@x) by @p
          tdsl.assign @kept threefry4x32 = id(@x) by @q
        }""",
        {"x": _words(6).reshape(3, 2, 4), "kept": _words(3, seed=2)},
    )


def test_integers_become_counters(context: ir.Context) -> None:
    # 64-bit numbers are split, narrower ones spread over all four words.
    lines, code, values = [], [], {}
    for precision in [*INTEGERS, "bool"]:
        dtype = np.dtype({"i": "int", "u": "uint"}[precision[0]] + precision[1:] if precision != "bool" else "bool")
        cells = [0, 1] if precision == "bool" else [0, 1, 77, np.iinfo(dtype).max, np.iinfo(dtype).min]
        values[precision] = np.array(cells, dtype)
        lines.append(f'tdsl.node @{precision} : {precision} "{len(cells)}" input')
        lines.append(f'tdsl.node @words.{precision} : uint4x32 "{len(cells)}" result')
        lines.append(f'tdsl.projections @p.{precision} "." (@{precision}) -> @words.{precision}')
        code.append(f"tdsl.assign @words.{precision} overwrite = id(@{precision}) by @p.{precision}")
    results = check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)
    assert results["words.u32"][2].tolist() == [77, 77 ^ 0x9E3779B9, 77 ^ 0x6C078965, 77 ^ 77 << 16]
    assert results["words.i64"][2].tolist() == [77, 0, 0, 0]
    # Pitfall 97: of 64-bit counters every bit counts, too.
    assert results["words.u64"][3].tolist() == [0xFFFFFFFF, 0xFFFFFFFF, 0, 0]


def test_fetches_of_words(context: ir.Context) -> None:
    results = check_agreement(
        """
        tdsl.symbol @i range 0 to 4
        tdsl.dim @d = 9
        tdsl.node @all : uint4x32 "4|->3" input
        tdsl.node @zero : uint4x32 "->2,2" result
        tdsl.node @zeros : uint4x32 "->2" result
        tdsl.node @bits : uint4x32 "->2,2" result
        tdsl.node @negative : uint4x32 "->" result
        tdsl.node @range : uint4x32 "2|3->2" result
        tdsl.node @symbol : uint4x32 "->" result
        tdsl.node @id : uint4x32 "->3" result id 7
        tdsl.node @dim : uint4x32 "->1" result
        tdsl.node @slice : uint4x32 "->3" result
        tdsl.routine @run(%i: !tdsl.index<@i>) {
          tdsl.fetch @zero = constant 0.0
          tdsl.fetch @zeros = fill [0.0, 0.0]
          tdsl.fetch @bits = bits 81985529216486895
          tdsl.fetch @negative = bits -2
          tdsl.fetch @range = range
          tdsl.fetch @symbol = symbol %i : !tdsl.index<@i>
          tdsl.fetch @id = self_id
          tdsl.fetch @dim = dim @d
          tdsl.fetch @slice = slice @all at %i : !tdsl.index<@i>
        }""",
        {"all": _words(12).reshape(4, 3, 4)},
        i=3,
    )
    assert results["bits"][1, 1].tolist() == [0x89ABCDEF, 0x01234567, 0, 0]
    assert results["negative"].tolist() == [0xFFFFFFFE, 0xFFFFFFFF, 0, 0]
    assert results["range"][1, 1, 2, 0] == 11


def test_words_are_moved_chosen_and_compared(context: ir.Context) -> None:
    check_agreement(
        """
        tdsl.node @a : uint4x32 "5" input
        tdsl.node @b : uint4x32 "5" input
        tdsl.node @c : f32 "5" input
        tdsl.node @copy : uint4x32 "5" result
        tdsl.node @chosen : uint4x32 "5" result
        tdsl.node @by_word : f32 "5" result
        tdsl.node @second : uint4x32 "5" result
        tdsl.node @kernel : f32 "3" input
        tdsl.node @padded : uint4x32 "5,3" result
        tdsl.node @placed : uint4x32 "5,3" result
        tdsl.node @joined : uint4x32 "10" result
        tdsl.node @eq : f32 "5" result
        tdsl.node @ne : i32 "5" result
        tdsl.node @not : bool "5" result
        tdsl.node @or : uint4x32 "5" result
        tdsl.projections @one "." (@a) -> @copy
        tdsl.projections @two "." (@a, @b) -> @eq
        tdsl.projections @three "." (@c, @a, @b) -> @chosen
        tdsl.projections @four "." (@a, @c, @c) -> @by_word
        tdsl.projections @place "i => i1" (@a) -> @placed
        tdsl.projections @join "a; b => a^b" (@a, @b) -> @joined
        tdsl.projections @pad "o=+k; k => o,k" (@a, @kernel) -> @padded
        tdsl.routine @run {
          tdsl.assign @copy overwrite = id(@a) by @one
          tdsl.assign @chosen overwrite = where(@c, @a, @b) by @three
          tdsl.assign @by_word overwrite = where(@a, @c, @c) by @four
          tdsl.assign @second overwrite = snd(@c, @b) by @two
          tdsl.fill @padded neutral or
          tdsl.assign @padded overwrite = fst(@a, @kernel) by @pad
          tdsl.fill @placed neutral threefry4x32
          tdsl.assign @placed overwrite = id(@a) by @place
          tdsl.assign @joined overwrite = block id(@a, @b) by @join
          tdsl.assign @eq overwrite = eq(@a, @b) by @two
          tdsl.assign @ne overwrite = ne(@a, @b) by @two
          tdsl.assign @not overwrite = not(@a) by @one
          tdsl.assign @or overwrite = or(@a, @c) by @two
        }""",
        {
            "a": _words(5),
            "b": np.concatenate([_words(5)[:2], _words(3, seed=3)]),
            "kernel": np.ones(3, np.float32),
            "c": np.array([0, 1, np.nan, -0.0, 3], np.float32),
        },
    )


def _unpacking(precision: str, shape: str, number: int, name: str) -> tuple[list[str], str]:
    return [
        f'tdsl.node @w.{name} : uint4x32 "|{number}->" input',
        f'tdsl.node @y.{name} : {precision} "{shape}" result',
        f"tdsl.projections @p.{name} uniform (@w.{name}) -> @y.{name}",
    ], f"tdsl.set_vec @y.{name} = uint4x32_to_prec_uniform(@w.{name}) by @p.{name}"


@pytest.mark.parametrize("shape", ["exact", "one more", "one less", "several axes", "one", "none"])
def test_packed_uniform_cells(context: ir.Context, shape: str) -> None:
    # Cell counts that are no multiple of the lanes take one more word, whose last lanes are dropped (k.14).
    lines, code, values = [], [], {}
    for precision in [*FLOATS, *INTEGERS]:
        lanes = _lanes(precision)
        text, cells = {
            "exact": (f"->{3 * lanes}", 3 * lanes),
            "one more": (f"->{2 * lanes + 1}", 2 * lanes + 1),
            "one less": (f"->{2 * lanes - 1}", 2 * lanes - 1),
            "several axes": ("2|3->5", 30),
            "one": ("->", 1),
            "none": ("->0", 0),
        }[shape]
        declared, statement = _unpacking(precision, text, -(-cells // lanes), precision)
        lines += declared
        code.append(statement)
        words = _words(max(-(-cells // lanes), 1))[: -(-cells // lanes)]
        values[f"w.{precision}"] = words
    results = check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), values)
    for precision in FLOATS:
        y = results[f"y.{precision}"].astype(np.float64)
        assert ((y >= 0) & (y < 1)).all(), precision


def test_cells_of_one_word_each(context: ir.Context) -> None:
    lines = ['tdsl.node @w : uint4x32 "64" input']
    code = []
    for precision in [*FLOATS, *INTEGERS]:
        lines.append(f'tdsl.node @y.{precision} : {precision} "64" result')
        lines.append(f'tdsl.projections @p.{precision} "." (@w) -> @y.{precision}')
        code.append(f"tdsl.assign @y.{precision} overwrite = uint4x32_to_prec_uniform1(@w) by @p.{precision}")
    check_agreement("\n".join([*lines, "tdsl.routine @run {", *code, "}"]), {"w": _words(64)})


def prng_case(identifier: str) -> dict[str, Any]:
    (case,) = [case for case in cases("prng") if case["id"] == identifier]
    return case


def test_golden_words() -> None:
    # 96: every backend gives the words of the conformance cases.
    golden = [case for case in cases("prng") if "key" in case]
    result = run_compiled(
        f"""
        tdsl.node @key : uint4x32 "{len(golden)}" input
        tdsl.node @counter : uint4x32 "{len(golden)}" input
        tdsl.node @y : uint4x32 "{len(golden)}" result
        tdsl.projections @p "." (@key, @counter) -> @y
        tdsl.routine @run {{ tdsl.assign @y overwrite = threefry4x32(@key, @counter) by @p }}""",
        {
            "key": np.array([case["key"] for case in golden], np.uint32),
            "counter": np.array([case["counter"] for case in golden], np.uint32),
        },
    )["y"]
    assert len(golden) == 4
    assert result.tolist() == [case["expect"]["words"] for case in golden]


def test_golden_streams() -> None:
    half, single = prng_case("u4x32-demo-half"), prng_case("u4x32-first5-single")
    results = run_compiled(
        """
        tdsl.node @random_seed : uint4x32 "|1:bcast_if_1->" leaf
        tdsl.node @counter : u32 "|2->" leaf
        tdsl.node @words : uint4x32 "|2->" result
        tdsl.node @halves : f16 "16" result
        tdsl.node @singles : f32 "8" result
        tdsl.projections @p "." (@random_seed, @counter) -> @words
        tdsl.projections @u uniform (@words) -> @halves
        tdsl.projections @v uniform (@words) -> @singles
        tdsl.routine @run {
          tdsl.fetch @counter = range
          tdsl.assign @words overwrite = threefry4x32(@random_seed, @counter) by @p
          tdsl.set_vec @halves = uint4x32_to_prec_uniform(@words) by @u
          tdsl.set_vec @singles = uint4x32_to_prec_uniform(@words) by @v
        }""",
        {},
    )
    np.testing.assert_allclose(results["halves"].astype("f8"), half["expect"]["values"], rtol=0, atol=half["tolerance"])
    np.testing.assert_allclose(results["singles"], single["expect"]["values"], rtol=0, atol=1e-7)


@pytest.mark.parametrize(("identifier", "precision"), [("u4x32-single-vec", "f32"), ("u4x32-half-vec-lo-hi", "f16")])
def test_golden_cells(identifier: str, precision: str) -> None:
    case = prng_case(identifier)
    expected = case["expect"]["values"]
    lines, statement = _unpacking(precision, str(len(expected)), 1, "x")
    words = np.array([(case["words"] + [0, 0, 0])[:4]], np.uint32)
    result = run_compiled("\n".join([*lines, f"tdsl.routine @run {{ {statement} }}"]), {"w.x": words})["y.x"]
    assert result.tolist() == expected


STREAM = """
  tdsl.node @random_seed : uint4x32 "|1:bcast_if_1->" leaf
  tdsl.node @counter : uint4x32 "|65536->" leaf
  tdsl.node @words : uint4x32 "|65536->" result
  tdsl.node @y : f32 "|65536->" result
  tdsl.node @crypto.words : uint4x32 "|65536->" result
  tdsl.node @crypto : f32 "|65536->" result
  tdsl.node @packed : f32 "262144" result
  tdsl.projections @p "." (@random_seed, @counter) -> @words
  tdsl.projections @q "." (@words) -> @y
  tdsl.projections @r "." (@random_seed, @counter) -> @crypto.words
  tdsl.projections @s "." (@crypto.words) -> @crypto
  tdsl.projections @u uniform (@words) -> @packed
  tdsl.routine @run {
    tdsl.fetch @counter = range
    tdsl.assign @crypto.words overwrite = threefry4x32_crypto(@random_seed, @counter) by @r
    tdsl.assign @crypto overwrite = uint4x32_to_prec_uniform1(@crypto.words) by @s
    tdsl.assign @words overwrite = threefry4x32(@random_seed, @counter) by @p
    tdsl.assign @y overwrite = uint4x32_to_prec_uniform1(@words) by @q
    tdsl.set_vec @packed = uint4x32_to_prec_uniform(@words) by @u
  }"""


def test_streams_are_uniform_and_depend_on_the_seed() -> None:
    # 95: chi-square over 256 bins has mean 255 and standard deviation 22.6; a stream that repeats is far outside.
    results = run_compiled(STREAM, {})
    for name in ("y", "packed", "crypto"):
        cells = results[name].ravel()
        counts = np.bincount((cells * 256).astype(int), minlength=256)
        mean = cells.size / 256
        assert abs(((counts - mean) ** 2 / mean).sum() - 255) < 5 * 22.6, name
    # Two rounds leave neighbours alike; twenty do not.
    cells = results["crypto"].ravel()
    assert abs(np.corrcoef(cells[:-1], cells[1:])[0, 1]) < 5 / np.sqrt(cells.size)
    other = run_compiled(STREAM, {"random_seed": np.array([[43, 0, 0, 0]], np.uint32)})
    assert (results["words"] != other["words"]).mean() > 0.99


def test_a_stream_for_each_node_and_step(context: ir.Context) -> None:
    # 98: the key mixes the id of the node, and the number of the step.
    results = {}
    body = """
      tdsl.symbol @step range 0 to 100
      tdsl.node @random_seed : uint4x32 "1" leaf
      tdsl.node @step.words : uint4x32 "1" result
      tdsl.node @a : uint4x32 "1" result id 7
      tdsl.node @b : uint4x32 "1" result id 8
      tdsl.projections @p "." (@a, @random_seed) -> @a
      tdsl.projections @q "." (@b, @random_seed) -> @b
      tdsl.projections @r "." (@a, @step.words) -> @a
      tdsl.routine @run(%i: !tdsl.index<@step>) {
        tdsl.fetch @a = self_id
        tdsl.fetch @b = self_id
        tdsl.fetch @step.words = symbol %i : !tdsl.index<@step>
        tdsl.assign @a overwrite = threefry4x32(@a, @random_seed) by @p
        tdsl.assign @b overwrite = threefry4x32(@b, @random_seed) by @q
        tdsl.assign @a overwrite = threefry4x32(@a, @step.words) by @r
      }"""
    for step in (0, 1):
        results[step] = check_agreement(body, {"random_seed": np.array([[42, 0, 0, 0]], np.uint32)}, step=step)
    assert (results[0]["a"] != results[0]["b"]).all()
    assert (results[0]["a"] != results[1]["a"]).all()


COPY = """tdsl.program @p {
  tdsl.node @x : uint4x32 "3" input
  tdsl.node @y : uint4x32 "3" result
  tdsl.projections @q "." (@x) -> @y
  tdsl.routine @run { tdsl.assign @y overwrite = id(@x) by @q }
}"""


@pytest.mark.parametrize("shift", [0, 4, 8])
def test_arrays_of_words_need_no_alignment_of_their_own(shift: int) -> None:
    compiled = tdsl.compile(COPY)
    words = _words(3)
    memory = np.zeros(words.nbytes + 32, np.uint8)
    start = -memory.ctypes.data % 16 + shift
    x = memory[start : start + words.nbytes].view(np.uint32).reshape(3, 4)
    x[...] = words
    target = np.zeros((6, 5), np.uint32)[::2, 1:]
    results = compiled["run"]({"x": x, "y": target})
    np.testing.assert_array_equal(results["y"], words)
    np.testing.assert_array_equal(target, words)


def test_signature_of_words() -> None:
    compiled = tdsl.compile(COPY)
    x = compiled["run"].signature.arguments[0]
    assert (x.shape, x.cell_shape, x.dtype, x.alignment) == ((3, 4), (4,), np.uint32, 16)
    context = Context(compiled, {"x": _words(3)})
    context.run("run")
    np.testing.assert_array_equal(context["y"], _words(3))
    with pytest.raises(tdsl.ShapeError, match=re.escape("node 'x' has 2 axes [3, 4]")):
        compiled["run"]({"x": np.zeros(3, np.uint32)})
    with pytest.raises(tdsl.DtypeError, match="holds uint32, but was given int64"):
        compiled["run"]({"x": np.zeros((3, 4), np.int64)})


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("tdsl.assign @w overwrite = id(@f) by @p", "cells of precision f32 do not become uint4x32 words"),
        ("tdsl.assign @y overwrite = id(@v) by @q", "words of precision uint4x32 are not numbers"),
        ("tdsl.assign @w overwrite = neg(@v) by @r", "'neg' is not available for cells of precision uint4x32"),
        ("tdsl.assign @w overwrite = add(@v, @v) by @s", "'add' is not available for cells of precision uint4x32"),
        ("tdsl.assign @w add = id(@v) by @r", "'add' is not available for cells of precision uint4x32"),
        ("tdsl.assign @w max = id(@v) by @r", "whose neutral element cells of precision uint4x32 do not have"),
        ("tdsl.assign @y overwrite = lt(@v, @v) by @t", "'lt' is not available for cells of precision uint4x32"),
        ("tdsl.assign @y overwrite = threefry4x32(@v, @v) by @t", "'threefry4x32' makes uint4x32 words"),
        ("tdsl.assign @b overwrite = uint4x32_to_prec_uniform1(@v) by @u", "no uniform numbers of precision bool"),
        ("tdsl.fetch @w = constant 3.0", "a number other than 0 says nothing about four words"),
        ("tdsl.fetch @w = fill [0.0, 3.0]", "a number other than 0 says nothing about four words"),
        ("tdsl.fetch @w = symbol %i : !tdsl.index<@i>", "a counter of uint4x32 takes 32 bits"),
        ("tdsl.fill @w neutral max", "the neutral element of 'max', which cells of precision uint4x32 do not have"),
    ],
)  # fmt: skip
def test_words_are_not_numbers(statement: str, message: str) -> None:
    text = f"""tdsl.program @p {{
      tdsl.symbol @i range 0 to 5000000000
      tdsl.node @v : uint4x32 "2" input
      tdsl.node @f : f32 "2" input
      tdsl.node @w : uint4x32 "2" result
      tdsl.node @y : f32 "2" result
      tdsl.node @b : bool "2" result
      tdsl.projections @p "." (@f) -> @w
      tdsl.projections @q "." (@v) -> @y
      tdsl.projections @r "." (@v) -> @w
      tdsl.projections @s "." (@v, @v) -> @w
      tdsl.projections @t "." (@v, @v) -> @y
      tdsl.projections @u "." (@v) -> @b
      tdsl.routine @run(%i: !tdsl.index<@i>) {{
        {statement}
      }}
    }}"""
    with pytest.raises(tdsl.CompileError) as caught:
        tdsl.compile(text)
    assert message in str(caught.value).splitlines()[0]
    assert caught.value.diagnostics[0].line == 15
