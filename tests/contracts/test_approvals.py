"""What every store of runs promises about calls that wait for a person's yes."""

from __future__ import annotations

import asyncio

from draftsmith.ports.approvals import Approval, Verdict
from draftsmith.ports.runs import RunStore
from tests.contracts.lines import new_w
from tests.contracts.run_lines import LONG_MS, end, row_of, started
from tests.timeouts import until

CALL = Approval(id="1", plugin="cluster", tool="apply", input={"name": "Grüße \u2028", "deep": [{}]}, until_ms=7)
YES, NO = Verdict(True, "Ana Özil"), Verdict(False, "")


async def test_a_call_waits_until_it_is_answered_and_taken(run_stores: tuple[RunStore, RunStore]) -> None:
    """Whatever worker is asked; the first answer counts, and none is taken after the waiting was ended."""
    here, there = run_stores
    w = new_w()
    run_id = await started(here, w)
    assert await there.answer_approval(w, run_id, "1", YES) is None
    assert await here.ask_approval(w, run_id, CALL, worker="a", wait_ms=LONG_MS)
    row = await row_of(there, w, run_id)
    assert (row.approval, row.verdict) == (CALL, None)
    assert await there.answer_approval(w, run_id, "2", YES) is None
    assert await there.answer_approval(w, run_id, "1", YES) == YES
    assert await here.answer_approval(w, run_id, "1", NO) == YES
    assert (await row_of(here, w, run_id)).verdict == YES
    assert await here.close_approval(w, run_id, "2") is None
    assert await here.close_approval(w, run_id, "1") == YES
    row = await row_of(here, w, run_id)
    assert (row.approval, row.verdict) == (None, None)
    assert await there.answer_approval(w, run_id, "1", YES) is None
    assert await here.close_approval(w, run_id, "1") is None


async def test_the_answer_to_one_call_is_none_to_the_next(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    await runs.ask_approval(w, run_id, CALL, worker="a", wait_ms=LONG_MS)
    assert await runs.answer_approval(w, run_id, "1", YES) == YES
    second = Approval(id="2", plugin="cluster", tool="apply", input={}, until_ms=8)
    assert await runs.ask_approval(w, run_id, second, worker="a", wait_ms=LONG_MS)
    row = await row_of(runs, w, run_id)
    assert (row.approval, row.verdict) == (second, None)
    assert await runs.answer_approval(w, run_id, "1", YES) is None
    assert await runs.close_approval(w, run_id, "2") is None


async def test_nothing_waits_in_a_run_that_is_over_or_of_another_worker(runs: RunStore) -> None:
    w = new_w()
    run_id = await started(runs, w)
    assert not await runs.ask_approval(w, run_id, CALL, worker="b", wait_ms=LONG_MS)
    assert not await runs.ask_approval(w, new_w(), CALL, worker="a", wait_ms=LONG_MS)
    assert await runs.ask_approval(w, run_id, CALL, worker="a", wait_ms=LONG_MS)
    await end(runs, w, run_id)
    assert await runs.answer_approval(w, run_id, "1", YES) is None
    assert not await runs.ask_approval(w, run_id, CALL, worker="a", wait_ms=LONG_MS)


async def test_after_the_deadline_no_answer_is_taken(runs: RunStore) -> None:
    """By the store's clock; an answer that came in time counts also where it is taken later."""
    w = new_w()
    run_id, other = await started(runs, w), await started(runs, w)
    await runs.ask_approval(w, other, CALL, worker="a", wait_ms=LONG_MS)
    await runs.answer_approval(w, other, "1", NO)
    await runs.ask_approval(w, run_id, CALL, worker="a", wait_ms=1)
    begun = (await row_of(runs, w, run_id)).now_ms

    async def is_past() -> bool:
        return (await row_of(runs, w, run_id)).now_ms > begun + 1

    await until(is_past)
    assert await runs.answer_approval(w, run_id, "1", YES) is None
    assert await runs.close_approval(w, run_id, "1") is None
    assert await runs.close_approval(w, other, "1") == NO


async def test_of_many_answers_at_once_one_counts(run_stores: tuple[RunStore, RunStore]) -> None:
    w = new_w()
    run_id = await started(run_stores[0], w)
    await run_stores[0].ask_approval(w, run_id, CALL, worker="a", wait_ms=LONG_MS)
    given = [Verdict(number % 2 == 0, f"person {number}") for number in range(6)]
    counted = await asyncio.gather(
        *(run_stores[number % 2].answer_approval(w, run_id, "1", one) for number, one in enumerate(given))
    )
    assert len(set(counted)) == 1
    assert counted[0] in given
