"""tdsl-compile: compiles a program ahead of time."""

from __future__ import annotations

import argparse
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tdsl import aot
from tdsl.errors import CompileError, Diagnostic, TdslError, underline
from tdsl.tools.program_source import load_program

__all__ = ["main"]

_DESCRIPTION = """\
Compiles the routines of a program to C functions: object file, shared library, header, assembly, LLVM IR, or MLIR after
a stage. Exits with 1 if the program is wrong or a file cannot be written."""

_EPILOG = """\
Without --target and --cpu, the code is for this machine and uses all that its CPU has.

examples:
  tdsl-compile affine.mlir -o affine.o -o affine.h
  tdsl-compile model.py:build -o model.so --cpu x86-64-v3
  tdsl-compile affine.mlir --emit assembly --target aarch64-linux-gnu
  tdsl-compile affine.mlir --emit mlir --stage linalg"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool and returns its exit code: 1 for errors. Wrong usage ends it with 2."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        outputs = _outputs(options, parser)
        _compile(options, outputs)
    except BrokenPipeError:
        # Who reads the output has seen enough; Python must not complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except CompileError as error:
        print(_with_source_lines(error), file=sys.stderr)
        return 1
    except TdslError as error:
        print(f"tdsl-compile: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tdsl-compile: error: cannot read '{options.program}': {error.strerror or error}", file=sys.stderr)
        return 1
    except UnicodeDecodeError:
        print("tdsl-compile: error: the standard input is not text", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tdsl-compile",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "program",
        help="a file of MLIR, - for the standard input, or module:object or file.py:object, where the object is a "
        "ProgramBuilder or a function that returns one",
    )
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help="what to write: .o, .so, .ll, .s, .h or .mlir; - is the standard output; may be given several times",
    )
    parser.add_argument("--emit", choices=aot.OUTPUT_KINDS, help="what to write, whatever the suffix of the output")
    parser.add_argument("--header", metavar="FILE", help="also write the C header")
    parser.add_argument("--target", default="", metavar="TRIPLE", help="such as aarch64-linux-gnu")
    parser.add_argument("--cpu", default="", help="such as x86-64-v3; default: the oldest CPU of the target")
    parser.add_argument("--features", default="", help="what differs from the CPU, such as +avx512f,-sse4a")
    parser.add_argument("--opt-level", type=int, choices=range(4), help="the level of LLVM's optimizer, 3 by default")
    parser.add_argument(
        "--keep",
        action="append",
        metavar="NODE[,NODE]",
        help="the results that callers read; without it, all nodes that are not private",
    )
    parser.add_argument("--prefix", help="what names in C start with; default: the name of the program and _")
    parser.add_argument(
        "--stage", default="llvm", help="which MLIR to write: input, inferred, linalg, scheduled or llvm"
    )
    parser.add_argument("--linker", metavar="COMMAND", help="what links shared libraries, in place of cc")
    parser.add_argument("--timing", action="store_true", help="print how long each stage took")
    return parser


def _outputs(options: argparse.Namespace, parser: argparse.ArgumentParser) -> list[tuple[str, aot.OutputKind]]:
    """The files to write and their kinds. Wrong usage ends the process."""
    given = options.output or ([] if options.header and not options.emit else ["-"])
    if options.emit and len(given) > 1:
        parser.error("--emit says what one output holds: give one -o, or leave the kinds to the suffixes")
    if "-" in given and not options.emit:
        parser.error("say what to write: -o with a file, or --emit with a kind")
    outputs: list[tuple[str, aot.OutputKind]] = [(path, options.emit or aot.kind_of_path(path)) for path in given]
    if options.header:
        outputs.append((options.header, "header"))
    paths = [path for path, _ in outputs]
    if len(set(paths)) < len(paths):
        parser.error("two outputs have the same name")
    for path, kind in outputs:
        if path == "-" and kind in aot.BINARY_KINDS and sys.stdout.isatty():
            parser.error(f"a terminal cannot show a file of kind {kind}: use -o")
    return outputs


def _compile(options: argparse.Namespace, outputs: Sequence[tuple[str, aot.OutputKind]]) -> None:
    keep = None if options.keep is None else [name for names in options.keep for name in names.split(",") if name]
    program = aot.compile(
        load_program(options.program),
        target=aot.target_description(options.target, options.cpu, options.features),
        keep=keep,
        prefix=options.prefix,
        optimization_level=options.opt_level,
    )
    # All before the first is written: either all files are there, or none is new.
    made = [
        (
            path,
            kind,
            program.contents(
                kind, name=Path(path).name if path != "-" else None, stage=options.stage, linker=options.linker
            ),
        )
        for path, kind in outputs
    ]
    for path, kind, contents in made:
        _write(path, contents, executable=kind == "shared-library")
    if options.timing:
        print(_budget(program), file=sys.stderr)


def _write(path: str, contents: bytes, *, executable: bool) -> None:
    try:
        if path == "-":
            sys.stdout.buffer.write(contents)
            sys.stdout.buffer.flush()
        else:
            aot.replace_file(Path(path), contents, executable=executable)
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "the standard output" if path == "-" else f"'{path}'"
        raise TdslError(f"cannot write {name}: {error.strerror or error}") from None


def _budget(program: aot.AotProgram) -> str:
    times = program.times
    stages = {
        "infer and derive": times.infer,
        "lower": times.lower,
        "translate to LLVM IR": times.code.translate,
        "optimize": times.code.optimize,
        "generate code": times.code.emit,
        "total": times.total,
    }
    return "\n".join(f"{name:22} {1e3 * seconds:8.1f} ms" for name, seconds in stages.items())


def _with_source_lines(error: CompileError) -> str:
    """The errors, each followed by the line of the user's file that it is about."""
    if not error.diagnostics:
        return f"tdsl-compile: error: {error}"
    return "\n".join(line for diagnostic in error.diagnostics for line in _describe(diagnostic))


def _describe(diagnostic: Diagnostic) -> Iterator[str]:
    if diagnostic.file is None:
        yield f"tdsl-compile: {diagnostic.severity}: {diagnostic.message}"
    else:
        yield str(replace(diagnostic, notes=()))
        text = linecache.getline(diagnostic.file, diagnostic.line).rstrip("\n")
        if text:
            start = max(diagnostic.column - 1, 0)
            yield underline(text, [(start, start + 1)] if start < len(text) else [])
    for note in diagnostic.notes:
        yield from _describe(note)


if __name__ == "__main__":
    sys.exit(main())
