"""A linear model that learns one batch of points at each call: the program that ``main.cpp`` uses."""

from __future__ import annotations

import tdsl

BATCHES, POINTS, FEATURES, RESULTS = 8, 16, 5, 3


def build() -> tdsl.ProgramBuilder:
    """Two routines: a step of gradient descent on the squared error, and the loss of all points."""
    program = tdsl.ProgramBuilder("model")
    batch = program.symbol("batch", 0, BATCHES)
    points = program.node("points", f"{BATCHES},{POINTS}|->{FEATURES}", role="input", precision="f32")
    values = program.node("values", f"{BATCHES},{POINTS}|->{RESULTS}", role="input", precision="f32")
    rate = program.node("rate", "1:bcast_if_1", role="input", precision="f32")
    w = program.node("w", "..i..->..o..", role="param")
    w_grad = program.node("w.grad", "...|...->...", grad_of=w, private=True)
    x, y, guess, error, all_guesses, all_errors, loss = (
        program.node(name, "...|...->...") for name in ("x", "y", "guess", "error", "all_guesses", "all_errors", "loss")
    )
    take_x = program.slice("take_x", batch, points, x)
    take_y = program.slice("take_y", batch, values, y)
    apply = program.projections("apply", "@", [w, x], guess)
    compare = program.projections("compare", ".", [guess, y], error)
    update = program.projections("update", ".", [rate, w_grad], w)
    apply_all = program.projections("apply_all", "@", [w, points], all_guesses)
    compare_all = program.projections("compare_all", ".", [all_guesses, values], all_errors)
    square = program.projections("square", "b,p|r; b,p|r => |->0", [all_errors, all_errors], loss)
    with program.routine("train", [batch]) as code:
        code.assign(x, "overwrite", "id", [points], take_x, symbols=[batch])
        code.assign(y, "overwrite", "id", [values], take_y, symbols=[batch])
        code.assign(guess, "add", "mul", [w, x], apply, reset=True)
        code.assign(error, "overwrite", "sub", [guess, y], compare)
        code.assign(w_grad["rhs1"], "add", "mul", [error["lhs"], x["rhs2"]], apply, reset=True)
        code.assign(w, "sub", "mul", [rate, w_grad], update)
    with program.routine("evaluate") as code:
        code.assign(all_guesses, "add", "mul", [w, points], apply_all, reset=True)
        code.assign(all_errors, "overwrite", "sub", [all_guesses, values], compare_all)
        code.assign(loss, "add", "mul", [all_errors, all_errors], square, reset=True)
    return program
