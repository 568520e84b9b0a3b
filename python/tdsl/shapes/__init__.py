"""Shape inference (spec section d): rows, the broadcast order, a solver for constraints, and closing.

``Inference`` is the environment; the other names are what it takes and returns.
"""

from tdsl.shapes.inference import Inference
from tdsl.shapes.lattice import BROADCAST, DEFAULT
from tdsl.shapes.nodes import Logic, Role
from tdsl.shapes.provenance import Provenance, SolvedAxis
from tdsl.shapes.shape_text import parse_axis, parse_row, parse_shape
from tdsl.shapes.targets import AxisTarget, CaptureTarget, NodeTarget, RowTarget, Target
from tdsl.shapes.terms import OPEN, TOP, Axis, Row, Shape

__all__ = [
    "BROADCAST",
    "DEFAULT",
    "OPEN",
    "TOP",
    "Axis",
    "AxisTarget",
    "CaptureTarget",
    "Inference",
    "Logic",
    "NodeTarget",
    "Provenance",
    "Role",
    "Row",
    "RowTarget",
    "Shape",
    "SolvedAxis",
    "Target",
    "parse_axis",
    "parse_row",
    "parse_shape",
]
