"""tdsl explain: where the sizes of a node come from."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import mlir.ir as ir

from tdsl.errors import CompileError, TdslError
from tdsl.ir import NodeOp, ProgramOp, ShapeAttr, create_context
from tdsl.ir.diagnostics import MLIRError, verification_diagnostics
from tdsl.ir.traversal import declarations
from tdsl.notation import RowKind
from tdsl.passes.infer_shapes import InferShapes
from tdsl.passes.pipeline import run_pipeline
from tdsl.shapes import Inference, SolvedAxis

__all__ = ["add_arguments", "explain", "run"]

_ROWS: tuple[RowKind, ...] = ("batch", "input", "output")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of the subcommand."""
    parser.add_argument("file", type=Path, help="a program as MLIR text")
    parser.add_argument("node", help="the name of a node, such as @h")


def run(arguments: argparse.Namespace) -> int:
    """Prints the explanation, or what is wrong with the program; returns the exit code."""
    try:
        print("\n".join(explain(arguments.file, arguments.node)))
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tdsl explain: cannot read {arguments.file}: {error.strerror}", file=sys.stderr)
        return 1
    except TdslError as error:
        print(f"tdsl explain: {error}", file=sys.stderr)
        return 1
    return 0


def explain(file: Path, node: str) -> list[str]:
    """The shape of a node, then for each of its axes the size, the basis, and what fixed them (spec d).

    Args:
        file: MLIR text with the program; its shapes and precisions may be open.
        node: The node, with or without ``@``.

    Raises:
        OSError: The file cannot be read.
        CompileError: The file holds no program, or its shapes contradict each other; with the diagnostics.
        TdslError: No program, or several ones, have such a node.
    """
    # Shapes are solved twice: the pass reports errors at their places, but leaves no records of what was right.
    run_pipeline(_parse(file), "builtin.module(tdsl.program(tdsl-infer-precision,tdsl-infer-shapes))")
    module = _parse(file)
    run_pipeline(module, "builtin.module(tdsl.program(tdsl-infer-precision))")
    wanted = node.removeprefix("@")
    programs = [op for op in module.body.operations if isinstance(op, ProgramOp)]
    found = [(p, n) for p in programs for n in declarations(p, NodeOp) if n.sym_name.value == wanted]
    if len(found) != 1:
        known = ", ".join(f"@{n.sym_name.value}" for p in programs for n in declarations(p, NodeOp)) or "none"
        raise TdslError(
            f"{len(found)} programs of the file have a node @{wanted}."
            if found
            else f"There is no node @{wanted}; the nodes are: {known}."
        )
    [(program, declaration)] = found
    solver = InferShapes()
    inference = solver.solve(program)
    shaped = solver.shaped(wanted)
    lines = [f'@{wanted} is "{inference.shape(shaped)}", declared as "{ShapeAttr(declaration.shape).text}"']
    if shaped != wanted:
        lines.append(f"its shape is that of @{shaped}")
    return [*lines, *_axes(inference, shaped)]


def _axes(inference: Inference, node: str) -> Iterator[str]:
    shape = inference.shape(node)
    for kind in _ROWS:
        for position in range(len(shape.row(kind).axes)):
            yield from _axis(f"{kind} axis {position}", inference.provenance(node, kind, position))


def _axis(place: str, axis: SolvedAxis) -> Iterator[str]:
    yield f"{place}: size {axis.size}, basis {axis.basis}"
    if axis.provenance is not None:
        yield f"  from {axis.provenance}"


def _parse(file: Path) -> ir.Module:
    # MLIR says what is wrong with a file as if its text were wrong.
    with file.open("rb"):
        pass
    try:
        with create_context():
            return ir.Module.parseFile(str(file))
    except MLIRError as error:
        diagnostics = verification_diagnostics(error)
        raise CompileError("\n".join(map(str, diagnostics)), diagnostics) from None
