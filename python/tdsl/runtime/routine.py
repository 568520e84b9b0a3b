"""Routines that are called on arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tdsl.codegen.signature import Signature
from tdsl.errors import TdslError
from tdsl.runtime.arrays import check_output, new_array, overlap, prepare_input, usable_array
from tdsl.runtime.native import BoundCall, NativeFunction

__all__ = ["Results", "Routine"]


class Results(Mapping[str, np.ndarray]):
    """The nodes that a routine has written, by name."""

    def __init__(self, arrays: dict[str, np.ndarray], hidden: frozenset[str]) -> None:
        self._arrays = arrays
        self._hidden = hidden

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._arrays:
            return self._arrays[name]
        if name in self._hidden:
            raise TdslError(
                f"node '{name}' was not kept, so its cells may never have been in memory: "
                f"compile with keep=[..., '{name}']"
            )
        raise TdslError(f"the routine writes no node '{name}'; it writes {', '.join(self._arrays) or 'none'}")

    def get(self, name: str, default: Any = None) -> Any:
        """The cells of a node, or ``default`` where the routine does not write it."""
        return self._arrays.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)


class Routine:
    """A compiled routine. Calls from several threads at once are safe, as long as they write to different arrays."""

    def __init__(
        self, function: NativeFunction, hidden: frozenset[str], initial: Mapping[str, np.ndarray] | None = None
    ) -> None:
        self._function = function
        self._hidden = hidden
        self.initial: Mapping[str, np.ndarray] = initial or {}

    @property
    def signature(self) -> Signature:
        return self._function.signature

    def __call__(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Results:
        """Runs the routine once.

        ``values`` and keyword arguments together name a value for each node that the routine reads and each static
        symbol. Nodes that it updates are written in place. Nodes that it only writes may be given arrays to write to;
        the others get new ones. A node that is declared with cells starts from those if it is not given. An array that
        is read and overlaps one that is written is copied first, so that reads see the values from before the call.

        Returns:
            The nodes that the routine writes.

        Raises:
            DtypeError, ShapeError: An array does not fit its node.
            TdslError: A node or symbol is missing or unknown, a symbol is out of its range, or an array cannot be
                written to. Nothing is written then.
        """
        if values is not None and not isinstance(values, Mapping):
            raise TdslError(
                f"routine '{self.signature.routine}' takes its values by name: "
                "give keyword arguments, or a dictionary from names to values"
            )
        given = {**(values or {}), **more}
        self._check_names(given)
        symbols = self.bind_symbols({name: given[name] for name, _ in self.signature.symbols})
        prepared: list[np.ndarray] = []
        written: dict[str, np.ndarray] = {}
        copies_back: list[tuple[np.ndarray, np.ndarray]] = []
        for argument in self.signature.arguments:
            key = argument.key
            if not argument.is_written:
                prepared.append(prepare_input(argument, given[key] if key in given else self.initial[key]))
                continue
            if key not in given:
                written[key] = new_array(argument)
                if key in self.initial:
                    np.copyto(written[key], self.initial[key])
                prepared.append(written[key])
                continue
            target = check_output(argument, given[key])
            written[key] = target
            usable = usable_array(argument, target)
            if usable is not target:
                copies_back.append((target, usable))
            prepared.append(usable)
        self._separate(prepared, written)
        self._function.bind(prepared)(symbols)
        for target, usable in copies_back:
            np.copyto(target, usable)
        return Results(written, self._hidden)

    def bind(self, arrays: Sequence[np.ndarray]) -> BoundCall:
        """A call with these arrays in the order of the signature, which the caller has checked."""
        return self._function.bind(arrays)

    def bind_symbols(self, values: Mapping[str, Any]) -> list[int]:
        """The values of the static symbols in the order of the signature.

        Raises:
            TdslError: A symbol is missing, unknown, not an integer, or out of its range.
        """
        ranges = dict(self.signature.symbols)
        for name in values:
            if name not in ranges:
                raise TdslError(f"routine '{self.signature.routine}' has no static symbol '{name}'")
        for name in ranges:
            if name not in values:
                raise TdslError(f"routine '{self.signature.routine}' needs a value for '{name}'")
        return [self._symbol(name, allowed, values[name]) for name, allowed in ranges.items()]

    def _check_names(self, given: Mapping[str, Any]) -> None:
        known = {argument.key for argument in self.signature.arguments} | {n for n, _ in self.signature.symbols}
        extra = [name for name in given if name not in known]
        if extra:
            hint = " (it is private to the compiled code)" if extra[0] in self._hidden else ""
            raise TdslError(
                f"routine '{self.signature.routine}' has no node or symbol '{extra[0]}'{hint}; "
                f"it takes {', '.join(sorted(known)) or 'nothing'}"
            )
        needed = [a.key for a in self.signature.arguments if a.is_read] + [n for n, _ in self.signature.symbols]
        missing = [name for name in needed if name not in given and name not in self.initial]
        if missing:
            raise TdslError(f"routine '{self.signature.routine}' needs a value for {', '.join(map(repr, missing))}")

    @staticmethod
    def _symbol(name: str, allowed: range, value: Any) -> int:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            raise TdslError(f"static symbol '{name}' is an integer, not {type(value).__name__}")
        if int(value) not in allowed:
            raise TdslError(
                f"static symbol '{name}' is {value}, outside of its range {allowed.start} to {allowed.stop}"
            )
        return int(value)

    def _separate(self, prepared: list[np.ndarray], written: Mapping[str, np.ndarray]) -> None:
        """Native code relies on distinct nodes being distinct memory."""
        arguments = self.signature.arguments
        outputs = [i for i, argument in enumerate(arguments) if argument.is_written]
        for position, first in enumerate(outputs):
            for second in outputs[position + 1 :]:
                if overlap(written[arguments[first].key], written[arguments[second].key]):
                    raise TdslError(
                        f"nodes '{arguments[first].name}' and '{arguments[second].name}' are both written, "
                        "but their arrays overlap"
                    )
        for i, argument in enumerate(arguments):
            if not argument.is_written and any(overlap(prepared[i], prepared[o]) for o in outputs):
                copy = new_array(argument)
                np.copyto(copy, prepared[i])
                prepared[i] = copy
