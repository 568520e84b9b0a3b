"""Writes transform-dialect scripts, which stand in a module of their own beside the program that they transform."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ENTRY_POINT", "Script"]

ENTRY_POINT = "tile"
_ANY = "!transform.any_op"


class Script:
    """A sequence of steps on one function.

    Handles are names of SSA values; a step consumes the handles that it takes.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._count = 0
        self._operations = 0

    def __bool__(self) -> bool:
        return bool(self._lines)

    def __str__(self) -> str:
        body = "\n    ".join(self._lines)
        return (
            f"module attributes {{transform.with_named_sequence}} {{\n"
            f"  transform.named_sequence @{ENTRY_POINT}(%function: {_ANY} {{transform.readonly}}) {{\n"
            f"    {body}\n    transform.yield\n  }}\n}}\n"
        )

    def new_attribute(self) -> str:
        """The name of an attribute by which the script finds an operation."""
        self._operations += 1
        return f"tdsl.loops_{self._operations}"

    def match(self, attribute: str) -> str:
        """The operations that carry an attribute."""
        handle = self._new()
        self._lines.append(
            f"{handle} = transform.structured.match attributes{{{attribute}}} in %function : ({_ANY}) -> {_ANY}"
        )
        return handle

    def tile(
        self, handle: str, sizes: Sequence[int], *, interchange: Sequence[int] | None = None
    ) -> tuple[str, list[str]]:
        """Loops over tiles of these sizes, 0 for no loop; the tile and its loops, outermost first."""
        if not any(sizes):
            return handle, []
        tiled = self._new()
        loops = [self._new() for size in sizes if size]
        order = f" interchange = {list(interchange)}" if interchange else ""
        results = ", ".join([_ANY] * (1 + len(loops)))
        self._lines.append(
            f"{', '.join([tiled, *loops])} = transform.structured.tile_using_for {handle} tile_sizes "
            f"{list(sizes)}{order} : ({_ANY}) -> ({results})"
        )
        return tiled, loops

    def distribute(self, handle: str, sizes: Sequence[int]) -> tuple[str, str]:
        """A loop over tiles of these sizes whose iterations are independent; the tile and the loop."""
        tiled, loop = self._new(), self._new()
        self._lines.append(
            f"{tiled}, {loop} = transform.structured.tile_using_forall {handle} tile_sizes {list(sizes)} : "
            f"({_ANY}) -> ({_ANY}, {_ANY})"
        )
        return tiled, loop

    def split(self, handle: str, iterator: int, position: int) -> tuple[str, str]:
        """Two operations: the iterations of an iterator before a position, and those from there on."""
        parts, first, second = self._new(), self._new(), self._new()
        self._lines.append(
            f"{parts} = transform.structured.split {handle} after {position} {{dimension = {iterator} : i64}} : {_ANY}"
        )
        self._lines.append(f"{first}, {second} = transform.split_handle {parts} : ({_ANY}) -> ({_ANY}, {_ANY})")
        return first, second

    def tile_reduction(self, handle: str, sizes: Sequence[int]) -> tuple[str, str, str]:
        """A loop that reduces each lane on its own: the start values, the step and the reduction of the lanes."""
        start, step, end, loop = (self._new() for _ in range(4))
        self._lines.append(
            f"{start}, {step}, {end}, {loop} = transform.structured.tile_reduction_using_for {handle} by tile_sizes = "
            f"{list(sizes)} : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY}, {_ANY})"
        )
        return start, step, end

    def fuse(self, producer: str | None, loop: str) -> tuple[str | None, str]:
        """Compute the part of a producer that an iteration needs inside the loop. Nothing for no producer."""
        if producer is None:
            return None, loop
        fused, new_loop = self._new(), self._new()
        self._lines.append(
            f"{fused}, {new_loop} = transform.structured.fuse_into_containing_op {producer} into {loop} : "
            f"({_ANY}, {_ANY}) -> ({_ANY}, {_ANY})"
        )
        return fused, new_loop

    def mark(self, handle: str) -> None:
        """Have the operation become vectors by ``tdsl-vectorize-tiles``."""
        self._lines.append(f'transform.annotate {handle} "tdsl.tile" : {_ANY}')

    def _new(self) -> str:
        self._count += 1
        return f"%{self._count}"
