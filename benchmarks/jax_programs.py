"""The programs of ``programs.py`` in JAX; runs in an interpreter that has JAX, and knows nothing of tdsl.

``python benchmarks/jax_programs.py NAME INPUTS.npz RESULTS.npz REPETITIONS`` prints the seconds that the first calls of
freshly jitted functions took, up to the result, by the clock and of all threads, in JSON. JAX has started its backend
before.
"""

from __future__ import annotations

import json
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np


def contraction(arrays):
    return {"c": arrays["a"] @ arrays["b"]}


def softmax(arrays):
    return {"x.softmax": jax.nn.softmax(arrays["x"], axis=-1)}


def attention(arrays):
    q, k, v = (jnp.einsum("hdm,bsm->bshd", arrays[name], arrays["x"]) for name in ("wq", "wk", "wv"))
    weights = jax.nn.softmax(jnp.einsum("bshd,bthd->bsht", q, k) * q.shape[-1] ** -0.5, axis=-1)
    return {"y": jnp.einsum("mhe,bshe->bsm", arrays["wo"], jnp.einsum("bsht,bthe->bshe", weights, v))}


def mlp_step(arrays):
    parameters = {name: arrays[name] for name in ("w1", "b1", "w2", "b2")}

    def loss(p):
        active = jax.nn.relu(arrays["x"] @ p["w1"].T + p["b1"])
        return -(arrays["target"] * jax.nn.log_softmax(active @ p["w2"].T + p["b2"])).sum()

    value, gradients = jax.value_and_grad(loss)(parameters)
    return {"loss": value[None], **{n: p - arrays["rate"] * gradients[n] for n, p in parameters.items()}}


def main() -> None:
    name, inputs, results, repetitions = sys.argv[1:]
    arrays = {key: jax.device_put(array) for key, array in np.load(inputs).items()}
    jax.block_until_ready(arrays)
    seconds, computed = [], {}
    for _ in range(int(repetitions)):
        jax.clear_caches()
        start, cpu = time.perf_counter(), time.process_time()
        computed = jax.block_until_ready(jax.jit(globals()[name])(arrays))
        seconds.append({"total": time.perf_counter() - start, "cpu": time.process_time() - cpu})
    np.savez(results, **{key: np.asarray(array) for key, array in computed.items()})
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
