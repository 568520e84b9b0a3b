"""Random streams (spec b.6; section H of the pitfalls list)."""

from __future__ import annotations

import numpy as np
import pytest

from reference.programs import program, run
from tdsl.reference import run_routine


def scalar_threefry(key: list[int], counter: list[int], schedule: list[list[int]]) -> list[int]:
    """Spec b.6 once more, on Python integers; ``schedule`` lists the rounds before each injection of the key."""
    mask = 0xFFFFFFFF
    keys = [*key, key[0] ^ key[1] ^ key[2] ^ key[3] ^ 0x1BD11BDA]
    x = [(c + k) & mask for c, k in zip(counter, key, strict=True)]
    rotations = [(13, 15, 26, 6), (17, 29, 16, 24)]
    for injection, rounds in enumerate(schedule, start=1):
        for number in rounds:
            r = rotations[number]
            for half in (0, 2):
                for a, b, count in ((0, 1, r[half]), (2, 3, r[half + 1])):
                    x[a] = (x[a] + x[b]) & mask
                    x[b] = ((x[b] << count | x[b] >> (32 - count)) & mask) ^ x[a]
                x = [x[0], x[3], x[2], x[1]]
        x = [(x[q] + keys[(injection + q) % 5]) & mask for q in range(4)]
        x[3] = (x[3] + injection) & mask
    return x


@pytest.mark.parametrize(
    ("operation", "schedule"), [("threefry4x32", [[0, 1]]), ("threefry4x32_crypto", [[0, 1, 0, 1]] * 5)]
)
def test_threefry_on_random_words(context, operation, schedule):
    text = f"""
      tdsl.node @key : uint4x32 "16" input
      tdsl.node @counter : uint4x32 "16" input
      tdsl.node @y : uint4x32 "16" result
      tdsl.projections @p "." (@key, @counter) -> @y
      tdsl.routine @run {{ tdsl.assign @y overwrite = {operation}(@key, @counter) by @p }}"""
    random = np.random.default_rng(0)
    key, counter = random.integers(0, 1 << 32, (2, 16, 4), dtype=np.uint32)
    words = run(text, {"key": key, "counter": counter})["y"].tolist()
    assert words == [scalar_threefry(k, c, schedule) for k, c in zip(key.tolist(), counter.tolist(), strict=True)]


def test_pointwise_uniform_is_uniform(context):
    # 95: 256 bins of 16 expected numbers each; chi-square has mean 255 and deviation 22.6.
    text = """
      tdsl.node @random_seed : uint4x32 "1:bcast_if_1" leaf
      tdsl.node @counter : uint4x32 "4096" leaf
      tdsl.node @words : uint4x32 "4096" result
      tdsl.node @y : f32 "4096" result
      tdsl.projections @p "." (@random_seed, @counter) -> @words
      tdsl.projections @q "." (@words) -> @y
      tdsl.routine @run {
        tdsl.fetch @counter = range
        tdsl.assign @words overwrite = threefry4x32(@random_seed, @counter) by @p
        tdsl.assign @y overwrite = uint4x32_to_prec_uniform1(@words) by @q
      }"""
    operation = program(text)
    y = run_routine(operation, "run", {})["y"]
    assert y[0] == pytest.approx(0.4637976288795471, abs=1e-7)  # the first cell of the packed stream
    counts = np.bincount((y * 256).astype(int), minlength=256)
    assert ((counts - 16) ** 2 / 16).sum() < 255 + 4 * 22.6
    other = run_routine(operation, "run", {}, seed=43)["y"]
    assert (y != other).mean() > 0.99


@pytest.mark.parametrize("precision", ["f64", "f32", "f16", "bf16", "f8"])
def test_uniform_numbers_stay_below_one(context, precision):
    lanes = {"f64": 2, "f32": 4, "f16": 8, "bf16": 8, "f8": 16}[precision]
    text = f"""
      tdsl.node @words : uint4x32 "1" input
      tdsl.node @y : {precision} "{lanes}" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run {{ tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }}"""
    y = run(text, {"words": np.full((1, 4), 0xFFFFFFFF, np.uint32)})["y"].astype(np.float64)
    assert (y < 1).all()
    assert (y > 0.8).all()


def test_packed_uniform_truncates_the_last_word(context):
    # k.14: five cells take two words, of which three lanes are dropped.
    text = """
      tdsl.node @words : uint4x32 "2" input
      tdsl.node @y : f32 "5" result
      tdsl.projections @u uniform (@words) -> @y
      tdsl.routine @run { tdsl.set_vec @y = uint4x32_to_prec_uniform(@words) by @u }"""
    words = np.arange(8, dtype=np.uint32).reshape(2, 4) << 29
    assert run(text, {"words": words})["y"].tolist() == [0, 0.125, 0.25, 0.375, 0.5]


def test_wide_counters_are_split_and_narrow_ones_spread(context):
    # 97
    text = """
      tdsl.node @wide : i64 "1" input
      tdsl.node @narrow : i32 "1" input
      tdsl.node @a : uint4x32 "1" result
      tdsl.node @b : uint4x32 "1" result
      tdsl.projections @p "." (@wide) -> @a
      tdsl.projections @q "." (@narrow) -> @b
      tdsl.routine @run {
        tdsl.assign @a overwrite = id(@wide) by @p
        tdsl.assign @b overwrite = id(@narrow) by @q
      }"""
    nodes = run(text, {"wide": [(3 << 32) + 5], "narrow": [5]})
    assert nodes["a"].tolist() == [[5, 3, 0, 0]]
    assert nodes["b"].tolist() == [[5, 5 ^ 0x9E3779B9, 5 ^ 0x6C078965, 5 ^ (5 << 16)]]


def test_streams_of_different_nodes_differ(context):
    # 98: the key mixes the id of the node.
    text = """
      tdsl.node @random_seed : uint4x32 "1:bcast_if_1" leaf
      tdsl.node @a : uint4x32 "1" result id 7
      tdsl.node @b : uint4x32 "1" result id 8
      tdsl.projections @p "." (@a, @random_seed) -> @a
      tdsl.projections @q "." (@b, @random_seed) -> @b
      tdsl.routine @run {
        tdsl.fetch @a = self_id
        tdsl.fetch @b = self_id
        tdsl.assign @a overwrite = threefry4x32(@a, @random_seed) by @p
        tdsl.assign @b overwrite = threefry4x32(@b, @random_seed) by @q
      }"""
    nodes = run(text)
    assert (nodes["a"] != nodes["b"]).all()
