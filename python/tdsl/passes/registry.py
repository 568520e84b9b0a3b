"""Registration of Python passes in MLIR's global registry, ours and those of installed plugins."""

from __future__ import annotations

import contextvars
import importlib
import importlib.metadata
import threading
import traceback
import warnings

import mlir.ir as ir

import tdsl.ir  # noqa: F401  (passes receive operations as the classes that it registers)
from tdsl import _tdsl
from tdsl.errors import TdslError
from tdsl.passes.base import Pass
from tdsl.passes.builtin import BUILTIN_PASSES
from tdsl.passes.options import default_text, option_specs, options_from_values
from tdsl.session import knobs

__all__ = ["PLUGIN_GROUP", "PluginWarning", "register", "register_all"]

#: The entry-point group of third-party passes. Each entry point names one subclass of :class:`tdsl.passes.Pass`.
PLUGIN_GROUP = "tdsl.plugins"


#: The context variables of who runs a pipeline, by the MLIR context that it runs in: passes may run on other threads,
#: and are still inside of the scopes of ``tdsl.knobs``.
callers: dict[ir.Context, contextvars.Context] = {}


class PluginWarning(UserWarning):
    """An installed plugin could not be used."""


def register(pass_class: type[Pass]) -> type[Pass]:
    """Registers a pass under its name for the rest of the process; usable as a decorator.

    Raises:
        TypeError: The class is not a pass, lacks a name or description, or has options that MLIR cannot hold.
        ValueError: The name is malformed, or a pass of that name exists (Python, C++ or upstream).
    """
    if not (isinstance(pass_class, type) and issubclass(pass_class, Pass)):
        raise TypeError(f"{pass_class!r} is not a subclass of tdsl.passes.Pass")
    for attribute in ("name", "description"):
        if not isinstance(getattr(pass_class, attribute, None), str):
            raise TypeError(f"pass class {pass_class.__qualname__} needs a text as its '{attribute}'")
    specs = option_specs(pass_class)

    def run(op: ir.OpView, values: dict[str, object]) -> bool | None:
        def call() -> bool | None:
            with op.context, op.location:
                return pass_class(options_from_values(pass_class, specs, values)).run(op)

        caller = callers.get(op.context)
        return call() if caller is None else caller.copy().run(call)

    def describe_exception(error: BaseException) -> str:
        return _describe_exception(pass_class.name, error)

    _tdsl.register_pass(
        pass_class.name,
        pass_class.description,
        pass_class.anchor,
        pass_class.dependent_dialects,
        [(spec.name, spec.description, spec.kind, default_text(spec)) for spec in specs],
        run,
        describe_exception,
    )
    return pass_class


def _describe_exception(pass_name: str, error: BaseException) -> str:
    if isinstance(error, TdslError):
        text = str(error)
    else:
        shown = str(error)
        text = f"pass '{pass_name}' raised {type(error).__name__}" + (f": {shown}" if shown else "")
    if knobs.debug:
        text += "\n" + "".join(traceback.format_exception(error)).rstrip()
    return text


_register_all_lock = threading.Lock()
_registered_all: list[bool] = []


def register_all() -> None:
    """Registers the passes of TDSL and of installed plugins. Calls after the first do nothing.

    A plugin that cannot be loaded or registered costs one :class:`PluginWarning`, and nothing else.
    """
    with _register_all_lock:
        if _registered_all:
            return
        _registered_all.append(True)
        for reference in BUILTIN_PASSES:
            module, _, name = reference.partition(":")
            register(getattr(importlib.import_module(module), name))
        for entry_point in sorted(importlib.metadata.entry_points(group=PLUGIN_GROUP), key=lambda e: (e.name, e.value)):
            _register_plugin(entry_point)


def _register_plugin(entry_point: importlib.metadata.EntryPoint) -> None:
    # Whatever a plugin does while it is imported must not keep the tool from working without it.
    try:
        register(entry_point.load())
    except (Exception, SystemExit) as error:
        owner = f" of {entry_point.dist.name}" if entry_point.dist else ""
        warnings.warn(
            f"plugin '{entry_point.name}' ({entry_point.value}{owner}) is not available: "
            f"{type(error).__name__}: {error}",
            PluginWarning,
            stacklevel=2,
        )
