"""From a program to routines that can be called, through the cache on disk."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tdsl.cache.entry import Entry
from tdsl.cache.key import Key, host, program_key
from tdsl.cache.programs import DiskCache, open_cache
from tdsl.codegen.lowering import (
    CompileTimes,
    InferredProgram,
    LoweredProgram,
    infer_program,
    lower_inferred,
    lower_program,
)
from tdsl.codegen.object_code import LoadedObject
from tdsl.codegen.openmp import load, usable_threads
from tdsl.errors import CompileError
from tdsl.ir.builder import ProgramBuilder
from tdsl.runtime.compiled import CompiledProgram
from tdsl.session import knobs, report

__all__ = ["Request", "compile_anew", "compile_program", "find_compiled"]

#: Where a text says what its program is called; reports are all that depends on it.
_NAME = re.compile(r"\btdsl\.program\s+(?:private\s+)?@([\w$.-]+)")


@dataclass(frozen=True)
class Request:
    """What is to be compiled, as far as it is known before anything is done.

    Attributes:
        name: What reports call it.
        optimization_level: The level of LLVM's optimizer; None for the default.
        cache: The cache, or None if it is not to be used.
        front: The key of all of this; None without a cache.
    """

    name: str
    optimization_level: int | None
    cache: DiskCache | None
    front: Key | None

    @staticmethod
    def of(kind: str, name: str, text: str, *, optimization_level: int | None = None, **options: object) -> Request:
        """A request for the program that ``text`` determines, with the knobs as they are."""
        settings = dict(knobs.code_settings())
        if optimization_level is not None:
            # Not the same as that level by default, which is for what schedules have left.
            settings["optimization_level"] = f"{optimization_level} for all"
        cache = open_cache()
        front = None if cache is None else program_key(kind, text, host(), **settings, **options)
        return Request(name, optimization_level, cache, front)


def compile_program(
    program: ProgramBuilder | str,
    *,
    keep: Iterable[str] | None = None,
    optimization_level: int | None = None,
) -> CompiledProgram:
    """Compiles every routine of a program for this machine, or takes it from the cache on disk.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        keep: The results that the host will read; inputs and parameters are always kept. Without it, every public
            node is.
        optimization_level: The level of LLVM's optimizer, 0 to 3. By default that of the knob ``optimization_level``,
            but 0 where schedules have left no loops to optimize.

    Raises:
        CompileError: The text is not a valid program, or a pass failed; with the diagnostics.
        TdslError: The text has no program or several, or ``keep`` names what is not a node.
        UnsupportedError: NumPy cannot hold the cells of a node that the host can see.
    """
    if not isinstance(program, (ProgramBuilder, str)):
        raise TypeError(f"expected a ProgramBuilder or MLIR text to compile, not {type(program).__name__}")
    if keep is not None and not isinstance(keep, str):  # a text is a mistake, which is reported below
        keep = list(keep)
    text = str(program)
    match = _NAME.search(text)
    name = match.group(1) if match else "program"
    shown = keep if keep is None or isinstance(keep, str) else sorted(set(map(repr, keep)))
    request = Request.of("program", name, text, optimization_level=optimization_level, keep=shown)

    def lower() -> LoweredProgram:
        return lower_program(text, host(), threads=usable_threads(), keep=keep)

    found = find_compiled(request, lower)
    return found[0] if found is not None else compile_anew(request, program, keep=keep)


def find_compiled(
    request: Request, lower: Callable[[], LoweredProgram]
) -> tuple[CompiledProgram, Mapping[str, Any]] | None:
    """The program from the cache, and the notes stored with it. ``lower`` makes its IR, for who asks for a stage."""
    if request.cache is None or request.front is None:
        return None
    found = request.cache.find(request.name, request.front)
    if found is None:
        return None
    entry, notes = found
    program = _load(request, entry, CompileTimes(), lower)
    return None if program is None else (program, notes)


def compile_anew(
    request: Request,
    program: ProgramBuilder | str,
    *,
    keep: Iterable[str] | None = None,
    notes: Mapping[str, Any] | None = None,
) -> CompiledProgram:
    """Compiles a program that the cache does not have under its front key, and stores it with ``notes``.

    Raises as :func:`compile_program` does.
    """
    times = CompileTimes()
    inferred = infer_program(program, keep=keep, times=times)
    if request.cache is None or request.front is None:
        return _generate(request, inferred, times)[0]
    key = request.front.with_ir(inferred.stages["inferred"])
    entry = request.cache.find_ir(request.name, key)
    compiled = (
        None
        if entry is None
        else _load(request, entry, times, lambda: lower_inferred(inferred, host(), threads=usable_threads()))
    )
    if compiled is None:
        compiled, entry = _generate(request, inferred, times)
        request.cache.add(key, entry)
    request.cache.add_front(request.front, key, notes)
    return compiled


def _generate(request: Request, inferred: InferredProgram, times: CompileTimes) -> tuple[CompiledProgram, Entry]:
    """A program whose shapes are inferred, as machine code."""
    with inferred.files.explaining():
        lowered = lower_inferred(inferred, host(), threads=usable_threads(), times=times)
        entry, loaded = _emit(lowered, request.optimization_level, times)
        compiled = CompiledProgram(entry, loaded, times, lambda: lowered)
    report(1, lambda: f"{request.name}: compiled in {1e3 * times.total:.1f} ms, {len(entry.code)} bytes of code")
    report(2, lambda: f"{request.name}: {times}")
    return compiled, entry


def _emit(lowered: LoweredProgram, requested_level: int | None, times: CompileTimes) -> tuple[Entry, LoadedObject]:
    """The machine code of a program, loaded."""
    level = lowered.level(requested_level)
    code = lowered.emit(optimization_level=level, times=times)
    if knobs.dump_asm:
        lowered.files.dump("asm", lambda: lowered.emit(kind="assembly", optimization_level=level).decode())
    entry = Entry(lowered.name, code, lowered.signatures, lowered.initial, lowered.hidden)
    start = time.perf_counter()
    loaded = load(code)
    times.load = time.perf_counter() - start
    return entry, loaded


def _load(
    request: Request, entry: Entry, times: CompileTimes, lower: Callable[[], LoweredProgram]
) -> CompiledProgram | None:
    """A program of the cache; None if its code cannot be loaded, which then is like code that is not there."""
    start = time.perf_counter()
    try:
        loaded = load(entry.code)
    except CompileError as error:
        report(1, f"{request.name}: its code in the cache is not used: {error}")
        return None
    times.load = time.perf_counter() - start
    return CompiledProgram(entry, loaded, times, lower)
