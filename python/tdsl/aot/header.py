"""The C header of a compiled program: prototypes, shapes, sizes and the contract of calls. Valid C99 and C++."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tdsl.aot.names import identifier, unique_identifiers
from tdsl.codegen.signature import Argument, Signature

__all__ = ["Header"]

_C_TYPES = {
    "float64": "double",
    "float32": "float",
    "bfloat16": "uint16_t",
    "float16": "uint16_t",
    "bool": "uint8_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_TYPE_NOTES = {"bfloat16": "bf16 as bits", "float16": "f16 as bits", "bool": "0 or 1"}

_CONTRACT = """\
 * Arrays are dense, in the order batch, output, input axes; the last axis is contiguous.
 * An array starts at a multiple of the size of its cells{words}.
 * An array that a routine writes overlaps no other array and not the workspace.
 * The workspace is memory for the duration of a call: *_WORKSPACE_BYTES bytes at a
 * multiple of 64, of any contents. Where that is 0, it may be NULL.
 * Routines keep no state, so that threads may call them at once, each with arrays to
 * write to and a workspace of its own. They call nothing but the C library and libm."""


@dataclass(frozen=True)
class Header:
    """What a header says.

    Attributes:
        program: The name of the program.
        prefix: What C names start with.
        target: What the code is for, in words.
        signatures: The routines, with their C names as functions.
        initial: The nodes with declared cells that routines start from, and the C names of those cells.
    """

    program: str
    prefix: str
    target: str
    signatures: Sequence[Signature]
    initial: Mapping[str, str]

    @property
    def text(self) -> str:
        """The header."""
        macros = self.prefix.upper()
        guard = f"{self._stem.upper()}_H"
        arguments = {a.key: a for s in self.signatures for a in s.arguments}
        symbols = {name: values for s in self.signatures for name, values in s.symbols}
        names = unique_identifiers([*arguments, *symbols], taken=["workspace"])
        words = "; 16 bytes for random words" if any(a.cell_shape for a in arguments.values()) else ""
        lines = [
            f"/* Program {_comment(self.program)}, compiled by TDSL for {_comment(self.target)}.",
            " *",
            *_CONTRACT.format(words=words).split("\n"),
            " */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdint.h>",
            "",
            "#ifndef TDSL_RESTRICT",
            "#ifdef __cplusplus",
            "#define TDSL_RESTRICT __restrict",
            "#else",
            "#define TDSL_RESTRICT restrict",
            "#endif",
            "#endif",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
        ]
        if arguments:
            lines += ["/* Numbers of cells. */"]
            lines += [
                f"#define {macros}{names[key].upper()}_SIZE {math.prod(a.shape)} /* {_describe(a)} */"
                for key, a in arguments.items()
            ]
            lines += [""]
        if symbols:
            lines += ["/* Symbols are from their lower bound to their upper bound, the latter excluded. */"]
            for name, values in symbols.items():
                lines += [f"#define {macros}{names[name].upper()}_LOWER {values.start}"]
                lines += [f"#define {macros}{names[name].upper()}_UPPER {values.stop}"]
            lines += [""]
        if self.initial:
            lines += ["/* The cells that the program declares. Start from a copy of them. */"]
            lines += [
                f"extern const {_c_type(arguments[key].dtype)} {name}[{_extent(arguments[key])}];"
                for key, name in self.initial.items()
            ]
            lines += [""]
        for signature in self.signatures:
            lines += [*_routine(signature, names), ""]
        return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */", ""])

    @property
    def _stem(self) -> str:
        """A name that headers of other programs, or with other prefixes, do not have."""
        program, prefix = identifier(self.program), self.prefix.rstrip("_")
        return program if prefix in ("", program) else f"{prefix}_{program}"


def _routine(signature: Signature, names: Mapping[str, str]) -> Iterable[str]:
    """The declaration of one routine."""
    rows = [
        (names[a.key], {"in": "read", "out": "written", "inout": "updated"}[a.access], _describe(a))
        for a in signature.arguments
    ]
    rows += [
        (names[name], "symbol", f"{values.start} <= {names[name]} < {values.stop}")
        for name, values in signature.symbols
    ]
    rows += [("workspace", "scratch", f"{signature.workspace_bytes} bytes")]
    width = max(len(name) for name, _, _ in rows)
    yield f"/* Routine {_comment(signature.routine)}:"
    for name, access, what in rows:
        yield f" *   {name.ljust(width)}  {access.ljust(7)}  {what}"
    yield " */"
    yield f"#define {signature.function.upper()}_WORKSPACE_BYTES {signature.workspace_bytes}"
    parameters = [
        f"{'' if a.is_written else 'const '}{_c_type(a.dtype)} *TDSL_RESTRICT {names[a.key]}"
        for a in signature.arguments
    ]
    parameters += [f"int64_t {names[name]}" for name, _ in signature.symbols]
    yield f"void {signature.function}("
    for parameter in parameters:
        yield f"    {parameter},"
    yield "    void *TDSL_RESTRICT workspace);"


def _c_type(dtype: np.dtype) -> str:
    return _C_TYPES[dtype.name]


def _describe(argument: Argument) -> str:
    """Such as ``float[8][3], node x``."""
    shape = "".join(f"[{size}]" for size in argument.shape) or ", one cell"
    note = _TYPE_NOTES.get(argument.dtype.name, "words" if argument.cell_shape else "")
    what = "merge buffer of node" if argument.is_merge else "node"
    described = f"{_c_type(argument.dtype)}{shape}, {what} {_comment(argument.name)}"
    return f"{described}, {note}" if note else described


def _extent(argument: Argument) -> int:
    """The size of an array in C, which has no empty ones."""
    return max(1, math.prod(argument.shape))


def _comment(text: str) -> str:
    """A text that a comment can hold, whatever names the program uses."""
    return ascii(text)[1:-1].replace("*/", "*\\/").replace("/*", "/\\*")
