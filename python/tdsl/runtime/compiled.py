"""From a program to routines that can be called."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from tdsl.codegen.lowering import CompileTimes, LoweredProgram, lower_program, parse_module
from tdsl.codegen.nvptx import PtxKernel, compile_to_ptx
from tdsl.codegen.object_code import LoadedObject
from tdsl.errors import TdslError
from tdsl.ir.builder import ProgramBuilder
from tdsl.runtime.native import NativeFunction
from tdsl.runtime.routine import Routine

__all__ = ["CompiledProgram", "compile_program"]


class CompiledProgram(Mapping[str, Routine]):
    """The routines of a program, by name; also as attributes, ``compiled.forward``."""

    def __init__(self, lowered: LoweredProgram, routines: dict[str, Routine], code: bytes, times: CompileTimes) -> None:
        self.name = lowered.name
        #: The nodes that only compiled code sees.
        self.hidden = lowered.hidden
        self.times = times
        self._lowered = lowered
        self._routines = routines
        self._code = code

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
        """The IR after a stage: ``"input"``, ``"inferred"``, ``"linalg"`` or ``"llvm"``."""
        stages = self._lowered.stages
        if stage not in stages:
            raise TdslError(f"there is no stage '{stage}'; there are {', '.join(stages)}")
        return stages[stage]

    @property
    def object_code(self) -> bytes:
        """The object file that the routines were loaded from."""
        return self._code

    def asm(self, optimization_level: int = 3) -> str:
        """The assembly of all routines for this machine."""
        return self._lowered.emit(kind="assembly", optimization_level=optimization_level).decode()

    def ptx(self, chip: str = "sm_80") -> list[PtxKernel]:
        """The kernels of all routines for an NVIDIA GPU, with how to launch them.

        Raises:
            UnsupportedError: The program is not elementwise, or needs NVIDIA's device library.
        """
        return compile_to_ptx(parse_module(self._lowered.stages["inferred"]), chip)


def compile_program(
    program: ProgramBuilder | str,
    *,
    keep: Iterable[str] | None = None,
    optimization_level: int = 3,
) -> CompiledProgram:
    """Compiles every routine of a program for this machine.

    Args:
        program: A builder, which stays as it is, or MLIR text with one ``tdsl.program``.
        keep: The results that the host will read; inputs and parameters are always kept. Without it, every public
            node is.
        optimization_level: The level of LLVM's optimizer, 0 to 3.

    Raises:
        CompileError: The text is not a valid program, or a pass failed; with the diagnostics.
        TdslError: The text has no program or several, or ``keep`` names what is not a node.
        UnsupportedError: NumPy cannot hold the cells of a node that the host can see.
    """
    times = CompileTimes()
    lowered = lower_program(program, keep=keep, times=times)
    code = lowered.emit(optimization_level=optimization_level, times=times)
    start = time.perf_counter()
    loaded = LoadedObject(code)
    routines = {
        s.routine: Routine(NativeFunction(loaded, s), lowered.hidden, lowered.initial) for s in lowered.signatures
    }
    times.load = time.perf_counter() - start
    return CompiledProgram(lowered, routines, code, times)
