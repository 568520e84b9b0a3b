"""The demo learns, and each of its steps is what NumPy computes."""

from __future__ import annotations

import numpy as np
import pytest

import tdsl
from tdsl.examples import digits_softmax as demo

pytest.importorskip("sklearn", reason="the demo reads scikit-learn's digits")


def test_the_demo_recognises_over_95_percent() -> None:
    train_images, _, test_images, _ = demo.load_digits()
    program = demo.build(len(train_images) // demo.BATCH, len(test_images))
    accuracy, loss, _ = demo.train(tdsl.compile(program, keep=["loss", "scores"]), epochs=60)
    assert accuracy > 0.95
    assert loss < 0.15


def test_five_steps_match_numpy() -> None:
    images, digits, test_images, _ = demo.load_digits()
    batches = len(images) // demo.BATCH
    x = images.reshape(batches, demo.BATCH, 64)
    y = digits.reshape(batches, demo.BATCH)
    generator = np.random.default_rng(1)
    w = generator.normal(0, 0.1, (demo.CLASSES, 64)).astype("f4")
    b = generator.normal(0, 0.1, demo.CLASSES).astype("f4")
    rate = np.float32(0.5 / demo.BATCH)
    context = tdsl.Context(
        tdsl.compile(demo.build(batches, len(test_images))),
        {"images": x, "digits": y[..., None].astype("f4"), "test_images": test_images, "rate": [rate], "w": w, "b": b},
    )
    w, b = w.astype("f8"), b.astype("f8")
    for step in range(5):
        context.run("train", batch=step)
        logits = x[step] @ w.T + b
        shifted = logits - logits.max(1, keepdims=True)
        log_probs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        one_hot = np.eye(demo.CLASSES)[y[step]]
        loss = -(one_hot * log_probs).sum()
        delta = np.exp(log_probs) - one_hot
        w_grad, b_grad = delta.T @ x[step], delta.sum(0)
        w, b = w - rate * w_grad, b - rate * b_grad
        expected = {"loss": loss, "w.grad": w_grad, "b.grad": b_grad, "w": w, "b": b}
        for name, cells in expected.items():
            np.testing.assert_allclose(
                context[name].reshape(np.shape(cells)), cells, rtol=1e-4, atol=1e-5, err_msg=f"{name}, step {step}"
            )
    context.run("evaluate")
    np.testing.assert_allclose(context["scores"], test_images @ w.T + b, rtol=1e-4, atol=1e-4)
