"""The generated builders: which plain Python values they take, and that wrong ones are errors of Python."""

from __future__ import annotations

import json
import re

import mlir.ir as ir
import pytest
from isolated import run_batch

import tdsl.ir as tdsl_ir

# Run in a process of their own: what would abort it is a failed check in C++.
MISUSES = {
    "a shape that does not parse": 'tdsl_ir.NodeOp("x", "2||3", NodeRole.Input)',
    "a shape of another kind": 'tdsl_ir.NodeOp("x", RowAttr.get([]), NodeRole.Input)',
    "no shape": 'tdsl_ir.NodeOp("x", None, NodeRole.Input)',
    "a role outside the enumeration": 'tdsl_ir.NodeOp("x", "3", 99)',
    "a role as text": 'tdsl_ir.NodeOp("x", "3", "input")',
    "a name that is no text": 'tdsl_ir.NodeOp(3, "3", NodeRole.Input)',
    "an access that is a number": "tdsl_ir.AssignOp([3], Accumulator.Add, Primitive.Id, ['x'], 'p', [])",
    "accesses of another kind": "tdsl_ir.AssignOp([RowAttr.get([])], Accumulator.Add, Primitive.Id, ['x'], 'p', [])",
    "accesses that are no list": "tdsl_ir.AssignOp(3, Accumulator.Add, Primitive.Id, ['x'], 'p', [])",
    "a fetch of a value of another kind": "tdsl_ir.FetchOp('x', FetchKind.Constant, value=ir.StringAttr.get('1'))",
    "a fetch without its value": "str(tdsl_ir.FetchOp('x', FetchKind.Constant))",
    "a fill without its cells": "str(tdsl_ir.FetchOp('x', FetchKind.Fill))",
    "a routine without a block": "str(tdsl_ir.RoutineOp('r'))",
    "a program without a block": "str(tdsl_ir.ProgramOp('p'))",
    "a comment without a block": "str(tdsl_ir.CommentOp('c'))",
    "a space of another kind": "tdsl_ir.ProjectionsOp('p', '.', ['x'], 'y', space=AxisAttr.get(3))",
    "captures of another kind": "tdsl_ir.ProjectionsOp('p', 'i=>i', ['x'], 'y', captures=ir.StringAttr.get('h'))",
    "a term of another kind": "tdsl_ir.SetEqualOp(AxisAttr.get(3), AxisAttr.get(3))",
    "a size of another type": "tdsl_ir.DimOp('h', size=ir.IntegerAttr.get(ir.IndexType.get(), 3))",
    "a size beyond 64 bits": "tdsl_ir.DimOp('h', size=2**64)",
    "an axis from a node": "_tdsl.axis_parts(ShapeAttr.from_text('3'))",
    "parts of None": "_tdsl.row_parts(None)",
    "text of a node": "_tdsl.attribute_text(ir.StringAttr.get('3'))",
    "the space of a module": "_tdsl.iteration_space(ir.Module.create().operation)",
    "the map of a module": "_tdsl.destination_map(ir.Module.create().operation, 0)",
    "the symbol of an index": "_tdsl.symbol_index_symbol(ir.IndexType.get())",
    "a row kind outside the enumeration": "_tdsl.term_get(ir.Location.unknown(), 'x', 3, None)",
    "an erased operation": "op = tdsl_ir.DimOp('h'); op.erase(); _tdsl.has_index_space(op)",
    "a version below zero": "_tdsl.write_bytecode(ir.Module.create().operation, -1, 0)",
}
READER = """
import json
import sys
import mlir.ir as ir
import tdsl.ir as tdsl_ir
from tdsl import _tdsl
from tdsl.ir import *
context = tdsl_ir.create_context()
context.allow_unregistered_dialects = True
for number, line in enumerate(sys.stdin):
    print(number, flush=True)
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            try:
                exec(json.loads(line))
                str(module)
                module.operation.verify()
            except (ValueError, TypeError, RuntimeError, OverflowError, ir.MLIRError):
                pass
print("survived")
"""


def test_no_misuse_ends_the_process() -> None:
    assert run_batch(READER, [json.dumps(misuse) for misuse in MISUSES.values()], {}, timeout=60) == []


def test_builders_take_plain_values(context: ir.Context) -> None:
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            program = tdsl_ir.ProgramOp("p")
        with ir.InsertionPoint(program.regions[0].blocks.append()):
            tdsl_ir.NodeOp("x", "3", tdsl_ir.NodeRole.Input, precision=tdsl_ir.Precision.F32)
            tdsl_ir.ProjectionsOp("q", ".", ["x"], "x")
            tdsl_ir.RowOp("d", axes="..r..")
            routine = tdsl_ir.RoutineOp("r")
        with ir.InsertionPoint(routine.regions[0].blocks.append()):
            tdsl_ir.AssignOp([("x", "lhs")], tdsl_ir.Accumulator.Add, tdsl_ir.Primitive.Id, [("x", "rhs1")], "q", [])
    assert module.operation.verify()
    assert str(module).splitlines() == [
        "module {",
        "  tdsl.program @p {",
        '    tdsl.node @x : f32 "|->3" input',
        '    tdsl.projections @q "." (@x) -> @x',
        '    tdsl.row @d = "..r.."',
        "    tdsl.routine @r {",
        "      tdsl.assign @x[lhs] add = id(@x[rhs1]) by @q",
        "    }",
        "  }",
        "}",
    ]


def test_a_shape_that_does_not_parse_says_where(context: ir.Context) -> None:
    where = re.escape("column 3: a shape is written 'batch|input->output'")
    with ir.Location.unknown(), pytest.raises(ValueError, match=where):
        tdsl_ir.NodeOp("x", "2||3", tdsl_ir.NodeRole.Input)
