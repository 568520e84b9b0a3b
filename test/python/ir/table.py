"""What the table of constructors is made of: a form of the IR as text, and the builder calls that make the same."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import mlir.ir as ir

import tdsl.ir as tdsl_ir

PROGRAM = """\
tdsl.program @table {
  tdsl.symbol @i range 0 to 4
  tdsl.dim @h
  tdsl.dim @g
  tdsl.row @d
  tdsl.node @a : f32 "|->3" param id 7
  tdsl.node @b : f32 "|->3" input
  tdsl.node @c : f32 "|->3" result
  tdsl.node @steps : f32 "4|->3" input
  tdsl.node @open : f32 "..b..|..i..->..o.." leaf
  tdsl.node @words : uint4x32 "|1->" leaf
  tdsl.projections @unary "." (@a) -> @c
  tdsl.projections @binary "." (@a, @b) -> @c
  tdsl.projections @ternary "." (@a, @b, @a) -> @c
  tdsl.projections @concat "a; b => a^b" (@a, @b) -> @c
  tdsl.projections @packed uniform (@words) -> @c
  tdsl.routine @code(%i: !tdsl.index<@i>) {
  }
}
"""


class Form(NamedTuple):
    """One line of the specification and its form in the IR."""

    #: The enumerator, or the name in the specification, that this form is of.
    covers: Enum | str
    #: The operations as they are printed, without indentation.
    text: str
    #: Makes the same operations at the insertion point; gets the value of the static symbol.
    build: Callable[[ir.Value], object]
    #: Whether the form stands in a routine, or else in the program.
    in_routine: bool

    def __str__(self) -> str:
        return f"{self.covers}: {self.text.splitlines()[0]}"


def code(covers: Enum | str, text: str, build: Callable[[ir.Value], object]) -> Form:
    """A form that stands in a routine."""
    return Form(covers, text, build, in_routine=True)


def declaration(covers: Enum | str, text: str, build: Callable[[], object]) -> Form:
    """A form that stands in a program."""
    return Form(covers, text, lambda _: build(), in_routine=False)


def program_with(form: Form) -> str:
    """The text of the program that contains the form."""
    end = "  }\n}\n" if form.in_routine else "}\n"
    depth = "    " if form.in_routine else "  "
    assert PROGRAM.endswith(end)
    return PROGRAM.removesuffix(end) + textwrap.indent(form.text, depth) + "\n" + end


def build_program_with(form: Form) -> ir.Module:
    """The program that contains the form, which the builders make."""
    module = ir.Module.parse(PROGRAM)
    program = module.body.operations[0]
    routine = program.regions[0].blocks[0].operations[-1]
    block = routine.regions[0].blocks[0] if form.in_routine else program.regions[0].blocks[0]
    with ir.Location.unknown(), ir.InsertionPoint(block):
        form.build(routine.regions[0].blocks[0].arguments[0])
    return module


def comment(text: str, *inside: Callable[[], object]) -> None:
    """Builds a block comment around what the functions build."""
    op = tdsl_ir.CommentOp(text)
    with ir.InsertionPoint(op.regions[0].blocks.append()):
        for build in inside:
            build()
