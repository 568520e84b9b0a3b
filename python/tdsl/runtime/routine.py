"""Routines that are called on arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tdsl import _tdsl
from tdsl.codegen.object_code import LoadedObject
from tdsl.codegen.signature import Argument, Signature, packed_symbol
from tdsl.errors import TdslError
from tdsl.runtime.arrays import check_output, new_array, overlap, prepare_input, usable_array

__all__ = ["BoundCall", "Results", "Routine"]

BoundCall = _tdsl.BoundCall


class Results(Mapping[str, np.ndarray]):
    """The nodes that a routine has written, by name."""

    __slots__ = ("_arrays", "_hidden")

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


class Routine(_tdsl.NativeRoutine):
    """A compiled routine. Calls from several threads at once are safe, as long as they write to different arrays.

    ``routine(x=x, w=w)`` runs it once. Keyword arguments name a value for each node that the routine reads and each
    static symbol; a dictionary of values may come first. Nodes that it updates are written in place.
    Nodes that it only writes may be given arrays to write to; the others get new ones. A node that is declared with
    cells starts from those if it is not given. An array that is read and overlaps one that is written is copied first,
    so that reads see the values from before the call.

    A call returns the nodes that the routine writes, as :class:`Results`. It raises

    * DtypeError, ShapeError: An array does not fit its node.
    * TdslError: A node or symbol is missing or unknown, a symbol is out of its range, or an array cannot be written to.
      Nothing is written then.

    The code stays loaded as long as this value or a bound call of it lives. Calls that run at the same time have a
    workspace each; they are kept for later calls.
    """

    def __init__(
        self,
        loaded: LoadedObject,
        signature: Signature,
        hidden: frozenset[str] = frozenset(),
        initial: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """A routine of a loaded object, with the names of nodes that have no memory and the cells of declarations."""
        self.signature = signature
        #: The object that it is part of.
        self.loaded = loaded
        self.initial: Mapping[str, np.ndarray] = initial or {}
        self._hidden = hidden
        super().__init__(
            loaded,
            loaded.lookup(packed_symbol(signature.function)),
            tuple(_layout(argument, argument.key in self.initial) for argument in signature.arguments),
            tuple((name, allowed.start, allowed.stop) for name, allowed in signature.symbols),
            signature.workspace_bytes,
            Results,
            hidden,
        )

    if TYPE_CHECKING:

        def __call__(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Results: ...

    def bind(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> BoundCall:
        """A call on the same arrays every time: ``step = routine.bind(x=x, w=w)``, then ``step()`` or ``step(i=3)``.

        The arrays are used in place, so that a call reads what they hold then, and writes into them; what is not given
        and only written gets one new array. Numbers and lists are converted once. A node that is declared with cells
        starts from those at the first call. ``step.results`` are the arrays that every call writes.

        Raises:
            DtypeError, ShapeError: An array does not fit its node.
            TdslError: A node is missing or unknown, a static symbol is given, or an array cannot be used in place: it
                is not contiguous, not aligned, read-only although it is written, or overlaps one that is written.
        """
        given = self._given(values, more)
        for name, _ in self.signature.symbols:
            if name in given:
                raise TdslError(f"static symbol '{name}' is not bound: give it with each call")
        self._check_names(given, needs_symbols=False)
        prepared: list[np.ndarray] = []
        for argument in self.signature.arguments:
            key = argument.key
            if key not in given:
                array = new_array(argument)
                if key in self.initial:
                    np.copyto(array, self.initial[key])
                prepared.append(array)
                continue
            value = check_output(argument, given[key]) if argument.is_written else given[key]
            array = prepare_input(argument, value)
            if isinstance(value, np.ndarray) and array is not value:
                raise TdslError(
                    f"the array of node '{argument.name}' cannot be bound: a bound call uses arrays in place, and this "
                    "one is not contiguous or not aligned; bind a copy of it, made with np.array(x, order='C')"
                )
            prepared.append(array)
        self._check_bound_overlap(prepared)
        return self._bind(tuple(prepared))

    def _call_slowly(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Results:
        """A call whose values are not all arrays that native code can use as they are; explains what is wrong."""
        given = self._given(values, more)
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
        self._run(tuple(prepared), tuple(symbols))
        for target, usable in copies_back:
            np.copyto(target, usable)
        return Results(written, self._hidden)

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

    def _read_symbols(self, *values: Any, **more: Any) -> list[int]:
        """The values of the static symbols that a bound call was given, in their order or by name."""
        names = [name for name, _ in self.signature.symbols]
        if len(values) > len(names):
            raise TdslError(
                f"routine '{self.signature.routine}' has {len(names)} static symbols, "
                f"but was given {len(values)} values"
            )
        for name in names[: len(values)]:
            if name in more:
                raise TdslError(f"static symbol '{name}' is given twice")
        return self.bind_symbols({**dict(zip(names, values, strict=False)), **more})

    def _given(self, values: Mapping[str, Any] | None, more: dict[str, Any]) -> dict[str, Any]:
        if values is not None and not isinstance(values, Mapping):
            raise TdslError(
                f"routine '{self.signature.routine}' takes its values by name: "
                "give keyword arguments, or a dictionary from names to values"
            )
        return {**(values or {}), **more}

    def _check_names(self, given: Mapping[str, Any], *, needs_symbols: bool = True) -> None:
        known = {argument.key for argument in self.signature.arguments} | {n for n, _ in self.signature.symbols}
        extra = [name for name in given if name not in known]
        if extra:
            hint = " (it is private to the compiled code)" if extra[0] in self._hidden else ""
            raise TdslError(
                f"routine '{self.signature.routine}' has no node or symbol '{extra[0]}'{hint}; "
                f"it takes {', '.join(sorted(known)) or 'nothing'}"
            )
        needed = [a.key for a in self.signature.arguments if a.is_read]
        if needs_symbols:
            needed += [name for name, _ in self.signature.symbols]
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

    def _check_bound_overlap(self, arrays: list[np.ndarray]) -> None:
        arguments = self.signature.arguments
        for i, first in enumerate(arguments):
            for j, second in enumerate(arguments):
                if i != j and first.is_written and overlap(arrays[i], arrays[j]):
                    raise TdslError(
                        f"the arrays of nodes '{first.name}' and '{second.name}' overlap, and '{first.name}' is "
                        "written: a bound call makes no copies, so bind a copy of one of them"
                    )

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


def _layout(argument: Argument, has_initial: bool) -> tuple[str, np.dtype, tuple[int, ...], int, int, bool, bool]:
    """What the native part checks: key, type, shape, bytes, alignment, and whether it is written, and optional."""
    return (
        argument.key,
        argument.dtype,
        argument.shape,
        math.prod(argument.shape) * argument.dtype.itemsize,
        argument.alignment,
        argument.is_written,
        not argument.is_read and not has_initial,
    )
