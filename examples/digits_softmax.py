"""Softmax regression on scikit-learn's handwritten digits, written out as assignments.

Forward code, gradient and update are one routine, so that a training step is one native call. The program states the
shapes of its inputs; those of the parameters and of everything between are inferred.

Run ``tdsl demo``, or this file.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import tdsl

BATCH = 32
CLASSES = 10


def build(batches: int, test_size: int) -> tdsl.ProgramBuilder:
    """The program, for ``batches`` batches of training data and ``test_size`` test images."""
    program = tdsl.ProgramBuilder("digits_softmax")
    batch = program.symbol("batch", 0, batches)

    # Batch rows are left of `|`: first the batch, then the image in it. A `1:bcast_if_1` axis stretches to any size.
    images = program.node("images", f"{batches},{BATCH}|->64", role="input", precision="f32")
    digits = program.node("digits", f"{batches},{BATCH}|->1:bcast_if_1", role="input", precision="f32")
    rate = program.node("rate", "1:bcast_if_1", role="input", precision="f32")
    w = program.node("w", "..i..->..o..", role="param")
    b = program.node("b", "->..o..", role="param")
    w_grad = program.node("w.grad", "...|...->...", grad_of=w)
    b_grad = program.node("b.grad", "...|...->...", grad_of=b)

    x, y, one_hot, logits = (program.node(name, "...|...->...") for name in ("x", "y", "one_hot", "logits"))
    largest, exps, total, log_total, log_probs, delta, loss = (
        program.node(name, "...|...->...")
        for name in ("largest", "exps", "total", "log_total", "log_probs", "delta", "loss")
    )
    classes = program.node("classes", f"|->{CLASSES}", role="leaf")

    take_x = program.slice("take_x", batch, images, x)
    take_y = program.slice("take_y", batch, digits, y)
    equal = program.projections("equal", ".", [classes, y], one_hot)
    affine = program.projections("affine", "@", [w, x], logits)
    add_bias = program.projections("add_bias", ".", [b], logits)
    row_max = program.projections("row_max", "b|c => b|0", [logits], largest)
    shift = program.projections("shift", ".", [logits, largest], log_probs)
    exponent = program.projections("exponent", ".", [log_probs], exps)
    row_sum = program.projections("row_sum", "b|c => b|0", [exps], total)
    logarithm = program.projections("logarithm", ".", [total], log_total)
    normalise = program.projections("normalise", ".", [log_total], log_probs)
    cross = program.projections("cross", "b|c; b|c => |->0", [one_hot, log_probs], loss)
    difference = program.projections("difference", ".", [exps, one_hot], delta)
    step_w = program.projections("step_w", ".", [rate, w_grad], w)
    step_b = program.projections("step_b", ".", [rate, b_grad], b)

    with program.routine("train", [batch]) as code:
        code.range(classes)
        code.assign(x, "overwrite", "id", [images], take_x, symbols=[batch])
        code.assign(y, "overwrite", "id", [digits], take_y, symbols=[batch])
        code.assign(one_hot, "overwrite", "eq", [classes, y], equal)
        with code.comment("log softmax of the affine layer") as forward:
            forward.assign(logits, "add", "mul", [w, x], affine, reset=True)
            forward.assign(logits, "add", "id", [b], add_bias)
            forward.assign(largest, "max", "id", [logits], row_max, reset=True)
            forward.assign(log_probs, "overwrite", "sub", [logits, largest], shift)
            forward.assign(exps, "overwrite", "exp", [log_probs], exponent)
            forward.assign(total, "add", "id", [exps], row_sum, reset=True)
            forward.assign(log_total, "overwrite", "log", [total], logarithm)
            forward.assign(log_probs, "sub", "id", [log_total], normalise)
            forward.assign(loss, "sub", "mul", [one_hot, log_probs], cross, reset=True)
        with code.comment("gradient of the summed loss") as backward:
            backward.assign(exps, "overwrite", "exp", [log_probs], exponent)
            backward.assign(delta, "overwrite", "sub", [exps, one_hot], difference)
            # The space of the forward operation serves its gradients: each node names the slot it stands in for.
            backward.assign(w_grad["rhs1"], "add", "mul", [delta["lhs"], x["rhs2"]], affine, reset=True)
            backward.assign(b_grad["rhs1"], "add", "id", [delta["lhs"]], add_bias, reset=True)
        with code.comment("plain gradient descent") as update:
            update.assign(w, "sub", "mul", [rate, w_grad], step_w)
            update.assign(b, "sub", "mul", [rate, b_grad], step_b)

    test_images = program.node("test_images", f"{test_size}|->64", role="input", precision="f32")
    scores = program.node("scores", "...|...->...")
    score = program.projections("score", "@", [w, test_images], scores)
    with program.routine("evaluate") as code:
        code.assign(scores, "add", "mul", [w, test_images], score, reset=True)
        code.assign(scores, "add", "id", [b], program.projections("score_bias", ".", [b], scores))
    return program


def load_digits() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images scaled to [0, 1] and their digits, shuffled once: for training and for testing."""
    from sklearn.datasets import load_digits as load

    images, digits = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(images))
    images, digits = (images[order] / 16).astype(np.float32), digits[order]
    train = len(images) * 4 // 5 // BATCH * BATCH
    return images[:train], digits[:train], images[train:], digits[train:]


def train(compiled: tdsl.CompiledProgram, epochs: int) -> tuple[float, float, float]:
    """Trains from zero; returns the accuracy on the test images, the last mean loss, and the seconds per step."""
    train_images, train_digits, test_images, test_digits = load_digits()
    batches = len(train_images) // BATCH
    context = tdsl.Context(
        compiled,
        {
            "images": train_images.reshape(batches, BATCH, 64),
            "digits": train_digits.reshape(batches, BATCH, 1).astype(np.float32),
            "test_images": test_images,
            "rate": np.array([0.5 / BATCH], np.float32),
            "w": np.zeros((CLASSES, 64), np.float32),
            "b": np.zeros(CLASSES, np.float32),
        },
    )
    losses, start = [], time.perf_counter()
    for _ in range(epochs):
        losses = []
        for batch in range(batches):
            context.run("train", batch=batch)
            losses.append(float(context["loss"].sum()) / BATCH)
    seconds = (time.perf_counter() - start) / (epochs * batches)
    context.run("evaluate")
    accuracy = float((context["scores"].argmax(axis=1) == test_digits).mean())
    return accuracy, float(np.mean(losses)), seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this example."""
    parser.add_argument("--epochs", type=int, default=60, help="passes over the training images")
    parser.add_argument("--ir", action="store_true", help="also print the program after inference and as linalg")
    parser.add_argument("--mlir", action="store_true", help="only print the program, as text for tdsl-opt")


def run(options: argparse.Namespace) -> int:
    """Trains, and prints a short report; returns 1 if the accuracy is not over 95 %."""
    train_images, _, test_images, _ = load_digits()
    program = build(len(train_images) // BATCH, len(test_images))
    if options.mlir:
        program.verify()
        print(program)
        return 0
    compiled = tdsl.compile(program, keep=["loss", "scores"])
    if options.ir:
        print(compiled.mlir("inferred"))
        print(compiled.mlir("linalg"))
    accuracy, loss, seconds = train(compiled, options.epochs)
    times = compiled.times
    print(f"softmax regression on {len(train_images)} handwritten digits, tested on {len(test_images)}")
    print(f"  accuracy      {accuracy:.1%}")
    print(f"  mean loss     {loss:.4f}")
    print(f"  compile time  {times.total * 1e3:.0f} ms, of which {times.infer * 1e3:.0f} ms for inference")
    print(f"  time per step {seconds * 1e6:.0f} µs: forward, gradient and update of {BATCH} images in one native call")
    return 0 if accuracy > 0.95 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    raise SystemExit(run(parser.parse_args()))
