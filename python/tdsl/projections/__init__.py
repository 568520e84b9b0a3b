"""Projections: which cells an assignment visits (spec section e).

``derive`` turns the logic of an operation and its closed shapes into an index space; ``plan_assignment`` says what an
assignment over that space does to its destination. Everything here is a value: nothing is mutated.
"""

from tdsl.projections.analysis import covers_all, is_injective, is_surjective
from tdsl.projections.derive import derive
from tdsl.projections.gather import invert_scatter
from tdsl.projections.index import IndexMap, LinearIndex, Quotient, Remainder
from tdsl.projections.logic import (
    Compose,
    ComposeAccumulate,
    Einsum,
    Logic,
    Pointwise,
    Slice,
    Transpose,
    Uniform,
)
from tdsl.projections.plan import (
    ACCUMULATORS,
    AssignmentPlan,
    Step,
    Write,
    needs_fill,
    plain_store_allowed,
    plan_assignment,
)
from tdsl.projections.product_space import product_space_shape
from tdsl.projections.shape import ClosedAxis, ClosedShape
from tdsl.projections.slots import Access, access_map, assignment_space, product_space_map
from tdsl.projections.space import Iterator, Projections, Space

__all__ = [
    "ACCUMULATORS",
    "Access",
    "AssignmentPlan",
    "ClosedAxis",
    "ClosedShape",
    "Compose",
    "ComposeAccumulate",
    "Einsum",
    "IndexMap",
    "Iterator",
    "LinearIndex",
    "Logic",
    "Pointwise",
    "Projections",
    "Quotient",
    "Remainder",
    "Slice",
    "Space",
    "Step",
    "Transpose",
    "Uniform",
    "Write",
    "access_map",
    "assignment_space",
    "covers_all",
    "derive",
    "invert_scatter",
    "is_injective",
    "is_surjective",
    "needs_fill",
    "plain_store_allowed",
    "plan_assignment",
    "product_space_map",
    "product_space_shape",
]
