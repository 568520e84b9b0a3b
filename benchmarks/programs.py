"""The programs that benchmarks compile, with their inputs and what NumPy computes from those.

Every part of them is written as assignments. Arrays lie in memory as batch, output, input axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import tdsl

__all__ = ["PROGRAMS", "BenchmarkProgram", "check_results"]

Arrays = dict[str, np.ndarray]
OPEN = "...|...->..."


@dataclass(frozen=True)
class BenchmarkProgram:
    """One program with one routine.

    Attributes:
        name: What benchmarks call it.
        build: Makes the program; the sizes are in it.
        routine: Its routine.
        keep: The nodes that are results.
        inputs: Makes values for all nodes that the routine reads, always the same ones.
        expected: The results that NumPy computes in f64, by node.
        is_block: Whether it is a block of many operations, with a target of its own.
    """

    name: str
    build: Callable[[], tdsl.ProgramBuilder]
    routine: str
    keep: tuple[str, ...]
    inputs: Callable[[], Arrays]
    expected: Callable[[Arrays], Arrays]
    is_block: bool = False


def check_results(program: BenchmarkProgram, inputs: Arrays, results: Arrays, tolerance: float = 1e-4) -> None:
    """Raises AssertionError if a result is not what NumPy computes, to ``tolerance`` of the largest cell."""
    for name, expected in program.expected({k: v.astype(np.float64) for k, v in inputs.items()}).items():
        error = np.abs(results[name] - expected).max() / np.abs(expected).max()
        assert error <= tolerance, f"{program.name}: node '{name}' is off by {error:.1e} of its largest cell"


def _uniform(seed: int, **shapes: tuple[int, ...]) -> Arrays:
    random = np.random.default_rng(seed)
    return {name: random.uniform(-1, 1, shape).astype(np.float32) for name, shape in shapes.items()}


def _stable_softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _softmax_spaces(
    program: tdsl.ProgramBuilder, row: str, x: tdsl.ir.builder.Node
) -> tuple[Callable[[tdsl.ir.builder.CodeBuilder], None], tdsl.ir.builder.Node]:
    """The softmax of ``x`` over the axes that the specification ``row`` sums up."""
    largest, shifted, powers, total, result = (
        program.node(f"{x.name}.{part}", OPEN) for part in ("largest", "shifted", "powers", "total", "softmax")
    )
    row_max = program.projections(f"{x.name}.row_max", row, [x], largest)
    shift = program.projections(f"{x.name}.shift", ".", [x, largest], shifted)
    exponent = program.projections(f"{x.name}.exponent", ".", [shifted], powers)
    row_sum = program.projections(f"{x.name}.row_sum", row, [powers], total)
    divide = program.projections(f"{x.name}.divide", ".", [powers, total], result)

    def emit(code: tdsl.ir.builder.CodeBuilder) -> None:
        code.assign(largest, "max", "id", [x], row_max, reset=True)
        code.assign(shifted, "overwrite", "sub", [x, largest], shift)
        code.assign(powers, "overwrite", "exp", [shifted], exponent)
        code.assign(total, "add", "id", [powers], row_sum, reset=True)
        code.assign(result, "overwrite", "div", [powers, total], divide)

    return emit, result


# A single contraction.

SIZE = 512


def build_contraction() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("contraction")
    a = program.node("a", f"{SIZE},{SIZE}|->", role="input", precision="f32")
    b = program.node("b", f"{SIZE},{SIZE}|->", role="input", precision="f32")
    c = program.node("c", OPEN)
    product = program.projections("product", "i,k|; k,j| => i,j|", [a, b], c)
    with program.routine("run") as code:
        code.assign(c, "add", "mul", [a, b], product, reset=True)
    return program


# A softmax over rows.

ROWS, COLUMNS = 1024, 1024


def build_softmax() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("softmax")
    x = program.node("x", f"{ROWS}|->{COLUMNS}", role="input", precision="f32")
    emit, _ = _softmax_spaces(program, "b|c => b|0", x)
    with program.routine("run") as code:
        emit(code)
    return program


# Self-attention with several heads: projections, scores, softmax, weighted sum, output projection.

BATCH, TOKENS, MODEL, HEADS, WIDTH = 4, 128, 256, 4, 64


def build_attention() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("attention")
    x = program.node("x", f"{BATCH},{TOKENS}|->{MODEL}", role="input", precision="f32")
    parameters = [program.node(name, f"|..i..->{HEADS},{WIDTH}", role="param") for name in ("wq", "wk", "wv")]
    wo = program.node("wo", f"|..i..->{MODEL}", role="param")
    scale = program.node("scale", "1:bcast_if_1", role="leaf")
    q, k, v, scaled, scores, attended, y = (
        program.node(name, OPEN) for name in ("q", "k", "v", "scaled", "scores", "attended", "y")
    )
    projections = [
        (result, w, program.projections(f"project_{result.name}", "@", [w, x], result))
        for result, w in zip((q, k, v), parameters, strict=True)
    ]
    scale_queries = program.projections("scale_queries", ".", [q, scale], scaled)
    compare = program.projections("compare", "...s|hd; ...t|hd => ...s|t->h", [scaled, k], scores)
    emit_softmax, weights = _softmax_spaces(program, "...|t->... => ...|0->...", scores)
    weigh = program.projections("weigh", "...s|t->h; ...t|he => ...s|he", [weights, v], attended)
    output = program.projections("output", "@", [wo, attended], y)
    with program.routine("run") as code:
        code.constant(scale, WIDTH**-0.5)
        for result, w, space in projections:
            code.assign(result, "add", "mul", [w, x], space, reset=True)
        code.assign(scaled, "overwrite", "mul", [q, scale], scale_queries)
        code.assign(scores, "add", "mul", [scaled, k], compare, reset=True)
        emit_softmax(code)
        code.assign(attended, "add", "mul", [weights, v], weigh, reset=True)
        code.assign(y, "add", "mul", [wo, attended], output, reset=True)
    return program


def _attention_inputs() -> Arrays:
    arrays = _uniform(
        2,
        x=(BATCH, TOKENS, MODEL),
        wq=(HEADS, WIDTH, MODEL),
        wk=(HEADS, WIDTH, MODEL),
        wv=(HEADS, WIDTH, MODEL),
        wo=(MODEL, HEADS, WIDTH),
    )
    return {name: array if name == "x" else array / np.float32(MODEL**0.5) for name, array in arrays.items()}


def _attention_expected(arrays: Arrays) -> Arrays:
    q, k, v = (np.einsum("hdm,bsm->bshd", arrays[name], arrays["x"]) for name in ("wq", "wk", "wv"))
    weights = _stable_softmax(np.einsum("bshd,bthd->bsht", q, k) * WIDTH**-0.5)
    attended = np.einsum("bsht,bthe->bshe", weights, v)
    return {"y": np.einsum("mhe,bshe->bsm", arrays["wo"], attended)}


# A training step of a perceptron with one hidden layer: forward, backward, gradient descent.

EXAMPLES, PIXELS, HIDDEN, CLASSES = 128, 784, 256, 10


def build_mlp_step() -> tdsl.ProgramBuilder:
    program = tdsl.ProgramBuilder("mlp_step")
    x = program.node("x", f"{EXAMPLES}|->{PIXELS}", role="input", precision="f32")
    target = program.node("target", f"{EXAMPLES}|->{CLASSES}", role="input", precision="f32")
    rate = program.node("rate", "1:bcast_if_1", role="input", precision="f32")
    w1 = program.node("w1", f"..i..->{HIDDEN}", role="param")
    b1 = program.node("b1", "->..o..", role="param")
    w2 = program.node("w2", "..i..->..o..", role="param")
    b2 = program.node("b2", "->..o..", role="param")
    w1_grad, b1_grad, w2_grad, b2_grad = (
        program.node(f"{node.name}.grad", OPEN, grad_of=node) for node in (w1, b1, w2, b2)
    )
    hidden, active, logits, log_total, log_probs, loss = (
        program.node(name, OPEN) for name in ("hidden", "active", "logits", "log_total", "log_probs", "loss")
    )
    active_grad, hidden_grad, delta = (
        program.node("active.grad", OPEN, grad_of=active),
        program.node("hidden.grad", OPEN, grad_of=hidden),
        program.node("logits.grad", OPEN, grad_of=logits),
    )
    affine1 = program.projections("affine1", "@", [w1, x], hidden)
    bias1 = program.projections("bias1", ".", [b1], hidden)
    relu = program.projections("relu", ".", [hidden], active)
    affine2 = program.projections("affine2", "@", [w2, active], logits)
    bias2 = program.projections("bias2", ".", [b2], logits)
    emit_softmax, probs = _softmax_spaces(program, "b|c => b|0", logits)
    shifted, total = tdsl.ir.builder.Node("logits.shifted"), tdsl.ir.builder.Node("logits.total")
    logarithm = program.projections("logarithm", ".", [total], log_total)
    normalise = program.projections("normalise", ".", [shifted, log_total], log_probs)
    cross = program.projections("cross", "b|c; b|c => |->0", [target, log_probs], loss)
    difference = program.projections("difference", ".", [probs, target], delta)
    gate = program.projections("gate", ".", [active, active_grad], hidden_grad)
    updates = [
        (node, grad, program.projections(f"update_{node.name}", ".", [rate, grad], node))
        for node, grad in ((w1, w1_grad), (b1, b1_grad), (w2, w2_grad), (b2, b2_grad))
    ]
    with program.routine("step") as code:
        with code.comment("forward") as forward:
            forward.assign(hidden, "add", "mul", [w1, x], affine1, reset=True)
            forward.assign(hidden, "add", "id", [b1], bias1)
            forward.assign(active, "overwrite", "relu", [hidden], relu)
            forward.assign(logits, "add", "mul", [w2, active], affine2, reset=True)
            forward.assign(logits, "add", "id", [b2], bias2)
            emit_softmax(forward)
            forward.assign(log_total, "overwrite", "log", [total], logarithm)
            forward.assign(log_probs, "overwrite", "sub", [shifted, log_total], normalise)
            forward.assign(loss, "sub", "mul", [target, log_probs], cross, reset=True)
        with code.comment("backward") as backward:
            backward.assign(delta, "overwrite", "sub", [probs, target], difference)
            backward.assign(w2_grad["rhs1"], "add", "mul", [delta["lhs"], active["rhs2"]], affine2, reset=True)
            backward.assign(b2_grad["rhs1"], "add", "id", [delta["lhs"]], bias2, reset=True)
            backward.assign(active_grad["rhs2"], "add", "mul", [w2["rhs1"], delta["lhs"]], affine2, reset=True)
            backward.assign(hidden_grad, "overwrite", "relu_gate", [active, active_grad], gate)
            backward.assign(w1_grad["rhs1"], "add", "mul", [hidden_grad["lhs"], x["rhs2"]], affine1, reset=True)
            backward.assign(b1_grad["rhs1"], "add", "id", [hidden_grad["lhs"]], bias1, reset=True)
        with code.comment("gradient descent") as update:
            for node, grad, space in updates:
                update.assign(node, "sub", "mul", [rate, grad], space)
    return program


def _mlp_inputs() -> Arrays:
    arrays = _uniform(3, x=(EXAMPLES, PIXELS), w1=(HIDDEN, PIXELS), b1=(HIDDEN,), w2=(CLASSES, HIDDEN), b2=(CLASSES,))
    arrays["w1"] /= np.float32(PIXELS**0.5)
    arrays["w2"] /= np.float32(HIDDEN**0.5)
    labels = np.random.default_rng(4).integers(CLASSES, size=EXAMPLES)
    arrays["target"] = np.eye(CLASSES, dtype=np.float32)[labels]
    arrays["rate"] = np.array([0.1 / EXAMPLES], np.float32)
    return arrays


def _mlp_expected(arrays: Arrays) -> Arrays:
    x, target, rate = arrays["x"], arrays["target"], arrays["rate"]
    active = np.maximum(x @ arrays["w1"].T + arrays["b1"], 0)
    logits = active @ arrays["w2"].T + arrays["b2"]
    probs = _stable_softmax(logits)
    delta = probs - target
    hidden_grad = np.where(active > 0, delta @ arrays["w2"], 0)
    return {
        "loss": np.array([-(target * np.log(probs)).sum()]),
        "w1": arrays["w1"] - rate * (hidden_grad.T @ x),
        "b1": arrays["b1"] - rate * hidden_grad.sum(0),
        "w2": arrays["w2"] - rate * (delta.T @ active),
        "b2": arrays["b2"] - rate * delta.sum(0),
    }


PROGRAMS = {
    program.name: program
    for program in (
        BenchmarkProgram(
            "contraction",
            build_contraction,
            "run",
            ("c",),
            lambda: _uniform(0, a=(SIZE, SIZE), b=(SIZE, SIZE)),
            lambda arrays: {"c": arrays["a"] @ arrays["b"]},
        ),
        BenchmarkProgram(
            "softmax",
            build_softmax,
            "run",
            ("x.softmax",),
            lambda: _uniform(1, x=(ROWS, COLUMNS)),
            lambda arrays: {"x.softmax": _stable_softmax(arrays["x"])},
        ),
        BenchmarkProgram(
            "attention", build_attention, "run", ("y",), _attention_inputs, _attention_expected, is_block=True
        ),
        BenchmarkProgram("mlp_step", build_mlp_step, "step", ("loss",), _mlp_inputs, _mlp_expected, is_block=True),
    )
}
