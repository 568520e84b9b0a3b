"""Options of passes: a dataclass as MLIR's pass options, their values as the dataclass, and both as pipeline text."""

from __future__ import annotations

import dataclasses
import math
import typing
from dataclasses import dataclass
from typing import Any

from tdsl.passes.base import Pass

__all__ = ["OptionSpec", "option_specs", "options_from_values", "pipeline_text"]

_INT64_LIMIT = 1 << 63
_PAIRED = "{}()[]<>'\""
_SPECIAL = _PAIRED + ",="


@dataclass(frozen=True)
class OptionSpec:
    """One option as MLIR sees it.

    Attributes:
        field: The name of the dataclass field, such as ``max_rounds``.
        name: The name in pipeline text, such as ``max-rounds``.
        description: The text for ``--help``.
        kind: ``int``, ``float``, ``bool``, ``str`` or ``list``.
        default: The default value.
    """

    field: str
    name: str
    description: str
    kind: str
    default: Any


def option_specs(pass_class: type[Pass]) -> tuple[OptionSpec, ...]:
    """Reads the options that a pass declares.

    Raises:
        TypeError: ``Options`` is not a dataclass, or a field has no default, an unsupported type, or a default
            that is not of that type. The message names the pass and the field.
    """
    options_class = pass_class.Options
    if not (isinstance(options_class, type) and dataclasses.is_dataclass(options_class)):
        raise TypeError(f"pass '{pass_class.name}': Options must be a dataclass")
    try:
        types = typing.get_type_hints(options_class)
    except NameError as error:
        raise TypeError(f"pass '{pass_class.name}': cannot read the types of its options: {error}") from None
    return tuple(_option_spec(pass_class, field, types[field.name]) for field in dataclasses.fields(options_class))


def _option_spec(pass_class: type[Pass], field: dataclasses.Field[Any], annotation: Any) -> OptionSpec:
    where = f"pass '{pass_class.name}', option '{field.name}'"
    kinds = {int: "int", float: "float", bool: "bool", str: "str", list[str]: "list"}
    try:
        kind = kinds[annotation]
    except (KeyError, TypeError):
        shown = getattr(annotation, "__name__", annotation) if isinstance(annotation, type) else annotation
        raise TypeError(f"{where}: the type must be int, float, bool, str or list[str], not {shown}") from None
    if field.default is not dataclasses.MISSING:
        default = field.default
    elif field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    else:
        raise TypeError(f"{where}: an option needs a default, since a pipeline may leave it out")
    _check_value(where, kind, default)
    if kind == "list" and any("," in element or not element for element in default):
        raise TypeError(f"{where}: the elements of a default may not be empty or contain ','")
    return OptionSpec(field.name, field.name.replace("_", "-"), field.metadata.get("description", ""), kind, default)


def _check_value(where: str, kind: str, value: Any) -> None:
    fits = {
        "int": type(value) is int and -_INT64_LIMIT <= value < _INT64_LIMIT,
        "float": type(value) in (int, float) and math.isfinite(value),
        "bool": type(value) is bool,
        "str": type(value) is str,
        "list": isinstance(value, (list, tuple)) and all(type(element) is str for element in value),
    }
    names = {
        "int": "a 64-bit int",
        "float": "a finite float",
        "bool": "a bool",
        "str": "a str",
        "list": "a list of str",
    }
    if not fits[kind]:
        raise TypeError(f"{where}: {value!r} is not {names[kind]}")


def default_text(spec: OptionSpec) -> str:
    """Returns the default as MLIR's pass option reads it."""
    if spec.kind == "list":
        return ",".join(spec.default)
    if spec.kind == "str":
        return spec.default
    return _scalar_text(spec.default)


def options_from_values(pass_class: type[Pass], specs: tuple[OptionSpec, ...], values: dict[str, object]) -> Any:
    """Builds the options dataclass from the values that a pipeline gave, by the names of pipeline text."""
    return pass_class.Options(**{spec.field: values[spec.name] for spec in specs})


def pipeline_text(pass_class: type[Pass], options: Any = None) -> str:
    """Writes a pass with its options as pipeline text, such as ``my-pass{max-rounds=5}``. Defaults are left out.

    Raises:
        TypeError: An option has a value of another type than it declares.
        ValueError: MLIR's pipeline grammar has no spelling for a string (unbalanced quotes or braces, for example).
    """
    if options is None:
        return pass_class.name
    words = []
    for spec in option_specs(pass_class):
        value = getattr(options, spec.field)
        _check_value(f"pass '{pass_class.name}', option '{spec.field}'", spec.kind, value)
        if value == spec.default:
            continue
        if spec.kind == "list":
            words.append(f"{spec.name}={{{','.join(_quoted(element, spec, in_list=True) for element in value)}}}")
        elif spec.kind == "str":
            words.append(f"{spec.name}={_quoted(value, spec, in_list=False)}")
        else:
            words.append(f"{spec.name}={_scalar_text(value)}")
    return f"{pass_class.name}{{{' '.join(words)}}}" if words else pass_class.name


def _scalar_text(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _quoted(text: str, spec: OptionSpec, *, in_list: bool) -> str:
    # MLIR has no escapes: a value is bare, or stands in braces. Its scanner pairs brackets and quotes within both, and
    # drops space at the ends.
    if text and not any(character in _SPECIAL or character.isspace() for character in text):
        return text
    if not any(character in _PAIRED for character in text) and text == text.strip() and (text or not in_list):
        return "{" + text + "}"
    raise ValueError(f"option '{spec.name}': a pipeline cannot express the text {text!r}")
