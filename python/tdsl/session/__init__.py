"""The one object that holds what may be set for a whole session: :data:`knobs`, which users know as ``tdsl.knobs``."""

from tdsl.session.knob import Knob, KnobWarning, Setting
from tdsl.session.registry import Knobs, knobs
from tdsl.session.reports import report

__all__ = ["Knob", "KnobWarning", "Knobs", "Setting", "knobs", "report"]
