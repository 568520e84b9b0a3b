"""The pipelines from tdsl to the LLVM dialect, as text that `tdsl-opt` and Python share."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from tdsl import _tdsl
from tdsl.codegen.emit_pass import EmitCode
from tdsl.codegen.object_code import TargetDescription
from tdsl.codegen.schedules.target_facts import TargetFacts
from tdsl.passes.registry import register

__all__ = [
    "INFER",
    "LOOPS_TO_LLVM",
    "PIPELINES",
    "TO_CPU",
    "TO_LINALG",
    "TO_LINALG_AFTER_INFERENCE",
    "TO_NVVM",
    "CpuPipeline",
    "register_pipelines",
    "with_libm",
]


def _sequence(*parts: str) -> str:
    return ",".join(parts)


#: Closed precisions and shapes, derived index spaces.
INFER = "tdsl.program(tdsl-infer-precision,tdsl-infer-shapes,tdsl-derive-projections)"

#: From there to functions of linalg operations on tensors, in which chains of elementwise operations are one.
TO_LINALG_AFTER_INFERENCE = _sequence(
    "convert-tdsl-to-linalg",
    "canonicalize",
    "cse",
    "tdsl-fuse-elementwise",
    "canonicalize",
    "cse",
)

# An empty tensor that ends in an argument becomes that argument, so that results are computed in place; what is left
# becomes allocations.
_SEPARATE = _sequence("tdsl-separate-results", "eliminate-empty-tensors")

_TO_BUFFERS = _sequence(
    "empty-tensor-to-alloc-tensor",
    "one-shot-bufferize",
    "canonicalize",
    "cse",
    "func.func(buffer-hoisting,buffer-loop-hoisting)",
)

# What is no part of the workspace.
_DEALLOCATE = _sequence(
    "ownership-based-buffer-deallocation",
    "canonicalize",
    "buffer-deallocation-simplification",
    "bufferization-lower-deallocations",
    "tdsl-expand-strided-copies",
)

_LOOPS = _sequence(
    "convert-linalg-to-loops",
    "fold-memref-alias-ops",
    "func.func(scf-for-loop-canonicalization)",
    "canonicalize",
    "cse",
    "loop-invariant-code-motion",
)

_LLVM = _sequence(
    "tdsl-expand-math",
    "tdsl-expand-extrema",
    "arith-expand{include-bf16=true}",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "expand-strided-metadata",
    "lower-affine",
    "convert-vector-to-llvm{reassociate-fp-reductions=true}",
    "{threads}convert-scf-to-cf",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=true}",
    "convert-cf-to-llvm{openmp}",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
    "canonicalize",
    "cse",
    "tdsl-add-packed-entries",
)

_WORKSPACE = _sequence("tdsl-plan-workspace", "tdsl-annotate-arguments")

#: From there to the LLVM dialect for the CPU.
_SERIAL_LLVM = _LLVM.replace("{threads}", "").replace("{openmp}", "")


@dataclass(frozen=True)
class CpuPipeline:
    """The way from linalg on tensors to the LLVM dialect for a CPU.

    Attributes:
        target: The CPU, this machine's by default.
        threads: How many threads share loops; for more than one, the code calls LLVM's OpenMP runtime.
        strict: Whether all sums keep the written order.
    """

    target: TargetDescription | None = None
    threads: int = 1
    strict: bool = False

    @property
    def schedule(self) -> str:
        """The first half: tensors whose loops are tiled, and vectors."""
        return _sequence(
            _SEPARATE,
            # Schedules know arithmetic.
            "tdsl-expand-math",
            "tdsl-collapse-iterators{keep-rows}",
            f"func.func(tdsl-fuse-rows{{threads={self.threads}}})",
            "tdsl-collapse-iterators",
            f"tdsl-schedule{self._options}",
            "func.func(tdsl-vectorize-tiles)",
            "canonicalize",
            "cse",
        )

    @property
    def lower(self) -> str:
        """The second half."""
        share, llvm = "", _SERIAL_LLVM
        if self.threads > 1:
            share = "func.func(scf-forall-to-parallel),"
            parallel = f"tdsl-share-loops{{threads={self.threads}}},canonicalize,"
            llvm = _LLVM.replace("{threads}", parallel).replace("{openmp}", ",convert-openmp-to-llvm")
        return _sequence(
            # Results have their memory by then, so that tiles are written in place.
            _TO_BUFFERS,
            f"tdsl-outline-contractions{self._options}",
            _WORKSPACE,
            _DEALLOCATE,
            f"{share}fold-memref-alias-ops",
            "func.func(tdsl-lower-vectors)",
            _LOOPS,
            llvm,
        )

    @property
    def text(self) -> str:
        return _sequence(self.schedule, self.lower)

    @property
    def _options(self) -> str:
        """What the passes for schedules are told."""
        options: dict[str, int | str] = {"threads": self.threads} if self.threads > 1 else {}
        if self.strict:
            options["strict"] = "true"
        if self.target is not None:
            facts = TargetFacts.of(self.target)
            options |= {"vector-bytes": facts.vector_bytes, "vector-registers": facts.vector_registers}
        return "{" + " ".join(f"{name}={value}" for name, value in options.items()) + "}" if options else ""


#: The rest of the way for functions that hold no tensors any more.
LOOPS_TO_LLVM = _sequence(
    _WORKSPACE,
    "canonicalize",
    "buffer-deallocation-simplification",
    "bufferization-lower-deallocations",
    "canonicalize",
    "fold-memref-alias-ops",
    "func.func(tdsl-lower-vectors)",
    _LOOPS,
    _SERIAL_LLVM,
)

# Every loop nest becomes blocks of threads, one cell each; the last block checks whether it is over the end.
_KERNELS = _sequence(
    "func.func(convert-linalg-to-parallel-loops,canonicalize)",
    "tdsl-collapse-parallel-loops",
    "func.func(canonicalize,cse,scf-parallel-loop-tiling{parallel-loop-tile-sizes=256 no-min-max-bounds=true}"
    ",gpu-map-parallel-loops,convert-parallel-loops-to-gpu)",
    "lower-affine",
    "canonicalize",
    "cse",
    "gpu-launch-sink-index-computations",
    "gpu-kernel-outlining",
    "gpu.module(tdsl-expand-math,tdsl-convert-math-to-intrinsics,tdsl-expand-extrema,arith-expand{include-bf16=true}"
    ",convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1},canonicalize,cse,reconcile-unrealized-casts)",
)

TO_LINALG = _sequence(INFER, TO_LINALG_AFTER_INFERENCE)
TO_CPU = _sequence(TO_LINALG, CpuPipeline().text)

#: Kernels in the NVVM dialect, and functions that launch them. Threads need cells that are independent, where one core
#: is faster when it scatters.
TO_NVVM = _sequence(
    INFER, "tdsl.program(tdsl-invert-scatter)", TO_LINALG_AFTER_INFERENCE, _SEPARATE, _TO_BUFFERS, _DEALLOCATE, _KERNELS
)

#: Name, description and text of each pipeline that `tdsl-opt` knows.
PIPELINES: tuple[tuple[str, str, str], ...] = (
    ("tdsl-to-linalg", "Infer, derive and lower programs to linalg on tensors", TO_LINALG),
    ("tdsl-to-cpu", "Lower programs to the LLVM dialect for the CPU", TO_CPU),
    ("tdsl-to-nvvm", "Lower elementwise programs to kernels in the NVVM dialect", TO_NVVM),
)


_registering = threading.Lock()


def with_libm(pipeline: str) -> str:
    """A pipeline whose code calls the C library for mathematical functions; see docs/numbers.md."""
    return pipeline.replace("tdsl-expand-math", "tdsl-expand-math{libm=true}")


def register_pipelines() -> None:
    """Makes the pipelines and the pass for code generation available by name; once in a process."""
    with _registering:
        if not _tdsl.is_pass_registered(EmitCode.name):
            register(EmitCode)
        for name, description, text in PIPELINES:
            if not _tdsl.is_pass_registered(name):
                _tdsl.register_pipeline(name, description, text)
