"""The reference interpreter of the dialect: brute force from the specification.

It shares no code with inference, derivation or lowering, so that their results can be checked against it in every
stage of compilation: :func:`run_routine` runs a routine, :func:`compare` finds the first difference of two runs.
"""

from tdsl.reference.comparison import compare
from tdsl.reference.families import machine, rational
from tdsl.reference.interpreter import run_routine
from tdsl.reference.storage import ValuesError

__all__ = ["ValuesError", "compare", "machine", "rational", "run_routine"]
