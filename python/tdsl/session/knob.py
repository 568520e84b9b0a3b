"""One knob: its name, type, default and meaning, and how its value is read from text and from Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, cast, overload

from tdsl.errors import KnobError

if TYPE_CHECKING:
    from tdsl.session.registry import Knobs

__all__ = ["Boolean", "Folder", "Integer", "Knob", "KnobWarning", "Setting", "Size", "Text"]

_Value = TypeVar("_Value")

_UNITS = {"GB": 10**9, "MB": 10**6, "kB": 10**3}


class KnobWarning(UserWarning):
    """An environment variable looks like a knob, but is none."""


@dataclass(frozen=True)
class Setting:
    """The state of a knob.

    Attributes:
        name: The name in Python.
        variable: The environment variable.
        value: The value in force.
        text: The same as it would be written in the environment.
        source: ``"scope"``, ``"set"``, ``"environment"`` or ``"default"``.
        default: The default in words.
        allowed: What it may be, in words.
        description: What it does.
    """

    name: str
    variable: str
    value: Any
    text: str
    source: str
    default: str
    allowed: str
    description: str


class Knob(Generic[_Value]):
    """A knob, as an attribute of the class :class:`Knobs`. Kinds of knobs say what a value may be.

    Attributes:
        name: Its name, which is that of the attribute.
        variable: Its environment variable.
        allowed: What a value may be, as in "must be ...".
        description: What it does, in one line.
        affects_code: Whether the machine code of a program depends on it. Caches tell programs apart by these.
    """

    allowed: str
    name: str
    variable: str

    def __init__(
        self,
        default: _Value | Callable[[], _Value],
        description: str,
        *,
        default_text: str | None = None,
        affects_code: bool = False,
    ) -> None:
        self.description = description
        self.affects_code = affects_code
        self._default = default
        self._default_text = default_text
        # The last text of the variable and what it meant: it is read often, and changes rarely.
        self._read: tuple[str, _Value] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.variable = f"TDSL_{name.upper()}"

    @property
    def default(self) -> _Value:
        return cast("_Value", self._default() if callable(self._default) else self._default)

    @property
    def default_text(self) -> str:
        return self.show(self.default) if self._default_text is None else self._default_text

    @overload
    def __get__(self, knobs: None, owner: type) -> Knob[_Value]: ...
    @overload
    def __get__(self, knobs: Knobs, owner: type) -> _Value: ...
    def __get__(self, knobs: Knobs | None, owner: type) -> Knob[_Value] | _Value:
        return self if knobs is None else knobs.read(self)[0]

    def __set__(self, knobs: Knobs, value: object) -> NoReturn:
        raise AttributeError(f"write knobs.set({self.name}={value!r}), or `with knobs.scope({self.name}={value!r}):`")

    def from_environment(self) -> _Value | None:
        """The value of the environment variable; None where it is not set, or empty. Raises KnobError."""
        text = os.environ.get(self.variable)
        if not text:
            return None
        if self._read is None or self._read[0] != text:
            try:
                value = self.parse(text)
            except ValueError:
                raise KnobError(self.variable, text, self.allowed) from None
            self._read = text, value
        return self._read[1]

    def from_python(self, value: object) -> _Value:
        """A value given in Python. Raises KnobError."""
        try:
            return self.check(value)
        except ValueError:
            raise KnobError(f"knob '{self.name}'", value, self.allowed) from None

    def parse(self, text: str) -> _Value:
        """Reads the text of an environment variable. Raises ValueError for what is not allowed."""
        raise NotImplementedError

    def check(self, value: object) -> _Value:
        """Checks a value given in Python. Raises ValueError for what is not allowed."""
        raise NotImplementedError

    def show(self, value: _Value) -> str:
        """A value as it is written in the environment."""
        return str(value)


class Integer(Knob[int]):
    """An integer between two others, both included."""

    def __init__(
        self,
        default: int | Callable[[], int],
        description: str,
        *,
        lowest: int,
        highest: int,
        default_text: str | None = None,
        affects_code: bool = False,
    ) -> None:
        super().__init__(default, description, default_text=default_text, affects_code=affects_code)
        self._values = range(lowest, highest + 1)
        self.allowed = f"an integer from {lowest} to {highest}"

    def parse(self, text: str) -> int:
        return self.check(int(text))

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value not in self._values:
            raise ValueError
        return value


class Boolean(Knob[bool]):
    """On or off."""

    allowed = "on or off (1 or 0, true or false)"

    def parse(self, text: str) -> bool:
        word = text.strip().lower()
        if word in ("1", "on", "true", "yes"):
            return True
        if word in ("0", "off", "false", "no"):
            return False
        raise ValueError

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    def show(self, value: bool) -> str:
        return "on" if value else "off"


class Size(Knob[int]):
    """A number of bytes. Texts may end in kB, MB or GB, which are powers of 1000."""

    allowed = "a number of bytes, such as 500000, '64MB' or '2GB'"

    def parse(self, text: str) -> int:
        number, factor = text.strip().lower(), 1
        for unit, value in _UNITS.items():
            if number.endswith(unit.lower()):
                number, factor = number[: -len(unit)], value
                break
        return self.check(int(number) * factor)

    def check(self, value: object) -> int:
        if isinstance(value, str):
            return self.parse(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
            raise ValueError
        return value

    def show(self, value: int) -> str:
        for unit, factor in _UNITS.items():
            if value and value % factor == 0:
                return f"{value // factor}{unit}"
        return str(value)


class Folder(Knob["Path | None"]):
    """The path of a folder, or None."""

    allowed = "the path of a folder"

    def parse(self, text: str) -> Path | None:
        if "\0" in text:
            raise ValueError
        try:
            return Path(text).expanduser()
        except RuntimeError:  # there is no home folder, or no such user
            raise ValueError from None

    def check(self, value: object) -> Path | None:
        if value is None:
            return None
        if isinstance(value, str) and not value:
            raise ValueError
        if not isinstance(value, (str, Path)):
            raise ValueError
        return self.parse(str(value))

    def show(self, value: Path | None) -> str:
        return "" if value is None else str(value)


class Text(Knob[str]):
    """A text, whose meaning is checked where it is used."""

    allowed = "a text"

    def parse(self, text: str) -> str:
        return text.strip()

    def check(self, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError
        return value
