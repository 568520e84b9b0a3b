"""Random specifications against NumPy, and the independence of the interpreter."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tdsl.reference
from reference.programs import run
from tdsl.ir import create_context

LABELS = "abcd"


@st.composite
def contractions(draw):
    """Sizes of the labels, the labels of one to three operands, and those of the result, without repetition."""
    lengths = {label: draw(st.integers(0, 3)) for label in LABELS}
    operands = draw(st.lists(st.text(LABELS, min_size=1, max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(operands)))
    result = draw(st.permutations(used).flatmap(lambda order: st.integers(1, len(order)).map(lambda n: order[:n])))
    return lengths, operands, "".join(result)


@given(contractions(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=150)
def test_contractions_agree_with_numpy(contraction, random):
    lengths, operands, result = contraction
    nodes, values = [], {}
    for number, labels in enumerate([*operands, result]):
        axes = [lengths[label] for label in labels]
        name = "y" if number == len(operands) else f"x{number}"
        nodes.append(f'tdsl.node @{name} : i64 "{",".join(map(str, axes))}" leaf')
        cells = [random.randint(-5, 5) for _ in range(int(np.prod(axes)))]
        values[name] = np.array(cells, dtype=np.int64).reshape(axes)
    primitive = ["id", "mul", "mul3"][len(operands) - 1]
    sources = ", ".join(f"@x{number}" for number in range(len(operands)))
    nodes.append(f'tdsl.projections @p "{";".join(operands)} => {result}" ({sources}) -> @y')
    nodes.append(f"tdsl.routine @run {{ tdsl.assign @y reset add = {primitive}({sources}) by @p }}")
    expected = np.einsum(f"{','.join(operands)}->{result}", *(values[f"x{n}"] for n in range(len(operands))))
    with create_context():
        np.testing.assert_array_equal(run("\n".join(nodes), values)["y"], expected)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.integers(1, 5), st.booleans())
@settings(deadline=None, max_examples=80)
def test_windows_agree_with_loops(stride, dilation, kernel, outputs, padded):
    span = 1 + (kernel - 1) * dilation
    size = stride * outputs if padded else stride * (outputs - 1) + span
    text = f"""
      tdsl.node @x : f64 "{size}" leaf
      tdsl.node @k : f64 "{kernel}" leaf
      tdsl.node @y : f64 "{outputs}" result
      tdsl.projections @p "{stride}*o{"=" if padded else "<"}+{dilation}*k; k => o" (@x, @k) -> @y
      tdsl.routine @run {{ tdsl.assign @y reset max = add(@x, @k) by @p }}"""
    x, k = -np.arange(1.0, size + 1), np.arange(kernel) % 3 * 1.5
    left = span // 2 if padded else 0
    expected = [
        max(
            (x[i] + k[j] for j in range(kernel) if 0 <= (i := stride * o + dilation * j - left) < size),
            default=-np.inf,
        )
        for o in range(outputs)
    ]
    with create_context():
        assert run(text, {"x": x, "k": k})["y"].tolist() == expected


ALLOWED = ("tdsl.reference", "tdsl.ir", "tdsl.errors", "tdsl.notation", "mlir.ir", "numpy", "ml_dtypes")


@pytest.mark.parametrize("path", sorted(Path(tdsl.reference.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_is_shared_with_the_compiler(path):
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            modules = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            modules = [statement.module or ""]
        else:
            continue
        for module in modules:
            assert module.split(".")[0] not in ("tdsl", "mlir") or module.startswith(ALLOWED), f"imports {module}"
