"""Contexts: the memory of a program's nodes across calls of its routines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tdsl.codegen.signature import Argument
from tdsl.errors import TdslError
from tdsl.runtime.arrays import new_array, prepare_input
from tdsl.runtime.compiled import CompiledProgram
from tdsl.runtime.routine import BoundCall

__all__ = ["Context"]


class Context:
    """Holds an array for each node of a program, and runs routines on them without checking them again.

    ``context["x"] = array`` copies into the memory of the node; ``context["h"]`` is that memory, which the next run may
    change. Every routine updates the same memory, so that parameters trained by one are seen by the others. A context
    is for one thread at a time.
    """

    def __init__(self, program: CompiledProgram, values: Mapping[str, Any] | None = None) -> None:
        self._program = program
        self._arguments: dict[str, Argument] = {}
        for routine in program.values():
            for argument in routine.signature.arguments:
                self._arguments.setdefault(argument.key, argument)
        # Zeros, so that nothing depends on what the memory held before.
        self._arrays = {name: new_array(argument) for name, argument in self._arguments.items()}
        for array in self._arrays.values():
            array.fill(0)
        self._ready: set[str] = set()
        self._calls: dict[str, BoundCall] = {}
        for routine in program.values():
            for name in routine.initial.keys() & self._arrays.keys():
                self[name] = routine.initial[name]
        for name, value in (values or {}).items():
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        """Copies an array, number or list into a node. Raises DtypeError, ShapeError, or TdslError for no such node."""
        array = self._array(name)
        np.copyto(array, prepare_input(self._arguments[name], value))
        self._ready.add(name)

    def __getitem__(self, name: str) -> np.ndarray:
        """The memory of a node that was set, or written by a run. Raises TdslError for others, and for hidden nodes."""
        if name in self._program.hidden:
            raise TdslError(
                f"node '{name}' was not kept, so its cells may never have been in memory: "
                f"compile with keep=[..., '{name}']"
            )
        array = self._array(name)
        if name not in self._ready:
            raise TdslError(f"node '{name}' has no cells yet: set it, or run a routine that writes it")
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def run(self, routine: str, **symbols: int) -> None:
        """Runs a routine on the memory of this context.

        Raises:
            TdslError: There is no such routine, a node that it reads has no cells yet, or a symbol is missing, unknown
                or out of its range.
        """
        signature = self._program[routine].signature
        names = [argument.key for argument in signature.arguments]
        for name, argument in zip(names, signature.arguments, strict=True):
            if argument.is_read and name not in self._ready:
                raise TdslError(f"routine '{routine}' reads node '{name}', which has no cells yet: set it first")
        values = self._program[routine].bind_symbols(symbols)
        if routine not in self._calls:
            self._calls[routine] = self._program[routine].bind({name: self._arrays[name] for name in names})
        self._calls[routine](*values)
        self._ready.update(n for n, a in zip(names, signature.arguments, strict=True) if a.is_written)

    def _array(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            raise TdslError(
                f"program '{self._program.name}' has no node '{name}' that the host can see; "
                f"it has {', '.join(sorted(self._arrays))}"
            )
        return self._arrays[name]
