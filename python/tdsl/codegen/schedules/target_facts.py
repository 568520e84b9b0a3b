"""What schedules need to know about a processor."""

from __future__ import annotations

from dataclasses import dataclass

from tdsl.codegen.object_code import TargetDescription

__all__ = ["TargetFacts"]


@dataclass(frozen=True)
class TargetFacts:
    """Sizes of a core.

    Attributes:
        vector_bytes: The size of a vector register.
        vector_registers: How many of them there are.
        threads: How many cores share the work.
    """

    vector_bytes: int
    vector_registers: int
    threads: int = 1

    @classmethod
    def of(cls, target: TargetDescription) -> TargetFacts:
        """The facts that follow from the architecture and the features of a target, for one thread."""
        architecture = target.triple.split("-", 1)[0]
        if architecture in ("aarch64", "arm64"):
            return cls(vector_bytes=16, vector_registers=32)
        if architecture != "x86_64":
            return cls(vector_bytes=16, vector_registers=16)
        if target.has_feature("avx512f"):
            return cls(vector_bytes=64, vector_registers=32)
        if target.has_feature("avx2"):
            return cls(vector_bytes=32, vector_registers=16)
        return cls(vector_bytes=16, vector_registers=16)
