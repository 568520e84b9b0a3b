"""What is compiled once, and the bounds of the cache."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import tdsl
from tdsl.eager.program_cache import CacheInfo, ProgramCache


def test_an_operation_is_compiled_once_for_spec_shape_and_type() -> None:
    tdsl.eager_cache.clear()
    x = np.arange(6.0).reshape(2, 3)

    def misses() -> int:
        return tdsl.eager_cache.info().misses

    for _ in range(3):
        tdsl.einsum("ij => ji", x)
    tdsl.einsum("ij => ji", -x, out=np.empty((3, 2)))
    assert tdsl.eager_cache.info() == CacheInfo(hits=3, misses=1, size=1, limit=256)
    tdsl.einsum("ij => ji", x.astype(np.float32))
    assert misses() == 2
    tdsl.einsum("ij => ji", x[:1])
    assert misses() == 3
    tdsl.einsum("ij => j", x)
    assert misses() == 4
    tdsl.einsum1("ij => ji", tdsl.asarray(x, rows="2,3:rgb"))
    assert misses() == 5
    tdsl.eager_cache.clear()
    assert tdsl.eager_cache.info() == CacheInfo(hits=0, misses=0, size=0, limit=256)


def test_the_value_of_a_number_is_no_part_of_the_program() -> None:
    tdsl.eager_cache.clear()
    assert [tdsl.add(np.zeros(1), number).item() for number in (1, 2.5, True)] == [1, 2.5, 1]
    assert tdsl.eager_cache.info().misses == 1


def test_the_one_used_longest_ago_goes_first() -> None:
    cache: ProgramCache[str] = ProgramCache(limit=2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, lambda: "program")
    assert cache.info() == CacheInfo(hits=1, misses=3, size=2, limit=2)
    cache.get("a", pytest.fail)
    cache.limit = 1
    cache.get("a", pytest.fail)
    assert cache.info().size == 1
    for wrong in (0, -1):
        with pytest.raises(tdsl.TdslError, match=f"at least 1 program, not {wrong}"):
            cache.limit = wrong


def test_a_failure_is_not_kept() -> None:
    cache: ProgramCache[str] = ProgramCache()

    def fail() -> str:
        raise tdsl.ShapeError("wrong")

    with pytest.raises(tdsl.ShapeError):
        cache.get("a", fail)
    assert cache.get("a", lambda: "program") == "program"
    assert cache.info() == CacheInfo(hits=0, misses=1, size=1, limit=256)


def test_different_programs_are_compiled_side_by_side() -> None:
    cache: ProgramCache[str] = ProgramCache()
    both_compile = threading.Barrier(2, timeout=30)

    def compile() -> str:
        both_compile.wait()
        return "program"

    threads = [threading.Thread(target=cache.get, args=(key, compile)) for key in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.info().misses == 2


def test_every_lazy_name_is_there() -> None:
    for name in tdsl.__all__:
        assert getattr(tdsl, name) is not None
    assert sorted(tdsl._LAZY) == sorted(set(tdsl._LAZY) & set(tdsl.__all__))
