"""The format of a file of the cache: data with a checksum. Reading one executes nothing.

A record is a magic number, the version of the format, the lengths of a header and a body, the SHA-256 of both, the
header (JSON) and the body (bytes, parts of which the header describes).
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

__all__ = ["FORMAT_VERSION", "DamagedRecordError", "decode", "encode"]

FORMAT_VERSION = 1

_MAGIC = b"TDSL\r\n\x1a\n"
_START = struct.Struct("<8sIIQ32s")


class DamagedRecordError(Exception):
    """The bytes are not a record, or not all of one, or of another version; the text says which."""


def encode(header: dict[str, Any], body: bytes = b"") -> bytes:
    """The bytes of a record."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(text + body).digest()
    return _START.pack(_MAGIC, FORMAT_VERSION, len(text), len(body), digest) + text + body


def decode(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and body of a record.

    Raises:
        DamagedRecordError: Anything is not as :func:`encode` wrote it.
    """
    if len(data) < _START.size:
        raise DamagedRecordError("it is too short")
    magic, version, text_length, body_length, digest = _START.unpack_from(data)
    if magic != _MAGIC:
        raise DamagedRecordError("it does not start as a file of the cache")
    if version != FORMAT_VERSION:
        raise DamagedRecordError(f"it has version {version} of the format, not {FORMAT_VERSION}")
    content = data[_START.size :]
    if len(content) != text_length + body_length:
        raise DamagedRecordError(f"it has {len(content)} bytes of content, not {text_length + body_length}")
    if hashlib.sha256(content).digest() != digest:
        raise DamagedRecordError("its checksum is wrong")
    try:
        header = json.loads(content[:text_length])
    except (ValueError, RecursionError) as error:
        raise DamagedRecordError(f"its header cannot be read: {error}") from None
    if not isinstance(header, dict):
        raise DamagedRecordError("its header is not an object")
    return header, content[text_length:]
