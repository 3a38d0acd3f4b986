"""Values and levels are counted as the text arrives, however it is cut, and before anything is parsed."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.json_counts import MAX_DEPTH, JsonCounts
from tests.seeds import run_seed

_TEXTS = ['x"\\\\\\', ",,[[{{", "\\", '"', "", "ü🚀", '\\"[']


def some_json(rng: random.Random, level: int = 0) -> Any:
    kind = rng.random() if level < 6 else 1.0
    count = rng.randint(0, 4)
    if kind < 0.3:
        return [some_json(rng, level + 1) for _ in range(count)]
    if kind < 0.6:
        return {rng.choice(_TEXTS) + str(number): some_json(rng, level + 1) for number in range(count)}
    return rng.choice([1, -2.5, None, True, *_TEXTS])


def counted(value: Any) -> int:
    """Values as they are counted: what is empty counts twice."""
    if not isinstance(value, (list, dict)):
        return 1
    inner = value if isinstance(value, list) else list(value.values())
    return 1 + sum(map(counted, inner)) + (not inner)


def test_every_text_is_counted_as_it_is_parsed_wherever_it_is_cut() -> None:
    rng = random.Random(run_seed())
    for _ in range(400):
        value = some_json(rng)
        raw, counts, at = orjson.dumps(value), JsonCounts(), 0
        while at < len(raw):
            size = rng.randint(1, 9)
            counts.add(raw[at : at + size])
            at += size
        assert (counts.values, counts.level) == (counted(value), 0), raw


def count_error(raw: bytes, max_values: int = 1000) -> DraftsmithError:
    with pytest.raises(DraftsmithError) as refused:
        JsonCounts(max_values=max_values).add(raw)
    return refused.value


def test_too_many_values_are_refused_before_the_text_ends() -> None:
    error = count_error(b"[" + b"[]," * 10_000)
    assert error.code == "body_too_large"
    assert "1,000 values" in error.detail
    JsonCounts(max_values=1000).add(b'["%s"]' % (b"[]," * 10_000))


def test_levels_are_counted_over_the_whole_text() -> None:
    assert count_error(b"[" * (MAX_DEPTH + 1)).code == "malformed_json"
    JsonCounts().add(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    JsonCounts().add(b"[" + b"[[]]," * 500 + b"[]]")
    slowly = JsonCounts()
    for _ in range(MAX_DEPTH):
        slowly.add(b'{"a":')
    with pytest.raises(DraftsmithError, match="deeper than 100"):
        slowly.add(b"{")
