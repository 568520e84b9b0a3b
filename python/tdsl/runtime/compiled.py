"""Compiled programs: their routines, and what the compiler made on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from tdsl.cache.entry import Entry
from tdsl.codegen.lowering import CompileTimes, LoweredProgram, parse_module
from tdsl.codegen.nvptx import PtxKernel, compile_to_ptx
from tdsl.codegen.object_code import LoadedObject
from tdsl.errors import TdslError
from tdsl.runtime.routine import Routine

__all__ = ["CompiledProgram"]


class CompiledProgram(Mapping[str, Routine]):
    """The routines of a program, by name; also as attributes, ``compiled.forward``."""

    def __init__(
        self, entry: Entry, loaded: LoadedObject, times: CompileTimes, lower: Callable[[], LoweredProgram]
    ) -> None:
        """Takes what is needed to call the program. ``lower`` makes its IR, for who asks for a stage."""
        self.name = entry.name
        #: The nodes that only compiled code sees.
        self.hidden = entry.hidden
        #: How long each stage took; 0 for those that did not run, since the cache had the code.
        self.times = times
        self._code = entry.code
        self._lower = lower
        self._routines = {s.routine: Routine(loaded, s, entry.hidden, entry.initial) for s in entry.signatures}

    def __getitem__(self, name: str) -> Routine:
        if name not in self._routines:
            raise TdslError(
                f"program '{self.name}' has no routine '{name}'; it has {', '.join(self._routines) or 'none'}"
            )
        return self._routines[name]

    def __getattr__(self, name: str) -> Routine:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._routines)

    def __len__(self) -> int:
        return len(self._routines)

    def mlir(self, stage: str = "inferred") -> str:
        """The IR after a stage: ``"input"``, ``"inferred"``, ``"linalg"``, ``"scheduled"`` or ``"llvm"``."""
        stages = self._lowered.stages
        if stage not in stages:
            raise TdslError(f"there is no stage '{stage}'; there are {', '.join(stages)}")
        return stages[stage]

    @cached_property
    def _lowered(self) -> LoweredProgram:
        return self._lower()

    @property
    def object_code(self) -> bytes:
        """The object file that the routines were loaded from."""
        return self._code

    def asm(self, optimization_level: int | None = None) -> str:
        """The assembly of all routines for this machine, by default at the level that programs are compiled at."""
        return self._lowered.emit(kind="assembly", optimization_level=optimization_level).decode()

    def ptx(self, chip: str = "sm_80") -> list[PtxKernel]:
        """The kernels of all routines for an NVIDIA GPU, with how to launch them.

        Raises:
            UnsupportedError: The program is not elementwise, or needs NVIDIA's device library.
        """
        return compile_to_ptx(parse_module(self._lowered.stages["inferred"]), chip)
