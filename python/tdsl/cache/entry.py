"""What the cache keeps of a compiled program: its machine code, and all that is needed to call it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tdsl.cache.record import DamagedRecordError
from tdsl.codegen.signature import Argument, Signature
from tdsl.ir import Precision
from tdsl.ir.precision import numpy_dtype

__all__ = ["Entry", "from_record", "to_record"]


@dataclass(frozen=True)
class Entry:
    """A compiled program.

    Attributes:
        name: The name of the program.
        code: Its object file.
        signatures: How each of its routines is called.
        initial: The cells that nodes are declared with, by name.
        hidden: The nodes that only compiled code sees.
    """

    name: str
    code: bytes
    signatures: tuple[Signature, ...]
    initial: Mapping[str, np.ndarray]
    hidden: frozenset[str]


def to_record(entry: Entry) -> tuple[dict[str, Any], bytes]:
    """Header and body of the record of an entry."""
    body = bytearray(entry.code)
    initial = []
    for name, cells in entry.initial.items():
        initial.append([name, cells.dtype.name, list(cells.shape), len(body)])
        body += np.ascontiguousarray(cells).tobytes()
    header = {
        "name": entry.name,
        "code_size": len(entry.code),
        "hidden": sorted(entry.hidden),
        "initial": initial,
        "routines": [_describe(signature) for signature in entry.signatures],
    }
    return header, bytes(body)


def from_record(header: Mapping[str, Any], body: bytes) -> Entry:
    """The entry of a record. Raises DamagedRecordError if the record is of something else."""
    try:
        initial: dict[str, np.ndarray] = {}
        for name, dtype, shape, start in header["initial"]:
            cells = np.frombuffer(body, _dtype(dtype), math.prod(shape), start) if math.prod(shape) else []
            initial[name] = np.array(cells, _dtype(dtype)).reshape(shape)
        return Entry(
            header["name"],
            body[: header["code_size"]],
            tuple(_signature(routine) for routine in header["routines"]),
            initial,
            frozenset(header["hidden"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedRecordError(f"its header is not that of a program: {error!r}") from None


def _describe(signature: Signature) -> dict[str, Any]:
    return {
        "routine": signature.routine,
        "function": signature.function,
        "workspace_bytes": signature.workspace_bytes,
        "symbols": [[name, values.start, values.stop] for name, values in signature.symbols],
        "arguments": [
            [a.name, a.access, list(a.shape), a.dtype.name, a.is_merge, list(a.cell_shape)] for a in signature.arguments
        ],
    }


def _signature(routine: Mapping[str, Any]) -> Signature:
    return Signature(
        routine["routine"],
        routine["function"],
        tuple(
            Argument(name, access, tuple(shape), _dtype(dtype), is_merge, tuple(cell_shape))
            for name, access, shape, dtype, is_merge, cell_shape in routine["arguments"]
        ),
        tuple((name, range(start, stop)) for name, start, stop in routine["symbols"]),
        routine["workspace_bytes"],
    )


@cache
def _dtype(name: str) -> np.dtype:
    """The type of that name that a node can have. Raises KeyError for others."""
    # Those that are not NumPy's own come last: the package that has them takes long to import.
    for precision in sorted(Precision, key=lambda precision: precision in (Precision.BF16, Precision.F8)):
        dtype = numpy_dtype(precision)
        if dtype is not None and dtype.name == name:
            return dtype
    raise KeyError(name)
