"""Short ways to start, end and wait for runs in the contract suites."""

from __future__ import annotations

from draftsmith.ports.runs import OPEN_STATUSES, Ending, RunRow, RunStart, RunStore, StartOutcome
from tests.contracts.lines import new_w
from tests.timeouts import until

LONG_MS = 600_000
REQUEST = {"prompt": "Füge einen Cache hinzu 🗄", "base": 7, "nested": {"list": [1, 2.5, None, True]}}
DONE = Ending("answered", {"text": "two"}, [{"type": "end"}], {"question": "how many?", "answer": "two"})


def new_id() -> str:
    return new_w()


async def start(
    store: RunStore, w: str, run_id: str | None = None, *, who: str = "", ttl_ms: int = LONG_MS, at_most: int = 4
) -> StartOutcome:
    """Start a run of worker `a`."""
    return await store.start(w, run_id or new_id(), REQUEST, "a", edits_for=who, ttl_ms=ttl_ms, at_most=at_most)


async def started(store: RunStore, w: str, *, who: str = "", ttl_ms: int = LONG_MS) -> str:
    """The id of a run that was started, however many others there are."""
    run_id = new_id()
    outcome = await start(store, w, run_id, who=who, ttl_ms=ttl_ms, at_most=1_000_000)
    assert isinstance(outcome, RunStart)
    return run_id


async def row_of(store: RunStore, w: str, run_id: str) -> RunRow:
    """A run that is there."""
    row = await store.run(w, run_id)
    assert row is not None
    return row


async def ids_of(store: RunStore, w: str, before: str | None = None, count: int = 10**6) -> list[str]:
    """The runs of a list, by id."""
    return [row.id for row in await store.runs(w, before=before, count=count)]


async def status_of(store: RunStore, w: str, run_id: str) -> str:
    return (await row_of(store, w, run_id)).status


async def end(store: RunStore, w: str, run_id: str, ending: Ending = DONE) -> bool:
    """End a run that is not over."""
    return await store.end(w, run_id, OPEN_STATUSES, ending)


async def abandoned(store: RunStore, w: str, *, who: str = "") -> str:
    """The id of a run whose worker has gone without finishing."""
    run_id = await started(store, w, who=who, ttl_ms=1)

    async def is_abandoned() -> bool:
        return (await row_of(store, w, run_id)).is_abandoned

    await until(is_abandoned)
    return run_id
