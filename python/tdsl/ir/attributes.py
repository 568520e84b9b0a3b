"""The attributes and types of the dialect as Python classes.

They are what :meth:`mlir.ir.Attribute.parse`, the attributes of operations and the generated builders return and take.
Constructors check their arguments like the verifiers of the dialect do, and raise :class:`ValueError` with the same
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import mlir.ir as ir

from tdsl import _tdsl
from tdsl.errors import SpecSyntaxError
from tdsl.ir._tdsl_enum_gen import RowKind

__all__ = [
    "OPEN_SIZE",
    "AccessAttr",
    "AxisAttr",
    "IteratorAttr",
    "LogicAttr",
    "RowAttr",
    "ShapeAttr",
    "SpaceAttr",
    "SymbolIndexType",
    "TermAttr",
]

#: The size of an axis that is not known yet.
OPEN_SIZE = -1


def _location(context: ir.Context | None) -> ir.Location:
    return ir.Location.unknown(context)


def _checked(attribute: ir.Attribute, is_kind: Any, what: str) -> ir.Attribute:
    # A wrong kind would be a failed cast in C++, which ends the process.
    if not is_kind(attribute):
        raise ValueError(f"expected {what}, but got {attribute}")
    return attribute


class AxisAttr(ir.Attribute):
    """One axis: a size, or :data:`OPEN_SIZE`, and the name of a basis (spec a.3, d.2)."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_axis, "an axis"))

    @staticmethod
    def get(size: int, basis: str | None = None, context: ir.Context | None = None) -> AxisAttr:
        """An axis; without ``basis``, of the basis ``default``, or of an open one where the size is open."""
        if basis is None:
            basis = "" if size == OPEN_SIZE else "default"
        return _tdsl.axis_get(_location(context), size, basis)

    @property
    def size(self) -> int:
        return _tdsl.axis_parts(self)[0]

    @property
    def basis(self) -> str:
        """The basis; empty while it is not known."""
        return _tdsl.axis_parts(self)[1]

    @property
    def text(self) -> str:
        return _tdsl.attribute_text(self)


class RowAttr(ir.Attribute):
    """An ordered sequence of axes around at most one row variable."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_row, "a row"))

    @staticmethod
    def get(
        leading: Sequence[AxisAttr],
        variable: str | None = None,
        trailing: Sequence[AxisAttr] = (),
        context: ir.Context | None = None,
    ) -> RowAttr:
        """A row; closed without ``variable``, which may be empty for a row variable that has no name."""
        return _tdsl.row_get(_location(context), list(leading), variable, list(trailing))

    @staticmethod
    def from_text(text: str, context: ir.Context | None = None) -> RowAttr:
        """Parses the written form, such as ``"3,..r..,4"``; raises :class:`tdsl.SpecSyntaxError`."""
        return _parsed(_tdsl.row_parse, text, context)

    @property
    def leading(self) -> tuple[AxisAttr, ...]:
        return tuple(_tdsl.row_parts(self)[0])

    @property
    def variable(self) -> str | None:
        """The name of the row variable, None for a closed row."""
        return _tdsl.row_parts(self)[1]

    @property
    def trailing(self) -> tuple[AxisAttr, ...]:
        return tuple(_tdsl.row_parts(self)[2])

    @property
    def text(self) -> str:
        return _tdsl.attribute_text(self)


class ShapeAttr(ir.Attribute):
    """The batch, input and output rows of a node."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_shape, "a shape"))

    @staticmethod
    def get(batch: RowAttr, input: RowAttr, output: RowAttr, context: ir.Context | None = None) -> ShapeAttr:
        return _tdsl.shape_get(_location(context), batch, input, output)

    @staticmethod
    def from_text(text: str, context: ir.Context | None = None) -> ShapeAttr:
        """Parses the written form, such as ``"2|3->4"``; raises :class:`tdsl.SpecSyntaxError`."""
        return _parsed(_tdsl.shape_parse, text, context)

    @property
    def batch(self) -> RowAttr:
        return _tdsl.shape_parts(self)[0]

    @property
    def input(self) -> RowAttr:
        return _tdsl.shape_parts(self)[1]

    @property
    def output(self) -> RowAttr:
        return _tdsl.shape_parts(self)[2]

    @property
    def is_solved(self) -> bool:
        """Whether every row is closed and every axis has a size."""
        return _tdsl.shape_is_solved(self)

    @property
    def memory_order_sizes(self) -> tuple[int, ...]:
        """The sizes in memory order: batch, output, input (spec a.3). Raises ValueError for an open shape."""
        if not self.is_solved:
            raise ValueError(f'the shape "{self.text}" is still open')
        return tuple(axis.size for row in (self.batch, self.output, self.input) for axis in row.leading)

    @property
    def text(self) -> str:
        return _tdsl.attribute_text(self)


def _parsed(parse: Any, text: str, context: ir.Context | None) -> Any:
    try:
        return parse(_location(context), text)
    except ValueError as error:
        raise SpecSyntaxError(str(error)) from None


class IteratorAttr(ir.Attribute):
    """One iterator of an iteration domain."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_iterator, "an iterator"))

    @staticmethod
    def get(name: str, size: int, reduction: bool, context: ir.Context | None = None) -> IteratorAttr:
        return _tdsl.iterator_get(_location(context), name, size, reduction)

    @property
    def name(self) -> str:
        return _tdsl.iterator_parts(self)[0]

    @property
    def size(self) -> int:
        return _tdsl.iterator_parts(self)[1]

    @property
    def is_reduction(self) -> bool:
        return _tdsl.iterator_parts(self)[2]


class SpaceAttr(ir.Attribute):
    """A derived iteration domain with one indexing map per slot (spec e.1)."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_space, "a space"))

    @staticmethod
    def get(
        iterators: Sequence[IteratorAttr],
        maps: Sequence[ir.AffineMap],
        guarded: Sequence[bool] | None = None,
        symbols: Sequence[str] = (),
        context: ir.Context | None = None,
    ) -> SpaceAttr:
        """A space. ``maps`` holds the map of the result, then one for each operand; none is guarded by default."""
        flags = [False] * len(maps) if guarded is None else list(guarded)
        return _tdsl.space_get(_location(context), list(iterators), list(symbols), list(maps), flags)

    @property
    def iterators(self) -> tuple[IteratorAttr, ...]:
        """The iterators in product order; the last one varies fastest."""
        return tuple(_tdsl.space_parts(self)[0])

    @property
    def symbols(self) -> tuple[str, ...]:
        """The static symbols that the maps use."""
        return tuple(_tdsl.space_parts(self)[1])

    @property
    def maps(self) -> tuple[ir.AffineMap, ...]:
        """The map of the result, then one for each operand."""
        return tuple(_tdsl.space_parts(self)[2])

    @property
    def guarded(self) -> tuple[bool, ...]:
        """For each map, whether it may leave its node (spec e.4)."""
        return tuple(_tdsl.space_parts(self)[3])


class LogicAttr(ir.Attribute):
    """The shape logic of an operation (spec d.4)."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_logic, "a shape logic"))

    #: What a user writes after ``logic=``; every other text is an einsum specification.
    SHORT_FORMS: ClassVar[dict[str, str]] = {".": "pointwise", "@": "compose", "T": "transpose"}

    @staticmethod
    def get(kind: str, *, spec: str = "", symbol: str = "", context: ir.Context | None = None) -> LogicAttr:
        """A logic of a kind of spec d.4, for example ``"compose_accumulate"``."""
        return _tdsl.logic_get(_location(context), kind, spec, symbol)

    @staticmethod
    def from_text(text: str, context: ir.Context | None = None) -> LogicAttr:
        """The logic that ``"."``, ``"@"``, ``"T"`` or an einsum specification stands for."""
        kind = LogicAttr.SHORT_FORMS.get(text)
        if kind is not None:
            return LogicAttr.get(kind, context=context)
        return LogicAttr.get("spec", spec=text, context=context)

    @property
    def kind(self) -> str:
        return _tdsl.logic_parts(self)[0]

    @property
    def spec(self) -> str:
        """The einsum specification; empty for every other kind."""
        return _tdsl.logic_parts(self)[1]

    @property
    def symbol(self) -> str:
        """The static symbol of a slice; empty for every other kind."""
        return _tdsl.logic_parts(self)[2]


class AccessAttr(ir.Attribute):
    """A node read or written through a slot of an index space (spec e.5)."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_access, "an access"))

    @staticmethod
    def get(node: str, slot: str = "", *, merge: bool = False, context: ir.Context | None = None) -> AccessAttr:
        """An access to ``node``; an empty ``slot`` is the obvious one."""
        return _tdsl.access_get(_location(context), node, merge, slot)

    @property
    def node(self) -> str:
        return _tdsl.access_parts(self)[0]

    @property
    def is_merge(self) -> bool:
        """Whether the merge buffer of the node is read (spec b.1)."""
        return _tdsl.access_parts(self)[1]

    @property
    def slot(self) -> str:
        return _tdsl.access_parts(self)[2]


class TermAttr(ir.Attribute):
    """What a shape constraint speaks about: a capture, a node, a row, an axis or a literal (spec d.3)."""

    def __init__(self, attribute: ir.Attribute) -> None:
        super().__init__(_checked(attribute, _tdsl.is_term, "a term"))

    @staticmethod
    def get(
        symbol: str, row: RowKind | None = None, axis: int | None = None, context: ir.Context | None = None
    ) -> TermAttr:
        return _tdsl.term_get(_location(context), symbol, None if row is None else int(row), axis)

    @staticmethod
    def get_literal(literal: AxisAttr | RowAttr, context: ir.Context | None = None) -> TermAttr:
        return _tdsl.term_get_literal(_location(context), literal)

    @property
    def symbol(self) -> str:
        """The capture or node; empty for a literal."""
        return _tdsl.term_parts(self)[0]

    @property
    def row(self) -> RowKind | None:
        kind = _tdsl.term_parts(self)[1]
        return None if kind is None else RowKind(kind)

    @property
    def axis(self) -> int | None:
        return _tdsl.term_parts(self)[2]

    @property
    def literal(self) -> AxisAttr | RowAttr | None:
        return _tdsl.term_parts(self)[3]


class SymbolIndexType(ir.Type):
    """The type of a value of a static symbol."""

    def __init__(self, type: ir.Type) -> None:
        if not _tdsl.is_symbol_index(type):
            raise ValueError(f"expected a !tdsl.index type, but got {type}")
        super().__init__(type)

    @staticmethod
    def get(symbol: str, context: ir.Context | None = None) -> SymbolIndexType:
        # An unknown location stands for the current context, or says that there is none.
        return _tdsl.symbol_index_get(_location(context).context, symbol)

    @property
    def symbol(self) -> str:
        return _tdsl.symbol_index_symbol(self)


def _register_classes() -> None:
    """Tells MLIR which class each attribute and type is wrapped in; one registry serves both."""
    # Its type hint speaks of attributes only.
    register: Any = ir.register_type_caster
    for type_id, wrapper in (
        (_tdsl.axis_type_id(), AxisAttr),
        (_tdsl.row_type_id(), RowAttr),
        (_tdsl.shape_type_id(), ShapeAttr),
        (_tdsl.iterator_type_id(), IteratorAttr),
        (_tdsl.space_type_id(), SpaceAttr),
        (_tdsl.logic_type_id(), LogicAttr),
        (_tdsl.access_type_id(), AccessAttr),
        (_tdsl.term_type_id(), TermAttr),
        (_tdsl.symbol_index_type_id(), SymbolIndexType),
    ):
        register(type_id)(wrapper)


def _register_builders() -> None:
    """Lets the generated builders take plain Python values: ``NodeOp("x", "2|3->4", ...)``."""

    def builder(name: str, convert: Any) -> None:
        def build(value: Any, context: ir.Context) -> ir.Attribute:
            return value if isinstance(value, ir.Attribute) else convert(value, context)

        ir.register_attribute_builder(name, replace=True)(build)

    def access(value: Any, context: ir.Context) -> AccessAttr:
        if isinstance(value, str):
            return AccessAttr.get(value, context=context)
        node, slot = value
        return AccessAttr.get(node, slot, context=context)

    def accesses(values: Any, context: ir.Context) -> ir.ArrayAttr:
        elements = [v if isinstance(v, ir.Attribute) else access(v, context) for v in values]
        return ir.ArrayAttr.get(elements, context)

    builder("Tdsl_ShapeAttr", ShapeAttr.from_text)
    builder("Tdsl_RowAttr", RowAttr.from_text)
    builder("Tdsl_LogicAttr", LogicAttr.from_text)
    builder("Tdsl_AccessAttr", access)
    builder("Tdsl_AccessArrayAttr", accesses)
    builder("Tdsl_Int64Attr", lambda n, context: ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), n))


_register_classes()
_register_builders()
