"""Random specs: compiled code, the reference interpreter and plain loops compute the same cells."""

from __future__ import annotations

import contextlib
import os
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tdsl
from agreement import brute_force
from agreement.evaluations import arrays_of, brute, compile_together, infer, reference, run_compiled
from agreement.specs import Case, write
from agreement.strategies import cases, features

#: Cases that are compiled as one program: a compilation takes longer than all else.
TOGETHER = 10
FEATURES = ("affine", "concatenation", "row variable", "pinned index", "diagonal")


def _is_misspelled(case: Case) -> bool:
    return case.text not in {write(case.spec, commas, blank) for commas in (False, True) for blank in ("", " ")}


def _expected(case: Case) -> str:
    """``accept``, ``refuse``, or ``either`` where the specification lets the compiler choose."""
    if _is_misspelled(case):
        return "either"
    try:
        ambiguous = brute_force.is_ambiguous(case) or brute_force.infers_emptiness(case)
    except brute_force.Contradiction:
        # With an open result, the sizes that the generator wanted are not those that the compiler must find.
        return "either" if case.is_open else "refuse"
    except brute_force.Undetermined:
        return "either"
    if ambiguous or case.accumulator == "overwrite" or (case.is_open and not brute_force.is_determined(case)):
        return "either"
    return "accept"


def _same(actual: np.ndarray, expected: np.ndarray, what: str, case: Case) -> None:
    # Sums and products of these cells are exact, except long products of sums.
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=0, err_msg=f"{what}, {case}", strict=True)


def _check_refusal(case: Case) -> None:
    with pytest.raises(tdsl.TdslError) as refusal:
        compile_together([case])
    assert str(refusal.value).strip(), f"an error without a message, {case}"


def _check_batch(batch: list[Case], count: Counter[str]) -> None:
    accepted: list[tuple[Case, np.ndarray]] = []
    for case in batch:
        expected = _expected(case)
        count.update({*features(case), f"must {expected}" if expected != "either" else "may do either"})
        count["specs"] += 1
        refusal = None
        try:
            inferred, module = infer(case)
        except tdsl.TdslError as error:
            refusal = error
        if refusal is not None:
            assert str(refusal).strip(), f"an error without a message, {case}"
            assert expected != "accept", f"refused although it is right, {case}\n{refusal}"
            count["refused"] += 1
            _check_refusal(case)
            continue
        assert expected != "refuse", f"accepted although the sizes do not fit, {case}"
        if expected == "accept":
            assert inferred.result == case.result, f"inferred {inferred.result}, {case}"
        count["well-formed"] += 1
        arrays = arrays_of(inferred)
        on_logic, on_space = reference(inferred, module, arrays)
        _same(on_space, on_logic, "the reference on the derived space and on the logic", case)
        accepted.append((inferred, on_logic))
        if not _is_misspelled(case):
            count["compared with plain loops"] += 1
            _same(on_logic, brute(inferred, arrays), "the reference and plain loops", case)
    if not accepted:
        return
    compiled = compile_together([case for case, _ in accepted])
    for number, (case, wanted) in enumerate(accepted):
        _same(run_compiled(compiled, f"run{number}", {number: case})[number], wanted, "compiled code", case)


def _report(count: Counter[str]) -> str:
    total = count["specs"]
    return "\n".join(f"{name:>32} {number:6} {100 * number / total:5.1f} %" for name, number in count.most_common())


def _run(examples: int, *, derandomize: bool) -> None:
    count: Counter[str] = Counter()

    @given(st.lists(cases(), min_size=TOGETHER, max_size=TOGETHER))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=derandomize,
        database=None,
        # Without shrinking, which takes minutes: the message names the case.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(batch: list[Case]) -> None:
        _check_batch(batch, count)

    try:
        check()
    finally:
        print(f"\n{_report(count)}")
    for feature in FEATURES:
        assert count[feature] >= 0.1 * count["specs"], f"{feature} is too rare\n{_report(count)}"
    assert count["well-formed"] >= 0.3 * count["specs"], _report(count)
    assert count["compared with plain loops"] >= 0.9 * count["well-formed"], _report(count)


def test_random_specs() -> None:
    """The same specs in every run; new ones, as many as it says, where ``TDSL_TEST_NEW_SPECS`` is set."""
    new = int(os.environ.get("TDSL_TEST_NEW_SPECS", "0"))
    _run(new // TOGETHER or 100, derandomize=not new)


def _check_routine(batch: list[Case]) -> None:
    """All statements in one routine compute what each computes alone."""
    accepted: list[Case] = []
    for case in batch:
        with contextlib.suppress(tdsl.TdslError):
            accepted.append(infer(case)[0])
    if not accepted:
        return
    compiled = compile_together(accepted)
    numbered = dict(enumerate(accepted))
    together = run_compiled(compiled, "everything", numbered)
    for number, case in numbered.items():
        alone = run_compiled(compiled, f"run{number}", {number: case})[number]
        _same(together[number], alone, "one routine with all statements, and a routine for each", case)


def test_random_routines() -> None:
    @given(st.lists(cases(), min_size=TOGETHER, max_size=TOGETHER))
    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(batch: list[Case]) -> None:
        _check_routine(batch)

    check()
