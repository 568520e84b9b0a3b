"""The options that the passes for schedules share, and what they tell each other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tdsl.codegen.object_code import TargetDescription
from tdsl.codegen.schedules.target_facts import TargetFacts
from tdsl.errors import TdslError

__all__ = ["FULLY_SCHEDULED", "ScheduleOptions"]

#: An attribute of modules whose loops are all tiled, but for a few iterations: LLVM's optimizer has nothing to add.
FULLY_SCHEDULED = "tdsl.fully_scheduled"

_WIDEST_ELEMENT = 8


@dataclass(frozen=True)
class ScheduleOptions:
    """Facts about the target, those of this machine by default, and what to keep to."""

    vector_bytes: int = field(default=0, metadata={"description": "size of a vector register; 0 for this machine's"})
    vector_registers: int = field(default=0, metadata={"description": "number of vector registers"})
    threads: int = field(default=1, metadata={"description": "number of threads that share the work"})
    strict: bool = field(default=False, metadata={"description": "keep the written order of sums"})

    def facts(self) -> TargetFacts:
        """What the options say about the target; the host is asked for what they do not say.

        Raises:
            TdslError: No number fits a vector register.
        """
        if 0 < self.vector_bytes < _WIDEST_ELEMENT or self.vector_bytes < 0:
            raise TdslError(f"a vector register has {_WIDEST_ELEMENT} bytes or more, not {self.vector_bytes}")
        threads = max(1, self.threads)
        if self.vector_bytes and self.vector_registers:
            return TargetFacts(self.vector_bytes, self.vector_registers, threads)
        facts = replace(TargetFacts.of(TargetDescription.host()), threads=threads)
        if self.vector_bytes:
            facts = replace(facts, vector_bytes=self.vector_bytes)
        return facts
