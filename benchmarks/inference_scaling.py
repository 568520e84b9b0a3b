"""Time of shape inference: long chains of operations, and a transformer of 12 layers.

Run ``python benchmarks/inference_scaling.py``. Chains are inferred through ``tdsl.shapes`` alone and through the pass
``tdsl-infer-shapes``, whose time includes reading the IR and writing the shapes. Time per operation should not grow.
The target for the transformer is under one second for the pass. ``--profile`` prints where its time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import time
from collections.abc import Callable

import mlir.ir as ir

from tdsl.ir import create_context
from tdsl.passes import run_pipeline
from tdsl.shapes import OPEN, Inference

SIZES = (10, 100, 1_000, 10_000)
ANY = "...|...->..."


def chain_in_library(number: int) -> Inference:
    """``number`` layers ``n' = w n`` with parameters of unknown input size."""
    inference = Inference()
    inference.add_node("n0", "8|->64", "input")
    for i in range(number):
        inference.add_node(f"w{i}", "|...->64", "param")
        inference.add_node(f"n{i + 1}", OPEN, "result")
        inference.relate("compose", [f"w{i}", f"n{i}"], f"n{i + 1}")
    inference.close()
    return inference


def chain_as_text(number: int) -> str:
    """The same chain as a program."""
    lines = ["tdsl.program @chain {", '  tdsl.node @n0 : f32 "8|->64" input']
    for i in range(number):
        lines.append(f'  tdsl.node @w{i} : f32 "|..i..->64" param')
        lines.append(f'  tdsl.node @n{i + 1} : f32 "{ANY}" result')
        lines.append(f'  tdsl.projections @p{i} "@" (@w{i}, @n{i}) -> @n{i + 1}')
    return "\n".join([*lines, "}"])


class Transformer:
    """Declarations of an encoder as in spec g.2: only the input and the number of heads have sizes."""

    def __init__(self, layers: int, heads: int = 8, width: int = 64, model: int = 512, hidden: int = 2048) -> None:
        self.lines = [f'tdsl.node @x : f32 "4,128|->{model}" input']
        self._number = 0
        x = "x"
        for _ in range(layers):
            x = self._layer(x, heads, width, model, hidden)

    def __str__(self) -> str:
        return "\n".join(["tdsl.program @transformer {", *self.lines, "}"])

    def _node(self, shape: str, role: str) -> str:
        name = f"t{self._number}"
        self._number += 1
        self.lines.append(f'tdsl.node @{name} : f32 "{shape}" {role}')
        return name

    def _apply(self, logic: str, *operands: str, shape: str = ANY) -> str:
        result = self._node(shape, "result")
        sources = ", ".join(f"@{name}" for name in operands)
        self.lines.append(f'tdsl.projections @p{self._number} "{logic}" ({sources}) -> @{result}')
        return result

    def _parameter(self, output: str) -> str:
        return self._node(f"|..i..->{output}", "param")

    def _normalize(self, x: str) -> str:
        mean = self._apply("...|..d.. => ...|0", x)
        centred = self._apply(".", x, mean)
        variance = self._apply("...|..d.. => ...|0", self._apply(".", centred))
        scaled = self._apply(".", self._apply(".", centred, variance), self._parameter("..o.."))
        return self._apply(".", scaled, self._node("|->..o..", "param"))

    def _layer(self, x: str, heads: int, width: int, model: int, hidden: int) -> str:
        queries, keys, values = (self._apply("@", self._parameter(f"{heads},{width}"), x) for _ in range(3))
        scores = self._apply("...s|hd; ...t|hd => ...s|t->h", queries, keys)
        weights = self._softmax(scores)
        attended = self._apply("...s|t->h; ...t|he => ...s|he", weights, values)
        x = self._normalize(self._apply(".", x, self._apply("@", self._parameter(str(model)), attended)))
        inner = self._apply(".", self._apply("@", self._parameter(str(hidden)), x), self._node("|->..o..", "param"))
        inner = self._apply(".", inner)
        outer = self._apply("@", self._parameter(str(model)), inner)
        return self._normalize(self._apply(".", x, outer))

    def _softmax(self, x: str) -> str:
        largest = self._apply("...|t->... => ...|0->...", x)
        powers = self._apply(".", self._apply(".", x, largest))
        return self._apply(".", powers, self._apply("...|t->... => ...|0->...", powers))


def seconds(action: Callable[[], object], repetitions: int) -> float:
    """The shortest of several runs."""
    best = float("inf")
    for _ in range(repetitions):
        gc.collect()
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def pass_seconds(text: str, repetitions: int) -> float:
    """The time of the pass alone, on a program parsed anew for each run."""
    best = float("inf")
    for _ in range(repetitions):
        with create_context():
            module = ir.Module.parse(text)
        best = min(best, seconds(lambda module=module: _infer(module), 1))
    return best


def _infer(module: ir.Module) -> None:
    run_pipeline(module, "builtin.module(tdsl.program(tdsl-infer-shapes))", verify_each=False)


def profile(text: str) -> None:
    """Prints the functions that take the most time; cProfile sees only the thread it is started on."""
    from tdsl.ir import ProgramOp
    from tdsl.passes.infer_shapes import InferShapes

    with create_context():
        module = ir.Module.parse(text)
        [program] = module.body.operations
        assert isinstance(program, ProgramOp)
        with cProfile.Profile() as profiler:
            InferShapes().run(program)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()

    transformer = str(Transformer(arguments.layers))
    if arguments.profile:
        profile(transformer)
        return
    print(f"{'operations':>11} {'tdsl.shapes':>13} {'per operation':>14} {'pass':>9} {'per operation':>14}")
    for size in SIZES:
        repetitions = arguments.repetitions if size < 10_000 else 1
        library = seconds(lambda size=size: chain_in_library(size), repetitions)
        text = chain_as_text(size)
        in_pass = pass_seconds(text, repetitions)
        per = [f"{1e6 * total / size:.0f} us" for total in (library, in_pass)]
        print(f"{size:11} {library:11.3f} s {per[0]:>14} {in_pass:7.3f} s {per[1]:>14}")
    operations = transformer.count("tdsl.projections")
    print(
        f"transformer of {arguments.layers} layers, {operations} operations: "
        f"{pass_seconds(transformer, arguments.repetitions):.3f} s in the pass"
    )


if __name__ == "__main__":
    main()
