"""Trying a model: the text whose marks come back, and what follows from how much was read."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from draftsmith.ports.runs import TrialResult
from draftsmith.usecases.providers.trial import MARK_COUNT, MARKS, cut_beyond, marked_text, measured_context


@pytest.mark.parametrize("tokens", [4_000, 32_000])
def test_marks_stand_at_equal_distances_from_the_beginning_on(tokens: int) -> None:
    """So the share that comes back is the share that was read, wherever a server cuts."""
    marks = MARKS[:MARK_COUNT]
    text = marked_text(tokens, marks)
    assert abs(len(text) - 4 * tokens) < 200
    places = [text.index(f"The code word is {mark}.") for mark in marks]
    step = 4 * tokens / MARK_COUNT
    assert places[0] == 0
    assert all(abs(place - number * step) < 200 for number, place in enumerate(places))
    assert all(text.count(mark) == 1 for mark in marks), "no mark is read out of the rest"


def _result(code: str = "", read: int | None = None) -> TrialResult:
    return TrialResult(ok=not code, code=code, detail="", facts={} if read is None else {"read_tokens": read})


@pytest.mark.parametrize(
    "trials, context",
    [
        ({}, 0),
        ({"reads_4k": _result()}, 0),
        ({"reads_4k": _result("cut", 2_500)}, 2_500),
        ({"reads_4k": _result("timeout")}, 0),
        ({"reads_4k": _result(), "reads_16k": _result("cut", 6_000)}, 6_000),
        ({"reads_4k": _result(), "reads_16k": _result("cut", 2_000)}, 4_000),
        ({"reads_4k": _result(), "reads_16k": _result("too_large")}, 4_000),
        ({"reads_4k": _result(), "reads_16k": _result("timeout")}, 0),
        ({"reads_4k": _result(), "reads_16k": _result(), "reads_32k": _result()}, 0),
    ],
)
def test_a_context_is_known_where_a_model_was_seen_to_cut(trials: Mapping[str, TrialResult], context: int) -> None:
    """One that is merely slow, and one that reads all, is sent as much as any."""
    assert measured_context(trials) == context


def test_requests_lose_their_beginning_above_what_came_back() -> None:
    """Where the last marks came back and not the first; marks that are missing among others say nothing."""
    lost = TrialResult(
        ok=False, code="cut", detail="", facts={"sent_tokens": 16_000, "read_tokens": 4_000, "is_beginning_lost": True}
    )
    sloppy = TrialResult(
        ok=False, code="cut", detail="", facts={"sent_tokens": 4_000, "read_tokens": 3_000, "is_beginning_lost": False}
    )
    assert cut_beyond({"reads_4k": _result(), "reads_16k": lost}) == 6_000
    assert cut_beyond({"reads_4k": sloppy}) == 0
    assert cut_beyond({}) == 0
