"""The IR after each stage as text, which is printed when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import mlir.ir as ir

__all__ = ["StageTexts"]


class StageTexts(Mapping[str, str]):
    """The text of a module after each stage, by the name of the stage.

    Copies of modules are kept, not texts: printing takes ten times as long as copying, and most compilations are never
    looked at.
    """

    def __init__(self) -> None:
        self._stages: dict[str, str | ir.Operation | ir.OpView] = {}

    def record(self, stage: str, module: ir.Module) -> None:
        """Keep what the module is now."""
        self._stages[stage] = module.operation.clone()

    def extended(self) -> StageTexts:
        """A copy that further stages can be added to."""
        result = StageTexts()
        result._stages.update(self._stages)
        return result

    def __getitem__(self, stage: str) -> str:
        found = self._stages[stage]
        if not isinstance(found, str):
            found = self._stages[stage] = str(found)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._stages)

    def __len__(self) -> int:
        return len(self._stages)
