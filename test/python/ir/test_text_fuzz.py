"""Damaged programs: whatever the text, parsing, verifying, cloning and printing end in a result or in an error.

Mutants come from the valid programs of the lit tests; the seeds are fixed, so every run tests the same ones.
"""

from __future__ import annotations

import json
import random
import re

import pytest
from corpus import programs
from isolated import run_batch

READER = """
import json
import sys
import mlir.ir as ir
import tdsl.ir
from tdsl import _tdsl
with tdsl.ir.create_context():
    for number, line in enumerate(sys.stdin):
        print(number, flush=True)
        try:
            module = ir.Module.parse(json.loads(line))
        except ir.MLIRError:
            continue
        module.operation.verify()
        text = str(module)
        if str(ir.Module.parse(text)) != text:
            print(text)
            raise SystemExit("the printed form is another program")
        if str(module.operation.clone()) != text:
            raise SystemExit("the clone is another program")
        for program in module.body.operations:
            for op in program.regions[0].blocks[0].operations:
                if _tdsl.has_index_space(op.operation):
                    _tdsl.iteration_space(op.operation)
print("survived")
"""

# Failed checks of upstream code on text that it should refuse, by their words.
UPSTREAM_ABORTS = {
    "TensorLiteralParser::getIntAttrElements": "the indices of a sparse literal may be strings",
}

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[@%#!]?[\w.$]+|->|\s+|.', re.DOTALL)
_CHARACTERS = '"@%#!<>[](){},:=*+-|?.^_\\\n 019azé\0'


def mutant(source: random.Random, texts: list[str]) -> str:
    """One change of one program, or several."""
    lines = source.choice(texts).splitlines(keepends=True)
    # A short program keeps the mistake from hiding behind another.
    start = source.randrange(len(lines))
    text = lines[0] + "".join(lines[start : start + 12]) if source.random() < 0.5 else "".join(lines)
    for _ in range(source.choice([1, 1, 2, 4])):
        tokens = _TOKEN.findall(text)
        if len(tokens) < 2:
            return text
        first, second = source.randrange(len(tokens)), source.randrange(len(tokens))
        change = source.randrange(6)
        if change == 0:
            del tokens[first]
        elif change == 1:
            tokens.insert(second, tokens[first])
        elif change == 2:
            tokens[first], tokens[second] = tokens[second], tokens[first]
        elif change == 3:
            token = tokens[first]
            place = source.randrange(len(token) + 1)
            tokens[first] = token[:place] + source.choice(_CHARACTERS) + token[place + source.randrange(2) :]
        elif change == 4:
            others = _TOKEN.findall(source.choice(texts))
            begin = source.randrange(len(others))
            tokens[first:first] = others[begin : begin + source.randrange(1, 8)]
        else:
            tokens[first] = source.choice(["-1", "0", "9223372036854775807", "99999999999999999999", '""', "1.5e300"])
        text = "".join(tokens)
    return text


@pytest.mark.parametrize("seed", range(4))
def test_no_text_ends_the_process(seed: int) -> None:
    source = random.Random(seed)
    texts = list(programs().values())
    items = [json.dumps(mutant(source, texts)) for _ in range(1500)]
    assert run_batch(READER, items, UPSTREAM_ABORTS, timeout=20) == []
