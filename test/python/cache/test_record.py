"""The format of files of the cache: every damage is found."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdsl.cache.record import DamagedRecordError, decode, encode

RECORD = encode({"name": "größe", "numbers": [1, 2]}, b"body\0\xff")


def test_what_was_encoded_is_decoded() -> None:
    assert decode(RECORD) == ({"name": "größe", "numbers": [1, 2]}, b"body\0\xff")
    assert encode({"name": "größe", "numbers": [1, 2]}, b"body\0\xff") == RECORD


@given(st.integers(0, len(RECORD) - 1), st.integers(1, 255))
def test_every_changed_byte_is_found(position: int, change: int) -> None:
    damaged = bytearray(RECORD)
    damaged[position] ^= change
    with pytest.raises(DamagedRecordError):
        decode(bytes(damaged))


@pytest.mark.parametrize("length", range(len(RECORD)))
def test_every_truncation_is_found(length: int) -> None:
    with pytest.raises(DamagedRecordError):
        decode(RECORD[:length])


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(DamagedRecordError):
        decode(data)
    with pytest.raises(DamagedRecordError):
        decode(RECORD + data + b"x")


def test_another_version_is_named() -> None:
    other = RECORD[:8] + struct.pack("<I", 7) + RECORD[12:]
    with pytest.raises(DamagedRecordError, match=r"^it has version 7 of the format, not 1$"):
        decode(other)


def test_a_header_that_is_no_object() -> None:
    with pytest.raises(DamagedRecordError, match=r"^its header is not an object$"):
        decode(encode([1]))  # pyright: ignore[reportArgumentType]
