"""The environment of shape inference: nodes, constraints between them, closing, and what was found (spec section d)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdsl.errors import ShapeError
from tdsl.notation import RowKind, Spec, parse
from tdsl.shapes import targets
from tdsl.shapes.closing import close
from tdsl.shapes.environment import Environment
from tdsl.shapes.equations import equate
from tdsl.shapes.errors import shape_error
from tdsl.shapes.nodes import ROLES, Capture, Logic, Operation, Role, declared_rows
from tdsl.shapes.provenance import Cause, Provenance, SolvedAxis
from tdsl.shapes.relate import relate_broadcast, relate_slice, relate_uniform
from tdsl.shapes.shape_text import parse_shape
from tdsl.shapes.specs import SpecApplication
from tdsl.shapes.targets import Target
from tdsl.shapes.terms import ROW_KINDS, Axis, Row, Shape
from tdsl.shapes.totals import ScaledSize, TotalElements
from tdsl.shapes.variables import AxisVariable, RowTerm, RowVariable, resolve


class Inference:
    """Infers the shapes of nodes from the operations that relate them.

    Constraints may come in any order, also before their nodes are declared, and are propagated at once: a
    contradiction raises ShapeError where it arises. After an error the environment is not usable any more. ``close``
    determines what is still open; between two closings the result does not depend on the order of the constraints.

    Every method takes an ``origin``, an opaque object such as ``"model.py:12"`` that errors print.
    """

    def __init__(self) -> None:
        self._environment = Environment()
        self._solver = self._environment.solver
        self._applications: dict[str, SpecApplication | None] = {}
        self._specs: dict[object, Spec] = {}

    # -------------------------------------------------------------------------------------------------- declaring

    def add_node(self, name: str, shape: Shape | str, role: Role, *, origin: object = None) -> None:
        """Declare a node with what is known of its shape, such as ``"|..i..->8"``.

        ``role`` decides where it closes (spec d.6): a result closes down to its operands, all others at their uses.
        Raises ValueError for a name that is declared twice or an unknown role, SpecSyntaxError for a bad text.
        """
        if role not in ROLES:
            raise ValueError(f"The role of @{name} is one of {', '.join(ROLES)}, not {role!r}.")
        node = self._environment.node(name)
        if node.role is not None:
            raise ValueError(f"The node @{name} is declared twice.")
        node.role, node.origin = role, origin
        node.declared = shape if isinstance(shape, Shape) else parse_shape(shape)
        rows = declared_rows(name, node.declared, origin)
        for kind in ROW_KINDS:
            cause = Cause(f"the declaration of @{name}", origin, None, None, name, kind)
            equate(self._solver, node.rows[kind], rows[kind], cause)
        self._solver.run()

    def add_capture(
        self, name: str, *, row: bool = False, value: int | Row | None = None, origin: object = None
    ) -> None:
        """Declare a captured dimension, or a captured row, with its size or its axes if they are known (spec d.9)."""
        if name in self._environment.captures:
            raise ValueError(f"The capture @{name} is declared twice.")
        cause = Cause(f"the capture @{name}", origin)
        capture = Capture(name, AxisVariable(), RowTerm((), RowVariable(), ()) if row else None)
        self._environment.captures[name] = capture
        if capture.row is not None:
            self._solver.add(TotalElements([capture.row], 1, capture.axis, 1, f"the row @{name}", cause))
        if isinstance(value, Row):
            if capture.row is None:
                raise ValueError(f"The capture @{name} is a dimension, not a row.")
            axes = declared_rows(name, Shape(output=value), origin)["output"]
            equate(self._solver, capture.row, axes, cause)
        elif value is not None:
            self.set_dim(name, value, origin=origin)
        self._solver.run()

    def relate(
        self,
        logic: Logic,
        operands: Sequence[str],
        result: str,
        *,
        name: str | None = None,
        spec: Spec | str | None = None,
        captures: Mapping[str, str] | None = None,
        coefficients: Mapping[str, int] | None = None,
        use_padding: bool | None = None,
        range: int | None = None,
        lanes: int | None = None,
        origin: object = None,
    ) -> None:
        """Relate the shapes of an operation's nodes (spec d.4).

        ``logic`` "spec" needs ``spec``, a text (read with ``coefficients`` and ``use_padding``) or a parsed one;
        ``captures`` maps its labels and row variables to captures. "slice" needs ``range``, the number of values of
        the static symbol; "uniform" needs ``lanes``, the cells of a 128-bit word in the precision of the result.
        ``name`` lets ``same_shape_as_product_space`` refer to the operation.

        Raises ShapeError for contradictions, SpecSyntaxError for a bad spec or captures that are not in it.
        """
        operation = Operation([self._environment.node(operand) for operand in operands], self._environment.node(result))
        application = None
        if logic == "spec":
            if spec is None:
                raise ValueError("The logic 'spec' needs a spec.")
            parsed = spec if isinstance(spec, Spec) else self._parse(spec, coefficients, use_padding)
            application = SpecApplication(parsed, f"'{parsed.text}'", origin)
            bound = {label: self._environment.capture(capture) for label, capture in (captures or {}).items()}
            application.relate(self._solver, operation, bound)
        elif logic == "slice":
            if range is None:
                raise ValueError("The logic 'slice' needs the range of its symbol.")
            relate_slice(self._solver, operation, range, origin)
        elif logic == "uniform":
            if lanes is None:
                raise ValueError("The logic 'uniform' needs the lanes of its result's precision.")
            relate_uniform(self._solver, operation, lanes, origin)
        elif logic in ("pointwise", "compose", "compose_accumulate", "transpose"):
            relate_broadcast(self._solver, logic, operation, origin)
        else:
            raise ValueError(f"There is no shape logic {logic!r}.")
        if name is not None:
            self._applications[name] = application
        for node in operation.operands:
            node.used = True
        operation.result.operations.append(operation)
        self._solver.run()

    def _parse(self, text: str, coefficients: Mapping[str, int] | None, use_padding: bool | None) -> Spec:
        """Parse a spec, once for all operations of a program that repeat it."""
        key = (text, tuple(sorted((coefficients or {}).items())), use_padding)
        if key not in self._specs:
            self._specs[key] = parse(text, coefficients=coefficients, use_padding=use_padding)
        return self._specs[key]

    # ------------------------------------------------------------------------------------------------ constraints

    def set_dim(self, capture: str, size: int, *, origin: object = None) -> None:
        """Give the size of a captured dimension, or the number of elements of a captured row (spec d.9)."""
        axis = self._environment.capture(capture).axis
        cause = Cause(f"set_dim of @{capture}", origin)
        known = axis.find()
        if known.size is not None and known.size != size:
            raise shape_error(
                f"The capture @{capture} gets different values, {known.size} and {size}: size mismatch.",
                cause,
                suggestion=f"{known.size} comes from {known.provenance}." if known.provenance else None,
            )
        self._solver.assign(axis, size, None, Provenance(f"set_dim of @{capture}", origin), cause)
        self._solver.run()

    def set_equal(self, first: Target, second: Target, *, origin: object = None) -> None:
        """Two dimensions are equal, two rows are equal, or a dimension is the product of a row's sizes (spec d.9)."""
        targets.set_equal(self._environment, first, second, origin)
        self._solver.run()

    def set_broadcast(self, narrow: Target, wide: Target, *, origin: object = None) -> None:
        """The axis or row ``narrow`` broadcasts into ``wide`` (spec d.2, d.3)."""
        targets.set_broadcast(self._environment, narrow, wide, origin)
        self._solver.run()

    def set_scale(self, scaled: str, factor: int, base: str, *, origin: object = None) -> None:
        """The captured dimension ``scaled`` is ``factor`` >= 1 times the captured dimension ``base`` (spec d.9)."""
        cause = Cause("set_scale", origin)
        captures = [self._environment.capture(scaled), self._environment.capture(base)]
        for capture in captures:
            if capture.row is not None:
                raise shape_error(f"set_scale is for dimensions, but @{capture.name} is a row variable.", cause)
            capture.compared = capture.compared or cause
        if factor < 1:
            raise shape_error(f"The factor of set_scale is at least 1, not {factor}.", cause)
        self._solver.add(ScaledSize(captures[0].axis, factor, captures[1].axis, cause))
        self._solver.run()

    def at_least(self, target: Target, size: int, *, origin: object = None) -> None:
        """The index ``size - 1`` of an axis is used (spec c.4)."""
        targets.at_least(self._environment, target, size, origin)
        self._solver.run()

    def total_elements(
        self, target: Target, factor: int, *, capture: str | None = None, divisor: int = 1, origin: object = None
    ) -> None:
        """The node, row or captured row has ``factor * capture / divisor`` elements (spec d.3)."""
        targets.total_elements(self._environment, target, factor, capture, divisor, origin)
        self._solver.run()

    def same_shape(self, node: str, other: str, *, origin: object = None) -> None:
        """Two nodes have one shape (spec e.5)."""
        first, second = self._environment.node(node), self._environment.node(other)
        first.pinned = second.pinned = True
        for kind in ROW_KINDS:
            cause = Cause(f"the shape shared with @{other}", origin, None, None, node, kind)
            equate(self._solver, first.rows[kind], second.rows[kind], cause)
        self._solver.run()

    def same_shape_as_product_space(self, node: str, operation: str, *, origin: object = None) -> None:
        """The node spans the index space of the operation related under the name ``operation`` (spec d.10).

        Raises ShapeError when the operation has no spec, or contracts several row variables; ValueError when no
        operation of this name was related before.
        """
        if operation not in self._applications:
            raise ValueError(f"There is no operation @{operation}; relate it before its product space is used.")
        application = self._applications[operation]
        if application is None:
            raise shape_error(
                f"Only an operation with a spec has a product space, but @{operation} has none.",
                Cause(f"the product space of @{operation}", origin),
            )
        self._environment.node(node).pinned = True
        application.product_space(self._solver, self._environment.node(node), origin)
        self._solver.run()

    # ---------------------------------------------------------------------------------------------------- results

    def close(self, cause: str = "closing", *, origin: object = None) -> None:
        """Determine everything that is still open, for good (spec d.6). ``cause`` says what asked for it.

        Raises ShapeError, also for a parameter whose sizes nothing determines; ValueError for nodes that were never
        declared.
        """
        undeclared = [name for name, node in self._environment.nodes.items() if node.role is None]
        if undeclared:
            raise ValueError(f"The node @{undeclared[0]} was never declared.")
        self._solver.run()
        for capture in self._environment.captures.values():
            if capture.compared is not None and capture.axis.find().size is None and not self._is_related(capture):
                raise shape_error(
                    f"There is insufficient information about the capture @{capture.name}: it belongs to no "
                    "operation, and has no size.",
                    capture.compared,
                )
        nodes = [node for node in self._environment.nodes.values() if not node.closed]
        close(self._solver, nodes, Cause(cause, origin))

    def _is_related(self, capture: Capture) -> bool:
        return any(
            other.bound and other.axis.find() is capture.axis.find() for other in self._environment.captures.values()
        ) or (capture.bound)

    def shape(self, name: str) -> Shape:
        """What is known of the shape of a node."""
        rows = {}
        for kind, row in self._environment.existing_node(name).rows.items():
            resolved = resolve(row)
            leading, trailing = (
                tuple(Axis(v.find().size, v.find().basis) for v in axes)
                for axes in (resolved.leading, resolved.trailing)
            )
            rows[kind] = Row(leading, None if resolved.variable is None else resolved.variable.name, trailing)
        return Shape(**rows)

    def capture(self, name: str) -> int:
        """The number of a captured dimension or row. Raises ShapeError if it is not determined yet."""
        capture = self._environment.capture(name)
        size = capture.axis.find().size
        if size is None:
            raise ShapeError(f"There is insufficient information to determine the capture @{name}.")
        return size

    def captured_row(self, name: str) -> Row | None:
        """The axes of a captured row; None while it is open."""
        row = self._environment.capture(name).row
        if row is None:
            raise ValueError(f"The capture @{name} is a dimension, not a row.")
        resolved = resolve(row)
        if resolved.variable is not None or any(axis.find().size is None for axis in resolved.axes):
            return None
        return Row(tuple(Axis(axis.find().size, axis.find().basis) for axis in resolved.axes), None, ())

    def provenance(self, node: str, kind: RowKind, index: int) -> SolvedAxis:
        """What fixed an axis of a node: its size, its basis, and the record of where they come from."""
        axis = resolve(self._environment.existing_node(node).rows[kind]).axes[index].find()
        return SolvedAxis(axis.size, axis.basis, axis.provenance)
