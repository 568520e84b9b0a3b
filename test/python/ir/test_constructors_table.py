"""Every constructor and constraint of the specification has a form in the IR, as text and in Python (DESIGN section 3).

The tables are in ``forms.py``. They are compared to the enumerations, so that an enumerator without a form fails.
"""

from __future__ import annotations

from enum import Enum

import forms
import mlir.ir as ir
import pytest
from table import PROGRAM, Form, build_program_with, program_with

import tdsl.ir as tdsl_ir

TABLES: dict[type[Enum] | str, list[Form]] = {
    "constructors": forms.CONSTRUCTORS,
    "constraints": forms.CONSTRAINTS,
    "slots": forms.SLOTS,
    tdsl_ir.FetchKind: forms.FETCHES,
    tdsl_ir.Accumulator: forms.ACCUMULATORS,
    tdsl_ir.Primitive: forms.PRIMITIVES,
    tdsl_ir.Precision: forms.PRECISIONS,
    tdsl_ir.NodeRole: forms.ROLES,
    tdsl_ir.LogicKind: forms.LOGICS,
    tdsl_ir.RowKind: forms.ROWS,
    tdsl_ir.IteratorKind: forms.ITERATORS,
}
FORMS = [form for table in TABLES.values() for form in table]

# Spec b.1, without the constructors of Fetch, which are an enumeration.
B1 = (
    {"Noop", "Seq", "Block_comment", "Set_vec", "Node", "Merge_buffer", "Accum init", "neutral element"}
    | {f"Accum {rhs}" for rhs in ("Unop", "Binop", "Ternop", "Block", "Rev_sides")}
)  # fmt: skip
# Spec d.3, then d.9 and d.10.
D3 = {
    *("dim equality", "row equality", "dim inequality", "row inequality", "At_least"),
    *("Total_elems n", "Total_elems n * over", "Total_elems n * over / by", "Exact dim", "Exact row"),
    *("terminal", "terminal is_param", "shape-row"),
    *("set_dim", "set_scale", "dim equals row", "shape equality", "product space shape", "static symbol"),
    *("captured dim", "captured dim, solved", "captured row", "captured row, solved"),
}
E5 = {"default", "lhs", "rhs1", "rhs2", "rhs3", "pspace", "scalar"}


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_text_is_verified_and_printed_back(context: ir.Context, form: Form) -> None:
    text = program_with(form)
    module = ir.Module.parse(text)
    assert module.operation.verify()
    assert str(module.body.operations[0]) + "\n" == text


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_builders_make_the_same(context: ir.Context, form: Form) -> None:
    module = build_program_with(form)
    assert module.operation.verify()
    assert str(module.body.operations[0]) + "\n" == program_with(form)


@pytest.mark.parametrize("enumeration", [key for key in TABLES if not isinstance(key, str)])
def test_every_enumerator_has_a_form(enumeration: type[Enum]) -> None:
    assert {form.covers for form in TABLES[enumeration]} == set(enumeration)


def test_every_enumeration_has_a_table() -> None:
    enumerations = {
        value
        for name in tdsl_ir.__all__
        if isinstance(value := getattr(tdsl_ir, name), type) and issubclass(value, Enum)
    }
    assert {key for key in TABLES if not isinstance(key, str)} == enumerations


@pytest.mark.parametrize(("table", "names"), [("constructors", B1), ("constraints", D3), ("slots", E5)])
def test_every_name_of_the_specification_has_a_form(table: str, names: set[str]) -> None:
    assert {form.covers for form in TABLES[table]} == names


def test_every_operation_is_in_a_form() -> None:
    operations = {
        value.OPERATION_NAME
        for name in tdsl_ir.__all__
        if isinstance(value := getattr(tdsl_ir, name), type) and issubclass(value, ir.OpView)
    }
    written = {line.split()[0] for form in FORMS for line in form.text.splitlines() if line.strip() != "}"}
    assert operations - written == {"tdsl.program"}
    assert PROGRAM.startswith("tdsl.program ")


def test_the_arity_of_each_primitive(context: ir.Context) -> None:
    """Each primitive takes exactly the number of operands that its form has, and no other."""
    projections = {1: "unary", 2: "binary", 3: "ternary"}
    for form in forms.PRIMITIVES:
        arity = form.text.count("@") - 2
        for wrong in {1, 2, 3} - {arity}:
            sources = ", ".join(["@a"] * wrong)
            start, rest = form.text.split("(")
            text = f"{start}({sources}) by @{projections[wrong]}"
            module_text = program_with(form._replace(text=text))
            with pytest.raises(ir.MLIRError, match=f"takes {arity} operand"):
                ir.Module.parse(module_text)
            assert rest.endswith(f"by @{projections[arity]}")
